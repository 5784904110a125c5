"""Keeping the process small: few heaps, and freed memory given back to the system.

Left to itself, glibc keeps up to eight heaps a core, each with freed pictures in it, and every thread draws on its own.
Drawing a table and learning a board use some hundred megabytes for a moment; on a small machine others need them more.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableMapping

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""What `mallopt` calls its settings (malloc.h of glibc)."""
FEW_HEAPS = (
    ("MALLOC_ARENA_MAX", M_ARENA_MAX, 1),
    ("MALLOC_TRIM_THRESHOLD_", M_TRIM_THRESHOLD, 1 << 20),
    ("MALLOC_MMAP_THRESHOLD_", M_MMAP_THRESHOLD, 2 << 20),
)
"""What is set, under which name in the environment, to how much: one heap whose free end is given back from a megabyte
on, and whole pictures (3.7 MB) outside it, so that they leave no holes. Measured at rest: 148 MB resident, against 152
with everything in the heap; with 128 kB, glibc's start value, 144, but eight times the page faults until a board is
learned, which then takes half as long again."""
NUMPY = {
    "OPENBLAS_NUM_THREADS": "1",  # each helper thread has a buffer of its own, and nothing here needs them
    "NUMPY_MADVISE_HUGEPAGE": "0",  # pages of 2 MB are paid for as a whole, however little of them is in use
}
"""What NumPy looks for in the environment when it is imported."""


def stay_small(environment: MutableMapping[str, str] = os.environ, library: object = None) -> bool:
    """Keep to one heap that gives back what is freed; call it before NumPy is imported and before threads start.

    `library` is the C library. Returns whether it did as asked (glibc does; musl has nothing to be asked). What the
    environment sets stands.
    """
    for name, value in NUMPY.items():
        environment.setdefault(name, value)
    mallopt = getattr(ctypes.CDLL(None) if library is None else library, "mallopt", None)
    if mallopt is None:
        return False
    wanted = [(setting, value) for name, setting, value in FEW_HEAPS if name not in environment]
    refused = [setting for setting, value in wanted if mallopt(setting, value) != 1]
    return not refused


def give_back() -> None:
    """Return freed memory to the system, where the C library can (glibc's `malloc_trim`)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
