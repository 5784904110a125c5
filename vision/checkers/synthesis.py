"""Synthetic positions of checkers: cut-out pictures of the known men on other squares of the empty board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import CIRCLE, Figures, SimulatedSensor
from vision.checkers.background import LOG_OFFSET
from vision.checkers.layout import CELLS, LIGHT, MIDDLES, SIDE, men
from vision.checkers.likelihood import BESIDE, BLACK_KING, EMPTY, WHITE_KING, summarise
from vision.geometry import project_to_bed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.board import Placed
    from vision.cameras import Picture
    from vision.checkers.cell_search import Reach
    from vision.checkers.layout import ShiftedSquares
    from vision.checkers.likelihood import CellModel, Sample
    from vision.geometry import CameraPose, Raster
    from vision.imaging import Appearance

    Singles = NDArray[np.float32]
    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]

_REACH = 0.9
"""Half the size of a cut-out, in diameters; shadows are included up to there."""
_STRAY, _MOST_STRAY = 0.06, 0.14
"""Least and largest standard deviation of men's places about the middles of squares, in diameters; in between it is
that of the known position."""
_CROOKED = 0.03
"""Standard deviation of a king's upper checker about its lower one, in diameters."""
_BARE, _FILLED, _LITTERED = 3, 24, 10
"""Numbers of synthetic positions: the empty board, checkers on dark squares, and checkers on light squares as well."""
_SHARES = (0.15, 0.3, 0.5)
"""Shares of the dark squares that are taken, in turn."""
_KINGS = 0.3
"""Share of the checkers that are kings."""
_LITTER = 0.2
"""Share of the light squares that are taken in the last kind."""
_TRUTH_WEIGHT = 2
"""Weight of the known position, in synthetic ones."""
_RAMP = 0.03
"""Standard deviation of the change of light from the board's middle to an edge (natural logarithm)."""


@dataclass(frozen=True)
class CheckersLesson:
    """Rectified known position, from which the cell models are learned.

    Attributes:
        view: raster of the men's tops, BGR.
        placed: the known checkers.
        appearance: colour tables and empty board.
        standing, pose, top, reach: geometry of the board.
        unlike: standard deviation of each cell's brightness on the empty board (64, natural logarithm).
    """

    view: Picture
    placed: Sequence[Placed]
    appearance: Appearance
    standing: ShiftedSquares
    pose: CameraPose
    top: Raster
    reach: Reach
    unlike: Floats


@dataclass(frozen=True, slots=True)
class ManCutout:
    """A known man cut out of a raster.

    Attributes:
        picture: square, BGR.
        body: mask of the pixels it covers (top and side).
        shade: factor by which it changes the brightness of the board around it.
    """

    picture: Picture
    body: Bools
    shade: Singles


def cut_out(lesson: CheckersLesson) -> tuple[list[ManCutout], list[ManCutout]]:
    """Cut-outs of White's and of Black's known men."""
    view, ground = lesson.view, lesson.appearance.background.picture
    bodies = [_body(checker, lesson) for checker in lesson.placed]
    covered = cv2.dilate(np.maximum.reduce(bodies), np.ones((3, 3), np.uint8))
    smooth = [cv2.GaussianBlur(one, (0, 0), 1.0).astype(np.float32) + LOG_OFFSET for one in (view, ground)]
    shade = np.clip(smooth[0] / smooth[1], 0.2, 1.15)
    shade[covered > 0] = 1
    reach = round(_REACH * lesson.reach.diameter)
    cuts: tuple[list[ManCutout], list[ManCutout]] = [], []
    single = men(lesson.placed)
    for checker, body in zip(lesson.placed, bodies, strict=True):
        u, v = np.rint(lesson.top.pixels(np.array(lesson.standing.slot(checker.point, 0)))).astype(int)
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        whole = min(v, u) >= reach and body[here].shape == (2 * reach + 1, 2 * reach + 1)
        if whole and checker in single:
            cuts[checker.owner].append(ManCutout(view[here], body[here] > 0, shade[here]))
    return cuts


