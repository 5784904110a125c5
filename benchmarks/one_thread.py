"""Starts a benchmark in one thread, as at a real table."""

from __future__ import annotations

import os
import sys


def start_in_one_thread() -> None:
    """Restart this script with one thread if NumPy may use more: NumPy reads the setting on import."""
    if "OPENBLAS_NUM_THREADS" not in os.environ:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "OPENBLAS_NUM_THREADS": "1"})
