"""Imports a benchmark for the tests of what it does."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from places import BENCHMARKS

if TYPE_CHECKING:
    from types import ModuleType


def import_benchmark(name: str) -> ModuleType:
    """The module of a script in the folder of benchmarks, whose scripts see each other only while it is imported."""
    sys.path.append(str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))