def _body(checker: Placed, lesson: CheckersLesson) -> Picture:
    width, height = lesson.top.size
    mask = np.zeros((height, width), np.uint8)
    pose, top = lesson.pose, lesson.standing.top
    centre = np.array([lesson.standing.slot(checker.point, 0)])
    below, (_, depth) = pose.centre[:2], project_to_bed(pose, centre, top)
    foot = below + (centre - below) / depth
    outline = np.vstack([centre + CIRCLE * lesson.standing.checker / 2, foot + CIRCLE * lesson.standing.checker / 2])
    hull = cv2.convexHull(lesson.top.pixels(outline).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return mask


class CheckersComposer:
    """Makes synthetic positions; equal generators give equal positions."""

    def __init__(self, lesson: CheckersLesson, chance: np.random.Generator) -> None:
        self._lesson = lesson
        self._cuts = cut_out(lesson)
        self._chance = chance
        away = np.linalg.norm(MIDDLES - lesson.pose.centre[:2], axis=1)
        self._farthest_first = np.argsort(-away)
        shifts = lesson.standing.shifts[[checker.point for checker in lesson.placed]]
        spread = float(np.sqrt((shifts**2).mean())) / lesson.standing.checker
        self._careless = min(max(spread, _STRAY), _MOST_STRAY)
        self._ground = lesson.appearance.background.picture.astype(np.float32)

    def make(self, share: float, litter: float) -> tuple[Singles, Ints]:
        """Make a raster (BGR) and the classes of its cells.

        Args:
            share: of the dark squares that are taken.
            litter: of the light squares that are taken.
        """
        picture = self._empty()
        covered = np.zeros(picture.shape[:2], bool)
        classes = np.full(CELLS, EMPTY)
        for cell in self._farthest_first:
            if self._chance.random() >= (litter if LIGHT[cell] else share):
                continue
            owner = int(self._chance.integers(2))
            king = self._chance.random() < _KINGS
            place = self._lesson.reach.middles[cell] + self._stray(self._careless)
            if self._set(picture, covered, owner, place):
                classes[cell] = owner
                if king and self._set(
                    picture, covered, owner, place + self._lesson.reach.lifts[cell] + self._stray(_CROOKED)
                ):
                    classes[cell] = WHITE_KING if owner == 0 else BLACK_KING
        return picture, mark_beside(classes)

    def _empty(self) -> Singles:
        """Empty board with random variations of brightness."""
        height, width = self._ground.shape[:2]
        own = self._chance.normal(0, 1, CELLS) * self._lesson.unlike
        y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        ramp = self._chance.normal(0, _RAMP, 2)
        light = (ramp[0] * x + ramp[1] * y).astype(np.float32)
        half = self._lesson.reach.square / 2
        for (u, v), more in zip(self._lesson.reach.middles, own, strict=True):
            light[round(v - half) : round(v + half), round(u - half) : round(u + half)] += more
        light = np.exp(light)
        return np.asarray(cv2.merge([light, light, light]) * self._ground, np.float32)

    def _stray(self, spread: float) -> Floats:
        return self._chance.normal(0, spread * self._lesson.reach.diameter, 2)

    def _set(self, picture: Singles, covered: Bools, owner: int, place: Floats) -> bool:
        """Draw a man centred at a place; returns whether it lies within the raster."""
        cut = self._cuts[owner][int(self._chance.integers(len(self._cuts[owner])))]
        reach = cut.body.shape[0] // 2
        u, v = round(float(place[0])), round(float(place[1]))
        if not (reach <= u < picture.shape[1] - reach and reach <= v < picture.shape[0] - reach):
            return False
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        patch = picture[here]
        cv2.copyTo(patch * cut.shade, (~covered[here]).astype(np.uint8), patch)
        cv2.copyTo(cut.picture.astype(np.float32), cut.body.astype(np.uint8), patch)
        covered[here] |= cut.body
        return True


def mark_beside(classes: Ints) -> Ints:
    """Set the class BESIDE for empty cells that adjoin a checker, also diagonally."""
    taken = (classes != EMPTY).reshape(SIDE, SIDE).astype(np.uint8)
    near = cv2.dilate(taken, np.ones((3, 3), np.uint8)).ravel() > 0
    return np.where((classes == EMPTY) & near, BESIDE, classes)


def learn_cells(lesson: CheckersLesson, gain: Singles, seed: int = 7) -> CellModel:
    """Learn the feature distributions of every cell from the known position and synthetic ones.

    Args:
        lesson: the calibrated board.
        gain: brightness (B, G, R) of the pictures to be read relative to the lesson's.
        seed: of the synthetic positions.
    """
    chance = np.random.default_rng(seed)
    maker = CheckersComposer(lesson, chance)
    truth = np.full(CELLS, EMPTY)
    for checker in lesson.placed:
        truth[checker.point] = checker.owner + (WHITE_KING if checker.index else 0)
    sensor = SimulatedSensor(lesson.view.shape, gain, chance)
    samples = _samples(lesson, sensor.take(lesson.view.astype(np.float32)), mark_beside(truth)) * _TRUTH_WEIGHT
    shares = [(0.0, 0.0)] * _BARE + [(_SHARES[k % 3], 0.0) for k in range(_FILLED)]
    shares += [(_SHARES[k % 3], _LITTER) for k in range(_LITTERED)]
    for share, litter in shares:
        picture, classes = maker.make(share, litter)
        samples += _samples(lesson, sensor.take(picture), classes)
    return summarise(samples)


def _samples(lesson: CheckersLesson, picture: Picture, classes: Ints) -> list[Sample]:
    """Features of every cell of a raster with known classes."""
    figures = Figures.of(lesson.appearance.evidence(picture), lesson.reach.diameter / 2)
    found = lesson.reach.find(figures.score)
    features = figures.at(found.y, found.x)
    return [(cell, int(classes[cell]), features[cell]) for cell in range(CELLS) if not found.covered[cell]]
