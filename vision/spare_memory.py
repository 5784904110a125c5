"""Memory that was needed for a moment only: glibc keeps what is freed in pieces until it is asked to give it back."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Hand memory that is free back to the system, where the C library can do that.

    Finding and learning a board leaves 25 MB of holes in the heap, which nothing would fill while the table runs.
    """
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    if trim is not None:
        trim(ctypes.c_size_t(0))
