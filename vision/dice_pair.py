"""Read the dice on a board: their numbers, places, and whether they lie flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.observation import Die
from vision.dice_cube import DieCube, contains_face, covered_pixels
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
"""Least log-likelihood ratio of a face to one colour, in all and of its edges alone. Readable dice have 40 to 90 and
9.5 to 18; spots in shadows, on checkers and on the sides of dice at most 34 and 8."""
_MARGIN_NATS = 8.0
"""Least margin over any other number; a face's samples are not independent."""
_DOUBTFUL_NATS = 30.0
"""A face above this in all, with enough at its edges, may be a die that cannot be read."""
_CHANGED_NATS = 3.0
"""Evidence (nats) of a pixel against the empty board from which something lies there."""
_LEAST_COVER = 0.3
"""Least share of such pixels in a die's outline; an ivory die on an ivory bed may have 0.43."""
_SIDES_SEEN, _SIDES_COVER = 0.8, 0.4
"""Where the visible sides have at least this share of the upper face's area, at least the second share of their pixels
must differ from the board; below a side taken for an upper face there is only board."""
_SIZES_ALIKE = 1.2
"""Largest ratio of sizes in a pair; refinement leaves a tenth open, and the side of a cocked die looks smaller."""


def read_dice(
    picture: Picture, evidence: Evidence, read: list[list[Slot]], learned: DiceScene, brightness: Brightness
) -> tuple[Die, ...]:
    """Read the dice on a board, the likeliest first; none if one of them cannot be read with certainty.

    They are searched where something is neither empty board nor a found checker.

    Args:
        picture: BGR.
        evidence: of the board's raster.
        read: slots of all rows.
        learned: calibration of the board.
        brightness: gain and ceiling of the picture (see `vision.appearance.level`).
    """
    top, layout, pose = learned.top, learned.layout, learned.pose
    found = discs(read)
    strange = (unexplained(evidence.changed, found, learned.rows.diameter) > 0) & ~learned.strange
    boxes = strange_places(strange, top, learned.rows.diameter)
    faces = faces_at(picture, pose, layout.checker, boxes, top.height)
    cubes = [DieCube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    standing = [cube for cube in cubes if _edged(cube.face) and _stands(cube, evidence.changed, top, pose.centre)]
    kept = _distinct(sorted(standing, key=lambda cube: -cube.face.nats), top, pose.centre)
    if kept is None or not all(_certain(cube.face) for cube in kept):
        return ()
    if len(kept) > 1 and max(cube.side for cube in kept) > _SIZES_ALIKE * min(cube.side for cube in kept):
        return ()
    checkers = found, may_hide(read)
    lies = [lie_of(cube, picture, evidence, checkers, learned, brightness) for cube in kept]
    if Lie.UNDECIDED in lies:
        return ()
    return tuple(
        Die(cube.face.value, cube.half(layout), flat=lie is Lie.FLAT, x=cube.x, y=cube.y, side=cube.side)
        for cube, lie in zip(kept, lies, strict=True)
    )


def _distinct(cubes: Sequence[DieCube], top: Raster, eye: Floats) -> list[DieCube] | None:
    """Drop duplicates and sides of other dice; None if it is undecided which face is the upper one.

    `cubes`: the likeliest first.
    """
    kept: list[tuple[DieCube, Singles]] = []
    for cube in cubes:
        corners = cube.seen_on(top, eye)
        hidden = any(contains_face(seen, corners) for _, seen in kept)
        if not hidden and any(contains_face(corners, seen) for _, seen in kept):
            return None
        if not hidden:
            kept.append((cube, corners))
    return [cube for cube, _ in kept]


def _edged(face: Face) -> bool:
    """Whether the colour changes at the face's edges."""
    return face.nats - face.pips_nats >= _EDGE_NATS


def _certain(face: Face) -> bool:
    """Whether it is certainly a face with that number."""
    return face.nats >= _FACE_NATS and face.margin_nats >= _MARGIN_NATS


def _stands(cube: DieCube, changed: Singles, top: Raster, eye: Floats) -> bool:
    """Whether the board is covered where the cube must be seen."""
    corners = cube.seen_on(top, eye)
    outline, upper = covered_pixels(corners, changed.shape), covered_pixels(corners[:4], changed.shape)
    lies, sides = changed > _CHANGED_NATS, outline & ~upper
    if not outline.any() or lies[outline].mean() < _LEAST_COVER:
        return False
    return bool(sides.sum() < _SIDES_SEEN * upper.sum() or lies[sides].mean() >= _SIDES_COVER)
