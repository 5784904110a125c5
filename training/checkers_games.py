"""Play games of checkers against itself: `python -m training.checkers_games OUT.npy GAMES POSITIONS SEED [by-hand]`.

POSITIONS are searched for each move; by-hand: with no values but of men and kings, for the first games.
"""

from __future__ import annotations

import sys

import numpy as np

from training.checkers_library import played, searching

AT_ONCE = 1000


def main() -> None:
    """Write the positions of the games."""
    out, games, positions, seed = sys.argv[1], *map(int, sys.argv[2:5])
    library, found = searching(by_hand="by-hand" in sys.argv), []
    for part in range(0, games, AT_ONCE):
        found.append(played(library, seed * 1000 + part // AT_ONCE, AT_ONCE, positions))
        np.save(out, np.concatenate(found))
        print(f"{part + AT_ONCE} games, {sum(map(len, found))} positions", flush=True)


if __name__ == "__main__":
    main()
