"""Fit a pinhole camera to the discs of known checkers, refine it in the rectified picture, and verify it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.locate.search import find_start
from vision.backgammon.locate.stacks import FEWEST_LAB_APART
from vision.board import BLACK, HALF, WHITE, Located, shrink, start_places
from vision.geometry import (
    COLUMNS,
    FOCAL_PRIOR,
    FOCAL_SPREAD,
    BoardFit,
    least_squares,
    lens_matrix,
    project,
    view_plane,
)
from vision.imaging import colour_at, colour_distance, rim_reach, roundness_maps, to_lab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.backgammon.locate.search import Sighting
    from vision.board import CheckerPlaces
    from vision.geometry import PlaneView


PITCH_PRIOR, PITCH_SPREAD = 0.92, 0.06
"""Prior mean and standard deviation of the distance of neighbours in a stack, in columns: a checker is nearly as wide
as its column."""
FIRST = 0.53
"""Distance of the first checker's centre from the edge, in pitches. It touches the edge, or nearly."""
RIM_HEIGHT = 0.16
"""Height of a checker's visible outline, in pitches, between foot and upper rim (thickness about 0.25)."""
PLACING_ERROR = 0.07
"""Scale of the placing error of checkers, in columns (Cauchy loss)."""
MARKING_ERROR = 0.03
"""Standard deviation of corners marked by hand, in board widths: 0.01 for a careful hand, 0.05 with a wrong edge."""


def outline_centres(fit: BoardFit, places: CheckerPlaces) -> Floats:
    """Centres of the outlines of the checkers: n x 2 columns."""
    return places.positions(fit.bar, fit.height, fit.pitch, FIRST * fit.pitch)


def first_fit(sighting: Sighting, size: tuple[int, int]) -> BoardFit:
    """Initial fit from a rough sighting in a picture of this size, with a typical focal length."""
    across, away, shift = (np.linalg.inv(lens_matrix(FOCAL_PRIOR, size)) @ sighting.homography).T
    unit = math.copysign(np.linalg.norm(across), shift[2])
    across, away, shift = across / unit, away / unit, shift / unit
    pitch = float(np.linalg.norm(away))
    left, _, right = np.linalg.svd(np.column_stack([across, away / pitch, np.cross(across, away / pitch)]))
    rotation = cv2.Rodrigues(left @ right)[0].ravel()
    return BoardFit(FOCAL_PRIOR, rotation, shift, sighting.bar, sighting.height * pitch, pitch, size)


def fit_board(
    start: BoardFit, places: CheckerPlaces, seen: Floats, weights: Floats, marked: Floats | None = None
) -> BoardFit:
    """Least-squares fit of the board to the checkers `seen` (n x 2 pixels), whose nominal places are known.

    `weights`: of each (0: not seen); `marked`: corners of the playing area (4 x 2 pixels) as somebody marked them.
    """
    vector = np.array([math.log(start.focal), *start.rotation, *start.shift, start.bar, start.height, start.pitch])
    middle = np.array([[start.width / 2 - 0.5, start.height / 2], [start.width / 2 + 0.5, start.height / 2]])
    left, right = project(start.plane(0.0), middle)
    column_px = float(np.hypot(*(right - left)))
    marking_error = MARKING_ERROR * start.width * column_px

    def residuals(values: Floats) -> Floats:
        fit = _from_vector(values, start)
        off = project(fit.plane(RIM_HEIGHT * fit.pitch), outline_centres(fit, places)) - seen
        far = np.hypot(*off.T) / column_px / PLACING_ERROR
        # Cauchy loss as a residual: quadratic near the place, almost constant far from it.
        shrink = np.sqrt(np.log1p(far**2)) / np.maximum(far, 1e-9) * weights
        priors = (
            (values[0] - math.log(FOCAL_PRIOR)) / FOCAL_SPREAD,
            (fit.pitch - PITCH_PRIOR) / PITCH_SPREAD,
            min(fit.bar, 0.0) / 0.01,
        )
        moved = np.zeros(0) if marked is None else (playing_area(fit) - marked).ravel() / marking_error
        return np.concatenate([(off / column_px / PLACING_ERROR * shrink[:, None]).ravel(), priors, moved])

    return _from_vector(least_squares(residuals, vector), start)


def _from_vector(values: Floats, like: BoardFit) -> BoardFit:
    bar, height, pitch = (float(v) for v in values[7:10])
    return replace(
        like,
        focal=math.exp(min(max(values[0], -3.0), 3.0)),
        rotation=values[1:4],
        shift=values[4:7],
        bar=bar,
        height=height,
        pitch=pitch,
    )


SCALE = 40.0
"""Pixels a column in the rectified picture: a checker's radius is about 18."""
MARGIN = 1.0
"""Margin of the rectified picture round the playing area, in columns."""
RADII = (0.40, 0.43, 0.46, 0.49, 0.52)
"""Radii tried, in pitches: half a checker, less for a visible inner ring, more for a visible side."""
RADIUS_SETTLED = 0.035
"""Largest change of the radius from one round of the fit to the next, in pitches."""
REACH = 0.3
"""Search range about a checker's place, in pitches."""
REACHES_ACROSS = (0.6, REACH, REACH)
"""Search range across the columns in each round of the fit, in pitches: in a first fit, the outermost column may be
half a column off. The columns beside those of a starting position are empty; elsewhere a neighbour is farther off."""


