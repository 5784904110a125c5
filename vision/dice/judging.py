"""The network that judges squares of a picture: which number a die's upper face shows there, and whether it lies flat.

It sees the square with its surroundings, so also the sides of the die and what it may lean on, relative to the colour
of the face and to its contrast. `training/learn_faces.py` trained it on path-traced dice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.comparator import encoded, judged, load_weights, turned
from vision.geometry import warp

if TYPE_CHECKING:
    from types import ModuleType

    from vision.arrays import Floats, Picture, Singles
    from vision.geometry import CameraPose

    Weights = dict[str, Any]

PATCH_PX = 48
"""Width and height of a patch in pixels."""
PATCH_SIDES = 2.4
"""Width of a patch, in sides of the square: at 50 degrees from above, a flat die reaches 1.7 sides from the middle of
its upper face to one side, so that most of it is seen."""
NONE = 0
"""Class of what is no upper face; the others are the numbers 1 to 6."""
_CLASSES = 7
_FACE = slice(PATCH_PX // 2 - 8, PATCH_PX // 2 + 8)
"""The pixels of the face without its edges: 0.8 sides."""
_LEAST_SPREAD = 3.0
"""Least assumed variation of a face, in grey levels: that of noise."""
_SATURATED, _FAINT, _PIP_PIXELS = 250, 204, 6
"""Grey level from which a face is saturated; least level of a pip on it that is too faint, a fifth darker than the
face, where others may have vanished; the number of pixels that a pip covers at least. Of 364 faces one was misread: a 5
in a lamp's reflection whose thinnest pip was gone; the darkest one left had 239."""
_RANGE = 4.0
"""Largest value of an input, in twice the variation of a face."""
_FINE_BITS = 4
"""Fraction bits of the corners of the expected outline."""


def network_input(patches: Singles, drift: Floats) -> Singles:
    """Inputs (n x PATCH_PX x PATCH_PX x 4): colours relative to the face, and where a flat die would be seen.

    `patches`: BGR, 0 to 255; `drift`: n x 2, apparent shift (x, y in the patch) of a place per height above the plane.
    """
    face = patches[:, _FACE, _FACE].reshape(len(patches), -1, 3)
    body = np.median(face, axis=1)[:, None, None]
    spread = np.sqrt(((face - body[:, 0]) ** 2).mean(axis=(1, 2)))[:, None, None, None]
    seen = np.clip((patches - body) / (2 * spread + _LEAST_SPREAD), -_RANGE, _RANGE)
    expected = np.array([_expected(one) for one in drift], np.float32)
    return np.asarray(np.concatenate([seen, expected[..., None]], axis=-1), np.float32)


def _expected(drift: Floats) -> Singles:
    """What a flat die would cover: 1 on its upper face, -1 on its sides, 0 elsewhere."""
    side = PATCH_PX / PATCH_SIDES
    upper = (PATCH_PX - 1) / 2 + side / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    mask = np.zeros((PATCH_PX, PATCH_PX), np.float32)
    whole = cv2.convexHull(np.vstack([upper, upper - side * drift]).astype(np.float32))
    for outline, value in ((whole, -1.0), (upper, 1.0)):
        corners = np.rint(outline * (1 << _FINE_BITS)).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, value, cv2.LINE_8, _FINE_BITS)
    return mask


def scores(xp: ModuleType, weights: Weights, inputs: Any) -> tuple[Any, Any]:
    """Log-odds of the classes (n x 7, but for a constant) and of lying flat (n)."""
    out = judged(xp, weights, [encoded(xp, weights, inputs)])
    return out[:, :_CLASSES], out[:, _CLASSES]


def judge(picture: Picture, pose: CameraPose, height: float, squares: Floats, turns: int = 1) -> tuple[Floats, Floats]:
    """Log-probabilities of the classes (n x 7), and log-odds (nats; n) of lying flat to leaning, of some squares.

    `squares`: n x 4: x, y, side in board units, and angle in radians, clockwise from above, measured in the plane
    `height` (board units). `turns`: mirrored and turned images that are averaged, at most 8.
    """
    patches = np.array([_patch(picture, pose, height, square) for square in squares], np.float32)
    slope = (squares[:, :2] - pose.centre[:2]) / (pose.centre[2] - height) * (1, -1)
    cos, sin = np.cos(squares[:, 3]), np.sin(squares[:, 3])
    drift = np.column_stack([cos * slope[:, 0] + sin * slope[:, 1], cos * slope[:, 1] - sin * slope[:, 0]])
    inputs = network_input(patches, drift)
    logs, flat = np.zeros((len(squares), _CLASSES)), np.zeros(len(squares))
    for turn in range(turns):
        out, lies = scores(np, load_weights(__package__, "faces.npz"), turned(inputs, turn))
        out = out - out.max(axis=1, keepdims=True)
        logs += (out - np.log(np.exp(out).sum(axis=1, keepdims=True))) / turns
        flat += lies / turns
    return logs, flat


def may_lack_pips(picture: Picture, pose: CameraPose, height: float, square: Floats) -> bool:
    """Whether a face is saturated and its pips are so faint that some may have vanished; `square`: see `judge`."""
    face = _face_pixels(picture, pose, height, square)
    pip = np.sort(face.min(axis=1))[_PIP_PIXELS - 1]
    return bool(np.median(face, axis=0).min() >= _SATURATED and pip > _FAINT)


def face_colour(picture: Picture, pose: CameraPose, height: float, square: Floats) -> Floats:
    """Median colour (BGR) of a face; `square`: see `judge`."""
    return np.asarray(np.median(_face_pixels(picture, pose, height, square), axis=0))


def _face_pixels(picture: Picture, pose: CameraPose, height: float, square: Floats) -> Picture:
    """The pixels (n x 3) of a face without its edges."""
    return _patch(picture, pose, height, square)[_FACE, _FACE].reshape(-1, 3)


def _patch(picture: Picture, pose: CameraPose, height: float, square: Floats) -> Picture:
    """The patch of a square, from an image twice as fine: large pictures have finer pixels than a patch."""
    x, y, side, turn = square
    step, fine = side * PATCH_SIDES / (2 * PATCH_PX), 2 * PATCH_PX
    cos, sin, middle = step * np.cos(turn), step * np.sin(turn), (fine - 1) / 2
    to_board = np.array(
        [[cos, -sin, x - middle * (cos - sin)], [-sin, -cos, y + middle * (cos + sin)], [0.0, 0.0, 1.0]]
    )
    seen = warp(picture, pose.plane(height) @ to_board, (fine, fine))
    return np.asarray(cv2.resize(seen, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA), np.uint8)
