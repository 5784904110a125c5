"""Fuzzes every reader of outside input with damaged files, lines and requests.

Each reader runs in its own process with a limit on memory. The table has the number of inputs, unexpected exceptions,
the slowest input in processor seconds, and the peak memory. `--seconds` is the time for each reader.
"""

from __future__ import annotations

import argparse
import json
import logging
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import with_test_support  # noqa: F401
from fuzz_commands import all_targets
from fuzz_routes import routes
from fuzzing import Report, fuzzed
from learned_once import FOLDERS

MOST_MEMORY = 3 << 30
"""Limit of the address space in bytes; a valid picture of a board takes 1 GB of it, mostly shared libraries."""
SLOW_S = 1.0
"""Processor seconds above which an input counts as slow; learning a board and searching a move may take longer."""
SEARCHES = {"hint", "--corners"}


def run_one(name: str, seed: int, seconds: float, folder: Path) -> None:
    """Fuzz one reader, or one group of routes, and print the result as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    logging.disable()
    before_mb = _peak_mb()
    target = next(target for target in (*routes(folder), *all_targets(folder)) if target.name == name)
    report = fuzzed(target, seed, seconds=seconds)
    _keep(report, folder.parent)
    found = {"inputs": report.inputs, "faults": report.words, "count": len(report.faults)}
    print(json.dumps({**found, "slowest_s": report.slowest_s, "mb": _peak_mb(), "before_mb": before_mb}))


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _keep(report: Report, folder: Path) -> None:
    """Save the inputs that caused faults, and the slowest one."""
    kept = {f"fault-{number}": data for number, data in enumerate(report.faults.values())}
    if report.slowest_s > SLOW_S:
        kept["slowest"] = report.slowest
    for what, data in kept.items():
        (folder / f"{report.name.replace(' ', '-').replace('/', '-')}.{what}").write_bytes(data)


def main() -> int:
    """Fuzz the readers named, or all; exit status 1 on an unexpected exception, a crash or a slow input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="readers; all if none is given")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each reader (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=None, help="folder for inputs that made faults")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.keep) as folder:
        FOLDERS.append(args.keep or Path(folder))
        if args.one:
            run_one(args.names[0], args.seed, args.seconds, Path(folder))
            return 0
        return _run_all(args, Path(folder))


def _run_all(args: argparse.Namespace, folder: Path) -> int:
    keep = args.keep or folder
    names = args.names or [target.name for target in (*routes(folder), *all_targets(folder))]
    print(f"{'reader':20} {'inputs':>8} {'faults':>7} {'slowest s':>10} {'peak MB':>8}", flush=True)
    bad = 0
    for name in names:
        options = ["--one", "--seconds", str(args.seconds), "--seed", str(args.seed), "--keep", str(keep)]
        ran = subprocess.run(
            [sys.executable, __file__, *options, "--", name], check=False, capture_output=True, text=True
        )
        if ran.returncode:
            bad += 1
            print(f"{name:20} ended with status {ran.returncode}: {ran.stderr[-500:]}", flush=True)
            continue
        found = json.loads(ran.stdout.splitlines()[-1])
        slow = found["slowest_s"] > SLOW_S and name not in SEARCHES
        bad += bool(found["count"]) + slow
        print(
            f"{name:20} {found['inputs']:8} {found['count']:7} {found['slowest_s']:10.2f} {found['mb']:8}"
            f"{' slow' if slow else ''}",
            flush=True,
        )
        if found["faults"]:
            print(found["faults"], flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
