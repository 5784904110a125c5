"""The whole installation against a machine made of stand-ins: what it asks of apt, pip and systemd, first and again.

Every program that changes a machine is a stand-in on the PATH that writes down what it was asked. The stand-in for
Python makes an environment that has only itself, and a `boardside` that answers. A file `fails` in the scratch folder
names commands that fail, one pattern a line.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

BOOKWORM, TRIXIE = "VERSION_CODENAME=bookworm\n", "VERSION_CODENAME=trixie\n"
DEBIAN = {"python3-venv", "libgl1", "libglib2.0-0", "gnubg", "espeak-ng", "avahi-daemon", "gcc", "libc6-dev"}
RASPBERRY = DEBIAN | {"python3-lgpio", "python3-picamera2"}
FAILS = 'if [ -s "$SCRATCH/fails" ] && echo "$(basename "$0") $*" | grep -q -f "$SCRATCH/fails"; then exit 1; fi; '
BOARDSIDE = FAILS + 'case "$1 $2" in *.zip.new) touch "$2" ;; moves*) echo \'{"plays": []}\' ;; esac'
STAND_INS = {
    "id": "echo 0",
    "hostname": "echo table",
    "apt-get": (
        'echo "apt-get $*" >>"$LOG"; [ "$1" != install ] || for each in "$@"; do touch "$SCRATCH/installed/$each"; done'
    ),
    "apt-cache": '[ -e "$SCRATCH/known/$2" ]',
    "dpkg-query": 'for each in "$@"; do :; done; [ ! -e "$SCRATCH/installed/$each" ] || echo installed',
    "systemctl": 'echo "systemctl $*" >>"$LOG"; [ "$1" != restart ] || set -- "$1" "$(readlink "$OPT/current")"; '
    + FAILS,
    "udevadm": 'echo "udevadm $*" >>"$LOG"',
    "systemd-sysusers": 'echo "systemd-sysusers $*" >>"$LOG"',
    "runuser": 'echo "runuser $*" >>"$LOG"; shift 3; "$@"',
    "python3": (
        'echo "python $*" >>"$LOG"; '
        + FAILS
        + 'case "$*" in *venv*) for each in "$@"; do :; done; mkdir -p "$each/bin"; '
        'cp "$0" "$each/bin/python"; cp "$SCRATCH/boardside" "$each/bin/boardside" ;; esac'
    ),
}


class Machine:
    """A fake machine of one release; `install` runs the script and returns the commands that it ran."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.opt = folder / "opt" / "boardside"
        self.unit = folder / "etc" / "systemd" / "system" / "boardside.service"

    @classmethod
    def bare(cls, folder: Path, release: str, known: set[str]) -> Machine:
        """A machine of `release`, for which apt knows the packages `known`."""
        machine = cls(folder)
        for name in ("bin", "installed", "known", "opt", "etc", "state", "systemd"):
            (folder / name).mkdir()
        for name in known:
            (folder / "known" / name).touch()
        for name, does in STAND_INS.items():
            machine.program(folder / "bin" / name, does)
        machine.program(folder / "boardside", BOARDSIDE)
        (folder / "os-release").write_text(release, encoding="utf-8")
        shutil.copytree(ROOT / "systemd", folder / "source" / "systemd")
        for name in ("companion", "vision", "hardware", "web"):
            (folder / "source" / name).mkdir()
        for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.lock"):
            (folder / "source" / name).touch()
        return machine

    def program(self, path: Path, does: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def fails(self, *patterns: str) -> None:
        """Let commands that match a pattern fail from now on."""
        (self.folder / "fails").write_text("".join(f"{pattern}\n" for pattern in patterns), encoding="utf-8")

    def run(self, *arguments: str, umask: int = 0o022) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        self.log.write_text("", encoding="utf-8")
        settings = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "SCRATCH": str(self.folder),
            "LOG": str(self.log),
            "OPT": str(self.opt),
            "ETC": str(self.folder / "etc"),
            "STATE": str(self.folder / "state"),
            "LOCAL_BIN": str(self.folder / "local"),
            "RUN_SYSTEMD": str(self.folder / "systemd"),
            "OS_RELEASE": str(self.folder / "os-release"),
            "SYSTEM_PYTHON": str(self.folder / "bin" / "python3"),
        }
        command = ["sh", str(self.folder / "source" / "systemd" / "install.sh"), *arguments]
        done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, umask=umask)
        return done, self.log.read_text(encoding="utf-8").splitlines()

    def install(self, umask: int = 0o022) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        return self.run(umask=umask)

    def versions(self) -> set[str]:
        return {path.name for path in self.opt.iterdir() if not path.is_symlink()}

    def leads(self, name: str) -> str | None:
        link = self.opt / name
        return str(link.readlink()) if link.is_symlink() else None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Raspberry Pi without Boardside."""
    return Machine.bare(tmp_path, TRIXIE, RASPBERRY)


@pytest.fixture(scope="module")
def once_updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a machine with two versions; tests get copies."""
    machine = Machine.bare(tmp_path_factory.mktemp("once"), TRIXIE, RASPBERRY)
    for number in (1, 2):
        done, _ = machine.install()
        assert (done.returncode, machine.leads("current")) == (0, str(number)), done.stderr
    return machine.folder


