"""The dice lying on a board: those whose upper faces can be read, and where they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Die
from vision.board import discs
from vision.dice.cube import Cube, drawn, holds
from vision.dice.resting import Lie, lie_of, may_hide
from vision.dice.search import faces_at
from vision.imaging import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.board import Slot
    from vision.cameras import Picture
    from vision.dice.search import Face
    from vision.dice.view import DiceScene
    from vision.geometry import Raster
    from vision.imaging import Evidence

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Brightness = tuple[Singles, Singles]


_LEAST_AREA, _LEAST_WIDTH = 0.1, 0.28
"""Area (in squared checkers' diameters) and width (in diameters) of what may be a die or its shaded side: the smallest
dice's upper faces are 0.13 and 0.36, and the opening below takes a rim off."""

_LARGEST = 5.0
"""Longest side of what may be dice, in diameters: two large ones side by side with their shadows are 4."""

_OPENING = 0.16
"""Things thinner than this, in diameters, are seams: outlines of points and of the frame that moved a little."""

_JOIN_PX = 3
"""Seams in the empty board cut what lies over them apart by so much, in raster pixels."""

_MOST = 12
"""Places looked at, the largest first: more are not dice but a changed light."""


def foreign_areas(foreign: Bools, top: Raster, diameter: float) -> list[Floats]:
    """Boxes round what may be dice: 2 x 2 each, the least and the greatest x and y in board units.

    Args:
        foreign: which pixels of the raster belong neither to the empty board nor to a checker.
        top: the raster.
        diameter: of a checker, in its pixels.
    """
    joined = cv2.morphologyEx(foreign.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((_JOIN_PX, _JOIN_PX), np.uint8))
    thin = max(2, round(_OPENING * diameter))
    thick = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    _, _, stats, centres = cv2.connectedComponentsWithStats(thick)
    left, up, width, height, area = stats[1:].T
    margin = top.margin * top.scale
    inside = ((centres[1:] > margin) & (centres[1:] < np.array(top.size) - margin)).all(axis=1)
    fits = (np.minimum(width, height) >= _LEAST_WIDTH * diameter) & (np.maximum(width, height) <= _LARGEST * diameter)
    may = np.flatnonzero(inside & fits & (area >= _LEAST_AREA * diameter**2))
    return [_box(top, left[one], up[one], width[one], height[one]) for one in may[np.argsort(-area[may])][:_MOST]]


def _box(top: Raster, left: float, up: float, width: float, height: float) -> Floats:
    corners = np.array([[left - 0.5, up + height - 0.5, 1], [left + width - 0.5, up - 0.5, 1]])
    return np.asarray((corners @ top.to_board.T)[:, :2])


_FACE_NATS, _EDGE_NATS = 40.0, 8.5
"""How much likelier than something of one colour a face is, in all and by its edges alone. Faces of dice that can be
read have 40 to 90 and 9.5 to 18; spots in shadows, on checkers and on the sides of dice 34 and 8 at the most."""

_MARGIN_NATS = 8.0
"""And how much likelier the number is than any other; the samples of a face are not independent witnesses."""

_DOUBTFUL_NATS = 30.0
"""A face that is so likely by all and has enough of that by its edges may be a die that cannot be told."""

_CHANGED_NATS = 3.0
"""How far from the empty board a pixel is that something lies over."""

_LEAST_COVER = 0.3
"""Share of a die's outline that must be foreign: of an ivory die on an ivory bed it may be 0.43."""

_SIDES_SEEN, _SIDES_COVER = 0.8, 0.4
"""Where the sides cover so much of the upper face's area, this share of them must be foreign: below a side that was
taken for an upper face there is nothing but board."""

_SIZES_ALIKE = 1.2
"""Dice of one pair are alike but for what refining leaves open (a tenth); the side of a cocked die looks smaller."""


def read_dice(
    picture: Picture, evidence: Evidence, read: list[list[Slot]], learned: DiceScene, brightness: Brightness
) -> tuple[Die, ...]:
    """The dice on a board, the likeliest read first; none where some may lie there that cannot be told.

    They are looked for where something lies that is neither empty board nor one of the checkers found.

    Args:
        picture: BGR.
        evidence: what the board's raster says of it.
        read: the slots of all rows.
        learned: the board.
        brightness: gain and ceiling of the picture (see `vision.imaging.level`).
    """
    top, layout, pose = learned.top, learned.layout, learned.pose
    found = discs(read)
    foreign = (unexplained(evidence.changed, found, learned.rows.diameter) > 0) & ~learned.foreign_at_calibration
    boxes = foreign_areas(foreign, top, learned.rows.diameter)
    faces = faces_at(picture, pose, layout.checker, boxes, top.height)
    cubes = [Cube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    standing = [cube for cube in cubes if _edged(cube.face) and _stands(cube, evidence.changed, top, pose.centre)]
    kept = _distinct(sorted(standing, key=lambda cube: -cube.face.nats), top, pose.centre)
    if kept is None or not all(_certain(cube.face) for cube in kept):
        return ()
    if len(kept) > 1 and max(cube.side for cube in kept) > _SIZES_ALIKE * min(cube.side for cube in kept):
        return ()
    checkers = found, may_hide(read)
    lies = [lie_of(cube, picture, evidence, checkers, learned, brightness) for cube in kept]
    if Lie.UNTOLD in lies:
        return ()
    return tuple(
        Die(cube.face.value, cube.half(layout), flat=lie is Lie.FLAT, x=cube.x, y=cube.y, side=cube.side)
        for cube, lie in zip(kept, lies, strict=True)
    )


def _distinct(cubes: Sequence[Cube], top: Raster, eye: Floats) -> list[Cube] | None:
    """Those that are not sides of others, or others again; None where it cannot be told which face is the upper one.

    `cubes`: the likeliest first.
    """
    kept: list[tuple[Cube, Singles]] = []
    for cube in cubes:
        corners = cube.seen_on(top, eye)
        hidden = any(holds(seen, corners) for _, seen in kept)
        if not hidden and any(holds(corners, seen) for _, seen in kept):
            return None
        if not hidden:
            kept.append((cube, corners))
    return [cube for cube, _ in kept]


def _edged(face: Face) -> bool:
    """Whether another colour begins where the face ends, as it does with dice."""
    return face.nats - face.pips_nats >= _EDGE_NATS


def _certain(face: Face) -> bool:
    """Whether it is a face beyond doubt, and with that number."""
    return face.nats >= _FACE_NATS and face.margin_nats >= _MARGIN_NATS


def _stands(cube: Cube, changed: Singles, top: Raster, eye: Floats) -> bool:
    """Whether something lies over the board where the cube would have to be seen."""
    corners = cube.seen_on(top, eye)
    outline, upper = drawn(corners, changed.shape), drawn(corners[:4], changed.shape)
    lies, sides = changed > _CHANGED_NATS, outline & ~upper
    if not outline.any() or lies[outline].mean() < _LEAST_COVER:
        return False
    return bool(sides.sum() < _SIDES_SEEN * upper.sum() or lies[sides].mean() >= _SIDES_COVER)
