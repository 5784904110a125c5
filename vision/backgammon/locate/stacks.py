"""Find rows of five touching discs of one colour, and sets of four that fit a starting position."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import atan2, hypot
from typing import TYPE_CHECKING

import numpy as np

from vision.imaging import colour_distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vision.arrays import Floats, Ints, Singles
    from vision.imaging import Disc


FIVE = 5
"""Checkers in a full stack of the starting position."""
FEWEST_SEEN = 4
"""Least number of visible checkers in a stack."""
NEAREST, FARTHEST = 1.2, 4.2
"""Range of the distance between neighbours in a stack, over their mean radius: two from above, less in oblique views,
four if only a lamp's reflections are visible on dark checkers."""
LARGER = 1.8
"""Least ratio of the radii of two discs that are not of one stack: of some checkers only an inner ring is seen."""
SAME_COLOUR = 16.0
"""Lab distance (lightness counts half, for shadow) up to which two neighbours of a stack have one colour."""
FEWEST_LAB_APART = 6.0
"""Least Lab distance (lightness counts half) between the two players' colours."""
STRAIGHT = 0.93
"""Cosine of the largest angle (20 degrees, for perspective) between a stack and the line to the opposite one."""
MOST_ROWS = 14
"""Number of rows that are combined, the roundest first. A starting position has four of five and two of three."""


@dataclass(frozen=True, slots=True)
class Stack:
    """Five places in a row: centres 5 x 2 in pixels, mean Lab colour, sum of roundness.

    `row` numbers the detected rows. Completions of one row of four share it.
    """

    row: int
    centres: Floats
    colour: Singles
    roundness: float

    @property
    def middle(self) -> Floats:
        """Centre of the third place."""
        middle: Floats = self.centres[2]
        return middle


def find_stacks(discs: Sequence[Disc]) -> list[Stack]:
    """Rows of five, the roundest first; a row of four is completed at either end."""
    centres = np.array([(d.x, d.y) for d in discs], np.float64).reshape(-1, 2)
    radii = np.array([d.radius for d in discs])
    colours = np.array([d.colour for d in discs], np.float32).reshape(-1, 3)
    rows: dict[frozenset[int], list[int]] = {}
    for i in range(len(discs)):
        for j in _neighbours(i, centres, radii, colours):
            row = _extend([i, j], centres, radii, colours)
            if len(row) >= FEWEST_SEEN:
                rows.setdefault(frozenset(row), row)
    stacks: list[Stack] = []
    taken: list[frozenset[int]] = []
    for members, row in sorted(rows.items(), key=lambda item: -sum(min(discs[i].roundness, 1.0) for i in item[1])):
        # A row that shares two discs with a better one is the same stack.
        if any(len(members & other) >= 2 for other in taken):
            continue
        taken.append(members)
        stacks += _complete(len(taken), row, discs, centres, colours)
        if len(taken) == MOST_ROWS:
            break
    return stacks


def _neighbours(i: int, centres: Floats, radii: Floats, colours: Singles) -> Ints:
    """Discs that may be next to disc `i` in a stack: near enough, similar in size and colour."""
    distance = np.hypot(*(centres - centres[i]).T) / (0.5 * (radii + radii[i]))
    ratio = np.maximum(radii / radii[i], radii[i] / radii)
    alike = colour_distance(colours, colours[i]) < SAME_COLOUR
    return np.flatnonzero((distance > NEAREST) & (distance < FARTHEST) & (ratio < LARGER) & alike)


def _extend(row: list[int], centres: Floats, radii: Floats, colours: Singles) -> list[int]:
    """Extend a row of two with even steps, up to five."""
    while len(row) < FIVE:
        step = (centres[row[-1]] - centres[row[0]]) / (len(row) - 1)
        off = np.hypot(*(centres - centres[row[-1]] - step).T)
        alike = colour_distance(colours, colours[row[-1]]) < SAME_COLOUR
        ratio = np.maximum(radii / radii[row[-1]], radii[row[-1]] / radii)
        off = np.where(alike & (ratio < LARGER), off, np.inf)
        nearest = int(off.argmin())
        if off[nearest] > 0.45 * np.hypot(*step) or nearest in row:
            break
        row = [*row, nearest]
    return row


def _complete(number: int, row: list[int], discs: Sequence[Disc], centres: Floats, colours: Singles) -> Iterator[Stack]:
    """Stacks of five that contain `row`: itself, or extended by places at the ends."""
    line = centres[row]
    steps = np.arange(len(row))
    slope, start = np.polyfit(steps, line, 1)
    colour = np.median(colours[row], axis=0)
    roundness = sum(min(discs[i].roundness, 1.0) for i in row)
    missing = FIVE - len(row)
    for before in range(missing + 1):
        ahead = [start - slope * k for k in range(before, 0, -1)]
        behind = [start + slope * (len(row) + k) for k in range(missing - before)]
        yield Stack(number, np.array([*ahead, *line, *behind]), colour, roundness)


