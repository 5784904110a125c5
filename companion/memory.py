"""Giving memory back to the system.

Drawing a table and learning a board use some hundred megabytes for a moment. glibc keeps freed memory that lies between
what is still in use; on a small machine others need it more.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return freed memory to the system, where the C library can (glibc's `malloc_trim`)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
