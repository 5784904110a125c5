#!/bin/sh
# Tries Boardside on a Pi's processor, without a Pi: makes a Debian arm64 system, installs Boardside in it as the README
# says, replays a filmed game and runs the tests. On another processor than arm64 qemu stands in, some five times slower: all
# of it takes about 40 minutes on two cores. It needs: apt install debootstrap qemu-user-static python3-pip
#
#   sudo sh benchmarks/arm64.sh                              all tests of `make test-fast`
#   sudo sh benchmarks/arm64.sh tests/companion/core ...     these
#   settings: FOLDER (kept: the next run goes on there; default /var/tmp/boardside-arm64), SUITE, MIRROR (of Debian's packages)
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=${FOLDER:-/var/tmp/boardside-arm64}
suite=${SUITE:-trixie}
mirror=${MIRROR:-}
root=$folder/root
clone=$root/root/boardside

[ "$(id -u)" -eq 0 ] || { echo "This makes a system of its own, and needs to be root." >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "To mend it: apt install debootstrap qemu-user-static" >&2; exit 1; }

# A kernel hands programs of another processor to qemu if it was told to; a container's often was not.
teach_kernel() {
    [ "$(uname -m)" != aarch64 ] || return 0
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc none $formats
    [ -e $formats/qemu-aarch64 ] || printf %s "$(sed 's/:[A-Z]*$/:OPF/' /usr/lib/binfmt.d/qemu-aarch64.conf)" >$formats/register
}

make_system() {
    [ ! -e "$folder/made" ] || return 0
    rm -rf "$root"
    # shellcheck disable=SC2086  # no argument where no mirror is named
    debootstrap --arch=arm64 --variant=minbase --include=ca-certificates,git,make,python3,python3-venv "$suite" "$root" $mirror
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    touch "$folder/made"
}

# This machine fetches the wheels (their hashes are checked again inside): pip takes half an hour for the lists under qemu.
fetch_wheels() {
    rm -rf "$clone" "$root/wheels"
    git clone --quiet "$here" "$clone"
    version=$(inside "python3 --version" | sed "s/Python \\([0-9]*\\.[0-9]*\\).*/\\1/")
    # shellcheck disable=SC2046  # one argument for each C library that wheels are made for
    python3 -m pip download --quiet --require-hashes --only-binary :all: --python-version "$version" \
        --platform manylinux2014_aarch64 $(seq -f '--platform manylinux_2_%.0f_aarch64' 17 41) \
        --requirement "$clone/requirements-dev.lock" --dest "$root/wheels"
}

# Runs a command inside, in the clone; what is mounted for it goes with it. The processor is a Pi 4's: the newest one that
# qemu stands in for signs every return address, as Debian's programs ask it to where it can, and that costs most of the time.
inside() {
    unshare --mount sh -eu -c '
        mount -t proc proc "$1/proc"
        exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 QEMU_CPU=cortex-a72 \
            PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels PIP_NO_COMPILE=1 sh -eu -c "cd /root/boardside; $2"
    ' sh "$root" "$1"
}

teach_kernel
make_system
fetch_wheels
inside 'uname -m; grep PRETTY /etc/os-release; python3 --version'
# What tests use where it is installed.
inside 'DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends espeak-ng gettext gnubg systemd'
inside 'make venv' || inside 'apt-get install -q -y --no-install-recommends libgl1 libglib2.0-0 && make venv' # what it asked for
inside '.venv/bin/boardside replay tests/pictures/film'
if [ $# -gt 0 ]; then
    inside ".venv/bin/pytest -q -m 'not slow and not browser' $*"
else
    inside 'make test-fast'
fi
