"""Pictures of positions that never stood: the known checkers' pictures, set on other slots of the empty board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import level
from vision.geometry import CameraPose, rise
from vision.layout import CIRCLE, POINTS
from vision.rows import FAR_BAR, ROWS, SLOTS
from vision.slots import BESIDE, EMPTY, Figures, SlotModel, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.appearance import Appearance
    from vision.layout import Layout, Placed
    from vision.raster import Raster
    from vision.rows import Rows
    from vision.slots import Singles

    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_REACH = 0.8
"""How far from a checker's centre its shadow is taken along, in diameters."""
_BARE, _FILLED = 3, 10
"""Made-up positions to learn from: without any checker, and with rows of chance length."""
_STRAY = 0.03
"""Spread of where composed checkers lie about their slots, in diameters."""
_FLICKER, _GRAIN = 0.02, 2.5
"""Spread of the brightness left over after levelling, and of sensor noise in grey levels."""


_TRUTH_WEIGHT = 2
"""The known position itself counts as so many made-up ones."""

Sample = tuple[int, int, int, "Singles"]


@dataclass(frozen=True)
class Lesson:
    """A board in a known position, straightened.

    Attributes:
        view: raster of the checkers' tops.
        placed: the known checkers.
        appearance: colours and empty board.
        layout, pose, top, rows: where everything is.
    """

    view: Picture
    placed: Sequence[Placed]
    appearance: Appearance
    layout: Layout
    pose: CameraPose
    top: Raster
    rows: Rows


@dataclass(frozen=True, slots=True)
class Cutout:
    """A known checker cut out of a raster.

    Attributes:
        picture: square, BGR.
        body: which pixels the checker covers (top and side).
        shade: how much it darkens or lightens the empty board around it, 1 where that is not known.
    """

    picture: Picture
    body: Bools
    shade: Singles


