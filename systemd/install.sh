#!/bin/sh
# Installs Boardside as a service of this machine, for Raspberry Pi OS (Bookworm, Trixie) and Debian.
# Running it again updates: the new version is made and tried beside the one that runs, which goes on until then, is
# switched back to if the new one does not start, and stays for `sudo make rollback`.
#
#   sudo make install                 install and start, or update
#   sudo make rollback                back to the version before (and forth again)
#   make install DRY_RUN=1            only print what would be done
#   make install DESTDIR=/tmp/root    put the files under that folder; no packages, no user, nothing started
set -eu
umask 022 # the service's user must be able to read what root installs

source=$(cd "$(dirname "$0")/.." && pwd)
destdir=${DESTDIR:-}
dry_run=${DRY_RUN:-}
opt=${OPT:-/opt/boardside}   # the versions, 1, 2, 3 ...; `current` leads to the one that runs, `last` to the one before
etc=${ETC:-$destdir/etc}
bin=${LOCAL_BIN:-/usr/local/bin}
run_systemd=${RUN_SYSTEMD:-/run/systemd/system} # there while systemd runs
state=${STATE:-/var/lib/boardside}
os_release=${OS_RELEASE:-/etc/os-release}
python=${SYSTEM_PYTHON:-/usr/bin/python3} # the system's Python: apt installs picamera2 and lgpio for it
unit=boardside.service

NEEDED="python3-venv libgl1 libglib2.0-0"
WISHED="python3-lgpio python3-picamera2 gnubg espeak-ng avahi-daemon gcc libc6-dev" # installed if the release has them; the first two are only in Raspberry Pi OS
START='{"position": {"points": [-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2]}, "player": "white", "dice": [3, 1]}'

# Runs a command that changes the machine, or prints it under DRY_RUN.
run() {
    if [ -n "$dry_run" ]; then
        echo "+ $*"
    else
        "$@"
    fi
}

fail() {
    echo "Boardside is not ${aim:-installed}: $1" >&2
    echo "To mend it: $2" >&2
    exit 1
}

check_machine() {
    [ -n "$dry_run$destdir" ] || [ "$(id -u)" -eq 0 ] || fail "this needs to be root." "sudo make install"
    [ -n "$destdir" ] || command -v apt-get >/dev/null || fail "this is no Debian system (there is no apt-get)." "use make run"
    [ -x "$python" ] || fail "there is no $python." "sudo apt install python3"
}

is_installed() {
    dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

is_known() {
    apt-cache show "$1" >/dev/null 2>&1
}

install_packages() {
    missing=""
    for package in $NEEDED $WISHED; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    run apt-get update -q
    to_install=""
    for package in $missing; do
        case " $WISHED " in
            *" $package "*) is_known "$package" || continue ;;
        esac
        to_install="$to_install $package"
    done
    [ -n "$to_install" ] || return 0
    # shellcheck disable=SC2086  # one argument a package
    run env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $to_install
}

install_files() {
    run install -D -m 644 "$source/systemd/sysusers.conf" "$etc/sysusers.d/boardside.conf"
    run install -D -m 644 "$source/systemd/boardside.rules" "$etc/udev/rules.d/60-boardside.rules"
    run install -D -m 644 "$source/systemd/boardside.avahi" "$etc/avahi/services/boardside.service"
}

# Bookworm's picamera2 was built for numpy 1 and OpenCV 5 needs numpy 2; one program cannot use both.
warn_of_old_release() {
    if is_installed python3-picamera2 && grep -q bookworm "$os_release"; then
        echo "Note: a ribbon-cable (CSI) camera needs Raspberry Pi OS Trixie; on this Bookworm use a USB camera."
    fi
}

# The version that `current` or `last` leads to; empty if there is none. The oldest installations have one, in `venv`.
version() {
    if [ -L "$opt/$1" ]; then
        readlink "$opt/$1"
    elif [ "$1" = current ] && [ -x "$opt/venv/bin/boardside" ]; then
        echo venv
    fi
}

# Removes the versions that neither run nor ran last: older ones, and what was not finished.
remove_others() {
    for each in "$opt"/*; do
        case "${each##*/}" in
            current | last | "$(version current)" | "$(version last)") ;;
            *) [ ! -d "$each" ] || run rm -rf "$each" ;;
        esac
    done
}

