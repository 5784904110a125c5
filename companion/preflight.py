"""What a machine lacks before Boardside can run, and the command that mends it.

Needs nothing but the standard library and parses under older Pythons too, so that `make run` can ask it before
anything is installed: `python3 -m companion.preflight python`, then `.venv/bin/python -m companion.preflight packages`.
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
"""The Pythons that Boardside and the wheels named in requirements.lock exist for; pyproject.toml says the same."""

PACKAGES = ("numpy", "cv2", "flask", "waitress", "gpiozero")
"""The import names of what Boardside needs when it runs."""

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
"""Shared libraries that wheels leave to the system, and the Debian (so Raspberry Pi OS) package of each."""

NEEDED_BY = {"cv2": ("libgl1", "libglib2.0-0")}
"""The packages a bare system lacks for an import, named together so that one round mends all of it."""

_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")


@dataclass(frozen=True)  # no slots: Python 3.9 has to get far enough to be told that it is too old
class Lack:
    """One thing that is missing: what was found, and what to do about it."""

    found: str
    mend: str

    def __str__(self) -> str:
        """The finding and the mend, each on a line of its own."""
        return f"Boardside cannot start: {self.found}\nTo mend it: {self.mend}"


def python_lack(version: tuple[int, int], executable: str) -> Lack | None:
    """What is wrong with a Python of this (major, minor) version; None where it will do."""
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
    """What keeps this Python from making a virtual environment; Debian ships ensurepip in a package of its own."""
    missing = [module for module in ("venv", "ensurepip") if find(module) is None]
    if not missing:
        return None
    return Lack(
        f"this Python cannot make a virtual environment, its module {missing[0]!r} is missing.",
        "sudo apt install python3-venv",
    )


def import_lack(name: str, error: ImportError) -> Lack:
    """What an ImportError raised by `import name` says is missing, and the line that installs it."""
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
    """What is missing for each of these packages to import; empty when all of them do."""
    lacks = []
    for name in names:
        try:
            load(name)
        except ImportError as error:  # a missing shared library arrives as an ImportError too
            lacks.append(import_lack(name, error))
    return lacks


def lacks_for(check: str) -> list[Lack]:
    """What `check` finds missing: "python" looks at the interpreter itself, "packages" at what is installed in it."""
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
