#!/bin/sh
# Removes what install.sh installed. The record of play is kept. Running it again does nothing.
#
#   sudo make uninstall               stop and remove
#   sudo make uninstall PURGE=1       remove the record of play and the user as well
#   make uninstall DRY_RUN=1          only print what would be done
#   make uninstall DESTDIR=/tmp/root  remove the files under that folder
set -eu

destdir=${DESTDIR:-}
dry_run=${DRY_RUN:-}
purge=${PURGE:-}
unit=boardside.service

run() {
    if [ -n "$dry_run" ]; then
        echo "+ $*"
    else
        "$@"
    fi
}

if [ -z "$dry_run$destdir" ] && [ "$(id -u)" -ne 0 ]; then
    echo "Boardside is not removed: this needs to be root." >&2
    echo "To mend it: sudo make uninstall" >&2
    exit 1
fi

if [ -z "$destdir" ] && [ -e "/etc/systemd/system/$unit" ]; then
    [ ! -d /run/systemd/system ] || run systemctl stop "$unit"
    run systemctl disable "$unit"
fi

run rm -f "$destdir/etc/systemd/system/$unit" "$destdir/etc/sysusers.d/boardside.conf" "$destdir/etc/avahi/services/boardside.service" \
    "$destdir/etc/udev/rules.d/60-boardside.rules"
run rm -rf "$destdir/opt/boardside"
case $(readlink "$destdir/usr/local/bin/boardside") in
    /opt/boardside/*) run rm -f "$destdir/usr/local/bin/boardside" ;;
esac
[ -n "$destdir" ] || [ ! -d /run/systemd/system ] || run systemctl daemon-reload

done_or_not="is removed"
[ -z "$dry_run" ] || done_or_not="would be removed"
if [ -n "$purge" ]; then
    run rm -rf "$destdir/var/lib/boardside"
    [ -n "$destdir" ] || ! getent passwd boardside >/dev/null || run userdel boardside
    echo "Boardside $done_or_not, with its record of play."
else
    echo "Boardside $done_or_not. The record of play in $destdir/var/lib/boardside stays; PURGE=1 removes it too."
fi
