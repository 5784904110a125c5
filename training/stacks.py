"""Draws checkers of random makes, single and stacked: `python -m training.stacks OUT.npz BOARDS SEED`.

It writes samples for `training.learn_stacks`: turned patches (see `vision.board.patches`) of the single
checkers of a starting position, and of checkers in later positions, many of them with another one on top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from training.cameras import leaning, random_setting, taken
from training.drawing import render
from training.lighting import DrawnLight, later_light
from training.points import (
    POINTS,
    ROW,
    START,
    Board,
    DrawnRow,
    extra,
    laid,
    random_board,
)
from training.scenes import DrawnScene, Man, add_strangers
from training.sensor import scaled
from training.writing import write_samples
from vision.board import turned_patches
from vision.comparator import brightness_factor

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.cameras import ErringCamera, Rectified
    from training.sensor import Sensor
    from vision.arrays import Floats, Ints, Picture, Singles


LOOKS, PLACES, KNOWN = 3, 28, 30
"""Later pictures of each board, checkers read in each, and known single checkers."""
RASTER_PX, MARGIN = 34.0, 0.5
"""Diameter of a checker in the rectified picture, and margin around the board in columns: as in the product."""
_LIFT_ERROR = 0.75, 1.5
"""Range of the true lift over the lift in the samples: the thickness is not well known after calibration."""


def stacked_rows(chance: Generator, board: Board) -> dict[int, DrawnRow]:
    """A position with stacks on full rows, from the edge on, and on short ones."""
    rows, diameter = {}, 2 * board.make.radius
    gaps = board.gaps if chance.random() < 0.8 else board.gaps * 2
    for point in chance.permutation(POINTS)[: int(chance.integers(8, 15))].tolist():
        first = int(chance.integers(1, ROW + 1)) if chance.random() < 0.6 else ROW
        high = np.ones(first, int)
        if chance.random() < 0.65:
            if first == ROW or chance.random() < 0.5:
                high[: int(chance.integers(1, first + 1))] = 2
            else:
                high[chance.random(first) < 0.5] = 2
        high[(high == 2) & (chance.random(first) < 0.08)] = 3
        side, away, men = int(chance.integers(2)), 0.0, []
        aside = board.make.careless if chance.random() < 0.8 else 2 * board.make.careless
        loose = float(chance.choice([0.02, 0.06, 0.12])) * diameter
        for tall in high.tolist():
            x, y = board.slot(point, away)
            shift = chance.normal(0, aside, 2)
            bright = float(np.exp(chance.normal(0, board.make.unequal)))
            stacked = tuple(float(one) for one in chance.normal(0, loose, 2))
            men.append(Man(side, x + shift[0], y + shift[1] * 0.3, chance.uniform(0, 360), bright, tall, stacked))
            away += 1 + chance.uniform(0, gaps)
        rows[point] = DrawnRow(side, men)
    return rows


@dataclass(frozen=True)
class DrawnStart:
    """A make of board at the start of a game.

    Attributes:
        board, camera, light: the make, its camera, and lamp and sensor.
        lift_factor: error of calibration by which the true lifts are multiplied.
        men: the checkers.
        learned, empty: rectified pictures with them, and without.
    """

    board: Board
    camera: ErringCamera
    light: tuple[DrawnLight, Sensor]
    lift_factor: float
    men: list[Man]
    learned: Rectified
    empty: Rectified

    @classmethod
    def drawn(cls, chance: Generator) -> DrawnStart:
        """Draw a random make."""
        board = random_board(chance)
        camera, lamp, sensor = random_setting(chance, board.make, 14, 40)
        lift_factor = 1 / chance.uniform(*_LIFT_ERROR)
        rows = laid(chance, board, START, careless=False)
        men = [man for row in rows.values() for man in row.men]
        lit, _ = render(chance, board.make, camera.view, DrawnScene(men), lamp)
        learned = camera.rectified(sensor.picture(lit), board.make, np.zeros((4, 2)), RASTER_PX, MARGIN)
        nothing, _ = render(chance, board.make, camera.view, DrawnScene([]), lamp)
        empty = camera.rectified(sensor.picture(nothing), board.make, np.zeros((4, 2)), RASTER_PX, MARGIN)
        return cls(board, camera, (lamp, sensor), lift_factor, men, learned, empty)


def board_samples(chance: Generator) -> dict[str, NDArray]:
    """A make of board: its known single checkers, and checkers in later pictures."""
    start = DrawnStart.drawn(chance)
    board, camera, men = start.board, start.camera, start.men
    known = _patches(camera, board, start.learned, men, chance.normal(0, 0.03, (len(men), 2)))
    bright = np.float32(brightness_factor(known))
    looks = [_later(chance, board, camera, start.light, bright, start.empty) for _ in range(LOOKS)]
    result = {"known": scaled(known, bright)} | _known_features(camera, board, men, start.lift_factor)
    for number, name in enumerate(("seen", "empty", "seen_places", "seen_lifts", "seen_sides", "ends", "high")):
        result[name] = np.array([one[number] for one in looks])
    result["seen_lifts"] = np.asarray(result["seen_lifts"] * start.lift_factor, np.float32)
    return result


def _known_features(camera: ErringCamera, board: Board, men: list[Man], lift_factor: float) -> dict[str, NDArray]:
    """Places (diameters), lengths of the lift (diameters) and sides of men."""
    return {
        "places": _places(board, men),
        "lifts": np.asarray(_lifts(camera, board, men) * lift_factor, np.float32),
        "sides": np.array([man.side for man in men], np.int8),
    }


def _places(board: Board, men: list[Man]) -> Singles:
    return np.array([(man.x, man.y) for man in men], np.float32) / np.float32(2 * board.make.radius)


def _lifts(camera: ErringCamera, board: Board, men: list[Man]) -> Floats:
    lifts = np.array([leaning(camera, board.make, man) for man in men])
    return np.asarray(np.linalg.norm(lifts, axis=1) / (2 * board.make.radius))


def _patches(camera: ErringCamera, board: Board, seen: Rectified, men: list[Man], off: Floats) -> Picture:
    """Turned patches (BGR) of men; off: n x 2, offsets in diameters from the lowest tops."""
    lifts = np.array([leaning(camera, board.make, man) for man in men])
    places = np.array([(man.x, man.y) for man in men]) + off * 2 * board.make.radius
    at = seen.pixels(places)
    return turned_patches(seen.view, at, seen.pixels(places + lifts) - at, RASTER_PX)


def _later(
    chance: Generator,
    board: Board,
    camera: ErringCamera,
    first: tuple[DrawnLight, Sensor],
    bright: np.float32,
    empty: Rectified,
) -> tuple[NDArray, ...]:
    """A later picture: patches of checkers and of the empty board there, places, lifts, sides, rows' ends, labels."""
    lamp, sensor = first
    lamp = later_light(chance, lamp, board.make.extent, other=0.2, changed=0.3)
    later = sensor.later(chance, 0.5 if chance.random() < 0.3 else 0.1)
    rows = stacked_rows(chance, board)
    diameter = 2 * board.make.radius
    scene = DrawnScene([man for row in rows.values() for man in row.men] + extra(chance, board))
    add_strangers(chance, scene, board.make.extent, hand=0.1, dice=0.25, edges=(0.4 * diameter, 0.8 * diameter))
    seen, cover = taken(chance, board.make, camera, (lamp, later), scene, RASTER_PX, MARGIN)
    men, ends = _chosen(chance, rows, cover)
    high = np.array([man.high for man in men])
    count = len(men)
    spread = np.where(chance.random((count, 1)) < 0.12, 0.12, 0.04)
    off = chance.normal(0, 1, (count, 2)) * spread
    # The search for the uppermost top sometimes settles somewhere between the lower top and the upper one.
    up = np.where(chance.random(count) < 0.88, 1.0, chance.uniform(0, 1, count)) * (high - 1)
    lean = np.array([leaning(camera, board.make, man) for man in men]) / diameter
    off += up[:, None] * lean
    off += np.where(up > 0.5, 1.0, 0.0)[:, None] * np.array([man.shift for man in men]) / diameter * (high > 1)[:, None]
    patches = scaled(_patches(camera, board, seen, men, off), bright)
    bare = scaled(_patches(camera, board, empty, men, off), bright)
    sides = np.array([man.side for man in men], np.int8)
    arrays = patches, bare, _places(board, men), _lifts(camera, board, men), sides, ends, high > 1
    return tuple(one[np.arange(PLACES) % count] for one in arrays)


def _chosen(chance: Generator, rows: dict[int, DrawnRow], cover: Rectified) -> tuple[list[Man], Ints]:
    """At most PLACES men of some rows, few of them hidden, and for each the index of its row's innermost man."""
    men: list[Man] = []
    ends: list[int] = []
    for point in chance.permutation(list(rows)).tolist():
        row = rows[point].men
        at = np.clip(np.rint(cover.pixels(np.array([(man.x, man.y) for man in row]))).astype(int), 8, None)
        uncovered = [
            man
            for man, (x, y) in zip(row, at, strict=True)
            if not cover.view[y - 8 : y + 9, x - 8 : x + 9].any() or chance.random() < 0.05
        ]
        if uncovered and len(men) < PLACES:
            ends += [len(men)] * len(uncovered)
            men += uncovered[::-1]
    return men[:PLACES], np.array(ends[:PLACES])


if __name__ == "__main__":
    write_samples(board_samples)
