"""Installing as a service: into a temporary root, by dry run, and systemd's own checks of the unit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from places import ROOT

from companion.app.service import PINGS_PER_TIMEOUT
from companion.cli import build_parser

UNIT = ROOT / "systemd" / "boardside.service"
INSTALLED = {
    "etc/systemd/system/boardside.service",
    "etc/sysusers.d/boardside.conf",
    "etc/avahi/services/boardside.service",
    "etc/udev/rules.d/60-boardside.rules",
}

LONGEST_LOOK_S = 10.0
"""Learning a board takes a second here, and some eight on a Raspberry Pi 4."""

needs_analyze = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed here")


def script(name: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", str(ROOT / "systemd" / name)],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def files_under(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_installing_under_a_folder_puts_the_files_there(tmp_path: Path) -> None:
    done = script("install.sh", DESTDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert files_under(tmp_path) == INSTALLED


def test_installing_twice_is_installing_once(tmp_path: Path) -> None:
    script("install.sh", DESTDIR=str(tmp_path))
    again = script("install.sh", DESTDIR=str(tmp_path))
    assert again.returncode == 0, again.stderr
    assert files_under(tmp_path) == INSTALLED


def test_uninstalling_removes_the_files_and_keeps_the_record(tmp_path: Path) -> None:
    script("install.sh", DESTDIR=str(tmp_path))
    record = tmp_path / "var" / "lib" / "boardside" / "record.sqlite"
    record.parent.mkdir(parents=True)
    record.touch()
    for _ in range(2):
        done = script("uninstall.sh", DESTDIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        assert files_under(tmp_path) == {"var/lib/boardside/record.sqlite"}


def test_purging_removes_the_record_too(tmp_path: Path) -> None:
    record = tmp_path / "var" / "lib" / "boardside" / "record.sqlite"
    record.parent.mkdir(parents=True)
    record.touch()
    assert script("uninstall.sh", DESTDIR=str(tmp_path), PURGE="1").returncode == 0
    assert files_under(tmp_path) == set()


@pytest.mark.skipif(not shutil.which("apt-get"), reason="no Debian system: there is no apt-get")
def test_a_dry_run_shows_every_step_and_does_none(tmp_path: Path) -> None:
    knows_all = tmp_path / "apt-cache"  # the real one reads the lists of all packages, again for each
    knows_all.write_text("#!/bin/sh\n", encoding="utf-8")
    knows_all.chmod(0o755)
    done = script("install.sh", DRY_RUN="1", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    steps = [line[2:] for line in done.stdout.splitlines() if line.startswith("+ ")]
    assert any(step.startswith("install -D -m 644") and step.endswith("boardside.service") for step in steps)
    assert "systemd-sysusers boardside.conf" in steps
    assert any("pip install" in step and "requirements.lock" in step for step in steps)
    assert "systemctl enable boardside.service" in steps


def test_installing_without_root_says_to_use_sudo() -> None:
    done = subprocess.run(
        ["sh"],  # the script comes over stdin: nobody need not be able to read the folder it lies in
        input=(ROOT / "systemd" / "install.sh").read_text(encoding="utf-8"),
        cwd="/",
        user="nobody" if os.geteuid() == 0 else None,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "sudo make install" in done.stderr


def test_pip_never_changes_the_system_packages() -> None:
    assert "break-system-packages" not in (ROOT / "systemd" / "install.sh").read_text(encoding="utf-8")


@needs_analyze
def test_systemd_finds_no_fault_with_the_unit(tmp_path: Path) -> None:
    """`verify` needs an existing program: the unit is tested with another one."""
    text = UNIT.read_text(encoding="utf-8")
    tried = tmp_path / UNIT.name
    tried.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE), encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(tried)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@needs_analyze
def test_the_service_is_sandboxed() -> None:
    """Exposure of at most 1.4 by `systemd-analyze security`, on a scale from 0 to 10; most services have above 9."""
    arguments = ["systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=14", str(UNIT)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def command_of_the_unit() -> list[str]:
    (command,) = re.findall(r"^ExecStart=(.+)$", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return shlex.split(command.replace("%S", "/var/lib"))


def test_the_unit_starts_the_program_that_the_script_installs() -> None:
    assert command_of_the_unit()[0] == "/opt/boardside/current/bin/boardside"
    assert "opt=${OPT:-/opt/boardside} " in (ROOT / "systemd" / "install.sh").read_text(encoding="utf-8")


def test_the_program_understands_what_the_unit_asks_of_it() -> None:
    assert build_parser().parse_args(command_of_the_unit()[1:]).state == Path("/var/lib/boardside")


def test_the_unit_and_make_run_set_the_same_memory_settings() -> None:
    """Without them the process at rest keeps some megabytes more (benchmarks/table_at_rest.py)."""
    (of_unit,) = re.findall(r"^Environment=(MALLOC_.*)$", UNIT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (of_make,) = re.findall(r"^LESS_MEMORY := (.*)$", makefile, flags=re.MULTILINE)
    assert "MALLOC_ARENA_MAX=1" in of_unit.split()
    assert of_unit == of_make
    assert "\n\t@$(LESS_MEMORY) $(BIN)/boardside\n" in makefile


def test_the_user_of_the_unit_is_the_one_that_is_created() -> None:
    assert "User=boardside" in UNIT.read_text(encoding="utf-8")
    assert "u boardside - " in (ROOT / "systemd" / "sysusers.conf").read_text(encoding="utf-8")


def test_the_groups_of_the_service_give_it_its_devices() -> None:
    """Pins belong to the group gpio, cameras and their buffers to video, sound to audio; the user is in no other."""
    rules = (ROOT / "systemd" / "boardside.rules").read_text(encoding="utf-8")
    users = (ROOT / "systemd" / "sysusers.conf").read_text(encoding="utf-8")
    assert set(re.findall(r'GROUP="(\w+)"', rules)) == set(re.findall(r"^m boardside (\w+)", users, flags=re.MULTILINE))
    unit = UNIT.read_text(encoding="utf-8")
    allowed = re.findall(r"^DeviceAllow=(\S+)", unit, flags=re.MULTILINE)
    assert allowed == ["char-gpiochip", "char-video4linux", "char-media", "char-dma_heap", "char-alsa"]
    assert "DevicePolicy=closed" in unit


def test_the_watchdog_of_the_service_fits_the_interval_of_the_program() -> None:
    unit = UNIT.read_text(encoding="utf-8")
    for line in ("Type=notify", "Restart=on-failure", "WorkingDirectory=%t/boardside", "StateDirectory=boardside"):
        assert f"\n{line}\n" in unit
    (patience,) = re.findall(r"^WatchdogSec=(\d+)$", unit, flags=re.MULTILINE)
    assert int(patience) / PINGS_PER_TIMEOUT > 2 * LONGEST_LOOK_S
