"""C files of the training, compiled when asked for; needs a C compiler."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import TypeVar

LibraryT = TypeVar("LibraryT", bound=ctypes.CDLL)

_QUICK = ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fassociative-math", "-fno-signed-zeros")
"""Not -ffast-math, which also links start-up code that flushes denormals to zero in the whole process."""


def compiled(source: Path, kind: type[LibraryT]) -> LibraryT:
    """The library compiled from a C file. Raises CalledProcessError or FileNotFoundError without a compiler."""
    built = Path(tempfile.mkdtemp()) / source.with_suffix(".so").name
    subprocess.run(["cc", *_QUICK, "-shared", "-fPIC", "-o", str(built), str(source), "-lm"], check=True)  # noqa: S603, S607
    return kind(str(built))
