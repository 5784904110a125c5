"""Label decisions of checkers: `python -m training.checkers_decisions OUT.json COUNT POSITIONS SEED`.

Positions of games that the values were not fitted to. All moves of each are searched with a budget of POSITIONS.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import numpy as np

from companion.hints.checkers_compiled import MOST_MOVES
from companion.hints.checkers_endings import Position
from training.checkers_library import played, searching

GAMES, SEARCHED = 120, 1_500
DECIDED = 1_500
"""Largest lead, in hundredths of a man, of a position that is kept."""


def main() -> None:
    """Write `[[mine, theirs, kings, white to move], [[mine, theirs, kings, score], …]]` for each decision."""
    out, count, positions, seed = sys.argv[1], *map(int, sys.argv[2:5])
    library = searching()
    found: dict[tuple[int, ...], list[list[int]]] = {}
    for row in np.random.default_rng(seed).permutation(played(library, seed, GAMES, SEARCHED)):
        white = int(row["to_move"])
        own, other = ("white", "black") if white else ("black", "white")
        at = Position(int(row[own]), int(row[other]), int(row["kings"]))
        after, scores = (Position * MOST_MOVES)(), (ctypes.c_int * MOST_MOVES)()
        if library.search_moves(library.search, ctypes.byref(at), white, after) < 2:
            continue
        number = library.label(library.search, ctypes.byref(at), white, positions, after, scores)
        if abs(max(scores[:number])) <= DECIDED:
            moves = [
                [one.mine, one.theirs, one.kings, score] for one, score in zip(after[:number], scores, strict=False)
            ]
            found[at.mine, at.theirs, at.kings, white] = moves
        if len(found) == count:
            break
    lines = ",\n".join(json.dumps([at, moves], separators=(",", ":")) for at, moves in found.items())
    Path(out).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
