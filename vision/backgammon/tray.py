"""Count the borne-off checkers of each side beside the board.

Everything beside the board during calibration counts as table. What has changed, or has a side's colours, may be a
checker; the network that reads doubtful slots compares it with the table there and with this board's known checkers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import CHECKERS, CellReading
from vision.backgammon.layout import FINER
from vision.backgammon.stacking.count import lifts_at
from vision.board import BLACK, EMPTY, INSIDE, OTHER, WHITE, Figures, turned_patches
from vision.geometry import Raster, Window, project
from vision.imaging import (
    BORDER_REACH,
    NEARLY_WHITE,
    Appearance,
    BackgroundModel,
    Illumination,
    ellipse,
    saturated,
)

if TYPE_CHECKING:
    from companion.core import Content
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.backgammon.slot_comparison import SlotComparison
    from vision.board import Layout


_COARSER = 2
"""Scale of the board's raster relative to the tray's."""
_FINER = _COARSER * FINER
"""Scale of the raster on which checkers are compared, relative to the tray's: that of the finer raster of the board."""
_WIDTH_COLUMNS = 4.6
"""Width of the searched area beside the playing area, in columns: three rows of five checkers, and the frame."""
_FRAME_COLUMNS = 0.3
"""Width beside the playing area that is certainly frame, in columns."""
_LEAST_NATS = 1.0
"""Least log-likelihood ratio of a side's colours to the table (nats a pixel) that is examined."""
_CHANGED, _CHANGED_SHARE = 2, 0.4
"""Index of the map of differences from the empty table, and how much they count beside colours: a checker in a shadow
has not its colours."""
_MOST = 40
"""Largest number of places examined: thirty checkers, and ten other things on the table."""
_APART = 0.8
"""Least distance of two places examined, in diameters: places may be a tenth off. A second layer is not counted."""
_UNCOVERED, _COVERED_NATS = 0.1, 20.0
"""Share of a checker that others cover at no cost, as places are not exact, and the cost of each further part: what
lies between checkers, and their walls, look like one. Measured: true ones have 0.26 and 10 nats at most beside each
other's tops, places between them 0.35 to 0.6 and up to 7 nats."""
_PATCH_REACH = 1.5
"""Reach of what is compared about a place, in diameters: half the diagonal of a turned patch."""
_SHADES = 1.0, 1.35, 1.8
"""Factors on the brightness that are tried: the board's own shadow, on the table beside it, takes up to half the
light, and what the table has without the shadow is not known."""
_EACH_FROM, _EACH_NATS = 1.0, 1.0
"""Evidence of colours for a checker besides the network's: `_EACH_NATS` nats for every nat a pixel beyond `_EACH_FROM`.
Measured: 2.5 nats a pixel on a table of the checkers' colour, 4 to 6 for checkers."""
_LEAST_CHANCE = 1e-4
"""Probability that is added to each content, so that none is impossible."""
_LEAST_UNCLEAR = 0.05
"""Least chance of a checker at a sharp edge of light, or in glare, that makes the number unknown."""
_GLARE_SHARE = 0.3
"""Least share of a place in which the picture is saturated, and the empty table would be, too, if it is in glare."""
_AS_SEEN_NATS = 8.0
"""Largest cost (nats) of another number than those seen: all of them may be something else."""
_UNSEEN_NATS, _OUTSIDE_NATS = 3.0, 0.5
"""Cost (nats) of more than those counted: one side in twenty has some under others, in glare, in a hand; and where
those counted reach the edge of the picture. Measured on 24 pictures: none but at the edge of the picture."""
_TO_EDGE = 1.1
"""Distance of a checker's centre from the end of the picture, in diameters, up to which it is at the edge."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The table beside the board at calibration.

    Attributes:
        raster: of the bed's plane, with wide margins.
        appearance: the table there and the checkers' colours.
        diameter: of a checker in raster pixels.
        beside: mask of possible centres of borne-off checkers.
        edge: mask of pixels within `_TO_EDGE` of the end of the picture or of the searched area.
    """

    raster: Raster
    appearance: Appearance
    diameter: float
    beside: Bools
    edge: Bools

    @classmethod
    def of(
        cls, picture: Picture, raster: Raster, layout: Layout, tables: tuple[Singles, Singles], size: tuple[int, int]
    ) -> Tray:
        """From the raster `picture` of the table; `size` is that of the camera's pictures."""
        place = raster.places()
        column = layout.column
        outside = (place[..., 0] < -(_FRAME_COLUMNS * column)) | (place[..., 0] > 1 + _FRAME_COLUMNS * column)
        along = (place[..., 1] > -column) & (place[..., 1] < layout.depth + column)
        seen, diameter = raster.in_view(size), layout.checker * raster.scale
        unseen = np.pad((~seen).astype(np.uint8), 1, constant_values=1)
        edge = cv2.dilate(unseen, ellipse(2 * _TO_EDGE * diameter))[1:-1, 1:-1] > 0
        appearance = Appearance(BackgroundModel(picture), tables)
        return cls(raster, appearance, diameter, outside & along & seen, np.asarray(edge))

    def under(self, ceiling: Singles, tables: tuple[Singles, Singles]) -> Tray:
        """The same, clipped at `ceiling` (B, G, R) as by a saturated sensor, with these colour tables.

        Without it a bright table could look like a checker, because one channel saturates before the others.
        """
        return replace(self, appearance=self.appearance.saturated_at(ceiling, tables))

    def look(
        self, picture: Picture, gain: Singles, ceiling: Singles, compared: SlotComparison
    ) -> tuple[CellReading, CellReading]:
        """Read White's and Black's borne-off checkers; unreadable cells if there are none.

        `gain`: the board's brightness (B, G, R) relative to the calibration picture; `ceiling`: grey level at which
        the levelled picture saturates.
        """
        view = self.raster.rectify(picture)
        light = Illumination.of(view, self.appearance.background.picture, gain)
        places, colours = self.candidates(light.level(view, ceiling))
        if not len(places):
            return CellReading(), CellReading()
        x, y = places.astype(int).T
        unclear = self._in_glare(view, ceiling)[y, x]
        unclear |= [light.changes_near(u, v, BORDER_REACH * self.diameter) for u, v in places]
        finer = replace(self.raster, scale=_FINER * self.raster.scale)
        at, diameter = places * _FINER, self.diameter * _FINER
        window = Window.round(at, _PATCH_REACH * diameter, finer.size)
        view = light.within(window, finer.size).level(finer.rectify(picture, window), ceiling)
        labelled = compared.labelled
        lifts = lifts_at(places, self.raster, labelled.pose, labelled.layout.top)
        seen = turned_patches(view, at - window.corner, lifts, diameter)
        bare = turned_patches(self.appearance.background.picture, places, lifts, self.diameter)
        on_board = labelled.top.pixels(project(self.raster.to_board, places)) / labelled.rows.diameter
        lengths = np.linalg.norm(lifts, axis=1) / self.diameter
        tried = [compared.known.chances(_shaded(seen, by), _shaded(bare, by), on_board, lengths) for by in _SHADES]
        nats = _in_best_shade(np.stack(tried))
        nats[:, (WHITE, BLACK)] += _EACH_NATS * np.maximum(colours - _EACH_FROM, 0)
        covered = _covered(places, lifts, self.diameter / 2, nats)
        nats[:, EMPTY] += _COVERED_NATS * np.maximum(covered - _UNCOVERED, 0)
        chances = np.exp(nats - np.logaddexp.reduce(nats, axis=1)[:, None])
        if (unclear & (chances[:, (WHITE, BLACK)].sum(axis=1) > _LEAST_UNCLEAR)).any():
            return CellReading(), CellReading()
        return _cell(chances[:, WHITE], self.edge[y, x], WHITE), _cell(chances[:, BLACK], self.edge[y, x], BLACK)

    def _in_glare(self, view: Picture, ceiling: Singles) -> Bools:
        """Mask of the places on a raster at which a checker cannot be told from the table; `ceiling`: see `look`."""
        alike = saturated(view) & saturated(self.appearance.background.picture, ceiling - NEARLY_WHITE)
        across = round(self.diameter)
        return np.asarray(cv2.blur(alike.astype(np.float32), (across, across)) > _GLARE_SHARE)

    def candidates(self, view: Picture) -> tuple[Floats, Floats]:
        """Pixels (n x 2) of a levelled raster (BGR) where a borne-off checker may lie.

        Also the evidence of White's and of Black's colours there (n x 2, nats a pixel).
        """
        figures = Figures.of(self.appearance.evidence(view), self.diameter / 2)
        white, black, changed = (figures.everywhere(one) for one in (WHITE, BLACK, _CHANGED))
        score = np.maximum(np.maximum(white, black), _CHANGED_SHARE * changed)
        score[~self.beside] = -np.inf
        reach, found, colours = round(_APART * self.diameter), list[tuple[int, int]](), list[tuple[float, float]]()
        while len(found) < _MOST and score.max() > _LEAST_NATS:
            y, x = (int(one) for one in np.unravel_index(int(score.argmax()), score.shape))
            found.append((x, y))
            colours.append((white[y, x], black[y, x]))
            top, left = max(y - reach, 0), max(x - reach, 0)
            near = np.hypot(*np.ogrid[top - y : reach + 1, left - x : reach + 1]) < _APART * self.diameter
            patch = score[top : y + reach + 1, left : x + reach + 1]
            patch[near[: patch.shape[0], : patch.shape[1]]] = -np.inf
        return np.array(found, np.float64).reshape(-1, 2), np.array(colours, np.float64).reshape(-1, 2)


