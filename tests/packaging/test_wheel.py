"""What a built wheel carries, and that the lock pins everything it needs."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from places import ROOT

PACKAGES = ("companion", "vision", "hardware", "web")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy so that nothing an earlier build left behind gets into it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"  # as pip calls it (PEP 517)
    done = subprocess.run([sys.executable, "-c", build], cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def shipped(folder: str, pattern: str) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(pattern) if "__pycache__" not in path.parts}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_in_the_wheel(wheel: zipfile.ZipFile, package: str) -> None:
    assert shipped(package, "*.py") <= set(wheel.namelist())


@pytest.mark.parametrize("folder", ["companion", "web"])
def test_every_data_file_is_in_the_wheel(wheel: zipfile.ZipFile, folder: str) -> None:
    data = {name for name in shipped(folder, "*.*") if not name.endswith(".pyc")}
    assert data - set(wheel.namelist()) == set()


def test_the_wheel_holds_the_four_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_installs_the_command_boardside(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    entries = ConfigParser()
    entries.read_string(wheel.read(name).decode())
    assert dict(entries["console_scripts"]) == {"boardside": "companion.__main__:main"}


def lock() -> dict[str, str]:
    """Normalized name and version of every package in the lock."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(pin.split("==")[0]): pin.split("==")[1] for pin in pins}


def test_each_line_of_the_lock_is_one_exact_pin() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not line.startswith("#") and not re.fullmatch(r"[\w.-]+==[\w.]+", line)]
    assert odd == []


def needed(name: str, extras: tuple[str, ...], found: set[str]) -> set[str]:
    """Names of everything the installed distribution `name` needs here with these extras, itself left out."""
    for text in importlib.metadata.requires(name) or []:
        requirement = Requirement(text)
        applies = any(
            not requirement.marker or requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)
        )
        key = canonicalize_name(requirement.name)
        if applies and key not in found:
            found.add(key)
            needed(requirement.name, tuple(requirement.extras), found)
    return found


def test_the_lock_pins_everything_that_running_and_developing_need() -> None:
    assert needed("boardside", ("dev",), set()) - set(lock()) == set()


def test_the_lock_names_no_package_that_nothing_needs() -> None:
    assert set(lock()) - needed("boardside", ("dev",), set()) == set()


def test_the_lock_agrees_with_the_ranges_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"]["dev"])]
    pins = lock()
    assert [str(r) for r in wanted if pins[canonicalize_name(r.name)] not in r.specifier] == []
