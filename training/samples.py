"""Makes training samples for the stacking networks: `python -m training.samples OUT.npz BOARDS SEED`.

Each sample is a row of random checkers on a random board. Its features are computed as when a picture is read: with
colour tables and an estimate of the empty board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.chance import RASTER, Corner
from training.writing import write_samples
from vision.backgammon.stacking.count import nats_by_place
from vision.backgammon.stacking.features import ANGLES, MAPS, MEASURES, RADII, DetectedCheckers, layer_features
from vision.imaging import Appearance, BackgroundModel, colour_table, to_lab8

if TYPE_CHECKING:
    from training.chance import Row

LONGEST = 6
"""Largest number of checkers in a row."""
ROWS_A_CORNER = 12
CORNERS_A_BOARD = 2
INPAINTED_SHARE = 0.5
"""Share of the corners that were hidden by checkers in the calibration picture."""
BARE = 5
"""Number of single checkers of each side whose features are known for each board."""


def tables_of(known: Corner) -> tuple[np.ndarray, np.ndarray]:
    """Colour tables (see `colour_table`) of both sides, from known checkers at another corner."""
    picture, where = known.known()
    colours, tables = to_lab8(picture), []
    for side in (0, 1):
        mask = np.zeros(picture.shape[:2], np.uint8)
        for owner, place in where:
            if owner == side:
                cv2.circle(mask, (round(place[0]), round(place[1])), round(RASTER / 2 * 0.98), 255, -1)
        tables.append(colour_table(colours[mask > 0]))
    return tables[0], tables[1]


def appearance_of(tables: tuple[np.ndarray, np.ndarray], here: Corner) -> Appearance:
    """The appearance as calibrated: colour tables, and the empty board at this corner with random errors."""
    ground, chance = here.empty(), here.chance
    shift = np.array([[1, 0, chance.normal(0, 0.5)], [0, 1, chance.normal(0, 0.5)]])
    ground = cv2.warpAffine(ground, shift, ground.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    if chance.random() < 0.3:  # copied from points in slightly different light
        ground = np.clip(ground * chance.uniform(0.85, 1.15), 0, 255).astype(np.uint8)
    if chance.random() < INPAINTED_SHARE:
        ground = _inpainted(ground, here)
    return Appearance(BackgroundModel(ground), tables)


def _inpainted(ground: np.ndarray, here: Corner) -> np.ndarray:
    """The empty board with the places of checkers replaced by patches from elsewhere, as `inpaint_bed` does."""
    chance = here.chance
    off = np.column_stack([np.eye(2), chance.normal(0, 1.5, 2)])
    other = cv2.warpAffine(ground, off, ground.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    other = other * np.exp(chance.normal(0, 0.15) + chance.normal(0, 0.03, 3))
    mask = np.zeros(ground.shape[:2], np.uint8)
    wall = here.thickness * here.tilt
    for slot in range(int(chance.choice([2, 3, 5]))):
        at, radius = here.place(slot) + chance.normal(0, 0.03, 2), chance.uniform(0.5, 0.58)
        for part in np.linspace(0, 1, 8):
            where = (at - part * wall) * RASTER - 0.5
            cv2.circle(mask, (round(where[0]), round(where[1])), round(radius * RASTER), 255, -1)
    share = cv2.GaussianBlur(mask, (0, 0), chance.uniform(0.5, 2.0))[..., None] / 255
    return np.clip(ground * (1 - share) + other * share, 0, 255).astype(np.uint8)


def marks_of(corner: Corner, row: Row) -> DetectedCheckers:
    """The row's checkers as detected, with random errors of places and lifts."""
    chance, count = corner.chance, len(row.tops)
    home = np.array([corner.place(slot) for slot in range(count)]) * RASTER - 0.5
    home += chance.normal(0, 0.025, 2) * RASTER + np.arange(count)[:, None] * (0, chance.normal(0, 0.006)) * RASTER
    lift = corner.thickness * corner.tilt * np.exp(chance.normal(0, 0.15)) + chance.normal(0, 0.012, 2)
    lift = lift + np.arange(count)[:, None] * (0, chance.normal(0, 0.004))
    found = row.tops + (chance.normal(0, 0.05, (count, 2)) - chance.uniform(0.2, 1.0, (count, 1)) * lift) * RASTER
    owner = np.full(count, row.owner)
    return DetectedCheckers(owner, found, home, lift * RASTER, 1.0, RASTER)


def bare_rows(corner: Corner, appearance: Appearance) -> tuple[np.ndarray, np.ndarray]:
    """Features of single checkers of each side (2 x BARE x MAPS x ANGLES x RADII; 2 x BARE x MEASURES)."""
    rows = [corner.row(bare=owner) for owner in (0, 1)]
    seen = [layer_features(appearance, row.picture, marks_of(corner, row)) for row in rows]
    return np.stack([one.spokes for one in seen]), np.stack([one.measures for one in seen])


def board_of(chance: np.random.Generator) -> dict[str, np.ndarray]:
    """Samples of one board: features and labels of its rows, and features of its single checkers."""
    board = Corner.of(chance)
    corners = [board.elsewhere() for _ in range(CORNERS_A_BOARD + 1)]
    tables = tables_of(corners[0])
    looks = [appearance_of(tables, corner) for corner in corners]
    bare, known = bare_rows(corners[0], looks[0])
    spokes, places, measures, labels = [], [], [], []
    for index in range(1, CORNERS_A_BOARD + 1):
        for _ in range(ROWS_A_CORNER):
            row = corners[index].row()
            seen = layer_features(looks[index], row.picture, marks_of(corners[index], row))
            count = len(row.tops)
            spokes.append(np.zeros((LONGEST, MAPS, ANGLES, RADII), np.int8))
            spokes[-1][:count] = seen.spokes
            measures.append(np.zeros((LONGEST, MEASURES), np.float32))
            measures[-1][:count] = seen.measures
            places.append(np.full(LONGEST + 1, -np.inf, np.float32))
            places[-1][: count + 1] = nats_by_place(seen)
            labels.append((count, row.bearing, row.owner))
    return {
        "spokes": np.stack(spokes),
        "measures": np.stack(measures),
        "places": np.stack(places),
        "labels": np.array(labels, np.int32),
        "bare": bare,
        "bare_measures": known,
    }


if __name__ == "__main__":
    write_samples(board_of)