@pytest.fixture
def updated(once_updated: Path, tmp_path: Path) -> Machine:
    """A Raspberry Pi on which version 2 runs, and ran version 1 before."""
    shutil.copytree(once_updated, tmp_path, symlinks=True, dirs_exist_ok=True)
    return Machine(tmp_path)


def asked(log: list[str], start: str) -> list[str]:
    return [line for line in log if line.startswith(start)]


@pytest.mark.parametrize(
    ("release", "known"), [(BOOKWORM, DEBIAN), (BOOKWORM, RASPBERRY), (TRIXIE, RASPBERRY)], ids=["pc", "old", "new"]
)
def test_a_machine_without_packages_gets_those_of_its_release(tmp_path: Path, release: str, known: set[str]) -> None:
    done, log = Machine.bare(tmp_path, release, known).install()
    assert done.returncode == 0, done.stderr
    update, install = asked(log, "apt-get")
    assert update == "apt-get update -q"
    assert set(install.split()) - {"apt-get", "install", "-q", "-y", "--no-install-recommends"} == known
    csi = "CSI" in done.stdout
    assert csi is (release == BOOKWORM and "python3-picamera2" in known)


def test_the_environment_sees_the_systems_packages_and_pip_keeps_to_it(machine: Machine) -> None:
    _, log = machine.install()
    assert asked(log, "python -m venv") == [f"python -m venv --clear --system-site-packages {machine.opt / '1'}"]
    packages, itself = asked(log, "python -m pip install")
    assert "--require-hashes --only-binary :all: --requirement" in packages
    assert "--no-deps --no-build-isolation" in itself
    assert "break-system-packages" not in "\n".join(log)
    parts = [*packages.split(), *itself.split()]
    assert not any(part.startswith(("--user", "--target", "--prefix")) for part in parts)


def test_files_are_installed_where_systemd_and_avahi_look_and_the_service_is_enabled(machine: Machine) -> None:
    _, log = machine.install()
    etc = machine.folder / "etc"
    assert {str(path.relative_to(etc)) for path in etc.rglob("*") if path.is_file()} == {
        "systemd/system/boardside.service",
        "sysusers.d/boardside.conf",
        "avahi/services/boardside.service",
        "udev/rules.d/60-boardside.rules",
    }
    assert "systemctl enable boardside.service" in log
    assert log.index("systemd-sysusers boardside.conf") < log.index("systemctl enable boardside.service")
    assert (machine.folder / "local" / "boardside").readlink() == machine.opt / "current" / "bin" / "boardside"


def test_installing_again_asks_apt_for_nothing_and_makes_the_new_version_beside_the_old(updated: Machine) -> None:
    done, log = updated.install()
    assert done.returncode == 0, done.stderr
    assert asked(log, "apt-get") == []
    assert asked(log, "python -m venv") == [f"python -m venv --clear --system-site-packages {updated.opt / '3'}"]
    assert log[-2:] == ["systemctl restart boardside.service", "systemctl is-active --quiet boardside.service"]


def test_two_versions_are_kept(updated: Machine) -> None:
    updated.install()
    assert (updated.leads("current"), updated.leads("last"), updated.versions()) == ("3", "2", {"2", "3"})


def test_a_removed_package_is_installed_again(updated: Machine) -> None:
    (updated.folder / "installed" / "libgl1").unlink()
    _, log = updated.install()
    assert asked(log, "apt-get install") == ["apt-get install -q -y --no-install-recommends libgl1"]


@pytest.mark.parametrize(
    "broken",
    ["python3 -m venv", "python -m pip .*--require-hashes", "python -m pip .*--no-deps", "preflight packages", "moves"],
    ids=["no room", "no network", "does not build", "a library lacks", "does not answer"],
)
def test_an_update_that_fails_half_way_changes_nothing(updated: Machine, broken: str) -> None:
    before = updated.unit.read_bytes()
    updated.fails(broken)
    done, log = updated.install()
    assert done.returncode != 0
    assert "What was installed before is as it was." in done.stderr
    assert (updated.leads("current"), updated.leads("last"), updated.versions()) == ("2", "1", {"1", "2"})
    assert updated.unit.read_bytes() == before
    assert asked(log, "systemctl") == []


