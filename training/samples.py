"""Samples to learn second layers from: `python -m training.samples OUT.npz CORNERS SEED`.

Each is a row of chance checkers on a chance board, seen just as the eye will see it: through the colour tables and the
empty board of that board.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.chance import RASTER, Corner
from vision.appearance import Appearance, Ground, colour_table, lab
from vision.farther_out import log_likelihoods
from vision.layer_views import FIGURES, Marks, views

if TYPE_CHECKING:
    from training.chance import Row

LONGEST = 6
ROWS_A_CORNER = 6
CORNERS_A_BOARD = 2


def appearance_of(known: Corner, here: Corner) -> Appearance:
    """What would be known of the board: colours from rows elsewhere, the empty board here, not quite exact."""
    picture, where = known.known()
    colours, tables = lab(picture), []
    for side in (0, 1):
        mask = np.zeros(picture.shape[:2], np.uint8)
        for owner, place in where:
            if owner == side:
                cv2.circle(mask, (round(place[0]), round(place[1])), round(RASTER / 2 * 0.98), 255, -1)
        tables.append(colour_table(colours[mask > 0]))
    ground, chance = here.empty(), here.chance
    shift = np.array([[1, 0, chance.normal(0, 0.5)], [0, 1, chance.normal(0, 0.5)]])
    ground = cv2.warpAffine(ground, shift, ground.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    if chance.random() < 0.3:  # borrowed from points that are not lit quite alike
        ground = np.clip(ground * chance.uniform(0.85, 1.15), 0, 255).astype(np.uint8)
    return Appearance(Ground(ground), (tables[0], tables[1]))


def marks_of(corner: Corner, row: Row) -> Marks:
    """The row's checkers as they would have been read: neither places nor lifts are known exactly."""
    chance, count = corner.chance, len(row.tops)
    home = np.array([corner.place(slot) for slot in range(count)]) * RASTER - 0.5
    home += chance.normal(0, 0.025, 2) * RASTER + np.arange(count)[:, None] * (0, chance.normal(0, 0.006)) * RASTER
    lift = corner.thickness * corner.tilt * np.exp(chance.normal(0, 0.15)) + chance.normal(0, 0.012, 2)
    lift = lift + np.arange(count)[:, None] * (0, chance.normal(0, 0.004))
    found = row.tops + (chance.normal(0, 0.05, (count, 2)) - chance.uniform(0.2, 1.0, (count, 1)) * lift) * RASTER
    index = np.arange(count)
    owner = np.full(count, row.owner)
    return Marks(np.zeros(count, int), index, owner, found, home, lift * RASTER, np.ones(count), RASTER)


def main() -> None:
    """Draw samples and keep them."""
    out, corners, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    cv2.setNumThreads(1)
    chance = np.random.default_rng(seed)
    figures: list[np.ndarray] = []
    places: list[np.ndarray] = []
    bearing: list[tuple[int, int, float]] = []
    while len(bearing) < corners * ROWS_A_CORNER:
        board = Corner.of(chance)
        known = board.elsewhere()
        for _ in range(CORNERS_A_BOARD):
            here = board.elsewhere()
            appearance = appearance_of(known, here)
            for _ in range(ROWS_A_CORNER):
                row = here.row()
                figures.append(np.zeros((LONGEST, FIGURES), np.float32))
                seen = views(appearance, row.picture, marks_of(here, row))
                figures[-1][: len(row.tops)] = seen.figures
                places.append(np.full(LONGEST + 1, -np.inf, np.float32))
                places[-1][: len(row.tops) + 1] = log_likelihoods(seen.out, seen.lift)
                bearing.append((len(row.tops), row.bearing, float(np.hypot(*here.tilt) * here.thickness)))
    np.savez(out, figures=np.array(figures), places=np.array(places), bearing=np.array(bearing))


if __name__ == "__main__":
    main()
