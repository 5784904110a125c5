"""Locate a board of eight by eight squares by the saddle points where its squares meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.discs import to_lab
from vision.geometry import project
from vision.saddles import find_lattice, find_saddles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture

    Floats = NDArray[np.float64]

SQUARES = 8
"""Squares along an edge."""
FEWEST_CORNERS = 16
"""Least number of corners in a lattice."""
FEWEST_SEEN = 0.5
"""Least share of the 49 inner corners."""
BASES = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 1, 0), (0, 1, 0), (0, 0, 1)),
    ((1, -1, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (1, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (-1, 1, 0), (0, 0, 1)),
)
"""Transforms of lattice places: identity, and four that undo the shear of a lattice whose first step was a diagonal."""
REACH = 9
"""Distance from the lattice's first corner, in squares, up to which the board may reach."""
QUADRANT = 0.15
"""Distance from a corner, in squares each way, at which the four squares' colours are compared; clear of the pieces."""
AGREES = 0.35
"""Least contrast of neighbouring squares, with its sign, over the median contrast."""


@dataclass(frozen=True, slots=True)
class Chequers:
    """A located board of eight by eight squares; White's side is undetermined.

    Attributes:
        homography: 3 x 3, from squares (0 to 8 each way) to pixels.
        corners_seen: share, 0 to 1, of the 49 inner corners that were seen.
    """

    homography: Floats
    corners_seen: float


def find_chequers(small: Picture) -> Chequers | None:
    """Locate the board in a picture some 640 wide; None if there is no lattice of squares."""
    lab = to_lab(small)
    points = find_saddles(lab)
    lattice = find_lattice(points)
    if len(lattice) < FEWEST_CORNERS:
        return None
    places = np.array(list(lattice), np.float64)
    homography = np.asarray(cv2.findHomography(places, points[list(lattice.values())], cv2.RANSAC, 2.0)[0], np.float64)
    if homography.shape != (3, 3):
        return None
    found = points[list(lattice.values())]
    boards = [_window(lab, homography @ np.array(basis), found) for basis in BASES]
    best = max(boards, key=lambda board: board.corners_seen)
    return best if best.corners_seen > FEWEST_SEEN else None


def contrasts(lab: NDArray[np.float32], homography: Floats, places: Floats) -> NDArray[np.float32]:
    """Colour differences between neighbours of the four squares that meet at each lattice place.

    Returns n x 4 x 3: four pairs of neighbours, Lab, with signs that agree at all inner corners of a board.
    """
    smooth = cv2.GaussianBlur(lab, (0, 0), 1.0)
    squares = []
    for around in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        at = project(homography, places + QUADRANT * np.array(around)).astype(np.float32)
        sampled = cv2.remap(smooth, at[:, None, 0], at[:, None, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        squares.append(sampled[:, 0])
    parity = np.where(places.sum(axis=1) % 2 == 0, 1, -1)[:, None]
    pairs = [(squares[k] - squares[(k + 1) % 4]) * parity * (-1) ** k for k in range(4)]
    return np.asarray(np.stack(pairs, axis=1), np.float32)


def _window(lab: NDArray[np.float32], homography: Floats, found: Floats) -> Chequers:
    """Find the eight by eight squares of a lattice: colours alternate at the corners inside and not around them.

    Args:
        lab: the picture.
        homography: lattice to pixels.
        found: n x 2 pixels, the lattice's corners that were seen.
    """
    if np.linalg.det(homography) > 0:  # with y downwards, a picture of a board turns the other way round
        homography = homography @ np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    known = np.round(project(np.asarray(np.linalg.inv(homography), np.float64), found))
    usual = np.median(contrasts(lab, homography, known).reshape(-1, 3), axis=0)
    span = np.arange(-REACH, REACH + 1)
    places = np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2).astype(np.float64)
    ahead = np.column_stack([places, np.ones(len(places))]) @ homography[2] * homography[2, 2] > 0
    agree = ahead & ((contrasts(lab, homography, places) @ usual).min(axis=1) > AGREES * (usual @ usual))
    grid = agree.reshape(len(span), len(span)).astype(np.float32)
    inner = cv2.filter2D(grid, -1, np.ones((7, 7), np.float32), borderType=cv2.BORDER_CONSTANT)
    around = cv2.filter2D(grid, -1, np.ones((9, 9), np.float32), borderType=cv2.BORDER_CONSTANT) - inner
    row, column = np.unravel_index(int((inner - around).argmax()), inner.shape)
    middle = np.array([[1.0, 0, span[column] - SQUARES / 2], [0, 1, span[row] - SQUARES / 2], [0, 0, 1]])
    return Chequers(homography @ middle, float(inner[row, column]) / 49)
