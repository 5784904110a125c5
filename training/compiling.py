"""C files of the training, compiled when asked for; needs a C compiler."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import TypeVar

LibraryT = TypeVar("LibraryT", bound=ctypes.CDLL)

_QUICK = ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fassociative-math", "-fno-signed-zeros")
"""Not -ffast-math: it also links what makes the whole process round the smallest numbers to zero."""


def compiled(source: Path, kind: type[LibraryT]) -> LibraryT:
    """The library made of a C file. Raises CalledProcessError or FileNotFoundError without a compiler."""
    built = Path(tempfile.mkdtemp()) / source.with_suffix(".so").name
    subprocess.run(["cc", *_QUICK, "-shared", "-fPIC", "-o", str(built), str(source), "-lm"], check=True)  # noqa: S603, S607
    return kind(str(built))
