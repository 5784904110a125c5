"""Faces of dice: pips that stand out from their surroundings, and the likelihood of each of the six numbers.

A face is one colour with pips of one other colour at some of the nine places of a three by three lattice. Beyond its
edges is another colour. Nothing else is assumed: not which colour, nor which of the two is brighter.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles


PATTERNS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 8)),
    (2, (2, 6)),
    (3, (0, 4, 8)),
    (3, (2, 4, 6)),
    (4, (0, 2, 6, 8)),
    (5, (0, 2, 4, 6, 8)),
    (6, (0, 2, 3, 5, 6, 8)),
    (6, (0, 1, 2, 6, 7, 8)),
)
"""Each number and which of the nine lattice places, row by row, have a pip. Numbers that a quarter turn changes occur
twice."""
VALUES = np.array([value for value, _ in PATTERNS])
USUAL_PITCH = 0.26
"""Distance of neighbouring lattice places, in sides of the die: dice on sale have 0.23 to 0.30."""
_BORDER, _BESIDE = 0.415, 0.13
"""Sample places near the face's edges, in sides from its middle: clear of the rounded edges of a die and of the
pips."""
_BEYOND = (0.60, 0.25)
"""Sample places outside the face, in sides: distance from its middle, and to both sides of the edge's middle."""
_FACE_SAMPLES = 21
"""Samples on the face: the first ones of `_places`."""
_NOISE = 4.0
"""Least standard deviation of samples of one colour, in grey levels: sensor noise and JPEG, after smoothing."""
_EDGE_CAP = 1.5
"""Largest evidence of one sample outside an edge, in nats: it matters that the colour differs, not by how much."""
_ON = np.array([[place in places for place in range(_FACE_SAMPLES)] for _, places in PATTERNS], np.float32)
_PIPS = _ON.sum(axis=1)
_PLAIN = _FACE_SAMPLES - _PIPS
"""Numbers of samples on and off the pips of each pattern."""


def _places() -> Singles:
    """Sample places (33 x 2) of a face: nine lattice places, four between them, eight at the border, twelve outside.

    The first thirteen are in pitches of the lattice, the others in sides; three lie outside each edge.
    """
    pips = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    between = [(x / 2, y / 2) for y in (-1, 1) for x in (-1, 1)]
    border = [(s * _BORDER, t * _BESIDE) for s in (-1, 1) for t in (-1, 1)]
    border += [(y, x) for x, y in border]
    far, aside = _BEYOND
    beyond = [(s * far, t) for s in (-1, 1) for t in (-aside, 0.0, aside)]
    beyond += [(y, x) for x, y in beyond]
    return np.array(pips + between + border + beyond, np.float32)


_PLACES = _places()
_ON_LATTICE = np.arange(len(_PLACES)) < 13
"""Mask of the sample places that scale with the pitch; the others scale with the side."""


