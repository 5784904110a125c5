"""Looking for dice at a strange place of a picture: the faces found there, each with its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_faces import VALUES, Squares, scores
from vision.dice_pips import spots, squares_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.geometry import CameraPose

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

SMALLEST, LARGEST = 0.36, 0.95
"""Sides of dice over a checker's diameter: 9 mm with 25 mm checkers to 13 mm with 15 mm ones."""
_HEIGHT = 0.55
"""Height over the bed of the plane that faces are sought in, in checkers' diameters: the middle of those sides. In
another plane a face is moved and a little larger or smaller, and still a square."""
_CHECKER_PX = 48
"""Pixels of a patch that a checker's diameter has: about as many as the pictures themselves have."""
_MARGIN = 0.35
"""What of a picture is looked at round a strange place, in checkers' diameters."""
_BEHIND = 0.7
"""And so much more away from the camera where it looks along the board: of an ivory die on an ivory bed nothing but a
side in its own shade may be strange, and the upper face lies behind it."""
_SMOOTH = 0.8
"""Blur of a patch in pixels: half a pip of the smallest dice."""
_MOST = 3
"""Faces looked for at one place: more than two make the roll void anyway."""
_LEAST_NATS = 20.0
"""Faces that are not so much likelier than something of one colour are not looked at any further."""
_WHOLE_NATS = 35.0
"""A face with more pips round those of a smaller one is that likely where it lies there; where it does not, never."""
_WIDER = 1.15
"""How much larger than the smaller one it is at the least: by a quarter or more."""
_SAME, _APART = 0.4, 0.75
"""Squares whose centres are nearer than this (in sides) are read as one face; another die's is farther than that."""
_ROUNDS = 4
_STEPS = np.array([1.2, 1.2, 0.09, 0.06, 0.05], np.float32)
"""First steps of refining: x and y in pixels, angle in radians, side and pitch as shares; halved every second round."""
_PITCH = 0.22, 0.31
"""From one pip to the next in sides: what dice on sale have, with a hair on both ends."""


@dataclass(frozen=True, slots=True)
class Face:
    """A face as it was found.

    Attributes:
        value: 1 to 6.
        x, y: its middle, in board units, in the plane that was looked at.
        side, turn: its size in board units and its angle in radians.
        nats: how much likelier a die with that number is than something of one colour.
        pips_nats: what of that the pips say.
        margin_nats: how much likelier that number is than the next.
    """

    value: int
    x: float
    y: float
    side: float
    turn: float
    nats: float
    pips_nats: float
    margin_nats: float


@dataclass(frozen=True, slots=True)
class _Found:
    """The best square of each number (six) at one face, with its nats and its pips' nats."""

    squares: Squares
    nats: Singles
    pips: Singles


def face_height(checker: float) -> float:
    """Height of the plane that faces are sought in, for boards whose checkers have that diameter (board units)."""
    return _HEIGHT * checker


