"""Fit the camera to twelve tiles in a line, and recognise the starting position beside them."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import BLACK, EMPTY, WHITE, Located, shrink, start_places
from vision.geometry import COLUMNS, FOCAL_PRIOR, BoardFit, lens_matrix, project, unusual_focal_nats
from vision.imaging import colour_at, colour_distance, to_lab
from vision.tiles.row import find_tile_rows, fit_line

if TYPE_CHECKING:
    from vision.arrays import Floats, Ints, Picture, Singles


DEPTH = 2.0
"""Depth of the spaces beside the tiles, in tiles; five cubes in two files need less than one."""
HEIGHT = 2 * DEPTH + 1
"""Depth of the whole playing area, in tiles."""
THICKNESS = 0.12
"""Thickness of a tile over its side; the spaces lie lower than the tiles' faces by this."""
BEVEL = 0.025
"""Distance of a tile's face from the edge of its square, in tiles: gap and rounded edge."""
ACROSS = 0.07
"""Distance to either side of an edge, in tiles, at which colours are compared."""
SHARPER = (0.10, 0.10, 0.07, 0.07, 0.05, 0.05, 0.035, 0.035)
"""Values of that distance during refinement, coarse to fine, each used twice."""
ALONG = np.linspace(0.1, COLUMNS - 0.1, 120)
"""Places along the row, in tiles, at which they are compared."""
CLEAR_LAB = 20.0
"""Colour difference (Lab, 8-bit) above which an edge counts no more."""
CONTRAST_NATS, TINY = 50.0, 1e-6
"""Nats for a contrast that is greater by a factor of e, and the least contrast that counts. The contrast of boards
drawn at angles of 31 to 40 degrees is 2 to 8 % greater with their focal length than with the usual one. Of 60 starts of
30 to 75 degrees 58 are located and learned, with the usual focal length 54."""
FOCAL_STEP, FOCALS = 1.2, (0.35, 2.3)
"""Factor between focal lengths that are tried, and their range: angles of view of 25 to 110 degrees."""
CUBES = (0.2, 0.35, 0.5)
"""Distances from the tiles, in tiles, at which cubes are sampled; the first cubes stand nearest."""
FILE_OFFSET_TILES = 0.16
"""Distance of the two files of cubes from the middle of their space, in tiles."""
NEARBY = np.arange(-2, 3)
"""Columns whose spaces, most of them empty in the starting position, show the table beside a tile."""


def fit_tiles(lab: Singles, centres: Floats) -> tuple[BoardFit, float]:
    """Fit the camera over the playing area (twelve tiles wide, five deep) to the tiles' centres (12 x 2 px).

    `lab`: the smoothed picture (CIE Lab). Returns the fit, and the contrast at the tiles' edges (mean colour
    difference), by which fits are compared.
    """
    size = lab.shape[1], lab.shape[0]
    start, along = _line_in_space(centres, size)
    # The centres leave the turn about the row's axis open; the contrast at the tiles' long edges determines it.
    sideways = np.cross(along, start)
    sideways /= np.linalg.norm(sideways)
    towards = np.cross(sideways, along)
    best, most = None, -np.inf
    for angle in np.radians(np.arange(-70.0, 71.0, 2.0)):
        away = np.cos(angle) * sideways + np.sin(angle) * towards
        for shift in np.arange(-0.12, 0.121, 0.03):
            fit = _board(start + shift * away, along, away, size)
            if not _seen_from_above(fit):
                continue
            contrast = _edges_contrast(lab, fit)
            if contrast > most:
                best, most = fit, contrast
    return _sharpen(lab, best if best is not None else _board(start, along, sideways, size))


def _sharpen(lab: Singles, fit: BoardFit) -> tuple[BoardFit, float]:
    """Refine the pose by coordinate ascent on the contrast at the tiles' edges (six parameters, shrinking steps)."""
    most = -np.inf
    for across in SHARPER:
        most = _contrast(lab, fit, across)
        for way in np.eye(6):
            for sign in (1.0, -1.0):
                while True:
                    step = sign * 0.3 * across * way
                    moved = _moved(fit, step[:3] / 4.0, step[3:])
                    contrast = _contrast(lab, moved, across)
                    if contrast <= most:
                        break
                    fit, most = moved, contrast
    return fit, most


