"""Decides how a die rests: flat on the bed, or cocked: on a checker, or leaning on a checker, the bar or the frame."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import EMPTY, POINTS
from vision.dice.cube import hull_mask
from vision.dice.outline import behind_nats, fit_outline, shape_flat_nats
from vision.dice.view import DieView, shading_residual
from vision.imaging import ellipse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats
    from vision.board import Layout, Slot
    from vision.dice.cube import Cube
    from vision.dice.view import BoardScene
    from vision.imaging import PixelEvidence

    Discs = list[tuple[int, int]]

_REACH = 1.15
"""Largest distance, in sides of the die, of its middle to a checker, the bar or the frame on which it may lean."""
_FLAT_NATS = 2.5
"""For a die that may lean on something: log-odds (nats) of flat to leaning, the network's and those of the shape added
up, above which it is flat if the network says so too. Of drawn dice beside checkers all 30 have 2.2 and more, of 15
leaning by 15 degrees and more one had 2.3, against the network. Of 32 leaning on another die by 20 and 35 degrees one
had 2.3; no rendered pair is lost at 2.5. A lean of 12 degrees is indistinguishable from none."""
_COCKED_NATS = -6.0
"""The log-odds below which any die is cocked; above it and not flat, it is unknown. Of 4,789 flat dice in 14 kinds of
light and camera nine had less than -2.5, -5.2 at least: most were red on a red bed, and overexposed. Of 426 leaning
ones that had less than -2.5, or stood on a checker, 319 are still called cocked."""
_ALONE_NATS = -2.0
"""The log-odds above which a die is flat if there is nothing near to lean on."""
_SHAPE_NATS = 3.0
"""Largest weight of the shape, in nats: an outline of an unusual make may be fitted badly. Of flat dice of makes that
were never seen, two had -8 and -10 by their shape, and 2 by the network."""
_BEHIND_NATS, _PLAINLY_FLAT_NATS = 0.25, 1.3
"""Nats per pixel for the die behind the face, above which the face is a side if the network gives fewer nats than
the second for flat: the upper face was missed. Measured on 1,110 certain faces: sides in front of a missed upper face
have 1.7 and more there, and 0.4 at most for flat; seven upper faces on seams of the board have 0.5 to 1.0, and 2.3 and
more for flat; all others have less than 0.15."""
_ON_CHECKER = 0.3
"""Largest distance, in checker diameters, of a die's foot to the centre of a checker that it rests on: a die beside a
checker is half a diameter away, and one on it appears shifted by a quarter at most."""

_HALO = 0.6
"""Radius, in diameters, around a detected checker that is left out when a hidden one is searched."""
_CHECKER_CORE = 0.9
"""Diameter of the part of a possibly hidden checker's disc that is compared, in checker diameters."""
_CORE_LEFT = 0.1
"""Least visible share of that disc for a decision."""
_CHECKER_NATS = 1.0
"""Least log-likelihood ratio of a checker to the empty board, in nats, for a pixel to count as a checker's."""
_FOOT = 0.16
"""Width of the ring around a die's foot that is compared, in checker diameters."""
_LARGER = 1.1
"""Largest ratio of a die's side to the side of its visible face, because its edges are rounded."""
_AROUND = 0.3, 0.45
"""Share of the ring around a die's foot, or of a disc that it may hide, that looks like a checker and not like shaded
board: above the first the die may rest on an undetected checker, above the second it does. Dice on the bed have at most
0.26, in the deepest shadows."""
_SHADED = 1.2
"""Largest residual of shaded board (see `vision.dice.view.shading_residual`)."""


class RestState(Enum):
    """How a die rests."""

    FLAT = auto()
    COCKED = auto()
    UNKNOWN = auto()


def rest_state(cube: Cube, others: Sequence[Cube], scene: BoardScene) -> RestState:
    """Decide how a die rests whose upper face was read; `cube`: as if it lay flat; `others`: the other dice."""
    hidden = _hidden_spots(scene.read)
    centres, spots = (_on_bed(places, scene) for places in (scene.checkers, hidden))
    if below := _under_foot(cube, scene.checkers, centres, scene):
        # either it lies on a checker, or its own dark sides were taken for one
        return RestState.COCKED if _checker_shares(cube, below, scene)[1] > _AROUND[1] else RestState.UNKNOWN
    under = _under_foot(cube, hidden, spots, scene)
    maybe, plainly = _checker_shares(cube, under, scene)
    around = _around_foot(cube, others, scene)
    if max(around, plainly) > _AROUND[1]:
        return RestState.COCKED
    view = DieView.of(cube, others, scene)
    outline = fit_outline(view, cube.face.value, cube.face.turn)
    if cube.face.flat_nats < _PLAINLY_FLAT_NATS and behind_nats(view, outline) > _BEHIND_NATS:
        return RestState.UNKNOWN
    shape = shape_flat_nats(view, outline)
    flat = cube.face.flat_nats + float(np.clip(shape, -_SHAPE_NATS, _SHAPE_NATS))
    near = _near_something(cube, others, centres, scene.layout)
    enough = flat > _FLAT_NATS and cube.face.flat_nats > 0 if near else flat > _ALONE_NATS
    if enough and max(around, maybe) <= _AROUND[0]:
        return RestState.FLAT
    return RestState.COCKED if flat < _COCKED_NATS else RestState.UNKNOWN


