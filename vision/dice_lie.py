"""Decide whether a die lies flat or is cocked: on a checker, or leaning on one, on the bar or on the frame."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_cube import covered_pixels
from vision.dice_outline import fit_outline
from vision.dice_tilt import estimate_lean
from vision.dice_view import DieView
from vision.layout import POINTS
from vision.shade import shading_residual
from vision.slots import EMPTY

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.appearance import Evidence
    from vision.dice_cube import DieCube
    from vision.dice_view import Brightness, DiceScene
    from vision.layout import Layout
    from vision.read_backgammon import Slot

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Discs = list[tuple[int, int]]
    Picture = NDArray[np.uint8]

_REACH = 1.15
"""Distance, in its sides, from a die's centre to a checker, the bar or the frame within which it may lean on them."""
_FLAT_NATS, _COCKED_NATS = 1.3, -2.5
"""Log-likelihood ratios of flat to leaning: above the first a die near a support is flat, below the second it is
cocked; in between it is undecided."""
_ALONE_NATS = -4.0
"""The same for a die without a support nearby, above which it is flat; dice do not stand on an edge."""
_ON_CHECKER = 0.3
"""Distance from a die's foot to a checker's centre, in its diameters, below which it lies on it. A die beside it keeps
half a diameter, and one on it appears shifted by at most a quarter."""
_HALO = 0.6
"""Radius around a found checker, in diameters, left out in the search for hidden ones."""
_CHECKER_CORE = 0.9
"""Diameter of the tested part of a checker's disc that a die may hide, in diameters."""
_CORE_LEFT = 0.1
"""Least visible share of that disc."""
_CHECKER_NATS = 1.0
"""Log-likelihood ratio of a pixel, checker to empty board, from which it counts as a checker's."""
_FOOT = 0.16
"""Width of the tested ring around a die's foot, in checkers' diameters."""
_LARGER = 1.1
"""Largest size of a die over that of its face as seen."""
_AROUND = 0.3, 0.45
"""Shares of checker-like pixels, around a die's foot or on a disc it may hide, from which it may lie on an undetected
checker, and from which it does. Around dice on the bed it is at most 0.26, in the deepest shadows."""
_SHADED = 1.2
"""Largest residual of the board's colours in a shadow (see `vision.shade.shading_residual`)."""


class Lie(Enum):
    """Whether a die lies flat."""

    FLAT = auto()
    COCKED = auto()
    UNDECIDED = auto()


def lie_of(
    cube: DieCube,
    picture: Picture,
    evidence: Evidence,
    checkers: tuple[Discs, Discs],
    learned: DiceScene,
    brightness: Brightness,
) -> Lie:
    """Decide how a die lies whose upper face was read.

    Args:
        cube: the die, as if it lay flat.
        picture: BGR.
        evidence: of the board's raster.
        checkers: raster places of the found checkers, and of those that may be hidden (see `may_hide`).
        learned: calibration of the board.
        brightness: gain and ceiling of the picture (see `vision.appearance.level`).
    """
    found, hidden = checkers
    checker = learned.layout.checker
    centres, spots = (_on_bed(places, learned) for places in (found, hidden))
    under = [spot for spot, away in zip(hidden, _from_foot(cube, spots), strict=True) if away < _ON_CHECKER * checker]
    if (_from_foot(cube, centres) < _ON_CHECKER * checker).any():
        return Lie.COCKED
    maybe, plainly = _under(cube, under, evidence, learned, found)
    around = _around_foot(cube, evidence, learned, found)
    if max(around, plainly) > _AROUND[1]:
        return Lie.COCKED
    view = DieView.of(picture, cube, learned, found, brightness)
    leaning = estimate_lean(view, fit_outline(view, cube.face.value, cube.face.turn))
    if max(around, maybe) > _AROUND[0]:
        return Lie.COCKED if leaning.flat_nats < _COCKED_NATS else Lie.UNDECIDED
    if not _near_something(cube, centres, learned.layout):
        return Lie.FLAT if leaning.flat_nats > _ALONE_NATS else Lie.UNDECIDED
    if leaning.flat_nats > _FLAT_NATS:
        return Lie.FLAT
    return Lie.COCKED if leaning.flat_nats < _COCKED_NATS else Lie.UNDECIDED


