"""Reads path-traced boards as the product does: `python -m training.traced_slots FOLDER OUT`.

FOLDER has the boards of `training.traced`. Of each board that can be fitted OUT gets a file of samples for
`training.learn_slots`: places of every later picture, most of them where the product looks for a checker.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core import FULL_ROW
from training.slots import EMPTY_FROM, SHOWS_CHECKER, SHOWS_DIE
from training.traced_folders import later_pictures, read_folder, write_folders
from vision.backgammon.layout import SLOTS, finer
from vision.backgammon.learning import fit_calibration
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.slot_reading import read_rows
from vision.board import EMPTY, OTHER, POINTS, Figures, turned_patches
from vision.geometry import project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.arrays import Floats, Picture
    from vision.backgammon.calibration import Calibration
    from vision.backgammon.reader import LitView
    from vision.board import Slot


_BARE = 0.2
"""Share of all slots that are samples if they are empty, besides those where the product looks."""


class LaidCheckers:
    """True places of checkers (n x 2) and dice (m x 2) on the finer raster; distances are in diameters."""

    def __init__(self, board: Calibration, look: dict[str, Any]) -> None:
        labelled = board.fine_labelled
        self.diameter = labelled.rows.diameter
        men = [(side, *where) for _, _, side, _, *where in look["places"]]
        men += [(side, *where, *where) for side, *where in look["bar"]]
        positions = np.array(men, np.float64).reshape(-1, 5)
        onto = np.linalg.inv(labelled.top.to_picture)
        self.sides = positions[:, 0].astype(int)
        self.low, self.high = project(onto, positions[:, 1:3]), project(onto, positions[:, 3:])
        self.dice = project(onto, np.array(look["dice"], np.float64).reshape(-1, 2))

    def nearest(self, place: Floats) -> tuple[float, int]:
        """Distance from the nearest checker, between its lower and its upper top, and its index."""
        up = self.high - self.low
        share = ((place - self.low) * up).sum(axis=1) / np.maximum((up**2).sum(axis=1), 1e-6)
        away = np.linalg.norm(self.low + share.clip(0, 1)[:, None] * up - place, axis=1) / self.diameter
        return float(away.min()), int(away.argmin())

    def label(self, place: Floats) -> int | None:
        """Label of a place; None if its content cannot be seen."""
        die = np.linalg.norm(self.dice - place, axis=1).min(initial=np.inf) / self.diameter
        if die < EMPTY_FROM:
            return OTHER if die < SHOWS_DIE else None
        away, which = self.nearest(place)
        return int(self.sides[which]) if away < SHOWS_CHECKER else EMPTY if away > EMPTY_FROM else None


def samples(board: Calibration, picture: Picture, look: dict[str, Any], chance: np.random.Generator) -> dict[str, Any]:
    """Samples of a picture."""
    labelled, lift = board.fine_labelled, board.layers.lift
    lit = FramedBoardReader(board).light_of(board.top.rectify(picture))
    view = lit.light.level(labelled.top.rectify(picture), lit.exposure.ceiling)
    laid = LaidCheckers(board, look)
    found = [
        (place, label, lift[at])
        for place, at in _places(board, _first_reading(board, lit), laid, chance)
        if (label := laid.label(place)) is not None
    ]
    places, labels, lifts = (np.array(one) for one in zip(*found, strict=True))
    bare = labelled.appearance.background.picture
    seen, empty = (turned_patches(one, places, lifts, laid.diameter) for one in (view, bare))
    far = np.linalg.norm(lifts, axis=1) / laid.diameter
    return {"seen": seen, "bare": empty, "place": places / laid.diameter, "lift": far, "label": labels}


def _first_reading(board: Calibration, lit: LitView) -> list[list[Slot]]:
    """The rows' slots, read by their features alone."""
    figures = Figures.of(lit.evidence, board.rows.diameter / 2)
    return read_rows(figures, board.rows, lit.exposure.slots)


def _places(
    board: Calibration, rows: list[list[Slot]], laid: LaidCheckers, chance: np.random.Generator
) -> Iterator[tuple[Floats, tuple[int, int]]]:
    """Places where the product looks, checkers that it misses, and some empty slots; each with a row and an index."""
    spread = 0.1 * laid.diameter
    seen = set()
    for row, slots in enumerate(rows):
        for index, slot in enumerate(slots[: FULL_ROW + 2]):
            place = np.array([finer(slot.x), finer(slot.y)])
            away, which = laid.nearest(place)
            if away < SHOWS_CHECKER:
                seen.add(which)
            yield place, (row, index)
    slots = {
        (row, slot): board.fine_labelled.rows.place(row, slot) for row, slot in product(range(POINTS), range(SLOTS))
    }
    for which in set(range(len(laid.low))) - seen:
        place = laid.low[which] + chance.random() * (laid.high - laid.low)[which] + chance.normal(0, spread, 2)
        yield place, min(slots, key=lambda at: float(np.linalg.norm(slots[at] - place)))
    for (row, slot), place in slots.items():
        if slot < FULL_ROW and chance.random() < _BARE:
            off = np.asarray(place + chance.normal(0, spread, 2))
            if laid.label(off) == EMPTY:
                yield off, (row, slot)


def board_samples(folder: Path) -> dict[str, NDArray[Any]] | None:
    """All samples of a board, also of one that the product would refuse to learn; None if it cannot be fitted."""
    description, board = read_folder(folder, fit_calibration)
    if board is None or board.layers.singles is None:
        return None
    chance = np.random.default_rng(0)
    each = [samples(board, picture, look, chance) for picture, look in later_pictures(folder, description)]
    known = board.layers.singles.known
    own = {"known": known.patches, "known_place": known.places, "known_lift": known.lifts, "known_side": known.sides}
    return own | {name: np.concatenate([one[name] for one in each]) for name in each[0]}


def file_of(folder: Path) -> dict[str, NDArray[Any]] | None:
    """The samples of a board as a file of one board, marked as path-traced."""
    made = board_samples(folder)
    return None if made is None else {"traced": np.ones(1, bool)} | {name: one[None] for name, one in made.items()}


if __name__ == "__main__":
    write_folders("sl", file_of)