next_number() {
    highest=0
    for each in "$opt"/[0-9]*; do
        [ ! -d "$each" ] || [ "${each##*/}" -le "$highest" ] || highest=${each##*/}
    done
    echo $((highest + 1))
}

as_the_service() {
    (cd / && run runuser -u boardside -- "$@")
}

# Makes the environment where it will run, which no environment can leave. Builds in a copy: a build in the clone would
# leave files owned by root there, and could include files of an older build. Nothing without a hash in the lock is used.
make_version() {
    run install -d -m 755 "$opt"
    run "$python" -m venv --clear --system-site-packages "$new"
    for part in pyproject.toml README.md LICENSE requirements.lock companion vision hardware web; do
        cp -R "$source/$part" "$copy/"
    done
    set -- "$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-warn-script-location
    run "$@" --require-hashes --only-binary :all: --requirement "$copy/requirements.lock"
    run "$@" --no-deps --no-build-isolation "$copy"
    run install -m 644 "$source/systemd/$unit" "$new/$unit"
}

# Tried as the user who will run it: what only root can read is found now.
try_version() {
    as_the_service "$new/bin/python" -m companion.preflight packages
    [ -n "$dry_run" ] || echo "$START" | as_the_service "$new/bin/boardside" moves | grep -q '"plays"' ||
        fail "the new version does not answer." "look at what it says: echo '$START' | $new/bin/boardside moves"
}

back_up() {
    old=$(version current)
    [ -n "$old" ] && [ -d "$state" ] || return 0
    if ! "$opt/$old/bin/boardside" backup --help >/dev/null 2>&1; then
        echo "Note: the version that runs cannot back its state up yet; the update leaves $state as it is."
        return 0
    fi
    backup=$state/before-update.zip
    run rm -f "$backup.new"
    as_the_service "$opt/$old/bin/boardside" backup "$backup.new" --state "$state" >/dev/null
    run mv "$backup.new" "$backup"
}

lead() {
    run ln -sfn "$2" "$opt/$1.new" && run mv -T "$opt/$1.new" "$opt/$1" # a rename: there is no moment without
}

# Starts a version, by its own unit; whether it runs. `restart` waits until the page is served, or is not.
take_up() {
    lead current "$1" &&
        run install -D -m 644 "$opt/$1/$unit" "$etc/systemd/system/$unit.new" &&
        run mv "$etc/systemd/system/$unit.new" "$etc/systemd/system/$unit" || return 1
    if [ ! -d "$run_systemd" ]; then
        echo "systemd does not run here: Boardside starts with the machine's next boot under it."
        run systemctl enable "$unit"
        return
    fi
    run systemctl daemon-reload && run systemctl enable "$unit" && run systemctl restart "$unit" && run systemctl is-active --quiet "$unit"
}

switch_to() {
    old=$(version current)
    [ "$old" != venv ] || [ -e "$opt/venv/$unit" ] || run install -m 644 "$etc/systemd/system/$unit" "$opt/venv/$unit"
    if take_up "$1"; then
        [ -z "$old" ] || lead last "$old"
        return 0
    fi
    [ -n "$old" ] || fail "it does not start." "look at its log: journalctl -u boardside"
    take_up "$old" || fail "neither that version starts nor the one before." "look at their log: journalctl -u boardside"
    fail "that version did not start; the one before runs again." "look at its log: journalctl -u boardside"
}

roll_back() {
    aim="rolled back"
    last=$(version last)
    [ -n "$last" ] || fail "there is no version before this one." "sudo make install"
    switch_to "$last"
    [ -n "$dry_run" ] || echo "Boardside runs as it was before the last update; sudo make rollback again undoes this."
}

tidy_up() {
    status=$?
    rm -rf "$copy"
    [ "$(version current)" != "${new##*/}" ] || return 0
    run rm -rf "$new"
    [ "$status" -eq 0 ] || echo "What was installed before is as it was." >&2
}

install_version() {
    (cd "$source" && PYTHONDONTWRITEBYTECODE=1 "$python" -m companion.preflight python) || exit 1
    [ -z "$(version current)" ] || aim=updated
    remove_others
    new=$opt/$(next_number)
    copy=$(mktemp -d)
    trap tidy_up EXIT
    trap 'exit 1' HUP INT TERM
    make_version
    try_version
    back_up
    switch_to "${new##*/}"
    remove_others
    run mkdir -p "$bin"
    run ln -sfn "$opt/current/bin/boardside" "$bin/boardside"
}

reload_rules() {
    [ -d "$run_systemd" ] || return 0
    run udevadm control --reload
    run udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap
}

check_machine
if [ "${1:-}" = rollback ]; then
    roll_back
    exit 0
fi
if [ -z "$destdir" ]; then
    install_packages
    warn_of_old_release
fi
install_files
if [ -n "$destdir" ]; then
    install -D -m 644 "$source/systemd/$unit" "$etc/systemd/system/$unit"
    echo "Boardside's files are under $destdir."
    exit 0
fi
run systemd-sysusers boardside.conf
reload_rules
install_version
[ -n "$dry_run" ] || echo "Boardside is installed: http://$(hostname).local:8000"