def cut_out(
    view: Picture, ground: Picture, placed: Sequence[Placed], layout: Layout, pose: CameraPose, top: Raster
) -> dict[tuple[int, bool, bool], list[Cutout]]:
    """The known checkers as cut-outs, by owner, whether on the far side, and whether at the edge."""
    bodies = [_body(checker, layout, pose, top) for checker in placed]
    covered = np.maximum.reduce([cv2.dilate(body, np.ones((3, 3), np.uint8)) for body in bodies])
    shade = np.clip((view.astype(np.float32) + 4) / (ground.astype(np.float32) + 4), 0.2, 1.15)
    shade[covered > 0] = 1
    reach = round(_REACH * layout.checker * top.scale)
    cuts: dict[tuple[int, bool, bool], list[Cutout]] = {}
    for checker, body in zip(placed, bodies, strict=True):
        u, v = np.rint(top.pixels(np.array(layout.slot(checker.point, checker.index)))).astype(int)
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        if min(v, u) < reach or body[here].shape != (2 * reach + 1, 2 * reach + 1):
            continue
        cut = Cutout(view[here], body[here] > 0, shade[here])
        cuts.setdefault((checker.owner, checker.point >= POINTS // 2, checker.index == 0), []).append(cut)
    return cuts


def _body(checker: Placed, layout: Layout, pose: CameraPose, top: Raster) -> Picture:
    width, height = top.size
    mask = np.zeros((height, width), np.uint8)
    centre = np.array([layout.slot(checker.point, checker.index)])
    foot = pose.centre[:2] + (centre - pose.centre[:2]) / rise(pose, centre, layout.top)[1]
    outline = np.vstack([centre + CIRCLE * layout.checker / 2, foot + CIRCLE * layout.checker / 2])
    hull = cv2.convexHull(top.pixels(outline).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return mask


def compose(
    ground: Picture,
    cuts: dict[tuple[int, bool, bool], list[Cutout]],
    rows: Rows,
    longest: int,
    chance: np.random.Generator,
) -> tuple[Singles, NDArray[np.intp]]:
    """A made-up position, every row of chance length up to `longest`; and the class of each slot (ROWS x SLOTS)."""
    canvas = ground.astype(np.float32)
    taken = np.zeros(ground.shape[:2], bool)
    classes = np.full((ROWS, SLOTS), EMPTY)
    for row in range(ROWS):
        owner, length = int(chance.integers(2)), int(chance.integers(longest + 1))
        for slot in range(length):
            far, edge = POINTS // 2 <= row < POINTS or row == FAR_BAR, slot == 0 and row < POINTS
            pool = next(
                (cuts[key] for key in ((owner, f, e) for f in (far, not far) for e in (edge, not edge)) if key in cuts),
                None,
            )
            if pool is None or not _set(canvas, taken, pool[int(chance.integers(len(pool)))], rows, row, slot, chance):
                break
            classes[row, slot] = owner
            if slot + 1 < SLOTS:
                classes[row, slot + 1] = BESIDE
    return canvas, classes


def _set(
    canvas: Singles, taken: Bools, cut: Cutout, rows: Rows, row: int, slot: int, chance: np.random.Generator
) -> bool:
    """Set a cut-out on a slot; whether there was room for it in the raster."""
    reach = cut.body.shape[0] // 2
    stray = chance.normal(0, _STRAY * rows.diameter, 2)
    u = round(float(rows.columns[row] + stray[0]))
    v = round(float(rows.edges[row] + rows.inward[row] * (rows.first + slot * rows.step) + stray[1]))
    if not (reach <= u < canvas.shape[1] - reach and reach <= v < canvas.shape[0] - reach):
        return False
    here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
    free = ~taken[here]
    canvas[here][free] *= cut.shade[free]
    canvas[here][cut.body] = cut.picture[cut.body]
    taken[here] |= cut.body
    return True


def learn_slots(lesson: Lesson, gain: Singles, seed: int = 7) -> SlotModel:
    """What the figures of every slot are for each class, from the known position and from made-up ones.

    Args:
        lesson: the board as it was learned.
        gain: how much brighter (B, G, R) the pictures to be read are than the lesson's: what the sensor then cuts off
            is lost.
        seed: of the made-up positions; the same seed learns the same.
    """
    chance = np.random.default_rng(seed)
    rows, ground = lesson.rows, lesson.appearance.ground.picture
    cuts = cut_out(lesson.view, ground, lesson.placed, lesson.layout, lesson.pose, lesson.top)
    samples = (
        _samples(lesson, _through_sensor(lesson.view.astype(np.float32), gain, chance), _classes(lesson.placed))
        * _TRUTH_WEIGHT
    )
    for longest in (0,) * _BARE + (SLOTS - 1,) * _FILLED:
        canvas, classes = compose(ground, cuts, rows, longest, chance)
        samples += _samples(lesson, _through_sensor(canvas, gain, chance), classes)
    return summarise(samples)


def _classes(placed: Sequence[Placed]) -> NDArray[np.intp]:
    """The class of each slot in a known position."""
    classes = np.full((ROWS, SLOTS), EMPTY)
    for checker in sorted(placed, key=lambda one: one.index):
        classes[checker.point, checker.index] = checker.owner
        if checker.index + 1 < SLOTS:
            classes[checker.point, checker.index + 1] = BESIDE
    return classes


def _through_sensor(canvas: Singles, gain: Singles, chance: np.random.Generator) -> Picture:
    """A made-up raster as a camera would give it: brighter by `gain`, cut off, noisy, and levelled again."""
    taken = canvas * gain * chance.normal(1.0, _FLICKER) + chance.normal(0, _GRAIN, canvas.shape)
    return level(np.clip(taken, 0, 255).astype(np.uint8), gain)


def _samples(lesson: Lesson, picture: Picture, classes: NDArray[np.intp]) -> list[Sample]:
    """The figures of every slot of a raster whose classes are known."""
    rows = lesson.rows
    figures = Figures.of(lesson.appearance.evidence(picture), rows.diameter / 2)
    samples = []
    for slot in range(SLOTS):
        y, x, _ = rows.strongest(figures.score, np.full(ROWS, rows.first + slot * rows.step))
        told = figures.at(y, x)
        samples += [(row, slot, int(classes[row, slot]), told[row]) for row in range(ROWS)]
    return samples
