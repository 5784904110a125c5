"""Search a picture for the thirty checkers of a starting position, from any side, in any colours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.locate.stacks import FEWEST_LAB_APART, FIVE, find_stacks, rectangles_of_four, rectangles_of_three
from vision.board import BLACK, HALF, WHITE, start_places
from vision.geometry import COLUMNS, project
from vision.imaging import colour_at, colour_distance, ellipse, find_discs, roundness_maps, to_lab

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture, Singles
    from vision.board import CheckerPlaces

RADII_PX = (6.5, 7.5, 8.5, 9.5, 11.0, 12.5, 14.0, 16.0, 18.0, 20.5)
"""Disc radii searched in a picture 640 wide, in pixels: boards from a third of the picture's width to more than all of
it."""
STRETCHES = (1.0, 1.25, 1.5)
"""Vertical stretches that make a disc round again if seen at 0, 37 and 48 degrees from above."""
HEIGHTS = (12.0, 10.4, 11.2, 13.0, 14.0, 15.5, 17.0)
"""Heights of the playing area tried first, in checkers: ten stand on a column, and the gap is none to seven. The usual
height comes first. A rectangle with an error above one checker there is rejected at once."""
BARS = np.arange(0.0, 2.45, 0.15)
"""Widths of the bar tried first, in columns."""
MOST_TRIED = 80
"""Number of sets of stacks tried, the roundest first."""
ACCEPTED_SCORE = 0.6
"""Score at which a sighting is accepted and the search ends. Without the six other stacks it is below 0.5."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Rough location of a starting position.

    Attributes:
        homography: 3 x 3 from (x in columns, y in checkers) to pixels of the picture searched.
        bar: width of the bar in columns.
        height: height of the playing area in checkers.
        score: 0 to 1, roundness and colour match of the thirty places.
    """

    homography: Floats
    bar: float
    height: float
    score: float


def find_start(image: Picture, mirror: bool = False) -> Sighting | None:
    """The likeliest starting position in a picture about 640 wide, or None.

    `mirror`: White's home board is at the left.
    """
    best: Sighting | None = None
    for stretch in STRETCHES:
        sighting = _find_stretched(image, stretch, mirror)
        if sighting is not None and (best is None or sighting.score > best.score):
            best = sighting
        if best is not None and best.score > ACCEPTED_SCORE:
            break
    return best


def _find_stretched(image: Picture, stretch: float, mirror: bool) -> Sighting | None:
    """Search the picture with its height times `stretch`; the result is in pixels of the original picture."""
    lab = to_lab(np.asarray(cv2.resize(image, None, fx=1.0, fy=stretch, interpolation=cv2.INTER_LINEAR), np.uint8))
    maps = roundness_maps(lab, RADII_PX)
    stacks = find_stacks(find_discs(lab, maps, RADII_PX))
    evidence = np.minimum(cv2.dilate(maps.max(axis=0), ellipse(5)), 1.0)
    places = start_places(mirror)
    best: Sighting | None = None
    for sets in (rectangles_of_four(stacks), rectangles_of_three(stacks)):
        for four in islice(sets, MOST_TRIED):
            fitted = _fit_bar(four, places, evidence)
            if fitted is not None and (best is None or fitted[0].score > best.score):
                checked = _weigh_colours(*fitted, places, lab)
                best = checked if best is None or checked.score > best.score else best
        if best is not None and best.score > ACCEPTED_SCORE:
            break
    if best is None:
        return None
    return replace(best, homography=np.diag([1.0, 1.0 / stretch, 1.0]) @ best.homography)


def _fit_bar(four: Floats, places: CheckerPlaces, evidence: Singles) -> tuple[Sighting, Floats] | None:
    """Fit the width of the bar to four stacks by roundness; None if they form no rectangle.

    Also returns the centres (30 x 2 pixels) of the checkers of `start_places`.
    """
    fitted = _fit_rectangle(four)
    if fitted is None:
        return None
    homography, height = fitted
    # The five-stacks stand on columns 0 and 6, mirrored 5 and 11: both 6 columns and the bar apart.
    left = 5.5 if places.mirror else 0.5
    positions = np.array([places.positions(bar, height, 1.0, 0.5) for bar in BARS])  # bars x 30 x 2
    across = (positions[..., 0] - left) / (HALF + BARS[:, None])
    centres = project(homography, np.stack([across, positions[..., 1]], axis=-1).reshape(-1, 2))
    scores = sample_nearest(evidence, centres).reshape(len(BARS), -1).mean(axis=1)
    best = int(scores.argmax())
    bar = float(BARS[best])
    scale = np.array([[1.0 / (HALF + bar), 0.0, -left / (HALF + bar)], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return Sighting(homography @ scale, bar, height, float(scores[best])), centres.reshape(len(BARS), -1, 2)[best]


def _fit_rectangle(four: Floats) -> tuple[Floats, float] | None:
    """Best fit to four stacks: homography from (0 left to 1 right, y in checkers) to pixels, and height in checkers."""
    seen = ~np.isnan(four[..., 0])
    step = float(np.nanmedian(np.hypot(*np.moveaxis(np.diff(four, axis=1), -1, 0))))
    best: tuple[Floats, float] | None = None
    least = 0.3 * step
    inward = np.arange(FIVE) + 0.5
    corners = four[seen]
    for height in HEIGHTS:
        y = np.stack([inward, inward, height - inward, height - inward])
        x = np.repeat([[0.0], [1.0], [1.0], [0.0]], FIVE, axis=1)
        plane = np.stack([x, y], axis=-1)[seen]
        homography = np.asarray(cv2.findHomography(plane, corners)[0], np.float64)
        if homography.shape != (3, 3):
            continue
        off = project(homography, plane) - corners
        error = float(np.sqrt((off**2).sum(axis=1).mean()))
        if error > step:
            break
        if error < least:
            best, least = (homography, height), error
    return best


def sample_nearest(values: Singles, points: Floats) -> Singles:
    """Values at the pixels nearest to the points; 0 outside the picture."""
    height, width = values.shape
    column, row = np.rint(points).astype(np.intp).T
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    sampled: Singles = np.where(inside, values[row.clip(0, height - 1), column.clip(0, width - 1)], np.float32(0))
    return sampled


def _weigh_colours(sighting: Sighting, centres: Floats, places: CheckerPlaces, lab: Singles) -> Sighting:
    """The sighting with its score reduced for places of the wrong colour; 0 if both sides have one colour."""
    edge = sighting.homography @ np.array([COLUMNS / 2, sighting.height / 2, 1.0])
    step = project(sighting.homography, np.array([[COLUMNS / 2, sighting.height / 2 + 0.5]])) - edge[:2] / edge[2]
    radius = float(np.hypot(*step[0]))
    colours = np.array([colour_at(lab, x, y, radius) for x, y in centres])
    white, black = (np.nanmedian(colours[places.colour == side], axis=0) for side in (WHITE, BLACK))
    apart = float(colour_distance(white, black))
    own = np.where((places.colour == WHITE)[:, None], white, black)
    other = np.where((places.colour == WHITE)[:, None], black, white)
    fits = colour_distance(colours, own) < 0.6 * colour_distance(colours, other)
    score = sighting.score * float(fits.mean()) if apart > FEWEST_LAB_APART else 0.0
    return replace(sighting, score=score)
