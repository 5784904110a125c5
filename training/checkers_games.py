"""Play games of checkers against itself: `python -m training.checkers_games OUT.npy GAMES POSITIONS SEED [by-hand]`.

POSITIONS are searched for each move; by-hand: only men and kings have values, for the first games.
"""

from __future__ import annotations

import sys

import numpy as np

from training.checkers_library import played, searching

BATCH_GAMES = 1000


def main() -> None:
    """Write the positions of the games."""
    out, games, positions, seed = sys.argv[1], *map(int, sys.argv[2:5])
    library, found = searching(by_hand="by-hand" in sys.argv), []
    for part in range(0, games, BATCH_GAMES):
        found.append(played(library, seed * 1000 + part // BATCH_GAMES, BATCH_GAMES, positions))
        np.save(out, np.concatenate(found))
        print(f"{part + BATCH_GAMES} games, {sum(map(len, found))} positions", flush=True)


if __name__ == "__main__":
    main()
