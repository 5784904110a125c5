"""Counts the sequences of moves from the starting position of checkers: `python benchmarks/checkers_perft.py [DEPTH]`.

The published counts for English draughts are 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564. The
ratio compares the sequences counted a second with SEQUENCES_A_SECOND. Exit status 1 if a count differs.
"""

from __future__ import annotations

import sys
import time

from companion.rules import CheckersPosition, rules_named
from companion.rules.checkers.position import START

PUBLISHED = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
DEPTH = 7
SEQUENCES_A_SECOND = 80_000
"""Speed on the machine where this benchmark was written."""
RULES = rules_named("acf")


def perft(position: CheckersPosition, depth: int) -> int:
    """Number of sequences of `depth` moves."""
    successors = RULES.successors(position, position.to_move, None)
    return len(successors) if depth == 1 else sum(perft(s.after, depth - 1) for s in successors)


def main() -> None:
    """Print the table, one line for each depth."""
    deepest = int(sys.argv[1]) if len(sys.argv) > 1 else DEPTH
    print(f"{'moves':>5} {'counted':>10} {'published':>10} {'seconds':>8} {'ratio':>6}")
    right = True
    for depth, published in enumerate(PUBLISHED[:deepest], 1):
        began = time.perf_counter()
        counted = perft(START, depth)
        seconds = time.perf_counter() - began
        right = right and counted == published
        print(
            f"{depth:>5} {counted:>10} {published:>10} {seconds:>8.2f} {counted / seconds / SEQUENCES_A_SECOND:>6.2f}"
        )
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
