"""Imports and runs benchmarks for their tests."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from places import BENCHMARKS

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def import_benchmark(name: str) -> ModuleType:
    """The module of a script in the folder of benchmarks, whose scripts see each other only while it is imported."""
    sys.path.append(str(BENCHMARKS))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


def run_benchmark(name: str, *arguments: object, folder: Path) -> str:
    """Run a benchmark with its temporary files in `folder`; what it prints, once it has ended with status 0."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / f"{name}.py"), *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        timeout=500,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
