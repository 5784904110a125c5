"""Rows of path-traced boards as samples of `training.samples`: `python -m training.traced_layers FOLDER OUT`.

FOLDER has the boards of `training.traced`. They are learned and read as the product does; boards that it refuses, and
rows whose first layer it misreads, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from training.samples import BARE, LONGEST
from training.traced_folders import later_pictures, read_folder, write_folders
from training.traced_stacks import rows_of
from vision.backgammon.learning import calibrate
from vision.backgammon.stacking.count import known_rows, nats_by_place
from vision.backgammon.stacking.features import ANGLES, MAPS, MEASURES, RADII

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.backgammon.stacking.count import SeenRow

ROWS, FEWEST = 24, 6
"""Rows of a board, as `training.samples` has them; the first are repeated. Boards with fewer are left out."""


def row_sample(row: SeenRow, high: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """A row as one of `training.samples`; `high`: mask of its checkers with another one on top."""
    seen, count = row.features, len(high)
    spokes = np.zeros((LONGEST, MAPS, ANGLES, RADII), np.int8)
    measures = np.zeros((LONGEST, MEASURES), np.float32)
    places = np.full(LONGEST + 1, -np.inf, np.float32)
    spokes[:count], measures[:count] = seen.spokes, seen.measures
    places[: count + 1] = nats_by_place(seen)
    labels = np.array((count, high.sum(), row.detected.owner[0]), np.int32)
    return {"spokes": spokes, "measures": measures, "places": places, "labels": labels}


def board_samples(folder: Path) -> dict[str, NDArray[Any]] | None:
    """All samples of a board; None if it is not learned or has too few rows."""
    description, board = read_folder(folder, calibrate)
    if board is None or board.layers.singles is None:
        return None
    known = known_rows(board.fine_labelled, board.points, board.layers.lift)
    rows = [
        row_sample(row, high)
        for picture, look in later_pictures(folder, description)
        for row, high in rows_of(board, picture, look["rows"])
        if len(high) <= LONGEST
    ]
    if len(rows) < FEWEST:
        return None
    chance = np.random.default_rng(1)
    bare: dict[str, list[NDArray[Any]]] = {"bare": [], "bare_measures": []}
    for side in (0, 1):
        own = [row.features for row in known if row.detected.owner[0] == side]
        some = chance.permutation(sum(len(one.out) for one in own))[:BARE]
        bare["bare"].append(np.concatenate([one.spokes for one in own])[some])
        bare["bare_measures"].append(np.concatenate([one.measures for one in own])[some])
    repeated = [rows[number % len(rows)] for number in range(ROWS)]
    samples = {name: np.stack([one[name] for one in repeated]) for name in rows[0]}
    return {name: np.stack(each)[None] for name, each in (samples | bare).items()}


if __name__ == "__main__":
    write_folders("rw", board_samples)
