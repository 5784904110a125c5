"""Finds faces of dice in the areas of a picture that hold foreign objects, each with its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.faces import VALUES, Squares, candidate_squares, find_pips, pattern_nats, pip_nats

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
"""Height above the bed of the plane in which faces are searched, in checker diameters: the middle of that range. A face
at another height appears shifted and scaled, and still as a square."""
_CHECKER_PX = 48
"""Resolution of a patch, in pixels per checker diameter: about that of the pictures."""
_MARGIN = 0.35
"""Margin of a patch around a foreign area, in checker diameters."""
_BEHIND = 0.7
"""Additional margin away from the camera where it looks along the board, in checker diameters: of an ivory die on an
ivory bed only a shaded side may differ from the bed, and the upper face lies behind it."""
_SMOOTH = 0.8
"""Standard deviation of the blur of a patch, in pixels: half a pip of the smallest dice."""
_GAP_PX = 24
"""Gap around each patch on the common sheet, in pixels, so that no face extends over two patches."""
_MOST_SQUARES = 160
"""Number of squares kept for the second test, by edges: those with the likeliest pips."""
_NUMBERS = 6
_ONE_TURN, _OTHER_TURN = (
    np.array([np.flatnonzero(value == VALUES)[turn] for value in range(1, 7)]) for turn in (0, -1)
)
"""Index into `PATTERNS` for each number, in its first and in its second turn."""
_MOST = 3
"""Largest number of faces in one area: with more than two no roll is read."""
_LEAST_NATS = 20.0
"""Least log-likelihood ratio of a face to something of one colour, in nats, before refinement."""
_WHOLE_NATS = 35.0
"""Least log-likelihood ratio, in nats, of a face that replaces a smaller one whose pips are some of its own."""
_WIDER = 1.15
"""Least ratio of the sides of these two faces; it is really 1.25 or more."""
_SAME, _APART = 0.4, 0.75
"""Distances of centres, in sides: nearer squares than `_SAME` are one face; two dice are farther than `_APART`."""
_ROUNDS = 4
"""Rounds of the refinement."""
_STEPS = np.array([1.2, 1.2, 0.09, 0.06, 0.05], np.float32)
"""First steps of the refinement: x and y in pixels, angle in radians, side and pitch as shares; halved every second
round."""
_PITCH = 0.22, 0.31
"""Range of the pitch of pips, in sides: that of dice on sale, slightly widened."""


@dataclass(frozen=True, slots=True)
class Face:
    """A detected face.

    Attributes:
        value: 1 to 6.
        x, y: middle in board units, in the plane `face_height`.
        side, turn: size in board units and angle in radians.
        nats: log-likelihood ratio of a die with that number to something of one colour.
        pips_nats: the part of `nats` that comes from the pips.
        margin_nats: log-likelihood ratio of that number to the next most likely one.
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
    """The best square for each of the six numbers at one face, with its nats and the pips' part of them."""

    squares: Squares
    nats: Singles
    pips: Singles


def face_height(checker: float) -> float:
    """Height of the plane in which faces are searched; both it and the `checker` diameter in board units."""
    return _HEIGHT * checker


def find_faces(
    picture: Picture, pose: CameraPose, checker: float, boxes: Sequence[Floats], height: float
) -> list[Face]:
    """Find the faces of dice in some areas of a picture.

    Args:
        picture: BGR.
        pose: the camera.
        checker: a checker's diameter in board units.
        boxes: 2 x 2 each, least and largest x and y of an area in board units, as seen in the plane `height`.
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
    """An area of a picture rectified in the plane `face_height`; `corner` (board units) is its upper left."""

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
    """A patch with its edge pixels repeated over the gap, so that its neighbours on the sheet have no effect."""
    down = tall - patch.shape[0] + _GAP_PX
    return np.asarray(cv2.copyMakeBorder(patch, _GAP_PX, down, _GAP_PX, _GAP_PX, cv2.BORDER_REPLICATE), np.uint8)


def _squares_in(patch: Picture) -> Squares:
    smallest, largest = SMALLEST * _CHECKER_PX, LARGEST * _CHECKER_PX
    return _joined([candidate_squares(pips, smallest, largest) for pips in find_pips(patch, smallest, largest)])


def _joined(kinds: Sequence[Squares]) -> Squares:
    return Squares(*(np.concatenate(each) for each in zip(*(kind.arrays for kind in kinds), strict=True)))


def _faces_on(pixels: Singles, squares: Squares, most: int) -> list[_Found]:
    """The faces on a sheet of patches, at most `most`, the likeliest first."""
    if not len(squares.x):
        return []
    samples = squares.samples(pixels)
    plain = np.argsort(-pip_nats(samples))[:_MOST_SQUARES]
    squares = squares.take(plain)
    of_value = _by_value(*pattern_nats(samples[plain]))[0]
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
    """Nats (squares x 6) of each number in its better turn, and the part of them from the pips."""
    nats = pips + edges
    better = nats[:, _OTHER_TURN] > nats[:, _ONE_TURN]
    return (
        np.where(better, nats[:, _OTHER_TURN], nats[:, _ONE_TURN]),
        np.where(better, pips[:, _OTHER_TURN], pips[:, _ONE_TURN]),
    )


def _refined(pixels: Singles, starts: Squares) -> tuple[Squares, Singles, Singles]:
    """Refine squares of the six numbers in turn by a star search over place, angle, side and pitch."""
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
            one.reshape(len(here), len(star), _NUMBERS) for one in _by_value(*pattern_nats(squares.samples(pixels)))
        )
        best = nats[each, :, number].argmax(axis=1)
        here = trial[each, best]
    return Squares(*here.T), nats[each, best, number], pips[each, best, number]


def _face(found: _Found, patch: _Patch, at: tuple[float, float]) -> Face:
    """The face in board units; `at` is the corner (x, y) of its patch on the sheet."""
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
    """Index of the number a face shows: the likeliest, unless its pips are some of those of a larger face.

    The middle of a five looks like a one, and two corners of a six like a two, on a smaller die that is turned.
    """
    best = int(nats.argmax())
    wider = [
        more for more in range(best + 1, len(nats)) if nats[more] >= _WHOLE_NATS and sides[more] > _WIDER * sides[best]
    ]
    return max(wider, key=lambda more: float(nats[more]), default=best)
