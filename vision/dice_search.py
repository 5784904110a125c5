"""Search places of a picture for upper faces of dice and read their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice_faces import VALUES, FaceHypotheses, pip_nats, scores
from vision.dice_pips import spots, squares_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.geometry import CameraPose

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

SMALLEST, LARGEST = 0.36, 0.95
"""Sides of dice over a checker's diameter: from 9 mm with 25 mm checkers to 13 mm with 15 mm ones."""
_HEIGHT = 0.55
"""Height over the bed of the plane in which faces are searched, in checkers' diameters: about the middle of those
sides. Seen in another plane than its own a face is shifted and scaled, and still a square."""
_CHECKER_PX = 48
"""Resolution of a patch, in pixels a checker: about that of the pictures."""
_MARGIN = 0.35
"""Margin of a patch around its place, in checkers' diameters."""
_BEHIND = 0.7
"""Further margin away from a slanted camera: of an ivory die on an ivory bed only a shaded side may stand out, and the
upper face lies behind it."""
_SMOOTH = 0.8
"""Standard deviation of a patch's blur in pixels: half a pip of the smallest dice."""
_GAP_PX = 24
"""Distance between patches on a common sheet, so that no face reaches into the next."""
_PLAINEST = 160
"""Squares whose edges are evaluated, those with the clearest pips first."""
_NUMBERS = 6
"""Numbers of a die."""
_ONE_TURN, _OTHER_TURN = (
    np.array([np.flatnonzero(value == VALUES)[turn] for value in range(1, 7)]) for turn in (0, -1)
)
"""Patterns of each number in both orientations."""
_MOST = 3
"""Most faces at one place; more than two make the roll void anyway."""
_LEAST_NATS = 20.0
"""Least log-likelihood ratio of a face to one colour for refinement."""
_WHOLE_NATS = 35.0
"""The same from which a larger face that contains a smaller one's pips is preferred."""
_WIDER = 1.15
"""Least ratio of their sizes; the real one is 1.25 or more."""
_SAME, _APART = 0.4, 0.75
"""Distances in sides: squares nearer than the first are one face; another die's are farther than the second."""
_ROUNDS = 4
"""Rounds of refinement."""
_STEPS = np.array([1.2, 1.2, 0.09, 0.06, 0.05], np.float32)
"""First steps of refinement: x and y in pixels, angle in radians, side and pitch as shares; later halved."""
_PITCH = 0.22, 0.31
"""Limits of the pitch, in sides: those of dice on sale with a small margin."""


@dataclass(frozen=True, slots=True)
class Face:
    """A face found in a picture.

    Attributes:
        value: 1 to 6.
        x, y: centre in board units, in the plane searched.
        side, turn: size in board units and angle in radians.
        nats: log-likelihood ratio of a die with that number to one colour.
        pips_nats: the pips' contribution to it.
        margin_nats: lead over the next number.
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
class _FaceFits:
    """The best square for each number (six) at one face, with its nats and its pips' nats."""

    squares: FaceHypotheses
    nats: Singles
    pips: Singles


def face_height(checker: float) -> float:
    """Height of the plane in which faces are searched, for a checker's diameter (both in board units)."""
    return _HEIGHT * checker


def faces_at(picture: Picture, pose: CameraPose, checker: float, boxes: Sequence[Floats], height: float) -> list[Face]:
    """Read the faces of dice at some places.

    Args:
        picture: BGR.
        pose: camera pose.
        checker: a checker's diameter in board units.
        boxes: 2 x 2 each, least and greatest x and y of a place in board units, as seen in the plane `height`.
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
    """A place of a picture, rectified in the plane of faces; `corner` (board units) is its upper left."""

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
    """Patch with its border replicated, as a gap on the sheet."""
    down = tall - patch.shape[0] + _GAP_PX
    return np.asarray(cv2.copyMakeBorder(patch, _GAP_PX, down, _GAP_PX, _GAP_PX, cv2.BORDER_REPLICATE), np.uint8)


def _squares_in(patch: Picture) -> FaceHypotheses:
    smallest, largest = SMALLEST * _CHECKER_PX, LARGEST * _CHECKER_PX
    return _joined([squares_of(pips, smallest, largest) for pips in spots(patch, smallest, largest)])


def _joined(kinds: Sequence[FaceHypotheses]) -> FaceHypotheses:
    return FaceHypotheses(*(np.concatenate(each) for each in zip(*(kind.arrays for kind in kinds), strict=True)))


def _faces_on(pixels: Singles, squares: FaceHypotheses, most: int) -> list[_FaceFits]:
    """Fit every face on a sheet of patches, at most `most`, the clearest first."""
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
    return [
        _FaceFits(refined.take(each), nats[each], pips[each]) for each in np.arange(len(nats)).reshape(-1, _NUMBERS)
    ]


def _by_value(pips: Singles, edges: Singles) -> tuple[Singles, Singles]:
    """Nats (squares x 6) of each number in its better orientation, and the pips' contribution."""
    nats = pips + edges
    better = nats[:, _OTHER_TURN] > nats[:, _ONE_TURN]
    return (
        np.where(better, nats[:, _OTHER_TURN], nats[:, _ONE_TURN]),
        np.where(better, pips[:, _OTHER_TURN], pips[:, _ONE_TURN]),
    )


def _refined(pixels: Singles, starts: FaceHypotheses) -> tuple[FaceHypotheses, Singles, Singles]:
    """Refine squares, each for its number, by a local search over place, angle, side and pitch."""
    star = np.vstack([np.zeros(5, np.float32), np.diag(_STEPS), -np.diag(_STEPS)])
    here = np.stack(starts.arrays, axis=1)
    each, number = np.arange(len(here)), np.arange(len(here)) % _NUMBERS
    for turn in range(_ROUNDS):
        step = star * 0.5 ** (turn // 2)
        trial = np.repeat(here[:, None], len(star), axis=1)
        trial[..., :3] += step[None, :, :3]
        trial[..., 3:] *= 1 + step[None, :, 3:]
        trial[..., 4] = trial[..., 4].clip(*_PITCH)
        squares = FaceHypotheses(*trial.reshape(-1, 5).T)
        nats, pips = (
            one.reshape(len(here), len(star), _NUMBERS) for one in _by_value(*scores(squares.samples(pixels)))
        )
        best = nats[each, :, number].argmax(axis=1)
        here = trial[each, best]
    return FaceHypotheses(*here.T), nats[each, best, number], pips[each, best, number]


def _face(found: _FaceFits, patch: _Patch, at: tuple[float, float]) -> Face:
    """Convert a face to board coordinates; `at` is the place of its patch on the sheet."""
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
    """Index of the number shown: the likeliest, unless its pips are part of a larger face's.

    The middle of a five looks like a one, and two corners of a six like a two, on a smaller, turned die.
    """
    best = int(nats.argmax())
    wider = [
        more for more in range(best + 1, len(nats)) if nats[more] >= _WHOLE_NATS and sides[more] > _WIDER * sides[best]
    ]
    return max(wider, key=lambda more: float(nats[more]), default=best)