def test_the_remains_of_a_killed_update_are_removed_by_the_next(updated: Machine) -> None:
    (updated.opt / "3" / "bin").mkdir(parents=True)
    (updated.opt / "current.new").symlink_to("3")
    done, _ = updated.install()
    assert done.returncode == 0, done.stderr
    assert updated.versions() == {"2", updated.leads("current")}


def test_a_version_that_does_not_start_is_replaced_by_the_one_before(updated: Machine) -> None:
    updated.fails("systemctl restart 3")
    done, log = updated.install()
    assert done.returncode == 1
    assert "not updated: that version did not start; the one before runs again" in done.stderr
    assert (updated.leads("current"), updated.leads("last"), updated.versions()) == ("2", "1", {"1", "2"})
    assert asked(log, "systemctl restart") == ["systemctl restart boardside.service"] * 2


def test_a_first_version_that_does_not_start_is_reported(machine: Machine) -> None:
    machine.fails("systemctl restart")
    done, _ = machine.install()
    assert done.returncode == 1
    assert "not installed: it does not start" in done.stderr


def test_rollback_switches_to_the_version_before_and_back(updated: Machine) -> None:
    (updated.opt / "1" / "boardside.service").write_text("[Service]\n# the first one's own\n", encoding="utf-8")
    done, log = updated.run("rollback")
    assert done.returncode == 0, done.stderr
    assert (updated.leads("current"), updated.leads("last")) == ("1", "2")
    assert "the first one's own" in updated.unit.read_text(encoding="utf-8")
    assert "systemctl restart boardside.service" in log
    updated.run("rollback")
    assert (updated.leads("current"), updated.leads("last")) == ("2", "1")


def test_rollback_to_a_version_that_does_not_start_stays_with_this_one(updated: Machine) -> None:
    updated.fails("systemctl restart 1")
    done, _ = updated.run("rollback")
    assert done.returncode == 1
    assert "not rolled back" in done.stderr
    assert (updated.leads("current"), updated.leads("last")) == ("2", "1")


def test_without_an_earlier_version_rollback_fails(machine: Machine) -> None:
    machine.install()
    done, log = machine.run("rollback")
    assert (done.returncode, asked(log, "systemctl")) == (1, [])
    assert "there is no version before this one" in done.stderr


@pytest.mark.parametrize("starts", [True, False])
def test_an_installation_without_versions_becomes_the_version_before(machine: Machine, starts: bool) -> None:
    machine.program(machine.opt / "venv" / "bin" / "boardside", BOARDSIDE)
    machine.unit.parent.mkdir(parents=True)
    machine.unit.write_text("ExecStart=/opt/boardside/venv/bin/boardside run\n", encoding="utf-8")
    machine.fails(*([] if starts else ["systemctl restart 1"]))
    done, _ = machine.install()
    assert (done.returncode == 0) is starts
    assert machine.leads("current") == ("1" if starts else "venv")
    assert ("venv/bin" in machine.unit.read_text(encoding="utf-8")) is not starts
    machine.fails()
    machine.install()
    assert ("venv" in machine.versions()) is not starts


def test_the_state_is_backed_up_by_the_version_that_wrote_it_before_the_switch(updated: Machine) -> None:
    done, log = updated.install()
    assert done.returncode == 0, done.stderr
    (backup,) = [line for line in log if "backup" in line]
    state = updated.folder / "state"
    old = updated.opt / "2" / "bin" / "boardside"
    assert backup == f"runuser -u boardside -- {old} backup {state / 'before-update.zip.new'} --state {state}"
    assert (state / "before-update.zip").exists()
    assert log.index(backup) < log.index("systemctl restart boardside.service")


def test_a_state_that_cannot_be_backed_up_is_not_updated(updated: Machine) -> None:
    updated.fails("boardside backup /")
    done, log = updated.install()
    assert (done.returncode != 0, updated.leads("current"), asked(log, "systemctl")) == (True, "2", [])


def test_a_version_without_the_backup_command_is_updated_without_a_backup(updated: Machine) -> None:
    updated.fails("boardside backup")
    done, _ = updated.install()
    assert (done.returncode, updated.leads("current")) == (0, "3")
    assert "cannot back" in done.stdout


@pytest.mark.parametrize("umask", [0o077, 0o027])
def test_the_installed_files_are_readable(machine: Machine, umask: int) -> None:
    machine.opt.mkdir(mode=0o700)  # as an installation under this umask once left it
    done, log = machine.install(umask=umask)
    assert done.returncode == 0, done.stderr
    made = [*machine.opt.rglob("*"), machine.opt, machine.unit, machine.folder / "local"]
    closed = [path for path in made if not path.is_symlink() and not path.stat().st_mode & stat.S_IROTH]
    assert closed == []
    assert any(line.startswith("runuser -u boardside") and "preflight" in line for line in log)
