"""How long the legal plays of a roll take: `python benchmarks/legal_plays.py`.

Times are the best of several runs; the ratio is to a plain counting loop timed in the same run, so that figures from
different machines compare.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.model import Dice, Side
from companion.rules.backgammon import START, Position
from companion.rules.rulesets import rules_named

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 15
SPREAD = Position((0, 0, 0, 0, *[1] * 15, 0, 0, 0, 0, 0))
SPREAD_OUT_OF_REACH = Position((*[0] * 9, *[1] * 15))
CASES = (
    ("ordinary roll, opening 6-1", "standard", START, (6, 1)),
    ("ordinary roll, opening 3-1", "standard", START, (3, 1)),
    ("opening double 2-2", "standard", START, (2, 2)),
    ("busiest roll, fifteen blots 5-4", "standard", SPREAD, (5, 4)),
    ("worst double, fifteen blots 1-1", "standard", SPREAD, (1, 1)),
    ("worst double, far out 2-2", "standard", SPREAD_OUT_OF_REACH, (2, 2)),
)


def best_ms(work: Callable[[], object]) -> float:
    """Best time of several runs, in milliseconds."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return 1000 * min(times)


def reference_loop() -> int:
    """A fixed piece of plain Python: some 10,000 additions."""
    total = 0
    for number in range(10_000):
        total += number & 7
    return total


def main() -> None:
    """Print the table."""
    reference_ms = best_ms(reference_loop)
    print(f"{'case':36}{'plays':>7}{'ms':>9}{'ratio':>8}   (reference loop {reference_ms:.3f} ms)")
    for title, sheet, position, dice in CASES:
        rules, rolled = rules_named(sheet), Dice(dice)
        plays = rules.successors(position, Side.WHITE, rolled)
        took_ms = best_ms(lambda r=rules, p=position, d=rolled: r.successors(p, Side.WHITE, d))
        print(f"{title:36}{len(plays):7}{took_ms:9.3f}{took_ms / reference_ms:8.2f}")


if __name__ == "__main__":
    main()
