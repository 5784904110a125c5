"""Find a chequered board: the lattice of square corners, refined, with the starting position on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import Located, shrink
from vision.geometry import project, view_plane
from vision.imaging import ellipse, find_lattice, find_saddles, roundness_maps, to_lab

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.geometry import PlaneView


SQUARES = 8
"""Squares along an edge."""
_OUTLINE = np.array([[0, 0], [SQUARES, 0], [SQUARES, SQUARES], [0, SQUARES]], np.float64)
_ROW, _COLUMN = np.indices((SQUARES, SQUARES))
START_SQUARES: Bools = ((_ROW + _COLUMN) % 2 == 0) & ((_ROW < 3) | (_ROW > 4))
"""Mask of the squares taken at the start: 8 x 8, row 0 at White's edge, column 0 at White's left, a dark corner."""
FEWEST_CORNERS = 16
"""Least number of corners in a lattice."""
FEWEST_SEEN = 0.5
"""Least share of the 49 inner corners."""
START_CONFIDENCE = 0.7
"""Least confidence of an accepted board: black men on black squares are hardly seen to be round, nor white ones beside
white squares. Calibrating checks every square: of 150 later pictures (62 photographs) it learns twelve, and all of them
show the starting position."""
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


def find_chequers(picture: Picture) -> tuple[Floats, float] | None:
    """Locate a board of eight by eight squares in a picture; None if there is no lattice of squares.

    Returns the homography from squares (0 to 8 each way, White's side undetermined) to pixels, and the share of the 49
    inner corners that were seen.
    """
    small, factor = shrink(picture)
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
    squares, seen = max(boards, key=lambda board: board[1])
    return (np.diag([factor, factor, 1.0]) @ squares, seen) if seen > FEWEST_SEEN else None


def contrasts(lab: Singles, homography: Floats, places: Floats) -> Singles:
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


def _window(lab: Singles, homography: Floats, found: Floats) -> tuple[Floats, float]:
    """Find the eight by eight squares of a lattice: colours alternate at the corners inside and not around them.

    `homography`: lattice to pixels; `found`: n x 2 pixels, the lattice's corners that were seen.
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
    return homography @ middle, float(inner[row, column]) / 49


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
    # Least median of squares, not RANSAC: with a threshold, a few corners of uneven squares would place the others.
    better = np.asarray(cv2.findHomography(squares[near], found, cv2.LMEDS)[0], np.float64)
    return better if better.shape == (3, 3) else homography


def turn_to_start(picture: Picture, homography: Floats) -> tuple[Floats, float]:
    """Orient the board so that the pieces stand in the three rows nearest to and farthest from White.

    The pieces determine the quarter turn only; the bottom is the side that lies lower in the picture.

    Returns:
        The corners (4 x 2 pixels: bottom-left, bottom-right, top-right, top-left; White at the bottom or at the top),
        and the share, 0 to 1, of the 64 squares that are taken or empty as at the start.
    """
    view = view_plane(picture, homography, (SQUARES, SQUARES), SCALE, MARGIN)
    taken = _pieces(view)
    quarter = max(range(2), key=lambda turns: _agreement(np.rot90(taken, turns)))
    corners = np.roll(project(homography, _OUTLINE), -quarter, axis=0)
    if corners[:2, 1].sum() < corners[2:, 1].sum():
        corners = np.roll(corners, 2, axis=0)
    return corners, _agreement(np.rot90(taken, quarter))


def _pieces(view: PlaneView) -> Floats:
    """Radial symmetry of each square's content: 8 x 8, row 0 at the edge y = 0 of the board."""
    maps = roundness_maps(to_lab(view.image), [radius * SCALE for radius in RADII])
    spread = [cv2.dilate(one, ellipse(2 * REACH_PX)) for one in maps]
    middles = np.stack(np.meshgrid(np.arange(SQUARES) + 0.5, np.arange(SQUARES) + 0.5), axis=-1).reshape(-1, 2)
    column, row = np.rint(view.place(middles)).astype(np.intp).T
    best = max((one[row, column] for one in spread), key=lambda values: float(np.sort(values)[-24:].sum()))
    return np.asarray(best.reshape(SQUARES, SQUARES), np.float64)


def _agreement(roundness: Floats) -> float:
    """Share of the squares that match the start, at the best threshold of radial symmetry."""
    thresholds = np.quantile(roundness, np.linspace(0.3, 0.9, 25))
    return float(max(((roundness > level) == START_SQUARES).mean() for level in thresholds))


def find_chequered_board(image: Picture) -> Located | None:
    """The best candidate for a chequered board with the starting position; None where there is none."""
    chequers = find_chequers(image)
    if chequers is None:
        return None
    squares, seen = chequers
    corners, agreement = turn_to_start(image, sharpen(image, squares))
    return Located(corners, round(agreement * min(1.0, 0.3 + seen), 3))


_OFF = 0.07
"""Largest error of marked corners, in widths of the board; more than half a square would be another square."""
_SEEN = 0.8
"""Least share of the inner corners for which the located board replaces the marks."""


def refine_corners(picture: Picture, corners: Floats) -> Floats:
    """Corners of the 64 squares, refined where the squares meet; the given ones if the result differs too much.

    `corners`: 4 x 2 pixels, approximate; their order, which determines White's side, is kept.
    """
    width = float(np.linalg.norm(np.diff(corners, axis=0), axis=1).max())
    nearest = nearest_board(picture, corners)
    if nearest is not None and np.abs(nearest - corners).max() < _OFF * width:
        return nearest
    marked = cv2.getPerspectiveTransform(_OUTLINE.astype(np.float32), corners.astype(np.float32))
    measured = project(sharpen(picture, np.asarray(marked, np.float64)), _OUTLINE)
    return measured if np.abs(measured - corners).max() < _OFF * width else corners


def nearest_board(picture: Picture, corners: Floats) -> Floats | None:
    """Corners of the 64 squares wherever they are seen, in the order nearest to `corners`; None if not seen."""
    found = find_chequers(picture)
    if found is None or found[1] < _SEEN:
        return None
    measured = project(sharpen(picture, found[0]), _OUTLINE)
    turned = [np.roll(measured, turns, axis=0) for turns in range(len(measured))]
    off = [float(np.abs(one - corners).max()) for one in turned]
    return turned[off.index(min(off))]
