#!/bin/sh
# Installs Boardside as a service of this machine, for Raspberry Pi OS (Bookworm, Trixie) and Debian.
# Running it again updates an installed service.
#
#   sudo make install                 install and start
#   make install DRY_RUN=1            only print what would be done
#   make install DESTDIR=/tmp/root    put the files under that folder; no packages, no user, nothing started
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
destdir=${DESTDIR:-}
dry_run=${DRY_RUN:-}
opt=${OPT:-/opt/boardside}
os_release=${OS_RELEASE:-/etc/os-release}
python=${SYSTEM_PYTHON:-/usr/bin/python3} # the system's Python: apt installs picamera2 and lgpio for it

NEEDED="python3-venv libgl1 libglib2.0-0"
WISHED="python3-lgpio python3-picamera2 gnubg espeak-ng avahi-daemon" # installed if the release has them; the first two are only in Raspberry Pi OS

# Runs a command that changes the machine, or prints it under DRY_RUN.
run() {
    if [ -n "$dry_run" ]; then
        echo "+ $*"
    else
        "$@"
    fi
}

fail() {
    echo "Boardside is not installed: $1" >&2
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
    run install -D -m 644 "$source/systemd/boardside.service" "$destdir/etc/systemd/system/boardside.service"
    run install -D -m 644 "$source/systemd/sysusers.conf" "$destdir/etc/sysusers.d/boardside.conf"
    run install -D -m 644 "$source/systemd/boardside.rules" "$destdir/etc/udev/rules.d/60-boardside.rules"
    run install -D -m 644 "$source/systemd/boardside.avahi" "$destdir/etc/avahi/services/boardside.service"
}

# Builds in a copy: a build in the clone would leave files owned by root there, and could include files of an older build.
install_program() {
    (cd "$source" && PYTHONDONTWRITEBYTECODE=1 "$python" -m companion.preflight python) || exit 1
    "$opt/venv/bin/python" -m pip --version >/dev/null 2>&1 || run "$python" -m venv --clear --system-site-packages "$opt/venv"
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    for part in pyproject.toml README.md LICENSE requirements.lock companion vision hardware web; do
        cp -R "$source/$part" "$copy/"
    done
    run env PIP_CONSTRAINT="$copy/requirements.lock" PIP_BUILD_CONSTRAINT="$copy/requirements.lock" \
        "$opt/venv/bin/python" -m pip install --quiet --no-warn-script-location "$copy"
    run "$opt/venv/bin/python" -m companion.preflight packages
}

# Bookworm's picamera2 was built for numpy 1 and OpenCV 5 needs numpy 2; one program cannot use both.
warn_of_old_release() {
    if is_installed python3-picamera2 && grep -q bookworm "$os_release"; then
        echo "Note: a ribbon-cable (CSI) camera needs Raspberry Pi OS Trixie; on this Bookworm use a USB camera."
    fi
}

start_service() {
    if [ ! -d /run/systemd/system ]; then
        echo "systemd does not run here: Boardside starts with the machine's next boot under it."
        run systemctl enable boardside.service
        return 0
    fi
    run udevadm control --reload
    run udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap
    run systemctl daemon-reload
    run systemctl enable boardside.service
    run systemctl restart boardside.service
}

check_machine
if [ -z "$destdir" ]; then
    install_packages
    warn_of_old_release
fi
install_files
if [ -n "$destdir" ]; then
    echo "Boardside's files are under $destdir."
    exit 0
fi
run systemd-sysusers boardside.conf
install_program
start_service
[ -n "$dry_run" ] || echo "Boardside is installed: http://$(hostname).local:8000"