def _with_lens(lab: Singles, fit: BoardFit) -> BoardFit:
    """Refine the pose once more, and the focal length: with another one, edges far from the middle are missed."""
    middle = cv2.Rodrigues(fit.rotation)[0] @ np.array([COLUMNS / 2, HEIGHT / 2, 0.0]) + fit.shift

    def refined(focal: float) -> tuple[float, BoardFit]:
        back = np.array([0.0, 0.0, middle[2] * (focal / fit.focal - 1)])
        found, contrast = _sharpen(lab, replace(fit, focal=focal, shift=fit.shift + back))
        return CONTRAST_NATS * log(max(contrast, TINY)) - unusual_focal_nats(focal), found

    best = usual = refined(fit.focal)
    for factor in (FOCAL_STEP, 1 / FOCAL_STEP):
        last = usual
        while FOCALS[0] < (focal := last[1].focal * factor) < FOCALS[1] and (further := refined(focal))[0] > last[0]:
            last = further
        best = max(best, last, key=lambda one: one[0])
    return best[1]


def _moved(fit: BoardFit, turn: Floats, shift: Floats) -> BoardFit:
    """Fit with the board turned about its middle (radians, its own axes) and shifted along its own axes (tiles)."""
    rotation = cv2.Rodrigues(fit.rotation)[0]
    middle = np.array([COLUMNS / 2, HEIGHT / 2, 0.0])
    turned = np.asarray(rotation @ cv2.Rodrigues(turn)[0], np.float64)
    moved = rotation @ (middle + shift) + fit.shift - turned @ middle
    return replace(fit, rotation=_rodrigues(turned), shift=moved)


def _contrast(lab: Singles, fit: BoardFit, across: float) -> float:
    """Contrast at the row's long edges and at the edges between its tiles."""
    y = np.linspace(DEPTH + 0.15, DEPTH + 0.85, 8)
    places = np.array([(x + d, b) for d in (-across, across) for x in range(1, COLUMNS) for b in y])
    left, right = np.split(_colours(lab, fit.plane(0.0), places), 2)
    steps = float(np.minimum(np.linalg.norm(left - right, axis=1), CLEAR_LAB).mean())
    return steps + _edges_contrast(lab, fit, across)