def tray_raster(plane: Raster, layout: Layout) -> Raster:
    """Raster of the table beside a board, from one of the board's own."""
    return Raster(plane.matrix, 0.0, plane.depth, plane.scale / _COARSER, _WIDTH_COLUMNS * layout.column)


def _shaded(patches: Picture, by: float) -> Picture:
    """Patches as they would be in `by` times the light."""
    return np.asarray(np.clip(patches * np.float32(by), 0, 255), np.uint8)


def _in_best_shade(chances: Floats) -> Floats:
    """Log-probabilities (n x 3) of WHITE, BLACK and no checker, for the shade in which a checker is likeliest.

    `chances`: shades x n x 4 (see `KnownCheckers.chances`).
    """
    best = chances[..., (WHITE, BLACK)].max(axis=-1).argmax(axis=0)
    chosen = chances[best, np.arange(chances.shape[1])]
    none = chosen[:, EMPTY] + chosen[:, OTHER]
    return np.asarray(np.log(np.column_stack([chosen[:, (WHITE, BLACK)], none]) + _LEAST_CHANCE))


def _covered(places: Floats, lifts: Floats, radius: float, nats: Floats) -> Floats:
    """Share of the checker at each place (n x 2) that likelier ones, with their walls, would cover.

    `lifts`: from their feet to their tops (n x 2); `nats`: n x 3, log-likelihoods.
    """
    odds = nats[:, (WHITE, BLACK)].max(axis=1) - nats[:, EMPTY]
    within = places[:, None] + INSIDE * radius
    parts = places + lifts / 2 * np.array([-1, 0, 1])[:, None, None]
    near = (np.linalg.norm(within[:, :, None] - parts[:, None, None], axis=-1) < radius).any(axis=0)
    likelier = odds > np.maximum(odds[:, None], 0)
    return np.asarray((near & likelier[:, None]).any(axis=2).mean(axis=1))


