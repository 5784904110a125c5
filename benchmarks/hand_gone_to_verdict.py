"""Measures the time from the hand's withdrawal to the verdict: `python benchmarks/hand_gone_to_verdict.py [FOLDER]`.

A filmed game at ten frames a second passes the motion gate, the board reader and the referee. "film s" counts from the
first picture without a hand to the picture that is judged; "work s" is this machine's time for that picture. The target
for their sum is 0.4 s.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import with_test_support  # noqa: F401
from labelled import FILM

from companion.app.recording import Recording
from companion.app.replay import Replay
from companion.app.table import Table
from companion.rules import rules_named

TARGET_S = 0.4
SAME_S = 1e-6


class Stopwatch:
    """Times each verdict from the start of the work on its picture."""

    def __init__(self) -> None:
        self.verdicts: list[tuple[float, float, dict[str, Any]]] = []
        self._began_s = 0.0

    def begin(self, _: float) -> None:
        """Start the time of the next picture or event."""
        self._began_s = time.perf_counter()

    def say(self, report: dict[str, Any]) -> None:
        """Store a verdict with its film time and seconds of work."""
        if report["event"] == "verdict":
            self.verdicts.append((report["t"], time.perf_counter() - self._began_s, report))


def replayed(folder: Path) -> Stopwatch:
    """Replay a recorded game and time its verdicts."""
    recording = Recording.load(folder)
    rules = rules_named(recording.sheet)
    stopwatch = Stopwatch()
    Replay(recording, rules, Table(rules.sheet.game, rules.sheet.name), stopwatch.say).run(stopwatch.begin)
    return stopwatch


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FILM, help="a recorded game with its truth.json")
    folder = parser.parse_args().folder
    turns = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["events"]
    verdicts = replayed(folder).verdicts
    print(f"{'hand gone at':>12}{'verdict':>12}{'film s':>9}{'work s':>9}{'of target':>12}")
    for turn in turns:
        gone_s = turn["after"]
        readable = [
            one for one in verdicts if gone_s - SAME_S <= one[0] < turn["t"] - SAME_S and one[2]["cause"] is None
        ]
        if not readable:
            print(f"{gone_s:12.1f}{'none':>12}")
            continue
        at_s, work_s, report = readable[0]
        share = (at_s - gone_s + work_s) / TARGET_S
        print(f"{gone_s:12.1f}{report['finding']:>12}{at_s - gone_s:9.2f}{work_s:9.3f}{share:12.2f}")


if __name__ == "__main__":
    main()
