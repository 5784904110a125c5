"""Locate a line of twelve square tiles: roundish patches at even steps whose colours alternate."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import COLUMNS
from vision.imaging import colour_at, colour_distance, find_discs, roundness_maps, to_lab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats, Picture, Singles
    from vision.imaging import Disc


FEWEST_SEEN = 6
"""Least number of patches in a chain."""
CHAINS = 16
"""Number of the longest chains of which the colours' alternation decides: edges of tiles and shadows make chains too,
as long as that of the tiles. Of 86 starts in two kinds of light 81 are located, and 79 with the longest one alone."""
RADII_PX = (8.0, 9.5, 11.0, 12.5, 14.0, 16.0, 18.0, 20.5, 23.0)
"""Half a tile's side in a picture 640 wide, for rows from a third of its width to all of it."""
STRETCHES = (1.0, 1.25, 1.5, 1.8)
"""Vertical stretches of the picture that are tried, so that tiles seen at a slant look square."""
NEAREST, FARTHEST = 1.3, 2.9
"""Least and largest distance of neighbouring tiles, in radii."""
SAME_COLOUR = 14.0
"""Largest colour distance (Lab, 8-bit) of tiles of the same colour."""
CLEARER = 2.0
"""Factor on the least gradient of an edge: edges of tiles are clear, fainter ones are the table's grain."""
WORSE = 0.1
"""Largest difference of the shares of alternating colours of two candidates that are compared: one tile."""
STRAY = 0.3
"""Largest deviation from the expected place, in steps."""
PATCH = 0.5
"""Radius of the patch whose colour is taken, in steps."""


def find_tile_rows(small: Picture) -> list[tuple[Floats, float]]:
    """Candidates for the row of tiles in a picture some 640 wide, one for each stretch that shows a row.

    Each is the tiles' approximate centres (12 x 2 pixels), and the share of them whose colours alternate. Candidates
    with a share lower by more than `WORSE` than the best one are left out.
    """
    rows = []
    for stretch in STRETCHES:
        lab = to_lab(np.asarray(cv2.resize(small, None, fx=1.0, fy=stretch), np.uint8))
        maps = roundness_maps(lab, RADII_PX, clearer=CLEARER)
        chains = _longest_chains(find_discs(lab, maps, RADII_PX))
        found = [_best_window(chain, lab) for chain in chains if len(chain) >= FEWEST_SEEN]
        if found:
            centres, alternating = max(found, key=itemgetter(1))
            rows.append((centres / (1.0, stretch), alternating))
    least = max((alternating for _, alternating in rows), default=0.0) - WORSE
    return [row for row in rows if row[1] >= least]


def _longest_chains(discs: Sequence[Disc]) -> list[Floats]:
    """Centres (n x 2) of the longest chains of patches at even steps in which every second one has the same colour."""
    centres = np.array([(d.x, d.y) for d in discs], np.float64).reshape(-1, 2)
    radii = np.array([d.radius for d in discs])
    colours = np.array([d.colour for d in discs], np.float32).reshape(-1, 3)
    chains: set[tuple[int, ...]] = set()
    for i in range(len(discs)):
        distance = np.hypot(*(centres - centres[i]).T) / radii[i]
        for j in np.flatnonzero((distance > NEAREST) & (distance < FARTHEST)):
            chains.add(tuple(_follow([i, int(j)], centres, colours)))
    longest = sorted(chains, key=lambda chain: (-len(chain), chain))[:CHAINS]
    return [centres[list(chain)] for chain in longest]


def _follow(row: list[int], centres: Floats, colours: Singles) -> list[int]:
    """Extend a chain; the expected step is the mean of the last three, because perspective changes it."""
    while len(row) < COLUMNS:
        back = min(3, len(row) - 1)
        step = (centres[row[-1]] - centres[row[-1 - back]]) / back
        off = np.hypot(*(centres - centres[row[-1]] - step).T)
        off = np.where(colour_distance(colours, colours[row[-2]]) < SAME_COLOUR, off, np.inf)
        nearest = int(off.argmin())
        if off[nearest] > STRAY * np.hypot(*step) or nearest in row:
            break
        row = [*row, nearest]
    return row


def fit_line(centres: Floats) -> tuple[float, float, float, float, float]:
    """Fit even steps k along a line seen in perspective to places (n x 2): x = (ax k + bx) / (c k + 1), and likewise y.

    Returns ax, bx, ay, by and c, in which both are linear.
    """
    k = np.arange(len(centres))
    rows = [[i, 1, 0, 0, -i * x] for i, (x, _) in zip(k, centres, strict=True)]
    rows += [[0, 0, i, 1, -i * y] for i, (_, y) in zip(k, centres, strict=True)]
    ax, bx, ay, by, c = np.linalg.lstsq(np.array(rows, np.float64), centres.T.ravel(), rcond=None)[0]
    return ax, bx, ay, by, c


def _best_window(chain: Floats, lab: Singles) -> tuple[Floats, float]:
    """The twelve consecutive places on the chain's line, possibly beyond its ends, whose colours alternate best."""
    count = len(chain)
    ax, bx, ay, by, c = fit_line(chain)
    span = np.arange(count - COLUMNS - 2, COLUMNS + 2)
    line = np.stack([ax * span + bx, ay * span + by], axis=1) / (c * span + 1)[:, None]
    radius = PATCH * float(np.hypot(*(chain[1] - chain[0])))
    colours = np.array([colour_at(lab, x, y, radius) for x, y in line])
    fits = _alternating(colours, int(count // 2 - span[0]))
    windows = np.convolve(fits, np.ones(COLUMNS), mode="valid")
    start = int(windows.argmax())
    return line[start : start + COLUMNS], float(windows[start]) / COLUMNS


def _alternating(colours: Singles, middle: int) -> Floats:
    """Which of the places (n; 1 or 0) with these colours (n x 3, Lab) continue the alternating colours about `middle`.

    Each is compared with the last place of either colour, because the light may fall off along the row.
    """
    fits = np.zeros(len(colours))
    for places in (range(middle, len(colours)), range(middle - 1, -1, -1)):
        last = {place % 2: colours[place] for place in (middle - 1, middle)}
        for place in places:
            own, other = (colour_distance(colours[place], last[parity % 2]) for parity in (place, place + 1))
            if own < other and (own < SAME_COLOUR or own < other / 2):
                fits[place], last[place % 2] = 1.0, colours[place]
    return fits
