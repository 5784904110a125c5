"""Reads the dice on a board: finds foreign areas, reads the faces there, and checks how each die rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Die
from vision.board import discs
from vision.dice.cube import Cube, contains_face, hull_mask
from vision.dice.resting import RestState, hidden_spots, rest_state
from vision.dice.search import find_faces
from vision.imaging import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.board import Slot
    from vision.cameras import Picture
    from vision.dice.search import Face
    from vision.dice.view import DiceScene
    from vision.geometry import Raster
    from vision.imaging import PixelEvidence

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Brightness = tuple[Singles, Singles]


_LEAST_AREA, _LEAST_WIDTH = 0.1, 0.28
"""Least area (in squared checker diameters) and width (in diameters) of a die or its shaded side: the upper faces of
the smallest dice have 0.13 and 0.36, and the opening below removes a rim."""

_LARGEST = 5.0
"""Largest side of an area that may be dice, in diameters: two large dice side by side with their shadows have 4."""

_OPENING = 0.16
"""Diameter of the morphological opening, in diameters; it removes thin seams along points and frame that moved a
little."""

_JOIN_PX = 3
"""Gap in raster pixels that a seam of the empty board can cut into an object over it; it is closed."""

_MOST = 12
"""Largest number of areas searched, the largest first: more come from a change of light, not from dice."""


def foreign_areas(foreign: Bools, top: Raster, diameter: float) -> list[Floats]:
    """Bounding boxes of areas that may be dice: 2 x 2 each, least and largest x and y in board units.

    Args:
        foreign: mask of the raster pixels that belong neither to the empty board nor to a checker.
        top: the raster.
        diameter: of a checker, in raster pixels.
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
"""Least log-likelihood ratio of a certain face to something of one colour, in nats: in all, and from its edges alone.
Readable faces have 40 to 90 and 9.5 to 18; spots in shadows, on checkers and on the sides of dice at most 34 and 8."""

_MARGIN_NATS = 8.0
"""Least log-likelihood ratio of the number to any other, in nats; high, as the samples of a face are not
independent."""

_DOUBTFUL_NATS = 30.0
"""Least log-likelihood ratio, in nats, of a face that may be a die; if it is not certain, no dice are read."""

_CHANGED_NATS = 3.0
"""Distance from the empty board, in nats, of a pixel that is covered by something."""

_LEAST_COVER = 0.3
"""Least share of a die's outline that is covered: an ivory die on an ivory bed has 0.43."""

_SIDES_SEEN, _SIDES_COVER = 0.8, 0.4
"""If the visible sides have this area (over the upper face's), this share of them must be covered: below a side that
was taken for an upper face there is only board."""

_SIZES_ALIKE = 1.2
"""Largest ratio of the sides of two dice of a pair: the refinement leaves a tenth open; the side of a cocked die looks
smaller."""


def read_dice(
    picture: Picture, evidence: PixelEvidence, read: list[list[Slot]], learned: DiceScene, brightness: Brightness
) -> tuple[Die, ...]:
    """Read the dice on a board, the likeliest first; empty if there may be a die that cannot be read.

    Areas that are neither empty board nor a detected checker are searched.

    Args:
        picture: BGR.
        evidence: of the board's raster in this picture.
        read: the slots of all rows.
        learned: the board.
        brightness: gain and saturation level (B, G, R) of the picture (see `vision.imaging.level`).
    """
    top, layout, pose = learned.top, learned.layout, learned.pose
    found = discs(read)
    foreign = (unexplained(evidence.changed, found, learned.rows.diameter) > 0) & ~learned.foreign_at_calibration
    boxes = foreign_areas(foreign, top, learned.rows.diameter)
    faces = find_faces(picture, pose, layout.checker, boxes, top.height)
    cubes = [Cube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    standing = [cube for cube in cubes if _edged(cube.face) and _stands(cube, evidence.changed, top, pose.centre)]
    kept = _distinct(sorted(standing, key=lambda cube: -cube.face.nats), top, pose.centre)
    if kept is None or not all(_certain(cube.face) for cube in kept):
        return ()
    if len(kept) > 1 and max(cube.side for cube in kept) > _SIZES_ALIKE * min(cube.side for cube in kept):
        return ()
    checkers = found, hidden_spots(read)
    states = [rest_state(cube, picture, evidence, checkers, learned, brightness) for cube in kept]
    if RestState.UNKNOWN in states:
        return ()
    return tuple(
        Die(cube.face.value, cube.half(layout), flat=state is RestState.FLAT, x=cube.x, y=cube.y, side=cube.side)
        for cube, state in zip(kept, states, strict=True)
    )


def _distinct(cubes: Sequence[Cube], top: Raster, eye: Floats) -> list[Cube] | None:
    """The cubes without duplicates and side faces of others; None if it is not clear which face is the upper one.

    `cubes`: the likeliest first.
    """
    kept: list[tuple[Cube, Singles]] = []
    for cube in cubes:
        corners = cube.seen_on(top, eye)
        hidden = any(contains_face(seen, corners) for _, seen in kept)
        if not hidden and any(contains_face(corners, seen) for _, seen in kept):
            return None
        if not hidden:
            kept.append((cube, corners))
    return [cube for cube, _ in kept]


def _edged(face: Face) -> bool:
    """Whether the colour changes at the edges of the face, as it does with dice."""
    return face.nats - face.pips_nats >= _EDGE_NATS


def _certain(face: Face) -> bool:
    """Whether it is certainly a face, and certainly that number."""
    return face.nats >= _FACE_NATS and face.margin_nats >= _MARGIN_NATS


def _stands(cube: Cube, changed: Singles, top: Raster, eye: Floats) -> bool:
    """Whether the raster differs from the empty board where the cube should be visible."""
    corners = cube.seen_on(top, eye)
    outline, upper = hull_mask(corners, changed.shape), hull_mask(corners[:4], changed.shape)
    lies, sides = changed > _CHANGED_NATS, outline & ~upper
    if not outline.any() or lies[outline].mean() < _LEAST_COVER:
        return False
    return bool(sides.sum() < _SIDES_SEEN * upper.sum() or lies[sides].mean() >= _SIDES_COVER)