def faces_at(picture: Picture, pose: CameraPose, checker: float, box: Floats, height: float) -> list[Face]:
    """The faces of dice at one place.

    Args:
        picture: BGR.
        pose: the camera.
        checker: a checker's diameter in board units.
        box: 2 x 2, the least and the greatest x and y of the place in board units, as seen in the plane `height`.
        height: of that plane, in board units.
    """
    plane, eye = face_height(checker), pose.centre
    seen = eye[:2] + (eye[2] - plane) / (eye[2] - height) * (box - eye[:2])
    lean = (seen.mean(axis=0) - eye[:2]) / (eye[2] - plane)
    seen += np.array([np.minimum(lean, 0), np.maximum(lean, 0)]).clip(-1, 1) * _BEHIND * checker
    seen += np.array([[-_MARGIN], [_MARGIN]]) * checker
    scale = _CHECKER_PX / checker
    corner = np.array([seen[0, 0], seen[1, 1]])
    size = ((seen[1] - seen[0]) * scale).astype(int) + 1
    to_board = np.array([[1 / scale, 0, corner[0]], [0, -1 / scale, corner[1]], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    taken = cv2.warpPerspective(
        picture, pose.plane(plane) @ to_board, size.tolist(), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    found = _faces_in(np.asarray(cv2.GaussianBlur(taken, (0, 0), _SMOOTH), np.uint8))
    return [_face(one, scale, corner) for one in found]


def _faces_in(patch: Picture) -> list[_Found]:
    """Every face of a patch."""
    smallest, largest = SMALLEST * _CHECKER_PX, LARGEST * _CHECKER_PX
    kinds = [squares_of(pips, smallest, largest) for pips in spots(patch, smallest, largest)]
    squares = Squares(*(np.concatenate(each) for each in zip(*(kind.arrays for kind in kinds), strict=True)))
    if not len(squares.x):
        return []
    pixels = patch.astype(np.float32)
    of_value = _by_value(*scores(squares.samples(pixels)))[0]
    best = of_value.max(axis=1)
    found: list[_Found] = []
    while len(found) < _MOST and best.max() >= _LEAST_NATS:
        first = int(best.argmax())
        away = np.hypot(squares.x - squares.x[first], squares.y - squares.y[first])
        near = np.flatnonzero(away < _SAME * squares.side[first])
        starts = near[of_value[near].argmax(axis=0)]
        found.append(_Found(*_refined(pixels, squares.take(starts))))
        best = np.where(away < _APART * np.maximum(squares.side[first], squares.side), -np.inf, best)
    return found


def _by_value(pips: Singles, edges: Singles) -> tuple[Singles, Singles]:
    """Nats (squares x 6) of each number in its better turn, and what of them the pips say."""
    nats = pips + edges
    columns = [np.flatnonzero(value == VALUES) for value in range(1, 7)]
    picked = np.stack([which[nats[:, which].argmax(axis=1)] for which in columns], axis=1)
    return np.take_along_axis(nats, picked, 1), np.take_along_axis(pips, picked, 1)


def _refined(pixels: Singles, starts: Squares) -> tuple[Squares, Singles, Singles]:
    """Each number's square (six) moved, turned and stretched to where that number fits best."""
    star = np.vstack([np.zeros(5, np.float32), np.diag(_STEPS), -np.diag(_STEPS)])
    here = np.stack(starts.arrays, axis=1)
    number = np.arange(len(here))
    for turn in range(_ROUNDS):
        step = star * 0.5 ** (turn // 2)
        trial = np.repeat(here[:, None], len(star), axis=1)
        trial[..., :3] += step[None, :, :3]
        trial[..., 3:] *= 1 + step[None, :, 3:]
        trial[..., 4] = trial[..., 4].clip(*_PITCH)
        squares = Squares(*trial.reshape(-1, 5).T)
        nats, pips = (each.reshape(len(here), len(star), 6) for each in _by_value(*scores(squares.samples(pixels))))
        best = nats[number, :, number].argmax(axis=1)
        here = trial[number, best]
    return Squares(*here.T), nats[number, best, number], pips[number, best, number]


def _face(found: _Found, scale: float, corner: Floats) -> Face:
    squares, nats = found.squares, found.nats
    best = _best(nats, squares.side)
    within = (np.arange(len(nats)) < best) & (squares.side < squares.side[best] / _WIDER)
    rivals = np.where(within & (nats > nats[best]) | (np.arange(len(nats)) == best), -np.inf, nats)
    return Face(
        value=best + 1,
        x=float(corner[0] + squares.x[best] / scale),
        y=float(corner[1] - squares.y[best] / scale),
        side=float(squares.side[best] / scale),
        turn=float(squares.turn[best]),
        nats=float(nats[best]),
        pips_nats=float(found.pips[best]),
        margin_nats=float(nats[best] - rivals.max()),
    )


def _best(nats: Singles, sides: Singles) -> int:
    """Which of the six numbers a face shows: the likeliest, unless its pips are but some of those of a larger face.

    The middle of a five looks like a one, and two corners of a six like a two, on a smaller die that lies askew.
    """
    best = int(nats.argmax())
    wider = [
        more for more in range(best + 1, len(nats)) if nats[more] >= _WHOLE_NATS and sides[more] > _WIDER * sides[best]
    ]
    return max(wider, key=lambda more: float(nats[more]), default=best)