def _cell(chances: Floats, at_edge: Bools, side: int) -> CellReading:
    """Cell for one side's borne-off checkers; unreadable if there are none, or more than a side has.

    Also if another number is likelier than that of the places where a checker is likelier than none: then it is the sum
    of many small chances, such as on a table in stripes of shadow.
    `chances`: probability of each that it is that side's checker; `at_edge`: see `Tray.edge`.
    """
    likely = chances > 0.5
    unseen_nats = _OUTSIDE_NATS if (at_edge & likely).any() else _UNSEEN_NATS
    counts = np.ones(1)
    for chance in chances:
        counts = np.convolve(counts, (1 - chance, chance))
    likeliest = int(counts.argmax())
    if not 0 < likeliest <= CHECKERS or likeliest != np.count_nonzero(likely):
        return CellReading()
    seen = np.log(np.maximum(counts / counts.max(), np.exp(-_AS_SEEN_NATS)))
    likelihoods: dict[Content, float] = {}
    for number in range(CHECKERS + 1):
        exactly = float(seen[number]) if number < len(seen) else -_AS_SEEN_NATS
        unseen = float(seen[:number].max(initial=-np.inf)) - unseen_nats
        likelihoods[(number, 0) if side == WHITE else (0, number)] = max(exactly, unseen)
    return CellReading.of(likelihoods)