def sample_faces(patch: Singles, squares: Singles) -> Singles:
    """A patch's colours (squares x samples x 3) at the places of a face.

    `squares` (n x 5) may be faces: x and y of the centre in pixels of the patch, angle in radians, side in pixels,
    pitch of the lattice in sides.
    """
    x, y, turn, side, pitch = squares.T[:, :, None]
    scale = np.where(_ON_LATTICE, pitch * side, side)
    cos, sin = np.cos(turn), np.sin(turn)
    along, across = scale * _PLACES[:, 0], scale * _PLACES[:, 1]
    u, v = x + cos * along - sin * across, y + sin * along + cos * across
    u, v = u.astype(np.float32), v.astype(np.float32)
    return np.asarray(cv2.remap(patch, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def pattern_nats(samples: Singles) -> Singles:
    """Log-likelihood ratio (nats; squares x patterns) of each pattern of `PATTERNS` to a square of one colour.

    `samples`: squares x samples x 3.
    """
    of_face, variance, as_one = _variances(samples)
    gain = as_one[:, None] / variance
    colour = (of_face / _PLAIN).transpose(0, 2, 1)
    past = samples[:, _FACE_SAMPLES:]
    cross = np.matmul(past, colour.transpose(0, 2, 1))
    away = (past**2).sum(axis=2)[:, :, None] + (colour**2).sum(axis=2)[:, None] - 2 * cross
    differs = np.minimum(0.5 * np.log1p(np.maximum(away, 0) / variance[:, None]), _EDGE_CAP)
    return np.asarray(_FACE_SAMPLES / 2 * np.log(gain) + differs.sum(axis=1), np.float32)


def pip_nats(samples: Singles) -> Singles:
    """Log-likelihood ratio (nats; squares) of the best pattern to a square of one colour, from the pips alone."""
    _, variance, as_one = _variances(samples)
    return np.asarray(_FACE_SAMPLES / 2 * np.log(as_one / variance.min(axis=1)), np.float32)


def _variances(samples: Singles) -> tuple[Singles, Singles, Singles]:
    """Of the samples on a face: their sums off the pips (squares x 3 x patterns), and two variances, noise included.

    The first is about the two colours of each pattern (squares x patterns), the second about one colour (squares).
    """
    face = np.ascontiguousarray(samples[:, :_FACE_SAMPLES].transpose(0, 2, 1))
    total, squares = face.sum(axis=2), np.einsum("hcn,hcn->h", face, face)
    of_pips = face @ _ON.T
    of_face = total[..., None] - of_pips
    left = squares[:, None] - ((of_pips**2) / _PIPS + (of_face**2) / _PLAIN).sum(axis=1)
    alike = squares - (total**2).sum(axis=1) / _FACE_SAMPLES
    variance, as_one = (np.maximum(one, 0) / _FACE_SAMPLES + _NOISE**2 for one in (left, alike))
    return of_face, variance, as_one


_RING = 0.15
"""Radius of the ring that a pip is compared with, in sides: a pip's radius is 0.07 to 0.11, and the next pip of a six
begins at 0.16 from its middle."""
_RING_RATIO = 1.4
"""Ratio of successive radii; a pip is found by any ring whose radius is right within this factor."""
_RING_PLACES = 12
"""Pixels sampled on a ring; more do not change the result."""
_STRETCH = 8
"""Number of neighbouring ones from which a pip at a corner of a face stands out: on a face of few pixels, the others
lie past its edges. Beside a straight edge, at most seven lie on one side of it."""
_LEAST_CONTRAST = 8.0
"""Least contrast of a pip to its ring, in grey levels: twice that of noise."""
_MOST = 12
"""Largest number of spots, those with the most contrast first: a die shows up to fifteen pips, six of them on the upper
face; those of its sides are elongated and fainter."""
_APART = 0.12
"""Spots nearer to each other than this, in sides of the smallest dice, count as one."""
_PITCHES = (0.245, 0.275)
"""Pitches of candidate squares, in sides; the refinement finds those in between."""
_TURNS = 5
"""Angles of the candidate squares around a single pip, over a quarter turn."""
_SIDE_RATIO = 1.16
"""Ratio of successive sides of the candidate squares around a single pip; they are refined afterwards."""


def find_pips(patch: Picture, smallest: float, largest: float, *, at_corners: bool = False) -> tuple[Singles, Singles]:
    """Find dark and bright spots (n x 2 each: x, y) that may be pips; sides of dice in pixels.

    They stand out from all of a ring around them; if `at_corners`, from `_STRETCH` neighbouring places on it. Beyond
    the patch its edge goes on, or pixels there would stand out from the few places inside.
    """
    dark = np.zeros_like(patch)
    bright = dark.copy()
    radius = smallest * _RING * _RING_RATIO**0.5
    while radius < largest * _RING * _RING_RATIO:
        rings = _rings(radius, _STRETCH if at_corners else _RING_PLACES)
        least = reduce(cv2.max, [cv2.erode(patch, ring, borderType=cv2.BORDER_REPLICATE) for ring in rings])
        most = reduce(cv2.min, [cv2.dilate(patch, ring, borderType=cv2.BORDER_REPLICATE) for ring in rings])
        cv2.max(dark, cv2.subtract(least, patch), dst=dark)
        cv2.max(bright, cv2.subtract(patch, most), dst=bright)
        radius *= _RING_RATIO
    return _peaks(_strongest(dark), _APART * smallest), _peaks(_strongest(bright), _APART * smallest)


def _strongest(contrast: Picture) -> Picture:
    """The largest contrast of the three channels at each pixel."""
    blue, green, red = cv2.split(contrast)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


@lru_cache
def _rings(radius: float, length: int) -> tuple[Picture, ...]:
    """Masks of each stretch of so many neighbouring places, of `_RING_PLACES` on a ring; one mask if they are all."""
    reach = int(np.ceil(radius))
    turns = np.arange(_RING_PLACES) * (2 * np.pi / _RING_PLACES)
    down, across = np.rint(reach + radius * np.array([np.sin(turns), np.cos(turns)])).astype(int)
    masks = np.zeros((_RING_PLACES, 2 * reach + 1, 2 * reach + 1), np.uint8)
    for first, mask in enumerate(masks):
        places = (first + np.arange(length)) % _RING_PLACES
        mask[down[places], across[places]] = 1
    return tuple(masks[:1] if length == _RING_PLACES else masks)


def _peaks(strength: Picture, apart: float) -> Singles:
    """Places (n x 2: x, y) of the largest values at least `apart` pixels from each other, largest first."""
    reach = max(1, round(apart))
    top = cv2.dilate(strength, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    y, x = np.nonzero((strength >= top) & (strength >= _LEAST_CONTRAST))
    order = np.argsort(-strength[y, x].astype(np.float32), kind="stable")
    kept: list[tuple[float, float]] = []
    for one in order:
        place = float(x[one]), float(y[one])
        if all(abs(place[0] - other[0]) > apart or abs(place[1] - other[1]) > apart for other in kept):
            kept.append(place)
        if len(kept) == _MOST:
            break
    return np.array(kept, np.float32).reshape(-1, 2)


def candidate_squares(pips: Singles, smallest: float, largest: float) -> Singles:
    """Candidate squares (n x 5, see `sample_faces`) around spots (n x 2).

    Two of these are opposite corner pips, or one is the middle pip.
    """
    one, other = np.triu_indices(len(pips), 1)
    across = pips[other] - pips[one]
    length = np.hypot(across[:, 0], across[:, 1])
    corner = 2 * np.sqrt(2)
    fits = (length > corner * _PITCHES[0] * smallest) & (length < corner * _PITCHES[1] * largest)
    middle = ((pips[one] + pips[other]) / 2)[fits]
    turn = np.arctan2(across[fits, 1], across[fits, 0]) - np.pi / 4
    parts = [
        (middle[:, 0], middle[:, 1], turn, length[fits] / (corner * pitch), np.full(len(turn), pitch))
        for pitch in _PITCHES
    ]
    side, turn = _squares_of_one_pip(smallest, largest)
    alone = np.repeat(pips, len(side), axis=0)
    side, turn = np.tile(side, len(pips)), np.tile(turn, len(pips))
    parts.append((alone[:, 0], alone[:, 1], turn, side, np.full(len(side), USUAL_PITCH)))
    return np.vstack([np.column_stack(part) for part in parts]).astype(np.float32)


@lru_cache
def _squares_of_one_pip(smallest: float, largest: float) -> tuple[Singles, Singles]:
    """Sides and angles of the candidate squares around a single pip."""
    sides = smallest * _SIDE_RATIO ** np.arange(0.5, np.log(largest / smallest) / np.log(_SIDE_RATIO))
    side, turn = np.meshgrid(sides, np.arange(_TURNS) * (np.pi / 2 / _TURNS), indexing="ij")
    return side.ravel().astype(np.float32), turn.ravel().astype(np.float32)
