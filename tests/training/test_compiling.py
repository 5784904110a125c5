"""Compiled C files leave the process as it was."""

import ctypes
from pathlib import Path

import numpy as np

from training.compiling import compiled


def test_compiled_libraries_keep_subnormal_numbers(tmp_path: Path):
    source = tmp_path / "half.c"
    source.write_text("double half(double of) { return of / 2; }\n")
    library = compiled(source, ctypes.CDLL)
    library.half.argtypes, library.half.restype = [ctypes.c_double], ctypes.c_double
    least = float(np.finfo(float).tiny)
    assert library.half(least) > 0
    assert least / 2 > 0
