"""Runs the benchmarks of this folder and prints their tables.

`python benchmarks/run_all.py` runs all that have a `main`; names (`... run_all.py legal_plays`) choose some.
Each runs in a process of its own, so that memory and caches of one do not affect the next.
"""

from __future__ import annotations

import argparse
import ast
import os
import platform
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def has_main(script: Path) -> bool:
    """Whether the script defines a function `main`; the script is parsed, not run."""
    tree = ast.parse(script.read_text(encoding="utf-8"), filename=str(script))
    return any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def benchmarks(folder: Path = FOLDER) -> dict[str, Path]:
    """Name and file of every benchmark in `folder`, in the order of their names."""
    return {
        script.stem: script
        for script in sorted(folder.glob("*.py"))
        if script.name != "run_all.py" and has_main(script)
    }


def chosen(names: list[str], known: dict[str, Path]) -> dict[str, Path]:
    """The benchmarks with these names, all if there are no names; exits with a message for an unknown name."""
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"no benchmark {', '.join(map(repr, unknown))} in {FOLDER}; there are: {', '.join(known) or 'none'}")
    return {name: known[name] for name in names} if names else known


def run(name: str, script: Path) -> bool:
    """Run one benchmark under a heading; whether its exit status was 0."""
    print(f"\n== {name} ==", flush=True)
    status = subprocess.run([sys.executable, str(script)], check=False, cwd=FOLDER.parent).returncode
    if status:
        print(f"{script.name} failed with exit status {status}", flush=True)
    return status == 0


def main() -> int:
    """Run the benchmarks named on the command line; exit status 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="benchmarks to run, without .py; all if none is given")
    known = benchmarks()
    selected = chosen(parser.parse_args().names, known)
    print(f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores", flush=True)
    failed = [name for name, script in selected.items() if not run(name, script)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
