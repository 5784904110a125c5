"""Looking for dice at a foreign place of a picture: the faces found there, each with its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.faces import VALUES, Squares, pip_nats, scores, spots, squares_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cameras import Picture
    from vision.geometry import CameraPose

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

SMALLEST, LARGEST = 0.36, 0.95
"""Sides of dice over a checker's diameter: 9 mm with 25 mm checkers to 13 mm with 15 mm ones."""
_HEIGHT = 0.55
"""Height over the bed of the plane that faces are sought in, in checkers' diameters: the middle of those sides. In
another plane a face is moved and a little larger or smaller, and still a square."""
_CHECKER_PX = 48
"""Pixels of a patch that a checker's diameter has: about as many as the pictures themselves have."""
_MARGIN = 0.35
"""What of a picture is looked at round a foreign place, in checkers' diameters."""
_BEHIND = 0.7
"""And so much more away from the camera where it looks along the board: of an ivory die on an ivory bed nothing but a
side in its own shade may be foreign, and the upper face lies behind it."""
_SMOOTH = 0.8
"""Blur of a patch in pixels: half a pip of the smallest dice."""
_GAP_PX = 24
"""Patches lie so far from each other on one sheet: no face reaches over."""
_PLAINEST = 160
"""Squares whose edges are looked at, the plainest pips first: those of a face and a few beside it."""
_NUMBERS = 6
_ONE_TURN, _OTHER_TURN = (
    np.array([np.flatnonzero(value == VALUES)[turn] for value in range(1, 7)]) for turn in (0, -1)
)
"""Which patterns show each number, in one turn and in the other."""
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


def faces_at(picture: Picture, pose: CameraPose, checker: float, boxes: Sequence[Floats], height: float) -> list[Face]:
    """The faces of dice at some places.

    Args:
        picture: BGR.
        pose: the camera.
        checker: a checker's diameter in board units.
        boxes: 2 x 2 each, the least and the greatest x and y of a place in board units, as seen in the plane `height`.
        height: of that plane, in board units.
    """
    patches = [_Patch.of(picture, pose, checker, box, height) for box in boxes]
    if not patches:
        return []
    tall = max(patch.pixels.shape[0] for patch in patches)
    sheet = np.hstack([_padded(patch.pixels, tall) for patch in patches])
    offsets = np.cumsum([_GAP_PX] + [patch.pixels.shape[1] + 2 * _GAP_PX for patch in patches])[:-1]
    squares = _joined(
        [_squares_in(patch.pixels).moved(int(off), _GAP_PX) for patch, off in zip(patches, offsets, strict=True)]
    )
    faces = []
    for found in _faces_on(np.asarray(sheet, np.float32), squares, _MOST * len(patches)):
        which = int(np.searchsorted(offsets - _GAP_PX, float(found.squares.x[0]), "right")) - 1
        faces.append(_face(found, patches[which], (float(offsets[which]), float(_GAP_PX))))
    return faces


@dataclass(frozen=True, slots=True)
class _Patch:
    """A place of a picture as seen in the plane that faces are sought in: `corner` (board units) is its upper left."""

    pixels: Picture
    corner: Floats
    scale: float

    @classmethod
    def of(cls, picture: Picture, pose: CameraPose, checker: float, box: Floats, height: float) -> _Patch:
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
        return cls(np.asarray(cv2.GaussianBlur(taken, (0, 0), _SMOOTH), np.uint8), corner, scale)


def _padded(patch: Picture, tall: int) -> Picture:
    """A patch with its edges drawn out, so that those beside it on one sheet do not matter."""
    down = tall - patch.shape[0] + _GAP_PX
    return np.asarray(cv2.copyMakeBorder(patch, _GAP_PX, down, _GAP_PX, _GAP_PX, cv2.BORDER_REPLICATE), np.uint8)