def _on_bed(found: Discs, learned: DiceScene) -> Floats:
    """Board coordinates (n x 2) of checkers whose centres are given on the raster of their tops."""
    return np.array([(x, y, 1.0) for x, y in found]).reshape(-1, 3) @ learned.top.to_board.T[:, :2]


def _near_something(cube: DieCube, found: Floats, layout: Layout) -> bool:
    """Whether a checker (found: n x 2), the bar or the frame is near enough for a die to lean on it."""
    reach = _REACH * cube.side
    away = np.hypot(*(found - [cube.x, cube.y]).T) - layout.checker / 2
    frame = min(cube.x, 1 - cube.x, cube.y, layout.depth - cube.y)
    bar = abs(cube.x - 0.5) - layout.bar / 2 if layout.bar > 0 else np.inf
    return bool((away < reach).any() or frame < reach or bar < reach)


def _from_foot(cube: DieCube, places: Floats) -> Floats:
    """Distance of places (n x 2) from the square on which a die stands."""
    first, second = (cube.corners[5:7] - cube.corners[4:6])[:, :2] / cube.side
    off = places - [cube.x, cube.y]
    along = np.abs(np.column_stack([off @ first, off @ second])) - cube.side / 2
    return np.asarray(np.linalg.norm(np.maximum(along, 0), axis=1))


def _under(cube: DieCube, spots: Discs, evidence: Evidence, learned: DiceScene, found: Discs) -> tuple[float, float]:
    """Shares of checker-like pixels on the visible parts of discs at those spots (raster pixels) under a die.

    Returns the largest share of pixels that look like a checker, and of those that moreover do not look like shaded
    board. A spot without a visible part counts as 1 and 0.
    """
    if not spots:
        return 0.0, 0.0
    diameter, size = learned.rows.diameter, evidence.changed.shape
    corners = cube.seen_on(learned.top, learned.pose.centre)
    known = cv2.dilate(covered_pixels(corners, size).astype(np.uint8), np.ones((3, 3), np.uint8))
    for disc in found:
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


def _like_checkers(evidence: Evidence, here: tuple[slice, slice]) -> Bools:
    """Mask of the pixels in a part of the raster that look like checkers and not like shaded board."""
    like = np.maximum(evidence.white[here], evidence.black[here]) > _CHECKER_NATS
    return np.asarray(like & (shading_residual(evidence.view[here], evidence.ground[here]) > _SHADED))


def _around_foot(cube: DieCube, evidence: Evidence, learned: DiceScene, found: Discs) -> float:
    """Share of checker-like pixels around a die's foot, found checkers left out."""
    diameter = learned.rows.diameter
    middle = np.array([cube.x, cube.y, 0.0])
    corners = replace(cube, corners=(cube.corners - middle) * [_LARGER, _LARGER, 1] + middle).seen_on(
        learned.top, learned.pose.centre
    )
    reach = max(2, round(_FOOT * diameter))
    round_it = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    left, up = np.maximum(np.floor(corners.min(axis=0)).astype(int) - reach - 1, 0)
    right, down = np.ceil(corners.max(axis=0)).astype(int) + reach + 2
    here = np.s_[up:down, left:right]
    foot, hull = (
        covered_pixels(np.asarray(each - [left, up], np.float32), evidence.changed[here].shape)
        for each in (corners[4:], corners)
    )
    ring = cv2.dilate(foot.astype(np.uint8), round_it)
    ring[cv2.dilate(hull.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 0
    for x, y in found:
        cv2.circle(ring, (int(x - left), int(y - up)), round(_HALO * diameter), 0, -1)
    if not ring.any():
        return 0.0
    return float(_like_checkers(evidence, here)[ring > 0].mean())


def may_hide(read: list[list[Slot]]) -> Discs:
    """Raster places where a die may hide a checker: at the edge, or next to another in its row."""
    return [
        (slot.x, slot.y)
        for row in read[:POINTS]
        for before, slot in zip([None, *row], row, strict=False)
        if (slot.strange or slot.holder == EMPTY) and (before is None or before.holder != EMPTY)
    ]