def refine(picture: Picture, fit: BoardFit, places: CheckerPlaces, marked: Floats | None = None) -> BoardFit | None:
    """Measure the checkers in the rectified picture and fit the board to them, in several rounds.

    `marked`: see `fit_board`. None if the fit becomes implausible (see `BoardFit.possible`).
    """
    radii: Sequence[float] = RADII
    for across in REACHES_ACROSS:
        if not fit.possible:
            return None
        seen, roundness, radius = _measure(picture, fit, places, across, radii)
        fit = fit_board(fit, places, seen, roundness, marked)
        radii = [one for one in RADII if abs(one - radius) < RADIUS_SETTLED]
    return fit if fit.possible else None


def outline_view(picture: Picture, fit: BoardFit, margin: float = MARGIN) -> PlaneView:
    """The picture rectified at the height of the checkers' outlines; `margin` round the playing area, in columns."""
    return view_plane(picture, fit.plane(RIM_HEIGHT * fit.pitch), (fit.width, fit.height), SCALE, margin)


def roundness_by_radius(
    view: PlaneView, pitch: float, radii: Sequence[float] = RADII, among: Bools | None = None
) -> Singles:
    """Roundness maps of an `outline_view`, radii (pitches) x height x width; `among`: see `roundness_maps`."""
    return roundness_maps(to_lab(view.image), [radius * pitch * SCALE for radius in radii], among)


def _measure(
    picture: Picture, fit: BoardFit, places: CheckerPlaces, across: float, radii: Sequence[float]
) -> tuple[Floats, Floats, float]:
    """The roundest spot near every place: centres (n x 2, pixels of the picture), roundness (n), and the radius."""
    view = outline_view(picture, fit)
    found = _peaks(view, outline_centres(fit, places), fit.pitch, radii, across)
    best = max(range(len(radii)), key=lambda k: float(found[k][:, 2].sum()))
    return view.back(found[best][:, :2]), np.minimum(found[best][:, 2], 1.0), radii[best]


def _peaks(
    view: PlaneView, places: Floats, pitch: float, radii: Sequence[float], across: float = REACH
) -> list[Floats]:
    """For each radius (pitches): the roundest spot near every place, n x 3 (x, y in the view, roundness)."""
    reach = round(across * pitch * SCALE), round(REACH * pitch * SCALE)
    at, near = view.place(places), np.zeros(view.image.shape[:2], np.uint8)
    farthest = math.ceil(math.hypot(*reach) + rim_reach(max(radii) * pitch * SCALE))
    for x, y in np.rint(at).astype(int).tolist():
        cv2.circle(near, (x, y), farthest, 1, -1)
    maps = roundness_by_radius(view, pitch, radii, near > 0)
    return [np.array([_peak(one, x, y, reach) for x, y in at]) for one in maps]


def _peak(values: Singles, x: float, y: float, reach: tuple[int, int]) -> tuple[float, float, float]:
    """Subpixel place (x, y) and height of the maximum at most `reach` across and along; height 0 outside the map."""
    column, row = round(x), round(y)
    left, top = max(column - reach[0], 0), max(row - reach[1], 0)
    patch = values[top : row + reach[1] + 1, left : column + reach[0] + 1]
    if patch.size == 0 or patch.max() <= 0:
        return x, y, 0.0
    j, i = np.unravel_index(int(patch.argmax()), patch.shape)
    down, across = np.indices(patch.shape)
    # Centroid of the peak's upper fifth: votes are spread over about four pixels.
    mass = np.where((patch > 0.8 * patch.max()) & (np.hypot(down - j, across - i) < 4), patch, 0)
    total = mass.sum()
    return float((mass * across).sum() / total + left), float((mass * down).sum() / total + top), float(patch.max())


EDGE_REACH = 0.15
"""Search range about the edge expected from the checkers, in columns. The frame's upper rim is farther off."""
STEP = 0.0125
"""Distance of the lines tried, in columns."""
SAMPLES = 140
"""Number of samples on a line."""
CLEAR_LAB = 12.0
"""Largest change of colour (Lab) that counts, so that one bright checker does not dominate the line."""
PROMINENT = 0.6
"""Least contrast of an edge line, as a share of the strongest line's."""
HIDDEN_SLOPE = 0.05
"""Distance of the camera outside the edge, over its height above the board, above which the frame hides the edge. At
this value a frame half a column high hides 1/40 of a column."""


def seen_corners(picture: Picture, fit: BoardFit) -> Floats:
    """The playing area's corners (4 x 2 pixels); both edges as seen, or as fitted where no line is visible."""
    return playing_area(fit, *_seen_edges(picture, fit))