def rectangles_of_four(stacks: Sequence[Stack]) -> Iterator[Floats]:
    """Sets of four stacks that may be the five-stacks of a starting position, in all orientations; likeliest first.

    Each is 4 x 5 x 2, the centres from the outer to the inner checker: White's near stack left and right, then the far
    one right and left. A stack that was not seen is NaN.
    """
    middles = [(float(x), float(y)) for x, y in (stack.middle for stack in stacks)]
    apart = _colours_apart(stacks)
    for chosen in _roundest_first(stacks, 4):
        ring = _ring(chosen, middles)
        if _alternate(ring, apart):
            yield from _all_orientations([stacks[k] for k in ring])


def _colours_apart(stacks: Sequence[Stack]) -> list[list[float]]:
    """Distance of each stack's colour from each other's."""
    colours = np.array([stack.colour for stack in stacks]).reshape(-1, 3)
    apart: list[list[float]] = colour_distance(colours[:, None], colours[None]).tolist()
    return apart


def _ring(chosen: Sequence[int], middles: Sequence[tuple[float, float]]) -> list[int]:
    """The stacks in the order White's left, right, far right, far left, or turned."""
    x, y = (sum(middles[k][axis] for k in chosen) / len(chosen) for axis in (0, 1))
    # With y downwards, that order has decreasing angles.
    return sorted(chosen, key=lambda k: -atan2(middles[k][1] - y, middles[k][0] - x))


def rectangles_of_three(stacks: Sequence[Stack]) -> Iterator[Floats]:
    """As `rectangles_of_four`, from three stacks of which two are alike; the fourth is unknown (NaN)."""
    apart = _colours_apart(stacks)
    for chosen in _roundest_first(stacks, 3):
        for odd in chosen:
            first, second = (k for k in chosen if k != odd)
            if apart[first][second] > min(apart[odd][first], apart[odd][second]):
                continue
            one, between, other = stacks[first], stacks[odd], stacks[second]
            (ax, ay), (bx, by) = one.middle - between.middle, other.middle - between.middle
            if ax * by - ay * bx < 0:
                one, other = other, one
            missing = Stack(-1, np.tile(one.middle + other.middle - between.middle, (FIVE, 1)), between.colour, 0.0)
            yield from _all_orientations([one, between, other, missing])


def _roundest_first(stacks: Sequence[Stack], count: int) -> list[tuple[int, ...]]:
    """Sets of `count` stacks (their indices) from different rows, those with the most roundness first."""
    rows, roundness = [stack.row for stack in stacks], [stack.roundness for stack in stacks]
    sets = [chosen for chosen in combinations(range(len(stacks)), count) if len({rows[k] for k in chosen}) == count]
    return sorted(sets, key=lambda chosen: -sum(roundness[k] for k in chosen))


def _alternate(ring: Sequence[int], apart: Sequence[Sequence[float]]) -> bool:
    """Whether colours alternate around the ring: opposite corners alike, neighbours not. `apart`: of all stacks."""
    a, b, c, d = ring
    within = max(apart[a][c], apart[b][d])
    between = min(apart[a][b], apart[b][c], apart[c][d], apart[d][a])
    return within < between and between > FEWEST_LAB_APART


def _all_orientations(ring: Sequence[Stack]) -> Iterator[Floats]:
    """The ring with each corner in turn as White's left, if the stacks then point at each other."""
    for turn in range(4):
        arranged = _arrange([*ring[turn:], *ring[:turn]])
        if arranged is not None:
            yield arranged


def _arrange(ring: Sequence[Stack]) -> Floats | None:
    """The ring with every stack ordered from outer to inner end; None if it is no rectangle in perspective."""
    near_left, near_right, far_right, far_left = ring
    pairs = ((near_left, far_left), (near_right, far_right), (far_right, near_right), (far_left, near_left))
    turned = np.full((4, FIVE, 2), np.nan)
    for k, (stack, opposite) in enumerate(pairs):
        if stack.row < 0:
            continue
        along = (opposite.middle - stack.middle).tolist()  # plain numbers: much faster than arrays of two
        span = (stack.centres[-1] - stack.centres[0]).tolist()
        length, reach = hypot(*along), hypot(*span)
        # Middles of opposite stacks are about 1.3 to 3 stack lengths apart (11 to 16 checkers in all).
        if not 1.0 < length / reach < 4.0:
            return None
        cosine = (along[0] * span[0] + along[1] * span[1]) / (length * reach)
        if abs(cosine) < STRAIGHT:
            return None
        turned[k] = stack.centres if cosine > 0 else stack.centres[::-1]
    return turned
