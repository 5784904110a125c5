"""Reads the dice on a board: finds foreign areas, reads the faces there, and checks how each die rests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Die
from vision.dice.cube import Cube, within_another
from vision.dice.judging import may_lack_pips
from vision.dice.resting import RestState, rest_state
from vision.dice.search import face_height, find_alike, find_faces, one_at_a_place, refine_faces
from vision.imaging import unexplained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats
    from vision.dice.search import Face
    from vision.dice.view import BoardScene
    from vision.geometry import Raster


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

    `foreign`: mask of the raster pixels that belong neither to the empty board nor to a checker; `diameter`: of a
    checker, in pixels.
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


_LEAST = 2.5, 2.5
"""Least log-odds (nats) of a certain face to none, and of its number to any other: 12 to 1. Of 98 pairs of rendered
dice of makes never seen and 35 of others none was read wrong."""
_LEAST_REFINED = 4.3, 4.0
"""The same of a refined face. In blur of the camera's motion by half a die, in 280 pictures, the wrong ones had 3.4 at
most for their number or 3.0 for a face; with 2.5, three pairs are wrong. Of 819 pairs in eight kinds of blur, light and
noise one was wrong with 4.0: a 4 whose pips had run into each other was a 1 by 4.2."""
_LEAST_ALIKE = 5.0, 5.0
"""The same where faces like the only certain one are refined too: of hundreds of squares more, one may look like a face
by chance. Of 700 drawn throws in which the second die does not lie flat, one more was read wrongly with 4: on a leaning
die the pips of two faces formed a 6."""
_FLAT_AT_ONCE_NATS = 2.0
"""Least log-odds (nats) of lying flat of a face that is read at once."""
_MAY_BE_NATS, _MOST_REFINED = -6.0, 4
"""Least log-odds, in nats, of a face that is refined, and the largest number of them."""
_DOUBTFUL_NATS = -1.0
"""Least log-odds, in nats, of a face that may be one (1 to 2.7); if it is not certain, no dice are read."""
_PAIR = 2
_SIZES_ALIKE = 1.4
"""Largest ratio of the sides of two dice of a pair: the network was trained to accept squares whose sides are off by
the factor 1.19, and one may be too large and the other too small."""


@dataclass(frozen=True, slots=True)
class DiceSeen:
    """What a picture shows of dice, the likeliest first.

    Attributes:
        dice: the dice that were read; empty if there may be one that cannot be read.
        cubes: the certain dice, also if others or how they rest cannot be read.
    """

    dice: tuple[Die, ...]
    cubes: tuple[Cube, ...]


def read_dice(scene: BoardScene) -> DiceSeen:
    """Read the dice on a board: areas that are neither empty board nor a detected checker are searched.

    If fewer than two certain ones are found, pips at the corners of small faces are looked for, too.
    """
    foreign = (unexplained(scene.evidence.changed, scene.checkers, scene.diameter) > 0) & ~scene.foreign
    boxes = foreign_areas(foreign, scene.top, scene.diameter)
    seen, certain = _read_in(boxes, scene)
    if not boxes or certain >= _PAIR:
        return seen
    further, _ = _read_in(boxes, scene, at_corners=True)
    return further if len(further.dice) == _PAIR else seen


def _read_in(boxes: Sequence[Floats], scene: BoardScene, *, at_corners: bool = False) -> tuple[DiceSeen, int]:
    """The dice in some areas (see `find_faces`), and the largest number of certain ones at any step.

    If no pair is read at first, the squares of the likeliest faces are refined, and then with them those that are like
    the only certain one. So are those of a pair that is not plain, which counts only if it stays the same.
    """
    top, layout, pose = scene.top, scene.layout, scene.pose
    faces = find_faces(scene.picture, pose, layout.checker, boxes, top.height, at_corners=at_corners)
    seen = _dice_of(faces, scene, _LEAST)
    certain = len(seen.cubes)
    read, maybe = len(seen.dice) == _PAIR, [face for face in faces if face.nats >= _MAY_BE_NATS]
    if not maybe or (read and all(_is_plain(cube.face) for cube in seen.cubes)):
        return seen, certain
    likely, others = maybe[:_MOST_REFINED], maybe[_MOST_REFINED:]
    refined = refine_faces(scene.picture, pose, layout.checker, likely)
    again = _dice_of(one_at_a_place(refined) + others, scene, _LEAST if read else _LEAST_REFINED)
    if read:
        return replace(seen, dice=()) if _contradicts(again, seen) else seen, certain
    if certain == 1 and len(again.cubes) < _PAIR:
        known = seen.cubes[0].face
        if alike := find_alike(scene.picture, pose, layout.checker, boxes, top.height, known):
            refined += refine_faces(scene.picture, pose, layout.checker, alike)
            again = _dice_of(one_at_a_place(refined) + others, scene, _LEAST_ALIKE)
    return again if len(again.dice) == _PAIR else seen, max(certain, len(again.cubes))


def _is_certain(face: Face, least: tuple[float, float]) -> bool:
    """Whether it is certainly a face, and certainly that number; `least`: nats of both."""
    return face.nats >= least[0] and face.margin_nats >= least[1]


def _is_plain(face: Face) -> bool:
    """Whether a certain face needs no second look: it is as likely as a refined one, and the network calls it flat."""
    return face.nats >= _LEAST_REFINED[0] and face.flat_nats >= _FLAT_AT_ONCE_NATS


def _contradicts(again: DiceSeen, seen: DiceSeen) -> bool:
    """Whether other numbers are certain now than in the pair that was read, or the dice rest in another way."""
    numbers = [sorted(cube.face.value for cube in one.cubes) for one in (again, seen)]
    rests = [sorted((die.value, die.flat) for die in one.dice) for one in (again, seen)]
    return numbers[0] != numbers[1] or (bool(again.dice) and rests[0] != rests[1])


def _dice_of(faces: list[Face], scene: BoardScene, least: tuple[float, float]) -> DiceSeen:
    """The dice of some faces; `least`: nats of a certain face, and of its number."""
    top, layout, pose = scene.top, scene.layout, scene.pose
    cubes = [Cube.under(face, pose, layout.checker) for face in faces if face.nats >= _DOUBTFUL_NATS]
    kept = _without_side_faces([cube for cube in cubes if _is_certain(cube.face, least)], top, pose.centre)
    doubtful = [cube for cube in cubes if not _is_certain(cube.face, least) and not _is_no_die(cube, kept)]
    unread = DiceSeen((), tuple(kept))
    if any(may_lack_pips(scene.picture, pose, face_height(layout.checker), cube.face.square) for cube in kept):
        return unread
    if not all(within_another(cube, kept, top, pose.centre) for cube in doubtful):
        return unread
    if len(kept) > 1 and not _similar_sizes(kept):
        return unread
    states = [rest_state(cube, [other for other in kept if other is not cube], scene) for cube in kept]
    if RestState.UNKNOWN in states:
        return unread
    dice = [
        Die(cube.face.value, cube.half(layout), flat=state is RestState.FLAT, x=cube.x, y=cube.y, side=cube.side)
        for cube, state in zip(kept, states, strict=True)
    ]
    return replace(unread, dice=tuple(dice))


def _without_side_faces(cubes: list[Cube], top: Raster, eye: Floats) -> list[Cube]:
    """The certain cubes of more than a pair, without faces that are likelier a side of another one than a die."""
    if len(cubes) <= _PAIR:
        return cubes
    surer = [[other for other in cubes if other.face.nats > cube.face.nats] for cube in cubes]
    return [cube for cube, others in zip(cubes, surer, strict=True) if not within_another(cube, others, top, eye)]


def _is_no_die(cube: Cube, kept: list[Cube]) -> bool:
    """Whether a doubtful face beside a certain pair is no die: it is of another size, or far less likely than both.

    The least lead is that of a certain face over one that is no longer doubtful.
    """
    if len(kept) != _PAIR or not _similar_sizes(kept):
        return False
    least = min(one.face.nats for one in kept)
    return least - cube.face.nats >= _LEAST[0] - _DOUBTFUL_NATS or not any(_similar_sizes([cube, one]) for one in kept)


def _similar_sizes(cubes: list[Cube]) -> bool:
    """Whether the sides of all cubes differ by at most the factor `_SIZES_ALIKE`."""
    sides = [cube.side for cube in cubes]
    return max(sides) <= _SIZES_ALIKE * min(sides)
