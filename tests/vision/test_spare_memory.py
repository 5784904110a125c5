"""Memory that is free goes back to the system."""

from __future__ import annotations

import ctypes
import resource
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.spare_memory import give_back

PIECE_BYTES, PIECES = 60_000, 1000


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux how much memory is taken")
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library has no trim")
def test_holes_in_the_heap_are_given_back() -> None:
    pieces = [np.ones(PIECE_BYTES, np.uint8) for _ in range(PIECES)]
    last = np.ones(PIECE_BYTES, np.uint8)  # lies beyond them, so that the heap does not shrink by itself
    full = resident_bytes()
    pieces.clear()
    give_back()
    assert full - resident_bytes() > PIECE_BYTES * PIECES // 2
    assert last.all()
