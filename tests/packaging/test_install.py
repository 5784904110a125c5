"""The whole installation against a machine made of stand-ins: what it asks of apt, pip and systemd, first and again.

Every program that changes a machine is a stand-in on the PATH that writes down what it was asked; `install` puts its
files under a scratch root, and the stand-in for Python makes an environment that has only itself.
"""

from __future__ import annotations

import os
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

BOOKWORM, TRIXIE = "VERSION_CODENAME=bookworm\n", "VERSION_CODENAME=trixie\n"
DEBIAN = {"python3-venv", "libgl1", "libglib2.0-0", "gnubg", "espeak-ng", "avahi-daemon"}
RASPBERRY = DEBIAN | {"python3-lgpio", "python3-picamera2"}
STAND_INS = {
    "id": "echo 0",
    "hostname": "echo table",
    "apt-get": (
        'echo "apt-get $*" >>"$LOG"; [ "$1" != install ] || for each in "$@"; do touch "$SCRATCH/installed/$each"; done'
    ),
    "apt-cache": '[ -e "$SCRATCH/known/$2" ]',
    "dpkg-query": 'for each in "$@"; do :; done; [ ! -e "$SCRATCH/installed/$each" ] || echo installed',
    "systemctl": 'echo "systemctl $*" >>"$LOG"',
    "udevadm": 'echo "udevadm $*" >>"$LOG"',
    "systemd-sysusers": 'echo "systemd-sysusers $*" >>"$LOG"',
    "install": 'for each in "$@"; do before=$last; last=$each; done; '
    'mkdir -p "$SCRATCH/root$(dirname "$last")"; cp "$before" "$SCRATCH/root$last"',
    "python3": (
        'echo "python $*" >>"$LOG"; case "$*" in *venv*) for each in "$@"; do :; done; '
        'mkdir -p "$each/bin"; cp "$0" "$each/bin/python" ;; esac'
    ),
}


class Machine:
    """A scratch machine of one release; `install` runs the script and gives what was asked of it."""

    def __init__(self, folder: Path, release: str, known: set[str]) -> None:
        self.folder = folder
        self.log = folder / "log"
        for name in ("bin", "installed", "known", "opt"):
            (folder / name).mkdir()
        for name in known:
            (folder / "known" / name).touch()
        for name, does in STAND_INS.items():
            program = folder / "bin" / name
            program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        (folder / "os-release").write_text(release, encoding="utf-8")

    def install(self) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        self.log.write_text("", encoding="utf-8")
        settings = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "SCRATCH": str(self.folder),
            "LOG": str(self.log),
            "OPT": str(self.folder / "opt" / "boardside"),
            "OS_RELEASE": str(self.folder / "os-release"),
            "SYSTEM_PYTHON": str(self.folder / "bin" / "python3"),
        }
        done = subprocess.run(
            ["sh", str(ROOT / "systemd" / "install.sh")], env=settings, capture_output=True, text=True, check=False
        )
        return done, self.log.read_text(encoding="utf-8").splitlines()


def asked(log: list[str], start: str) -> list[str]:
    return [line for line in log if line.startswith(start)]


@pytest.mark.parametrize(
    ("release", "known"), [(BOOKWORM, DEBIAN), (BOOKWORM, RASPBERRY), (TRIXIE, RASPBERRY)], ids=["pc", "old", "new"]
)
def test_a_bare_machine_gets_what_its_release_has(tmp_path: Path, release: str, known: set[str]) -> None:
    done, log = Machine(tmp_path, release, known).install()
    assert done.returncode == 0, done.stderr
    update, install = asked(log, "apt-get")
    assert update == "apt-get update -q"
    assert set(install.split()) - {"apt-get", "install", "-q", "-y", "--no-install-recommends"} == known
    csi = "CSI" in done.stdout
    assert csi is (release == BOOKWORM and "python3-picamera2" in known)


def test_the_environment_sees_the_systems_packages_and_pip_keeps_to_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path, TRIXIE, RASPBERRY)
    _, log = machine.install()
    venv = machine.folder / "opt" / "boardside" / "venv"
    assert asked(log, "python -m venv") == [f"python -m venv --clear --system-site-packages {venv}"]
    (pip,) = asked(log, "python -m pip install")
    assert "break-system-packages" not in "\n".join(log)
    assert not any(part.startswith(("--user", "--target", "--prefix")) for part in pip.split())


def test_files_go_where_systemd_and_avahi_look_and_the_service_is_switched_on(tmp_path: Path) -> None:
    machine = Machine(tmp_path, TRIXIE, RASPBERRY)
    _, log = machine.install()
    files = {str(path.relative_to(tmp_path / "root")) for path in (tmp_path / "root").rglob("*") if path.is_file()}
    assert files == {
        "etc/systemd/system/boardside.service",
        "etc/sysusers.d/boardside.conf",
        "etc/avahi/services/boardside.service",
        "etc/udev/rules.d/60-boardside.rules",
    }
    assert "systemctl enable boardside.service" in log
    assert log.index("systemd-sysusers boardside.conf") < log.index("systemctl enable boardside.service")


def test_installing_again_asks_apt_for_nothing_and_renews_the_program(tmp_path: Path) -> None:
    machine = Machine(tmp_path, TRIXIE, RASPBERRY)
    machine.install()
    done, log = machine.install()
    assert done.returncode == 0, done.stderr
    assert asked(log, "apt-get") == []
    assert asked(log, "python -m venv") == []
    assert len(asked(log, "python -m pip install")) == 1
    assert "systemctl enable boardside.service" in log


def test_a_package_that_went_away_is_installed_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, TRIXIE, RASPBERRY)
    machine.install()
    (tmp_path / "installed" / "libgl1").unlink()
    _, log = machine.install()
    assert asked(log, "apt-get install") == ["apt-get install -q -y --no-install-recommends libgl1"]