def _squares_in(patch: Picture) -> Squares:
    smallest, largest = SMALLEST * _CHECKER_PX, LARGEST * _CHECKER_PX
    return _joined([squares_of(pips, smallest, largest) for pips in spots(patch, smallest, largest)])


def _joined(kinds: Sequence[Squares]) -> Squares:
    return Squares(*(np.concatenate(each) for each in zip(*(kind.arrays for kind in kinds), strict=True)))


def _faces_on(pixels: Singles, squares: Squares, most: int) -> list[_Found]:
    """Every face on a sheet of patches, at most so many, the plainest first."""
    if not len(squares.x):
        return []
    samples = squares.samples(pixels)
    plain = np.argsort(-pip_nats(samples))[:_PLAINEST]
    squares = squares.take(plain)
    of_value = _by_value(*scores(samples[plain]))[0]
    best = of_value.max(axis=1)
    starts: list[NDArray[np.intp]] = []
    while len(starts) < most and best.max() >= _LEAST_NATS:
        first = int(best.argmax())
        away = np.hypot(squares.x - squares.x[first], squares.y - squares.y[first])
        near = np.flatnonzero(away < _SAME * squares.side[first])
        starts.append(near[of_value[near].argmax(axis=0)])
        best = np.where(away < _APART * np.maximum(squares.side[first], squares.side), -np.inf, best)
    if not starts:
        return []
    refined, nats, pips = _refined(pixels, squares.take(np.concatenate(starts)))
    return [_Found(refined.take(each), nats[each], pips[each]) for each in np.arange(len(nats)).reshape(-1, _NUMBERS)]


def _by_value(pips: Singles, edges: Singles) -> tuple[Singles, Singles]:
    """Nats (squares x 6) of each number in its better turn, and what of them the pips say."""
    nats = pips + edges
    better = nats[:, _OTHER_TURN] > nats[:, _ONE_TURN]
    return (
        np.where(better, nats[:, _OTHER_TURN], nats[:, _ONE_TURN]),
        np.where(better, pips[:, _OTHER_TURN], pips[:, _ONE_TURN]),
    )


def _refined(pixels: Singles, starts: Squares) -> tuple[Squares, Singles, Singles]:
    """Squares of the six numbers, again and again, moved, turned and stretched to where their number fits best."""
    star = np.vstack([np.zeros(5, np.float32), np.diag(_STEPS), -np.diag(_STEPS)])
    here = np.stack(starts.arrays, axis=1)
    each, number = np.arange(len(here)), np.arange(len(here)) % _NUMBERS
    for turn in range(_ROUNDS):
        step = star * 0.5 ** (turn // 2)
        trial = np.repeat(here[:, None], len(star), axis=1)
        trial[..., :3] += step[None, :, :3]
        trial[..., 3:] *= 1 + step[None, :, 3:]
        trial[..., 4] = trial[..., 4].clip(*_PITCH)
        squares = Squares(*trial.reshape(-1, 5).T)
        nats, pips = (
            one.reshape(len(here), len(star), _NUMBERS) for one in _by_value(*scores(squares.samples(pixels)))
        )
        best = nats[each, :, number].argmax(axis=1)
        here = trial[each, best]
    return Squares(*here.T), nats[each, best, number], pips[each, best, number]


def _face(found: _Found, patch: _Patch, at: tuple[float, float]) -> Face:
    """A face on the board; `at` is where its patch begins on the sheet."""
    squares, nats, scale = found.squares, found.nats, patch.scale
    best = _best(nats, squares.side)
    within = (np.arange(len(nats)) < best) & (squares.side < squares.side[best] / _WIDER)
    rivals = np.where(within & (nats > nats[best]) | (np.arange(len(nats)) == best), -np.inf, nats)
    return Face(
        value=best + 1,
        x=float(patch.corner[0] + (squares.x[best] - at[0]) / scale),
        y=float(patch.corner[1] - (squares.y[best] - at[1]) / scale),
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
