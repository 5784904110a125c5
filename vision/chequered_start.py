"""Refine a located chequered board at full resolution and orient it by the starting position of checkers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.chequered import SQUARES, find_chequers
from vision.discs import gradient, roundness_maps, to_lab
from vision.geometry import project
from vision.locate import Located, shrink
from vision.plane_view import view_plane

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.plane_view import PlaneView

    Floats = NDArray[np.float64]

SCALE = 40.0
"""Resolution of the rectified view, in pixels a square."""
MARGIN = 0.5
"""Margin of that view, in squares."""
WINDOW_PX = 6
"""Half the window of `cv2.cornerSubPix`."""
NEAR_PX = 5.0
"""Largest distance of a refined corner from the approximate lattice; farther ones were displaced by a piece."""
RADII = (0.30, 0.34, 0.38, 0.42, 0.46)
"""Radii of pieces tried, in squares."""
REACH_PX = 7
"""Largest distance of a piece's centre from its square's middle."""
EDGE_PX = 1.0
"""Standard deviation of the blur before corners are refined."""


@dataclass(frozen=True, slots=True)
class StartSeen:
    """A board oriented by a starting position.

    Attributes:
        corners: 4 x 2 pixels: bottom-left, bottom-right, top-right, top-left; White at the bottom or at the top.
        agreement: share, 0 to 1, of the 64 squares that are taken or empty as at the start.
    """

    corners: Floats
    agreement: float


def sharpen(picture: Picture, homography: Floats) -> Floats:
    """Homography from squares to pixels, refined below a pixel at the 49 inner corners."""
    view = view_plane(picture, homography, (SQUARES, SQUARES), SCALE, MARGIN)
    inner = np.stack(np.meshgrid(np.arange(1, SQUARES), np.arange(1, SQUARES)), axis=-1).reshape(-1, 2)
    squares = inner.astype(np.float64)
    expected = view.place(squares)
    channels = cv2.split(cv2.GaussianBlur(to_lab(view.image), (0, 0), EDGE_PX))
    clearest = max(channels, key=lambda channel: float(channel.std()))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    start = expected.astype(np.float32).reshape(-1, 1, 2).copy()
    measured = cv2.cornerSubPix(clearest, start, (WINDOW_PX, WINDOW_PX), (-1, -1), stop).reshape(-1, 2)
    near = np.hypot(*(measured - expected).T) < NEAR_PX
    if near.sum() < 12:
        return homography
    found = view.back(measured[near].astype(np.float64))
    better = np.asarray(cv2.findHomography(squares[near], found, cv2.RANSAC, 1.5)[0], np.float64)
    return better if better.shape == (3, 3) else homography


def turn_to_start(picture: Picture, homography: Floats) -> StartSeen:
    """Orient the board so that the pieces stand in the three rows nearest to and farthest from White.

    The pieces determine the quarter turn only; the bottom is the side that lies lower in the picture.
    """
    view = view_plane(picture, homography, (SQUARES, SQUARES), SCALE, MARGIN)
    taken = _pieces(view)
    quarter = max(range(2), key=lambda turns: _agreement(np.rot90(taken, turns)))
    square = np.array([[0, 0], [SQUARES, 0], [SQUARES, SQUARES], [0, SQUARES]], np.float64)
    corners = np.roll(project(homography, square), -quarter, axis=0)
    if corners[:2, 1].sum() < corners[2:, 1].sum():
        corners = np.roll(corners, 2, axis=0)
    return StartSeen(corners, _agreement(np.rot90(taken, quarter)))


def _pieces(view: PlaneView) -> Floats:
    """Radial symmetry of each square's content: 8 x 8, row 0 at the edge y = 0 of the board."""
    maps = roundness_maps(gradient(to_lab(view.image)), [radius * SCALE for radius in RADII])
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * REACH_PX + 1, 2 * REACH_PX + 1))
    spread = [cv2.dilate(one, near) for one in maps]
    middles = np.stack(np.meshgrid(np.arange(SQUARES) + 0.5, np.arange(SQUARES) + 0.5), axis=-1).reshape(-1, 2)
    column, row = np.rint(view.place(middles)).astype(np.intp).T
    best = max((one[row, column] for one in spread), key=lambda values: float(np.sort(values)[-24:].sum()))
    return np.asarray(best.reshape(SQUARES, SQUARES), np.float64)


def start_squares() -> NDArray[np.bool_]:
    """Mask of the squares taken at the start: 8 x 8, row 0 at White's edge, column 0 at White's left, a dark corner."""
    row, column = np.indices((SQUARES, SQUARES))
    taken: NDArray[np.bool_] = ((row + column) % 2 == 0) & ((row < 3) | (row > 4))
    return taken


def _agreement(roundness: Floats) -> float:
    """Share of the squares that match the start, at the best threshold of radial symmetry."""
    expected = start_squares()
    thresholds = np.quantile(roundness, np.linspace(0.3, 0.9, 25))
    return float(max(((roundness > level) == expected).mean() for level in thresholds))


def find_chequered_board(image: Picture) -> Located | None:
    """The best candidate for a chequered board with the starting position; None where there is none."""
    small, factor = shrink(image)
    chequers = find_chequers(small)
    if chequers is None:
        return None
    start = turn_to_start(image, sharpen(image, np.diag([factor, factor, 1.0]) @ chequers.homography))
    return Located(start.corners, round(start.agreement * min(1.0, 0.3 + chequers.corners_seen), 3))