def _line_in_space(centres: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """First centre and the step to the next, in tiles and camera coordinates, for the prior focal length."""
    ax, bx, ay, by, c = fit_line(centres)
    to_ray = np.linalg.inv(lens_matrix(FOCAL_PRIOR, size))
    along, start = to_ray @ [ax, ay, c], to_ray @ [bx, by, 1.0]
    unit = np.linalg.norm(along)
    return start / unit, along / unit


def _board(start: Floats, along: Floats, away: Floats, size: tuple[int, int]) -> BoardFit:
    """The fit whose first tile's centre is `start`, with x along the row and y in direction `away`."""
    rotation = _rodrigues(np.column_stack([along, away, np.cross(along, away)]))
    corner = start - 0.5 * along - HEIGHT / 2 * away
    return BoardFit(FOCAL_PRIOR, rotation, corner, 0.0, HEIGHT, 1.0, size)


def _rodrigues(rotation: Floats) -> Floats:
    """The Rodrigues vector of a rotation matrix."""
    return np.asarray(cv2.Rodrigues(rotation)[0].ravel(), np.float64)


def _seen_from_above(fit: BoardFit) -> bool:
    """Whether the table's upper side faces an upright camera: the far side of the table is higher up in the picture."""
    normal = cv2.Rodrigues(fit.rotation)[0][:, 2]
    return bool(fit.camera[2] > 0 and normal[1] < 0.1)


def contrast_across(lab: Singles, onto: Floats, edges: Floats, middles: Floats, across: float) -> float:
    """Mean colour difference across edges of the tiles' faces.

    The inner sample must also resemble the middle of its tile, because a tile's side may show beyond the edge of its
    face. `lab`: smoothed picture (CIE Lab); `onto`: 3 x 3 homography from the faces' plane, in tiles, to its pixels;
    `edges`, `middles`: places on edges and in the middles of their tiles (n x 2); `across`: distance to either side.
    """
    inwards = middles - edges
    inwards *= across / np.linalg.norm(inwards, axis=1, keepdims=True)
    inner, outer, within = np.split(_colours(lab, onto, np.concatenate([edges + inwards, edges - inwards, middles])), 3)
    step = np.minimum(np.linalg.norm(inner - outer, axis=1), CLEAR_LAB)
    stray = np.minimum(np.linalg.norm(inner - within, axis=1), CLEAR_LAB)
    return float((step - stray).mean())


def _edges_contrast(lab: Singles, fit: BoardFit, across: float = ACROSS) -> float:
    """Sum of the contrasts at both long edges of the row."""
    middles = np.column_stack([ALONG, np.full_like(ALONG, HEIGHT / 2)])
    ways = ((0.0, way * (0.5 - BEVEL)) for way in (-1, 1))
    return sum(contrast_across(lab, fit.plane(0.0), middles + way, middles, across) for way in ways)


def _colours(lab: Singles, onto: Floats, places: Floats) -> Singles:
    at = project(onto, places).astype(np.float32)
    sampled = cv2.remap(lab, at[:, None, 0], at[:, None, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = sampled[:, 0]
    return np.asarray(colours, np.float32)


def turn_to_start(sharp: Singles, lab: Singles, fit: BoardFit, mirror: bool) -> tuple[Floats, float]:
    """Corners of the playing area as White sits, and the share of the 24 spaces that match the starting position.

    `sharp`: the picture (CIE Lab); `lab`: the same, smoothed.

    Tiles of the table's colour may put the row one or two tiles off. Shifted rows are tried too, and fitted anew if
    they match better.
    """
    offset, half_turn, share = _best_match(sharp, fit, mirror)
    if offset:
        middles = np.array([(column + 0.5 + offset, HEIGHT / 2) for column in range(COLUMNS)])
        again, _ = fit_tiles(lab, project(fit.plane(0.0), middles))
        better = _best_match(sharp, again, mirror)
        if better[2] >= share:
            fit, (offset, half_turn, share) = again, better
    return _corners(fit, offset, half_turn), share


def _best_match(sharp: Singles, fit: BoardFit, mirror: bool) -> tuple[int, bool, float]:
    """Offset of the row in tiles, whether White sits on its far side, and the share of the spaces that match."""
    places = start_places(mirror)
    start = np.full((2, COLUMNS), EMPTY)
    start[places.top.astype(np.intp), places.column] = places.colour
    colours = _space_colours(sharp, fit)
    ways = [(offset, half_turn) for offset in (0, -1, 1, -2, 2) for half_turn in (False, True)]
    shares = [
        _share(colours[:, 2 + offset : 2 + offset + COLUMNS], start[::-1, ::-1] if half_turn else start)
        for offset, half_turn in ways
    ]
    best = int(np.argmax(shares))
    return *ways[best], shares[best]


def _space_colours(lab: Singles, fit: BoardFit) -> Singles:
    """Colours of the spaces: 2 (near, far) x 16 x 3 Lab, with two columns more at either end, as in even light.

    Cubes stand in two files with gaps, so of several samples the one that differs most from the table is taken. The
    table is what most spaces nearby show at the same distance from the tiles: lamps and the tiles' shadows fall on it.
    """
    columns = np.arange(-2, COLUMNS + 2) + 0.5
    tile_px = float(np.hypot(*np.diff(project(fit.plane(0.0), np.array([[6.0, 2.5], [7.0, 2.5]])), axis=0)[0]))
    spots = []
    for aside in (-FILE_OFFSET_TILES, FILE_OFFSET_TILES):
        for out in CUBES:
            away = (DEPTH - out, DEPTH + 1 + out)
            places = project(fit.plane(0.0), np.array([(x + aside, y) for y in away for x in columns]))
            spots.append([colour_at(lab, x, y, 0.13 * tile_px) for x, y in places])
    colours = np.nan_to_num(np.array(spots, np.float32)).reshape(len(spots), 2, -1, 3)
    near = np.clip(np.arange(len(columns))[:, None] + NEARBY, 0, len(columns) - 1)
    colours -= np.median(colours[:, :, near], axis=3)
    unlike = colour_distance(colours, np.zeros(3, np.float32))
    least_like = np.take_along_axis(colours, unlike.argmax(axis=0)[None, ..., None], axis=0)[0]
    return np.asarray(least_like, np.float32)


def _share(colours: Singles, wanted: Ints) -> float:
    """Share of the spaces whose nearest colour class (table, White's or Black's cubes) equals `wanted`."""
    kinds = [np.median(colours[wanted == kind], axis=0) for kind in (WHITE, BLACK, EMPTY)]
    nearest = np.argmin([colour_distance(colours, kind) for kind in kinds], axis=0)
    return float((nearest == wanted).mean())


def _corners(fit: BoardFit, offset: int, half_turn: bool) -> Floats:
    left, right = float(offset), float(offset + COLUMNS)
    area = np.array([[left, 0], [right, 0], [right, HEIGHT], [left, HEIGHT]])
    seen = project(fit.plane(-THICKNESS), area)
    return np.roll(seen, 2, axis=0) if half_turn else seen


def find_tile_board(image: Picture, mirror: bool) -> Located | None:
    """The best candidate for a row of twelve tiles with the starting position; None where there is none."""
    small, factor = shrink(image)
    sharp = to_lab(image)
    lab = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.0), np.float32)
    fitted = [(*fit_tiles(lab, centres * factor), share) for centres, share in find_tile_rows(small)]
    if not fitted:
        return None
    fit, _, alternating = max(fitted, key=lambda one: one[1] * one[2])
    fit = _with_lens(lab, fit)
    corners, share = turn_to_start(sharp, lab, fit, mirror)
    return Located(corners, round(share * alternating, 3))