def _under_foot(cube: Cube, found: Discs, on_bed: Floats, scene: BoardScene) -> Discs:
    """Those of some places (raster pixels, and on the bed) at which a checker would lie under a die."""
    reach = _ON_CHECKER * scene.layout.checker
    return [place for place, away in zip(found, _distances_to_foot(cube, on_bed), strict=True) if away < reach]


def _on_bed(found: Discs, scene: BoardScene) -> Floats:
    """Board coordinates (n x 2) of raster pixels (x, y)."""
    return np.array([(x, y, 1.0) for x, y in found]).reshape(-1, 3) @ scene.top.to_board.T[:, :2]


def _near_something(cube: Cube, others: Sequence[Cube], found: Floats, layout: Layout) -> bool:
    """Whether a die may lean on something near it: another die, a checker (`found`: n x 2), the bar or the frame."""
    reach = _REACH * cube.side
    dice = (np.hypot(cube.x - other.x, cube.y - other.y) - other.side / 2 for other in others)
    away = np.hypot(*(found - [cube.x, cube.y]).T) - layout.checker / 2
    frame = min(cube.x, 1 - cube.x, cube.y, layout.depth - cube.y)
    bar = abs(cube.x - 0.5) - layout.bar / 2 if layout.bar > 0 else np.inf
    return bool((away < reach).any() or frame < reach or bar < reach or any(one < reach for one in dice))


def _distances_to_foot(cube: Cube, places: Floats) -> Floats:
    """Distances of places (n x 2) from the square that a die covers on the bed, in board units."""
    first, second = (cube.corners[5:7] - cube.corners[4:6])[:, :2] / cube.side
    off = places - [cube.x, cube.y]
    along = np.abs(np.column_stack([off @ first, off @ second])) - cube.side / 2
    return np.asarray(np.linalg.norm(np.maximum(along, 0), axis=1))


def _checker_shares(cube: Cube, spots: Discs, scene: BoardScene) -> tuple[float, float]:
    """Largest shares of checker-like pixels in the visible parts of discs at `spots` (raster pixels) under a die.

    The first share is of pixels that look like a checker, the second of those that do not look like shaded board
    either. For a hidden disc they are 1 and 0: it may be a checker.
    """
    if not spots:
        return 0.0, 0.0
    evidence, diameter = scene.evidence, scene.diameter
    size, corners = evidence.changed.shape, cube.seen_on(scene.top, scene.pose.centre)
    known = cv2.dilate(hull_mask(corners, size), np.ones((3, 3), np.uint8))
    for disc in set(scene.checkers).difference(spots):
        cv2.circle(known, disc, round(_HALO * diameter), 1, -1)
    like = np.maximum(evidence.white, evidence.black) > _CHECKER_NATS
    plain = _like_checkers(evidence, np.s_[:, :])
    shares = []
    for spot in spots:
        core = cv2.circle(np.zeros(size, np.uint8), spot, round(_CHECKER_CORE * diameter / 2), 1, -1)
        out = (core > 0) & (known == 0)
        hidden = out.sum() < _CORE_LEFT * core.sum()
        shares.append((1.0, 0.0) if hidden else (float(like[out].mean()), float(plain[out].mean())))
    return max(shares)[0], max(plainly for _, plainly in shares)


def _like_checkers(evidence: PixelEvidence, here: tuple[slice, slice]) -> Bools:
    """Mask of the pixels in a part of the raster that look like checkers and not like shaded board."""
    like = np.maximum(evidence.white[here], evidence.black[here]) > _CHECKER_NATS
    return np.asarray(like & (shading_residual(evidence.view[here], evidence.background[here]) > _SHADED))


def _around_foot(cube: Cube, others: Sequence[Cube], scene: BoardScene) -> float:
    """Share of the ring around a die's foot that looks like a checker, without detected checkers and other dice."""
    evidence, diameter, middle = scene.evidence, scene.diameter, np.array([cube.x, cube.y, 0.0])
    larger = replace(cube, corners=(cube.corners - middle) * [_LARGER, _LARGER, 1] + middle)
    corners = larger.seen_on(scene.top, scene.pose.centre)
    reach = max(2, round(_FOOT * diameter))
    left, up = np.maximum(np.floor(corners.min(axis=0)).astype(int) - reach - 1, 0)
    right, down = np.ceil(corners.max(axis=0)).astype(int) + reach + 2
    here = np.s_[up:down, left:right]
    beside = (other.seen_on(scene.top, scene.pose.centre) for other in others)
    foot, *hulls = (
        hull_mask(np.asarray(each - [left, up], np.float32), evidence.changed[here].shape)
        for each in (corners[4:], corners, *beside)
    )
    ring = cv2.dilate(foot, ellipse(2 * reach))
    for hull in hulls:
        ring[cv2.dilate(hull, np.ones((3, 3), np.uint8)) > 0] = 0
    for x, y in scene.checkers:
        cv2.circle(ring, (int(x - left), int(y - up)), round(_HALO * diameter), 0, -1)
    if not ring.any():
        return 0.0
    return float(_like_checkers(evidence, here)[ring > 0].mean())


def _hidden_spots(read: list[list[Slot]]) -> Discs:
    """Raster pixels (x, y) where a die may hide a checker: the first slot of a row, or one next to a checker."""
    return [
        (slot.x, slot.y)
        for row in read[:POINTS]
        for before, slot in zip([None, *row], row, strict=False)
        if (slot.foreign or slot.holder == EMPTY) and (before is None or before.holder != EMPTY)
    ]
