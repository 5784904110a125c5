"""Imports: every module is imported without a warning, and the command line loads no heavy package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

PACKAGES = ("companion", "vision", "hardware", "web")
RUN_ELSEWHERE = {"companion.hints.gnubg_script", "companion.analysis.gnubg_match_script"}
"""Modules that are not imported here: gnubg runs its scripts in its own Python."""
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.stem not in ("__main__", "__init__")
]
HEAVY = ("cv2", "numpy", "flask", "gpiozero", "waitress")


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run `code` in a fresh interpreter in which every warning is an error."""
    return subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_imports_without_a_warning(package: str) -> None:
    modules = [module for module in MODULES if module.split(".")[0] == package and module not in RUN_ELSEWHERE]
    done = python("\n".join(f"import {module}" for module in modules))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_the_command_line_answers_without_loading_camera_page_or_pins() -> None:
    done = python(f"import sys, companion.cli; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_installed_command_explains_itself() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("boardside")), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: boardside")
