"""Makes samples of traced boards: `python -m training.traced_stacks FOLDER OUT` (folders of `training.traced`).

Each board is learned from its starting position and read as by the product, so that places, light and the empty board
have the product's errors. The samples have the form of `training.stacks`; boards that are not learned are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from training.sensor import scaled
from training.stacks import LOOKS, PLACES
from training.traced_folders import later_pictures, read_folder, write_folders
from vision.backgammon.learning import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.slot_reading import LEAST_ROW
from vision.board import EMPTY, Figures
from vision.comparator import brightness_factor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.arrays import Bools, Picture
    from vision.backgammon.calibration import Calibration
    from vision.backgammon.stacking.count import SeenRow

    Row = tuple[SeenRow, Bools]


def rows_of(board: Calibration, picture: Picture, true_rows: dict[str, Any]) -> Iterator[Row]:
    """The rows whose first layer is read correctly, each with a mask of its checkers with another one on top."""
    reader = FramedBoardReader(board)
    lit = reader.light_of(board.top.rectify(picture))
    figures = Figures.of(lit.evidence, board.rows.diameter / 2)
    finer_view = reader.finer_view(picture, lit)
    read = reader.rows(lit, figures, finer_view)
    for point, (side, heights) in true_rows.items():
        found = [slot for slot in read[int(point)] if slot.holder != EMPTY]
        if len(heights) < LEAST_ROW or [slot.holder for slot in found] != [side] * len(heights):
            continue
        checkers = dict(enumerate(found))
        seen = board.layers.seen(board.fine_labelled, finer_view(), lit.exposure, int(point), checkers)
        yield seen, np.array(heights) > 1


def samples(rows: list[Row], bright: np.float32) -> dict[str, NDArray[Any]]:
    """Rows as one later picture of `training.stacks`; the first ones are repeated until there are PLACES checkers."""
    patched = [row.patched for row, _ in rows]
    ends = np.cumsum([len(high) for _, high in rows]) - 1
    named = {
        "seen": scaled(np.concatenate([one.patches for one in patched]), bright),
        "empty": scaled(np.concatenate([one.bare for one in patched]), bright),
        "seen_places": np.concatenate([one.places for one in patched]).astype(np.float32),
        "seen_lifts": np.concatenate([one.lifts for one in patched]).astype(np.float32),
        "seen_sides": np.concatenate([one.sides for one in patched]).astype(np.int8),
        "ends": np.repeat(ends, [len(high) for _, high in rows]),
        "high": np.concatenate([high for _, high in rows]),
    }
    return {name: one[np.arange(PLACES) % len(one)] for name, one in named.items()}


def board_samples(folder: Path) -> dict[str, NDArray[Any]] | None:
    """All samples of a board, LOOKS pictures at a time; None if it is not learned or has too few rows."""
    description, board = read_folder(folder, calibrate)
    if board is None or board.layers.singles is None:
        return None
    known = board.layers.singles.known
    bright = np.float32(brightness_factor(known.patches))
    pictures: list[list[Row]] = [[]]
    for picture, look in later_pictures(folder, description):
        for row in rows_of(board, picture, look["rows"]):
            if sum(len(high) for _, high in (*pictures[-1], row)) > PLACES:
                pictures.append([])
            pictures[-1].append(row)
    groups = [pictures[start : start + LOOKS] for start in range(0, len(pictures) - LOOKS + 1, LOOKS)]
    if not groups:
        return None
    own = {
        "known": scaled(known.patches, bright),
        "places": known.places.astype(np.float32),
        "lifts": known.lifts.astype(np.float32),
        "sides": known.sides.astype(np.int8),
    }
    each = [[samples(rows, bright) for rows in group] for group in groups]
    later = {name: np.array([[one[name] for one in group] for group in each]) for name in each[0][0]}
    return {name: np.stack([one] * len(groups)) for name, one in own.items()} | later


if __name__ == "__main__":
    write_folders("st", board_samples)
