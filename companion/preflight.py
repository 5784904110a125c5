"""Finds what this machine lacks to run Boardside, and the command that installs it.

Uses only the standard library and parses under older Pythons, because `make run` calls it before anything is
installed: `python3 -m companion.preflight python`, then `.venv/bin/python -m companion.preflight packages`.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

OLDEST, NEWEST = (3, 11), (3, 13)
"""Supported Python versions (major, minor), as in pyproject.toml."""

PACKAGES = ("numpy", "cv2", "flask", "waitress", "gpiozero", "segno")
"""Import names of the packages needed at run time."""

LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libxcb.so.1": "libxcb1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libgomp.so.1": "libgomp1",
}
"""Shared libraries that wheels expect from the system, and their Debian (and Raspberry Pi OS) packages."""

NEEDED_BY = {"cv2": ("libgl1", "libglib2.0-0")}
"""Debian packages that an import needs, installed together so that one command is enough."""

_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")


@dataclass(frozen=True)  # no slots: Python 3.9 must get as far as the message that it is too old
class Lack:
    """One missing thing: the finding and the repair."""

    found: str
    mend: str

    def __str__(self) -> str:
        """The finding and the repair, one line each."""
        return f"Boardside cannot start: {self.found}\nTo mend it: {self.mend}"


def python_lack(version: tuple[int, int], executable: str) -> Lack | None:
    """The fault of a Python of this (major, minor) version; None: it is supported."""
    if OLDEST <= version <= NEWEST:
        return None
    wanted = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    found = f"{executable} is Python {version[0]}.{version[1]}, and Boardside runs on {wanted}."
    if version < OLDEST:
        return Lack(
            found,
            "use a system with a newer Python (Raspberry Pi OS Bookworm or Trixie), or name one: PYTHON=python3.11",
        )
    newest = f"python{NEWEST[0]}.{NEWEST[1]}"
    return Lack(found, f"sudo apt install {newest} {newest}-venv, then give it: PYTHON={newest}")


def venv_lack(find: Callable[[str], object | None] = importlib.util.find_spec) -> Lack | None:
    """What is missing for a virtual environment; Debian has ensurepip in a separate package."""
    missing = [module for module in ("venv", "ensurepip") if find(module) is None]
    if not missing:
        return None
    return Lack(
        f"this Python cannot make a virtual environment, its module {missing[0]!r} is missing.",
        "sudo apt install python3-venv",
    )


def import_lack(name: str, error: ImportError) -> Lack:
    """The missing part according to the ImportError of `import name`, and how to install it."""
    library = _LIBRARY.search(str(error))
    if library is None:
        return Lack(
            f"the Python package {name!r} does not import ({error}).",
            "make venv, in the folder Boardside was cloned into",
        )
    soname = library[1]
    found = f"{name!r} needs the system library {soname}, which is not installed."
    package = LIBRARIES.get(soname)
    if package is None:
        return Lack(
            found, f"sudo apt install apt-file && sudo apt-file update && apt-file search {soname} names its package"
        )
    packages = dict.fromkeys((package, *NEEDED_BY.get(name, ())))
    return Lack(found, f"sudo apt install {' '.join(packages)}")


def package_lacks(
    names: Sequence[str] = PACKAGES, load: Callable[[str], object] = importlib.import_module
) -> list[Lack]:
    """What is missing to import these packages; empty if all can be imported."""
    lacks = []
    for name in names:
        try:
            load(name)
        except ImportError as error:  # also raised for a missing shared library
            lacks.append(import_lack(name, error))
    return lacks


def lacks_for(check: str) -> list[Lack]:
    """What is missing: "python" checks the interpreter, "packages" the installed packages."""
    if check == "python":
        lack = python_lack(sys.version_info[:2], sys.executable) or venv_lack()
        return [lack] if lack else []
    return package_lacks()


def main(arguments: Sequence[str]) -> int:
    """Run the named checks and print to stderr what is missing; status 1 when something is, 2 for an unknown check."""
    unknown = [check for check in arguments if check not in ("python", "packages")]
    if unknown or not arguments:
        sys.stderr.write(f"preflight: unknown check {unknown or '(none given)'!s}; give python or packages\n")
        return 2
    lacks = [lack for check in arguments for lack in lacks_for(check)]
    for text in dict.fromkeys(map(str, lacks)):
        sys.stderr.write(text + "\n")
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
