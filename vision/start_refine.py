"""Measure the thirty checkers exactly in the rectified picture, where every outline is a circle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from vision.discs import gradient, roundness_maps, to_lab
from vision.plane_view import view_plane
from vision.start_fit import RIM_HEIGHT, fit_board, outline_centres

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.camera import Picture
    from vision.plane_view import PlaneView
    from vision.start_fit import BoardFit
    from vision.start_places import StartPlaces

    Floats = NDArray[np.float64]

SCALE = 40.0
"""Pixels a column in the rectified picture: a checker's radius is about 18."""
MARGIN = 1.0
"""Margin of the rectified picture round the playing area, in columns."""
RADII = (0.40, 0.43, 0.46, 0.49, 0.52)
"""Radii tried, in pitches: half a checker, less for a visible inner ring, more for a visible side."""
REACH = 0.3
"""Search range about a checker's place, in pitches."""
ROUNDS = 3
"""Number of measurements and fits."""


@dataclass(frozen=True, slots=True)
class RefinedFit:
    """A fit and its evidence: 30 centres in pixels, and the share of each rim that was seen (0 to 1)."""

    fit: BoardFit
    seen: Floats
    roundness: Floats


def refine(picture: Picture, fit: BoardFit, places: StartPlaces) -> RefinedFit:
    """Measure the checkers in the rectified picture and fit the board to them, `ROUNDS` times."""
    for _ in range(ROUNDS):
        seen, roundness = measure(picture, fit, places)
        fit = fit_board(fit, places, seen, roundness)
    return RefinedFit(fit, seen, roundness)


def measure(picture: Picture, fit: BoardFit, places: StartPlaces) -> tuple[Floats, Floats]:
    """Centres (30 x 2, pixels of the picture) of the roundest spot near every place, and its roundness (30)."""
    plane = fit.plane(RIM_HEIGHT * fit.pitch)
    view = view_plane(picture, plane, (fit.width, fit.height), SCALE, MARGIN)
    peaks = max(_peaks(view, outline_centres(fit, places), fit.pitch), key=lambda found: float(found[:, 2].sum()))
    return view.back(peaks[:, :2]), np.minimum(peaks[:, 2], 1.0)


def roundness_at(view: PlaneView, places: Floats, pitch: float) -> Floats:
    """Roundness (0 to 1) near each of the places (n x 2, columns) of a rectified board."""
    roundest = np.max([found[:, 2] for found in _peaks(view, places, pitch)], axis=0)
    return np.asarray(np.minimum(roundest, 1.0), np.float64)


def _peaks(view: PlaneView, places: Floats, pitch: float) -> list[Floats]:
    """For each radius: the roundest spot near every place, n x 3 (x, y in the view, roundness)."""
    maps = roundness_maps(gradient(to_lab(view.image)), [share * pitch * SCALE for share in RADII])
    reach = round(REACH * pitch * SCALE)
    return [np.array([_peak(one, x, y, reach) for x, y in view.place(places)]) for one in maps]


@lru_cache(maxsize=16)
def _steps(shape: tuple[int, int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column indices of a patch's pixels."""
    down, across = np.mgrid[: shape[0], : shape[1]]
    return down, across


def _peak(values: NDArray[np.float32], x: float, y: float, reach: int) -> tuple[float, float, float]:
    """Subpixel place (x, y) and height of the maximum in a square around (x, y); height 0 outside the map."""
    column, row = round(x), round(y)
    left, top = max(column - reach, 0), max(row - reach, 0)
    patch = values[top : row + reach + 1, left : column + reach + 1]
    if patch.size == 0 or patch.max() <= 0:
        return x, y, 0.0
    j, i = np.unravel_index(int(patch.argmax()), patch.shape)
    down, across = _steps(patch.shape)
    # Centroid of the peak's upper fifth: votes are spread over about four pixels.
    mass = np.where((patch > 0.8 * patch.max()) & (np.hypot(down - j, across - i) < 4), patch, 0)
    total = mass.sum()
    return float((mass * across).sum() / total + left), float((mass * down).sum() / total + top), float(patch.max())
