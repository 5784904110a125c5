"""Checkers astride: lying on no point, but between two, where no slot looks for them.

A checker that no slot holds would vanish from the reading; so what looks like one between two columns is named, and
either point may have it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.observation import CellReading
from vision.geometry import COLUMNS
from vision.layout import POINTS
from vision.slots import BLACK, EMPTY, INNER, LASTS, RIM, WHITE, ZONES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.read_backgammon import Slot
    from vision.rows import Rows
    from vision.slots import Figures, SlotModel

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

_ASIDE = 0.22
"""How far from the middle between two columns, in columns, a checker's centre may lie: nearer to one of them, slots
find it."""
_CHANGED = 2
"""Which map says how unlike the empty board a pixel is (see `Evidence.maps`)."""
_SHARE = 0.42
"""What has this share of the colour that checkers have, and is as much changed, on its inner disc and its rim, is one:
between a lane's checkers less is seen, dice are smaller, and shadows have another colour."""
_LEAST = 1.0
"""Nats a pixel: where checkers look no more like themselves than this, colour tells nothing of them."""
_APART, _SAME = 0.9, 0.75
"""Checkers do not overlap: what is nearer (in diameters) to a checker found than the one is none, or, nearer than the
other, is that one."""
_AT_FLANK, _LIKER = 0.1, 0.25
"""What a slot found more than the one (in diameters) to the side of its column is the flank of a checker between two
points, where that looks more like a checker's centre by the other."""


@dataclass(frozen=True, slots=True)
class Astride:
    """A checker between two points.

    Attributes:
        points: their rows, the lower first.
        side: WHITE or BLACK.
        x, y: its centre on the raster.
    """

    points: tuple[int, int]
    side: int
    x: int
    y: int


def find_astride(
    figures: Figures, read: Sequence[Sequence[Slot]], rows: Rows, model: SlotModel, dice: Sequence[tuple[int, int]]
) -> list[Astride]:
    """The checkers that lie between two points.

    Args:
        figures: of the raster that was read.
        read: the rows' slots.
        rows: where they lie.
        model: what checkers look like there.
        dice: where (x, y) on the raster dice lie.
    """
    taken = [
        (slot.x, slot.y, abs(slot.x - rows.columns[row]) > _AT_FLANK * rows.diameter)
        for row, slots in enumerate(read)
        for slot in slots
        if slot.holder != EMPTY and not slot.strange
    ]
    taken += [(x, y, False) for x, y in dice]
    found: list[Astride] = []
    changed = _averaged(figures, _CHANGED)
    for side in (WHITE, BLACK):
        likeness = _likeness({side: _averaged(figures, side), _CHANGED: changed}, model, side)
        for points in _neighbours(rows):
            for x, y in _peaks(likeness, points, rows, taken):
                found.append(Astride(points, side, x, y))
                taken.append((x, y, False))
    return found


def _averaged(figures: Figures, chart: int) -> dict[int, Singles]:
    """One of the maps, for every pixel averaged over the inner disc and over the rim round it."""
    return {zone: figures.everywhere(chart, zone) for zone in (INNER, RIM)}


def _likeness(maps: Mapping[int, Mapping[int, Singles]], model: SlotModel, side: int) -> Singles:
    """For every pixel, how much it looks like the centre of that side's checker: 1 where it does as those found do.

    `maps`: by number and zone, those that tell it.
    """
    least = np.full(next(iter(maps[side].values())).shape, np.inf, np.float32)
    for chart, zones in maps.items():
        for zone, averaged in zones.items():
            usual = float(model.centre[:POINTS, :, [side, LASTS[side]], chart * ZONES + zone].mean())
            if usual >= _LEAST:
                least = np.minimum(least, averaged / usual)
    return np.where(np.isfinite(least), least, 0.0).astype(np.float32)


def _neighbours(rows: Rows) -> list[tuple[int, int]]:
    """Pairs of points that lie side by side in one half, with no bar between them."""
    half = COLUMNS // 2
    pairs = [(point, point + 1) for point in range(POINTS - 1)]
    return [(one, two) for one, two in pairs if one // half == two // half and rows.inward[one] == rows.inward[two]]


def _peaks(
    likeness: Singles, points: tuple[int, int], rows: Rows, taken: Sequence[tuple[int, int, bool]]
) -> list[tuple[int, int]]:
    """Where (x, y) checkers lie between two points, the likeliest first.

    `taken`: where others were found, and whether far enough aside to be the flank of one between two points.
    """
    left, right = sorted(float(rows.columns[point]) for point in points)
    middle, aside = (left + right) / 2, _ASIDE * (right - left)
    ends = rows.edges[points[0]] + rows.inward[points[0]] * np.array([0.0, rows.length - rows.diameter])
    top, bottom = max(round(float(ends.min())), 0), min(round(float(ends.max())) + 1, likeness.shape[0])
    first = max(round(middle - aside), 0)
    window = likeness[top:bottom, first : round(middle + aside) + 1].copy()
    if not window.size or window.max() < _SHARE:
        return []
    v, u = np.mgrid[top:bottom, first : first + window.shape[1]]
    reach = _APART * rows.diameter
    beside = [
        (x, y, flank)
        for x, y, flank in taken
        if u[0, 0] - reach < x < u[0, -1] + reach and v[0, 0] - reach < y < v[-1, 0] + reach
    ]
    found = []
    while True:
        for x, y, flank in beside:
            near = np.hypot(u - x, v - y) < reach
            window[near & (window < likeness[y, x] + _LIKER) if flank else near] = 0
        down, across = divmod(int(window.argmax()), window.shape[1])
        if window[down, across] < _SHARE:
            break
        beside = [(first + across, top + down, False)]
        found.append(beside[0][:2])
    return found


def either(
    on_board: Sequence[CellReading], found: Sequence[Astride], read: Sequence[Sequence[Slot]], rows: Rows
) -> tuple[CellReading, ...]:
    """The cells' readings (points and bar) where each checker between two points may as well belong to either."""
    cells = list(on_board)
    for one in found:
        for point in one.points:
            counted = any(
                slot.holder == one.side and np.hypot(slot.x - one.x, slot.y - one.y) < _SAME * rows.diameter
                for slot in read[point]
            )
            cells[point] = _with_or_without(cells[point], one.side, counted=counted)
    return tuple(cells)


def _with_or_without(cell: CellReading, side: int, *, counted: bool) -> CellReading:
    """A cell with that side's checker as likely as without; `counted`: what it holds for likeliest includes it."""
    told: dict[Content, float] = {}
    for content, nats in cell.likelihoods:
        for more in (-1, 0) if counted else (0, 1):
            count = content[side] + more
            other = (count, content[1]) if side == WHITE else (content[0], count)
            if count >= 0:
                told[other] = max(told.get(other, -np.inf), nats)
    return CellReading.of(told)
