"""The dice lying on a board: those whose upper faces can be told, where each lies, and whether it lies flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.observation import Die
from vision.dice_cube import Cube, drawn, holds
from vision.dice_lie import Lie, lie_of, may_hide
from vision.dice_places import strange_places
from vision.dice_search import faces_at
from vision.read_backgammon import discs
from vision.readability import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.appearance import Evidence
    from vision.dice_search import Face
    from vision.dice_view import Brightness, DiceScene
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
        brightness: gain and ceiling of the picture (see `vision.appearance.level`).
    """
    top, layout, pose = learned.top, learned.layout, learned.pose
    found = discs(read)
    strange = (unexplained(evidence.changed, found, learned.rows.diameter) > 0) & ~learned.strange
    boxes = strange_places(strange, top, learned.rows.diameter)
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
