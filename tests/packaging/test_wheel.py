"""The content of a built wheel, and that the lock pins everything it needs."""

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
    """The wheel, built from a copy without remains of earlier builds."""
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


RUN, DEVELOP = "requirements.lock", "requirements-dev.lock"


def entries(name: str) -> list[str]:
    """The lock's entries, each a requirement and its hashes on one line."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", "")
    return [line for line in text.splitlines() if not line.startswith("#")]


def lock(name: str) -> dict[str, str]:
    """Normalized name and version of every package that the lock has for this machine."""
    pins = [Requirement(entry.split(" --hash", 1)[0]) for entry in entries(name)]
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if not pin.marker or pin.marker.evaluate()
    }


@pytest.mark.parametrize("name", [RUN, DEVELOP])
def test_each_entry_of_a_lock_is_one_exact_pin_with_its_hashes(name: str) -> None:
    pin = r"[\w.-]+==[\w.]+( ; [^;]+?)?( +--hash=sha256:[0-9a-f]{64})+"
    assert [entry for entry in entries(name) if not re.fullmatch(pin, entry)] == []


@pytest.mark.parametrize("name", [RUN, DEVELOP])
def test_a_lock_names_no_place_to_fetch_from(name: str) -> None:
    """The lock states packages, the machine where to fetch them."""
    assert "/" not in (ROOT / name).read_text(encoding="utf-8")


def test_running_and_developing_use_the_same_versions() -> None:
    assert set(entries(RUN)) <= set(entries(DEVELOP))


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


@pytest.mark.parametrize(("name", "extras"), [(RUN, ()), (DEVELOP, ("dev",))])
def test_a_lock_pins_what_is_needed_and_nothing_else(name: str, extras: tuple[str, ...]) -> None:
    assert needed("boardside", extras, set()) == set(lock(name))


def test_build_requirements_are_in_the_lock_too() -> None:
    """It is built without build isolation, which would fetch unchecked tools."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = [Requirement(text) for text in project["build-system"]["requires"]]
    assert [str(tool) for tool in tools if lock(RUN).get(tool.name, "0") not in tool.specifier] == []


def test_the_locks_agree_with_the_ranges_in_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(text) for text in (*project["dependencies"], *project["optional-dependencies"]["dev"])]
    pins = lock(DEVELOP)
    assert [str(r) for r in wanted if pins[canonicalize_name(r.name)] not in r.specifier] == []
