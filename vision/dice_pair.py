"""The dice lying on a board: those whose upper faces can be told, where each lies, and whether it lies flat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.observation import Die, Half
from vision.dice_places import strange_places
from vision.dice_search import face_height, faces_at
from vision.layout import POINTS
from vision.slots import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.dice_search import Face
    from vision.geometry import CameraPose
    from vision.layout import Layout
    from vision.raster import Raster
    from vision.read_backgammon import Slot

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

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
"""Share of a die's outline that must be strange: of an ivory die on an ivory bed it may be 0.43."""
_SIDES_SEEN, _SIDES_COVER = 0.8, 0.4
"""Where the sides cover so much of the upper face's area, this share of them must be strange: below a side that was
taken for an upper face there is nothing but board."""
_SLACK = 1.5
"""Raster pixels by which outlines of dice are wider than they are drawn."""
_SIZES_ALIKE = 1.3
"""Dice of one pair are alike but for what refining leaves open."""
_ON_CHECKER = 0.6
"""A die whose middle is nearer than this to a checker's centre, in its diameters, lies on it."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A die as a cube standing on the bed.

    Attributes:
        face: what was read.
        side: in board units.
        x, y: its middle on the board.
        corners: 8 x 3, those of the upper face first, in board units.
    """

    face: Face
    side: float
    x: float
    y: float
    corners: Floats

    @classmethod
    def under(cls, face: Face, pose: CameraPose, checker: float) -> Cube:
        """The cube whose upper face was found; that plane was not quite the face's own."""
        eye, plane = pose.centre, face_height(checker)
        factor = (eye[2] - face.side) / (eye[2] - plane)
        side = face.side * factor
        middle = eye[:2] + factor * (np.array([face.x, face.y]) - eye[:2])
        angles = np.pi / 4 - face.turn + np.arange(4) * np.pi / 2
        around = middle + side * np.sqrt(0.5) * np.column_stack([np.cos(angles), np.sin(angles)])
        corners = np.vstack([np.column_stack([around, np.full(4, height)]) for height in (side, 0.0)])
        return cls(face, side, float(middle[0]), float(middle[1]), corners)

    def seen_on(self, top: Raster, eye: Floats) -> Singles:
        """The corners as they appear on a raster (8 x 2 pixels)."""
        factor = (eye[2] - top.height) / (eye[2] - self.corners[:, 2:])
        return np.asarray(top.pixels(eye[:2] + factor * (self.corners[:, :2] - eye[:2])), np.float32)

    def half(self, layout: Layout) -> Half | None:
        """On which half of the board it lies; None on the bar."""
        if abs(self.x - 0.5) < layout.bar / 2:
            return None
        return Half.LEFT if self.x < 0.5 else Half.RIGHT


def read_dice(
    picture: Picture,
    strange: Bools,
    changed: Singles,
    checkers: Sequence[tuple[int, int]],
    top: Raster,
    layout: Layout,
    pose: CameraPose,
) -> tuple[Die, ...]:
    """The dice on a board, none where some may lie there that cannot be told.

    Args:
        picture: BGR.
        strange: pixels of the raster that belong neither to the empty board nor to a checker.
        changed: how far each of its pixels is from the empty board (nats).
        checkers: centres of the checkers on it, those that a die may hide among them.
        top: the raster of the checkers' tops.
        layout: of the board.
        pose: the camera.
    """
    diameter = layout.checker * top.scale
    faces = [
        face
        for box in strange_places(strange, top, diameter)
        for face in faces_at(picture, pose, layout.checker, box, top.height)
    ]
    cubes = [Cube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    standing = [cube for cube in cubes if _edged(cube.face) and _stands(cube, changed, top, pose.centre)]
    kept = _distinct(sorted(standing, key=lambda cube: -cube.face.nats), top, pose.centre)
    if kept is None or not all(_certain(cube.face) for cube in kept):
        return ()
    if len(kept) > 1 and max(cube.side for cube in kept) > _SIZES_ALIKE * min(cube.side for cube in kept):
        return ()
    reach = _ON_CHECKER * diameter
    return tuple(
        Die(
            value=cube.face.value,
            half=cube.half(layout),
            flat=not _over_any(cube.seen_on(top, pose.centre), checkers, reach),
            x=cube.x,
            y=cube.y,
            side=cube.side,
        )
        for cube in kept
    )


def may_hide(read: list[list[Slot]]) -> list[tuple[int, int]]:
    """Where on the raster a checker may lie hidden by something strange: at the edge, or next to another in its row."""
    return [
        (slot.x, slot.y)
        for row in read[:POINTS]
        for before, slot in zip([None, *row], row, strict=False)
        if slot.strange and (before is None or before.holder != EMPTY)
    ]


def _distinct(cubes: Sequence[Cube], top: Raster, eye: Floats) -> list[Cube] | None:
    """Those that are not sides of others, or others again; None where it cannot be told which face is the upper one.

    `cubes`: the likeliest first.
    """
    kept: list[tuple[Cube, Singles]] = []
    for cube in cubes:
        corners = cube.seen_on(top, eye)
        hides = [one for one, seen in kept if _holds(seen, corners)]
        if not hides and any(_holds(corners, seen) for _, seen in kept):
            return None
        if not hides:
            kept.append((cube, corners))
    return [cube for cube, _ in kept]


def _holds(corners: Singles, others: Singles) -> bool:
    """Whether the middle of another die's upper face lies within a die's outline."""
    x, y = others[:4].mean(axis=0)
    return cv2.pointPolygonTest(cv2.convexHull(corners), (float(x), float(y)), True) > -_SLACK


def _edged(face: Face) -> bool:
    """Whether another colour begins where the face ends, as it does with dice."""
    return face.nats - face.pips_nats >= _EDGE_NATS


def _certain(face: Face) -> bool:
    """Whether it is a face beyond doubt, and with that number."""
    return face.nats >= _FACE_NATS and face.margin_nats >= _MARGIN_NATS


def _stands(cube: Cube, changed: Singles, top: Raster, eye: Floats) -> bool:
    """Whether something lies over the board where the cube would have to be seen."""
    corners = cube.seen_on(top, eye)
    outline, upper = np.zeros(changed.shape, np.uint8), np.zeros(changed.shape, np.uint8)
    cv2.fillConvexPoly(outline, np.rint(cv2.convexHull(corners)).astype(np.int32), 1)
    cv2.fillConvexPoly(upper, np.rint(corners[:4]).astype(np.int32), 1)
    lies = changed > _CHANGED_NATS
    sides = (outline > 0) & (upper == 0)
    covered = lies[outline > 0].mean() >= _LEAST_COVER
    return bool(covered and (sides.sum() < _SIDES_SEEN * upper.sum() or lies[sides].mean() >= _SIDES_COVER))


def _over_any(corners: Singles, checkers: Sequence[tuple[int, int]], reach: float) -> bool:
    """Whether a die (see `Cube.seen_on`) is seen over one of the checkers: then it does not lie flat on the board."""
    middle = corners.mean(axis=0)
    return any(bool(np.hypot(*(middle - np.array(checker))) < reach) for checker in checkers)