def playing_area(fit: BoardFit, near: float = 0.0, far: float | None = None) -> Floats:
    """The playing area's corners (4 x 2 pixels). `near`, `far`: y of the edges in columns; as fitted if not given."""
    top = fit.height if far is None else far
    return project(fit.plane(0.0), np.array([[0.0, near], [fit.width, near], [fit.width, top], [0.0, top]]))


def _seen_edges(picture: Picture, fit: BoardFit) -> tuple[float, float]:
    """The y of the near and the far edge in columns; from the fit if no line is visible."""
    view = view_plane(picture, fit.plane(0.0), (fit.width, fit.height), SCALE, MARGIN)
    lab = cv2.GaussianBlur(to_lab(view.image), (0, 0), 1.2)
    _, y, z = fit.camera
    near = 0.0 if -y > HIDDEN_SLOPE * z else _nearest_line(np.asarray(lab, np.float32), view, fit, 0.0)
    far = fit.height if y - fit.height > HIDDEN_SLOPE * z else _nearest_line(np.asarray(lab), view, fit, fit.height)
    return near, far


def _nearest_line(lab: Singles, view: PlaneView, fit: BoardFit, expected: float) -> float:
    """The prominent line across the board that is nearest to y = `expected`, or `expected` if there is none."""
    x = np.linspace(0.03, 0.97, SAMPLES) * fit.width
    offsets = np.arange(-EDGE_REACH - STEP, EDGE_REACH + 2 * STEP, STEP)
    rows = []
    for offset in offsets:
        at = view.place(np.stack([x, np.full_like(x, expected + offset)], axis=1)).astype(np.float32)
        rows.append(cv2.remap(lab, at[:, None, 0], at[:, None, 1], cv2.INTER_LINEAR)[:, 0])
    change = np.linalg.norm(np.array(rows)[2:] - np.array(rows)[:-2], axis=2)
    contrast = np.minimum(change, CLEAR_LAB).mean(axis=1)
    inner = contrast[1:-1]
    peaks = np.flatnonzero((inner > contrast[:-2]) & (inner >= contrast[2:]) & (inner > PROMINENT * contrast.max())) + 1
    if not len(peaks):
        return expected
    candidates = offsets[1:-1][peaks]
    return float(expected + candidates[np.abs(candidates).argmin()])


ROUND = 0.3
"""Least visible share of a checker's rim. A checker behind its neighbour's side and in its shadow shows more."""
OUTER_RANKS = 3
"""Number of places checked in each empty column, from the edge."""


def agreement(picture: Picture, fit: BoardFit, places: CheckerPlaces) -> float:
    """Share of places, 0 to 1, that match the starting position.

    Occupied places must be round and nearer to their side's colour than to the other's. The outer places of empty
    columns must not be both round and of a side's colour.
    """
    view = outline_view(picture, fit)
    taken, empty = outline_centres(fit, places), _empty_places(fit, places)
    lab = to_lab(view.image)
    radius = 0.5 * fit.pitch * SCALE
    both = np.concatenate([taken, empty])
    colours = np.array([colour_at(lab, x, y, radius) for x, y in view.place(both)])
    roundness = np.max([found[:, 2] for found in _peaks(view, both, fit.pitch, RADII)], axis=0)
    sides = np.stack([np.nanmedian(colours[: len(taken)][places.colour == side], axis=0) for side in (WHITE, BLACK)])
    apart = float(colour_distance(sides[WHITE], sides[BLACK]))
    if apart < FEWEST_LAB_APART:
        return 0.0
    distance = np.stack([colour_distance(colours, side) for side in sides], axis=1)
    own = distance[np.arange(len(taken)), places.colour]
    other = distance[np.arange(len(taken)), 1 - places.colour]
    right = (roundness[: len(taken)] > ROUND) & (own < other)
    usual = float(np.nanmedian(own))
    looks_taken = (roundness[len(taken) :] > 2 * ROUND) & (distance[len(taken) :].min(axis=1) < 2 * usual + 2.0)
    return float(right.mean() * (1 - looks_taken.mean()))


def _empty_places(fit: BoardFit, places: CheckerPlaces) -> Floats:
    """The outer places of every column that is empty at the start: n x 2 columns."""
    taken = set(zip(places.column.tolist(), places.top.tolist(), strict=True))
    empty = []
    for column in range(COLUMNS):
        x = column + 0.5 + (fit.bar if column >= HALF else 0.0)
        for rank in range(OUTER_RANKS):
            inward = (FIRST + rank) * fit.pitch
            empty += [(x, y) for top, y in ((False, inward), (True, fit.height - inward)) if (column, top) not in taken]
    return np.array(empty)


def find_framed_board(image: Picture, mirror: bool) -> Located | None:
    """The best candidate for a framed board with the starting position; None if none is found."""
    small, factor = shrink(image)
    sighting = find_start(small, mirror)
    if sighting is None:
        return None
    places = start_places(mirror)
    whole = replace(sighting, homography=np.diag([factor, factor, 1.0]) @ sighting.homography)
    fit = refine(image, first_fit(whole, (image.shape[1], image.shape[0])), places)
    if fit is None:
        return None
    return Located(seen_corners(image, fit), round(agreement(image, fit, places), 3))
