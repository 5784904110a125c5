"""The dice lying on a board: those whose upper faces can be told, where each lies, and whether it lies flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.observation import Die
from vision.dice_cube import Cube, drawn, holds
from vision.dice_places import strange_places
from vision.dice_search import faces_at
from vision.layout import POINTS
from vision.read_backgammon import discs
from vision.readability import unexplained
from vision.slots import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.appearance import Evidence
    from vision.calibration import Calibration
    from vision.dice_search import Face
    from vision.raster import Raster
    from vision.read_backgammon import Slot

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
_SIZES_ALIKE = 1.2
"""Dice of one pair are alike but for what refining leaves open (a tenth); the side of a cocked die looks smaller."""
_STRAIN = 0.18
"""How far from a square a face may be: of dice that lie flat nearly all are within 0.13, of cocked ones every second
is beyond this, and nearly all that show no single upper face."""
_ON_CHECKER = 0.6
"""A die whose middle is nearer than this to a checker's centre, in its diameters, may lie on it."""
_CHECKER_CORE = 0.9
"""What of a checker's disc is looked at round a die that may hide it, over its diameter."""
_CORE_LEFT = 0.1
"""Share of that disc that must stick out under the die for anything to be said."""
_CHECKER_NATS, _CHECKER_SHARE = 1.0, 0.3
"""Share of it that looks so much more like a checker than like the empty board: round dice on the bed hardly any does,
round dice on checkers all."""


def read_dice(picture: Picture, evidence: Evidence, read: list[list[Slot]], learned: Calibration) -> tuple[Die, ...]:
    """The dice on a board, the likeliest read first; none where some may lie there that cannot be told.

    They are looked for where something lies that is neither empty board nor one of the checkers found.

    Args:
        picture: BGR.
        evidence: what the board's raster says of it.
        read: the slots of all rows.
        learned: the board.
    """
    top, layout, pose = learned.top, learned.layout, learned.pose
    strange = (unexplained(evidence.changed, discs(read), learned.rows.diameter) > 0) & ~learned.strange
    faces = [
        face
        for box in strange_places(strange, top, learned.rows.diameter)
        for face in faces_at(picture, pose, layout.checker, box, top.height)
    ]
    cubes = [Cube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    standing = [cube for cube in cubes if _edged(cube.face) and _stands(cube, evidence.changed, top, pose.centre)]
    kept = _distinct(sorted(standing, key=lambda cube: -cube.face.nats), top, pose.centre)
    if kept is None or not all(_certain(cube.face) for cube in kept):
        return ()
    if len(kept) > 1 and max(cube.side for cube in kept) > _SIZES_ALIKE * min(cube.side for cube in kept):
        return ()
    seen = [cube.seen_on(top, pose.centre) for cube in kept]
    flat = [
        _square(cube.face) and _lies_flat(corners, evidence, read, learned.rows.diameter)
        for cube, corners in zip(kept, seen, strict=True)
    ]
    return tuple(
        Die(cube.face.value, cube.half(layout), flat=lies, x=cube.x, y=cube.y, side=cube.side)
        for cube, lies in zip(kept, flat, strict=True)
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


def _square(face: Face) -> bool:
    """Whether its edges, as far as they tell, make a square: the upper face of a cocked die is seen foreshortened."""
    return face.strain is None or face.strain <= _STRAIN


def _stands(cube: Cube, changed: Singles, top: Raster, eye: Floats) -> bool:
    """Whether something lies over the board where the cube would have to be seen."""
    corners = cube.seen_on(top, eye)
    outline, upper = drawn(corners, changed.shape), drawn(corners[:4], changed.shape)
    lies, sides = changed > _CHANGED_NATS, outline & ~upper
    if not outline.any() or lies[outline].mean() < _LEAST_COVER:
        return False
    return bool(sides.sum() < _SIDES_SEEN * upper.sum() or lies[sides].mean() >= _SIDES_COVER)


def _lies_flat(corners: Singles, evidence: Evidence, read: list[list[Slot]], diameter: float) -> bool:
    """Whether a die (see `Cube.seen_on`) lies on the board itself, on no checker found and on none that it hides."""
    found, middle, reach = discs(read), corners.mean(axis=0), _ON_CHECKER * diameter
    if any(np.hypot(*(middle - disc)) < reach for disc in found):
        return False
    near = [spot for spot in _may_hide(read) if np.hypot(*(middle - spot)) < reach]
    if not near:
        return True
    size = evidence.changed.shape
    known = cv2.dilate(drawn(corners, size).astype(np.uint8), np.ones((3, 3), np.uint8))
    for disc in found:
        cv2.circle(known, disc, round(_ON_CHECKER * diameter), 1, -1)
    like = np.maximum(evidence.white, evidence.black) > _CHECKER_NATS
    for spot in near:
        core = cv2.circle(np.zeros(size, np.uint8), spot, round(_CHECKER_CORE * diameter / 2), 1, -1)
        out = (core > 0) & (known == 0)
        if out.sum() < _CORE_LEFT * core.sum() or like[out].mean() > _CHECKER_SHARE:
            return False
    return True


def _may_hide(read: list[list[Slot]]) -> list[tuple[int, int]]:
    """Where on the raster a checker may lie hidden by something strange: at the edge, or next to another in its row."""
    return [
        (slot.x, slot.y)
        for row in read[:POINTS]
        for before, slot in zip([None, *row], row, strict=False)
        if slot.strange and (before is None or before.holder != EMPTY)
    ]
