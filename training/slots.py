"""Draws slots of random framed boards: `python -m training.slots OUT.npz BOARDS SEED`.

It writes samples for `training.learn_slots`: turned patches (see `vision.board.patches`) of the single
checkers of a starting position, and of places in later positions, of the empty board there, and what the places hold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.cameras import leaning, taken
from training.lighting import DrawnLight, later_light
from training.points import POINTS, ROW, Board, DrawnRow, extra, laid, random_counts
from training.scenes import DrawnScene, Man, add_strangers
from training.stacks import MARGIN, RASTER_PX, DrawnStart
from training.writing import write_samples
from vision.board import EMPTY, OTHER, WHITE, turned_patches

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.cameras import ErringCamera, Rectified
    from training.sensor import Sensor
    from vision.arrays import Floats, Ints, Picture, Singles


LOOKS, PLACES = 3, 60
"""Later pictures of each board, and places in each."""
EMPTY_FROM, SHOWS_CHECKER, SHOWS_DIE = 0.62, 0.25, 0.45
"""Distances in diameters: a place is empty if everything is farther than the first, shows a checker that is nearer than
the second, and a die that is nearer than the third."""


def board_samples(chance: Generator) -> dict[str, NDArray]:
    """A make of board: its known single checkers, and places in later pictures."""
    start = DrawnStart.drawn(chance)
    board, camera, men, lift_factor = start.board, start.camera, start.men, start.lift_factor
    places = np.array([(man.x, man.y) for man in men])
    off = chance.normal(0, 0.03, places.shape) * 2 * board.make.radius
    patches, lifts = _patches(camera, board, start.learned, places + off)
    known = {"known": patches, "known_place": _diameters(board, places), "known_lift": lifts * lift_factor}
    looks = [_later(chance, board, camera, start.light, start.empty, lift_factor) for _ in range(LOOKS)]
    result = {name: np.concatenate([one[name] for one in looks]) for name in looks[0]}
    return known | {"known_side": np.array([man.side for man in men], np.int8)} | result


def _diameters(board: Board, places: Floats) -> Singles:
    return np.asarray(places / (2 * board.make.radius), np.float32)


def _patches(camera: ErringCamera, board: Board, seen: Rectified, places: Floats) -> tuple[Picture, Floats]:
    """Turned patches of places (n x 2), and the lengths of the lift there (diameters)."""
    lifts = np.array([leaning(camera, board.make, Man(0, x, y, 0.0, 1.0)) for x, y in places])
    at = seen.pixels(places)
    patches = turned_patches(seen.view, at, seen.pixels(places + lifts) - at, RASTER_PX)
    return patches, np.linalg.norm(lifts, axis=1) / (2 * board.make.radius)


def _later(
    chance: Generator,
    board: Board,
    camera: ErringCamera,
    first: tuple[DrawnLight, Sensor],
    empty: Rectified,
    lift_factor: float,
) -> dict[str, NDArray]:
    """Places in a later picture."""
    lamp, sensor = first
    lamp = later_light(chance, lamp, board.make.extent, other=0.2, changed=0.3)
    later = sensor.later(chance, 0.7 if chance.random() < 0.4 else 0.1)
    rows = laid(chance, board, random_counts(chance), careless=chance.random() < 0.5)
    others = extra(chance, board)
    diameter = 2 * board.make.radius
    scene = DrawnScene([man for row in rows.values() for man in row.men] + others)
    add_strangers(chance, scene, board.make.extent, hand=0.15, dice=0.4, edges=(0.4 * diameter, 0.8 * diameter))
    seen, hidden = taken(chance, board.make, camera, (lamp, later), scene, RASTER_PX, MARGIN)
    ratio = (empty.view.astype(np.float32) + 1) / (seen.view.astype(np.float32) + 1)
    view = np.clip(seen.view * np.median(ratio.reshape(-1, 3)[::7], axis=0), 0, 255).astype(np.uint8)
    places, labels = _queries(chance, board, camera, rows, others)
    covered = cv2.blur((hidden.view.reshape(*hidden.view.shape[:2], -1).max(axis=2) > 0).astype(np.float32), (15, 15))
    x, y = np.rint(seen.pixels(places)).astype(int).T
    share = covered[y.clip(0, covered.shape[0] - 1), x.clip(0, covered.shape[1] - 1)]
    labels[share > 0.7] = OTHER
    kept = np.flatnonzero((share < 0.05) | (share > 0.7))
    kept = kept[np.arange(PLACES) % len(kept)]
    patches, lifts = _patches(camera, board, replace(seen, view=view), places[kept])
    bare, _ = _patches(camera, board, empty, places[kept])
    return {
        "seen": patches,
        "bare": bare,
        "place": _diameters(board, places[kept]),
        "lift": lifts * lift_factor,
        "label": labels[kept],
    }


def _queries(
    chance: Generator, board: Board, camera: ErringCamera, rows: dict[int, DrawnRow], others: list[Man]
) -> tuple[Floats, Ints]:
    """Places to read and what they hold: checkers, and empty slots, many of them beside checkers."""
    diameter = 2 * board.make.radius
    men = [man for row in rows.values() for man in row.men] + others
    at = np.array([(man.x, man.y) for man in men])
    lean = np.array([leaning(camera, board.make, man) for man in men])
    high = np.array([man.high for man in men])[:, None] - 1
    inside = at[:, 0] < board.make.extent[0]
    spread = np.where(chance.random((len(men), 1)) < 0.15, 0.12, 0.05)
    on = at + chance.normal(0, 1, at.shape) * spread * diameter + chance.random((len(men), 1)) * high * lean
    places = [tuple(one) for one in on[inside]]
    labels = [WHITE + man.side for man, here in zip(men, inside, strict=True) if here]
    order = chance.permutation(len(places))[: PLACES // 2]
    places, labels = [places[k] for k in order], [labels[k] for k in order]
    while len(places) < PLACES:
        point, slot = int(chance.integers(POINTS)), int(chance.integers(ROW + 1))
        x, y = board.slot(point, slot + chance.uniform(-0.25, 0.25))
        if chance.random() < 0.08:
            x = 6 + board.bar / 2
        x += chance.normal(0, 0.09)
        away = np.linalg.norm(at - (x, y), axis=1).min() / diameter
        up = (np.linalg.norm(at + high * lean - (x, y), axis=1)).min() / diameter
        if min(away, up) > EMPTY_FROM:
            places.append((x, y))
            labels.append(EMPTY)
    return np.array(places), np.array(labels)


if __name__ == "__main__":
    write_samples(board_samples)
