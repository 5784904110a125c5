"""The preflight check of machines that lack something."""

from __future__ import annotations

import importlib
import tomllib
from typing import TYPE_CHECKING

import pytest
from packaging.specifiers import SpecifierSet
from places import ROOT

from companion import preflight as preflight

if TYPE_CHECKING:
    from collections.abc import Callable

LIBGL = "libGL.so.1: cannot open shared object file: No such file or directory"


def failing(error: ImportError, name: str) -> Callable[[str], object]:
    def load(asked: str) -> object:
        if asked == name:
            raise error
        return importlib.import_module(asked)

    return load


def test_a_missing_libgl_is_fixed_by_one_apt_command_for_all_that_opencv_needs() -> None:
    (lack,) = preflight.package_lacks(("sys", "cv2"), failing(ImportError(LIBGL), "cv2"))
    assert "libGL.so.1" in lack.found
    assert lack.mend == "sudo apt install libgl1 libglib2.0-0"


@pytest.mark.parametrize(("soname", "package"), [("libgthread-2.0.so.0", "libglib2.0-0"), ("libxcb.so.1", "libxcb1")])
def test_each_known_library_names_its_own_package(soname: str, package: str) -> None:
    error = ImportError(f"{soname}: cannot open shared object file: No such file or directory")
    assert preflight.import_lack("other", error).mend == f"sudo apt install {package}"


def test_an_unknown_library_is_named_with_a_way_to_find_its_package() -> None:
    lack = preflight.import_lack("cv2", ImportError("libodd-2.so.7: cannot open shared object file: No such file"))
    assert "libodd-2.so.7" in lack.found
    assert "apt-file search libodd-2.so.7" in lack.mend


def test_a_missing_python_package_refers_to_make() -> None:
    (lack,) = preflight.package_lacks(("no_such_package_anywhere",))
    assert "no_such_package_anywhere" in lack.found
    assert "make venv" in lack.mend


def test_one_missing_library_is_reported_once_though_two_packages_need_it() -> None:
    lacks = [preflight.import_lack("cv2", ImportError(LIBGL))] * 2
    assert len(dict.fromkeys(map(str, lacks))) == 1


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_the_supported_pythons_pass(version: tuple[int, int]) -> None:
    assert preflight.python_lack(version, "python3") is None


def test_a_python_that_is_too_old_is_reported_with_those_supported() -> None:
    lack = preflight.python_lack((3, 9), "/usr/bin/python3")
    assert lack is not None
    assert "/usr/bin/python3 is Python 3.9" in lack.found
    assert "3.11 to 3.13" in lack.found
    assert "PYTHON=python3.11" in lack.mend


def test_a_python_that_is_too_new_is_reported_with_one_to_install() -> None:
    lack = preflight.python_lack((3, 14), "python3")
    assert lack is not None
    assert "sudo apt install python3.13 python3.13-venv" in lack.mend


def test_debian_without_ensurepip_is_told_to_install_python3_venv() -> None:
    lack = preflight.venv_lack(lambda module: None if module == "ensurepip" else object())
    assert lack is not None
    assert "ensurepip" in lack.found
    assert lack.mend == "sudo apt install python3-venv"


def test_a_complete_machine_passes_without_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert preflight.main(["packages"]) == 0
    assert capsys.readouterr().err == ""


def test_the_report_gives_the_finding_and_the_fix() -> None:
    text = str(preflight.import_lack("cv2", ImportError(LIBGL)))
    assert text.splitlines() == [
        "Boardside cannot start: 'cv2' needs the system library libGL.so.1, which is not installed.",
        "To mend it: sudo apt install libgl1 libglib2.0-0",
    ]


@pytest.mark.parametrize("arguments", [[], ["pythons"]])
def test_an_unknown_check_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert preflight.main(arguments) == 2
    assert "give python or packages" in capsys.readouterr().err


def test_the_supported_pythons_are_those_of_pyproject() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    supported = SpecifierSet(project["requires-python"])
    accepted = [minor for minor in range(5, 30) if f"3.{minor}" in supported]
    assert (3, min(accepted)) == preflight.OLDEST
    assert (3, max(accepted)) == preflight.NEWEST
