"""How a die lies: flat on the board, or not: on a checker, or leaning on one, on the bar or on the frame."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import EMPTY, POINTS
from vision.dice.cube import drawn
from vision.dice.outline import outline
from vision.dice.tilt import lean
from vision.dice.view import DieView
from vision.imaging import shading_residual

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.board import Layout, Slot
    from vision.cameras import Picture
    from vision.dice.cube import Cube
    from vision.dice.view import Brightness, DiceScene
    from vision.imaging import Evidence

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Discs = list[tuple[int, int]]

_REACH = 1.15
"""A die whose middle is nearer than this, in its sides, to a checker, the bar or the frame may lean on it."""
_FLAT_NATS, _COCKED_NATS = 1.3, -2.5
"""How much likelier flat than leaning a die must be that may lean on something, and how much less likely one that is
said to lean; in between nothing is said."""
_ALONE_NATS = -4.0
"""The same of a die with nothing near to lean on: none was ever seen to stand on its edge."""
_ON_CHECKER = 0.3
"""A die whose foot is nearer than this to a checker's centre, in its diameters, lies on it: a die beside it stays half
a diameter away, and one on it seems moved by a quarter at the most."""
_HALO = 0.6
"""Radius, in diameters, round a checker found that is left out where another may be hidden."""
_CHECKER_CORE = 0.9
"""What of a checker's disc is looked at round a die that may hide it, over its diameter."""
_CORE_LEFT = 0.1
"""Share of that disc that must stick out under the die for anything to be said."""
_CHECKER_NATS = 1.0
"""How much more like a checker than like the empty board a pixel is that counts as a checker's."""
_FOOT = 0.16
"""How far round its foot a die's surroundings are looked at, in checkers' diameters."""
_LARGER = 1.1
"""A die may be so much larger than its face seems."""
_AROUND = 0.3, 0.45
"""Share of what is seen round a die's foot, or of a disc that it may hide, that looks like a checker and not like the
board in a shadow, from which a die may lie on one that was not found, and from which it does: round dice on the bed
0.26 at the most, in the deepest shadows."""
_SHADED = 1.2
"""How far the board's colours stray in a shadow (see `vision.imaging.shadow.strays`)."""


class Lie(Enum):
    """How a die lies."""

    FLAT = auto()
    COCKED = auto()
    UNTOLD = auto()


def lie_of(
    cube: Cube,
    picture: Picture,
    evidence: Evidence,
    checkers: tuple[Discs, Discs],
    learned: DiceScene,
    brightness: Brightness,
) -> Lie:
    """How a die lies whose upper face was read.

    Args:
        cube: the die, as if it lay flat.
        picture: BGR.
        evidence: what the board's raster says of it.
        checkers: where on the raster those are that were found, and where others may be hidden (see `may_hide`).
        learned: the board.
        brightness: gain and ceiling of the picture (see `vision.imaging.level`).
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
    leaning = lean(view, outline(view, cube.face.value, cube.face.turn))
    if max(around, maybe) > _AROUND[0]:
        return Lie.COCKED if leaning.flat_nats < _COCKED_NATS else Lie.UNTOLD
    if not _near_something(cube, centres, learned.layout):
        return Lie.FLAT if leaning.flat_nats > _ALONE_NATS else Lie.UNTOLD
    if leaning.flat_nats > _FLAT_NATS:
        return Lie.FLAT
    return Lie.COCKED if leaning.flat_nats < _COCKED_NATS else Lie.UNTOLD


def _on_bed(found: Discs, learned: DiceScene) -> Floats:
    """Where on the board (n x 2) checkers are whose centres are known on the raster of their tops."""
    return np.array([(x, y, 1.0) for x, y in found]).reshape(-1, 3) @ learned.top.to_board.T[:, :2]


def _near_something(cube: Cube, found: Floats, layout: Layout) -> bool:
    """Whether a die has something next to it that it may lean on: a checker (found: n x 2), the bar or the frame."""
    reach = _REACH * cube.side
    away = np.hypot(*(found - [cube.x, cube.y]).T) - layout.checker / 2
    frame = min(cube.x, 1 - cube.x, cube.y, layout.depth - cube.y)
    bar = abs(cube.x - 0.5) - layout.bar / 2 if layout.bar > 0 else np.inf
    return bool((away < reach).any() or frame < reach or bar < reach)


def _from_foot(cube: Cube, places: Floats) -> Floats:
    """How far places (n x 2) are from the square that a die stands on."""
    first, second = (cube.corners[5:7] - cube.corners[4:6])[:, :2] / cube.side
    off = places - [cube.x, cube.y]
    along = np.abs(np.column_stack([off @ first, off @ second])) - cube.side / 2
    return np.asarray(np.linalg.norm(np.maximum(along, 0), axis=1))


def _under(cube: Cube, spots: Discs, evidence: Evidence, learned: DiceScene, found: Discs) -> tuple[float, float]:
    """How much the discs at those spots (raster pixels) look like checkers, as far as they stick out under a die.

    The largest share of any: of what looks like a checker, and of what does not look like the board in a shadow
    either. Where one does not stick out, neither a checker nor none can be told.
    """
    if not spots:
        return 0.0, 0.0
    diameter, size = learned.rows.diameter, evidence.changed.shape
    corners = cube.seen_on(learned.top, learned.pose.centre)
    known = cv2.dilate(drawn(corners, size).astype(np.uint8), np.ones((3, 3), np.uint8))
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
    """Which pixels of a part of the raster look like checkers, and not like the empty board in a shadow."""
    like = np.maximum(evidence.white[here], evidence.black[here]) > _CHECKER_NATS
    return np.asarray(like & (shading_residual(evidence.view[here], evidence.background[here]) > _SHADED))


def _around_foot(cube: Cube, evidence: Evidence, learned: DiceScene, found: Discs) -> float:
    """Share of what is seen round a die's foot that looks like a checker, none of those found."""
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
        drawn(np.asarray(each - [left, up], np.float32), evidence.changed[here].shape)
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
    """Where on the raster a checker may lie hidden by a die: at the edge, or next to another in its row."""
    return [
        (slot.x, slot.y)
        for row in read[:POINTS]
        for before, slot in zip([None, *row], row, strict=False)
        if (slot.foreign or slot.holder == EMPTY) and (before is None or before.holder != EMPTY)
    ]
