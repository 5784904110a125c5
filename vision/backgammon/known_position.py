"""Rectified views of the known position and of the empty board under it.

Checkers on the bar must not become part of the empty board. As the height of the bar and their places on it are
unknown, they are detected along the whole bar by their side's colours.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.backgammon.layout import board_raster
from vision.board import (
    BLACK,
    CIRCLE,
    HALO,
    UNKNOWN,
    WHITE,
    CalibrationError,
    Figures,
    checker_colours,
    hidden_mask,
    inpaint_bed,
    warp_to_plane,
)
from vision.geometry import project_to_bed
from vision.imaging import Appearance, BackgroundModel

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.core import Content
    from vision.arrays import Floats, Picture, Singles
    from vision.board import Layout, Placed, Places
    from vision.geometry import CameraPose, Raster


@dataclass(frozen=True, slots=True)
class RectifiedViews:
    """A known position on the raster of the checkers' tops.

    Attributes:
        view: the rectified picture, BGR.
        ground: the estimated empty board, BGR.
        unknown: uncertainty of `ground`, 0 to 255 (fully unknown); see `vision.board.inpaint_bed`.
    """

    view: Picture
    ground: Picture
    unknown: Picture

    @property
    def parts(self) -> tuple[Picture, Picture, Picture]:
        """All three images, to write to a file."""
        return self.view, self.ground, self.unknown

    @classmethod
    def of(cls, kept: Picture) -> RectifiedViews:
        """From the three images stacked in depth (height x width x 7)."""
        return cls(kept[..., :3].copy(), kept[..., 3:6].copy(), kept[..., 6].copy())

    def saturated_at(self, ceiling: Singles) -> RectifiedViews:
        """The same, clipped at `ceiling` (B, G, R) as by a saturated sensor."""
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return RectifiedViews(view, ground, self.unknown)

    def appearance(self, placed: Sequence[Placed], layout: Places, top: Raster) -> Appearance:
        """Colour tables and empty board."""
        return Appearance(BackgroundModel(self.ground, self.unknown), checker_colours(self.view, placed, layout, top))


_SEARCH, _STRAY_COST = 0.8, 0.6
"""Search range about a known checker's place, in radii, and the cost at its end (nats a pixel)."""
_WIDE_HALO = 1.6
"""Halo (see `vision.board.HALO`) where the known checkers' places are measured: a careless hand lays them a third of a
diameter beside their columns."""
_CARELESS = 0.075
"""Root mean square of the measured distances from their columns, in diameters, from which a side's checkers were laid
carelessly. On 47 boards with checkers at most 0.09 off, one side has 0.07 or less, which is the error of measuring; on
eleven with checkers up to 0.2 or 0.3 off both sides have 0.08 to 0.18."""
_ASIDE = 0.45
"""Largest distance of a checker from the bar's middle, in diameters."""
_APART = 0.8
"""Least distance between checkers on the bar, in diameters. Nearer detections are the same checker."""
_LEAST_NATS = 1.0
"""Least log-likelihood ratio of checker to bar (nats a pixel) for a detection."""
_NOWHERE = -1.0
"""Value of the maps outside the search area."""
SPREADS = 1.48
"""Standard deviation of a normal distribution over its median absolute deviation."""
_HALO = 1.25
"""Radius of the area that a checker on the bar may hide, in checker radii. Its height is unknown."""


@dataclass(frozen=True)
class KnownPosition:
    """A picture (BGR) of a known position, with layout and camera.

    `bed` and `top`: rasters of the bed and of the checkers' tops, of one scale; `on_bar`: n x 2, board coordinates of
    the checkers on the bar, which are removed; `halo`: of what checkers hide, over their radius.
    """

    picture: Picture
    placed: Sequence[Placed]
    layout: Layout
    pose: CameraPose
    bed: Raster
    top: Raster
    on_bar: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    halo: float = HALO

    @classmethod
    def of(
        cls, picture: Picture, placed: Sequence[Placed], layout: Layout, pose: CameraPose, times: int = 1
    ) -> KnownPosition:
        """With rasters at `times` the coarse scale."""
        bed, top = (board_raster(pose, layout, height, times) for height in (0.0, layout.top))
        return cls(picture, placed, layout, pose, bed, top)

    def without_hit(self, on_bar: Floats) -> KnownPosition:
        """Copy without checkers on the bar, at `on_bar` (see `find_hit_checkers`)."""
        return replace(self, on_bar=on_bar) if len(on_bar) else self

    @cached_property
    def rectified(self) -> RectifiedViews:
        """The rectified position, and the estimated empty board."""
        on_bar = self._mask_hidden()
        view = self.top.rectify(self.picture)
        empty, unknown = (self._to_tops(one) for one in self._empty_bed(on_bar))
        painted = self._to_tops(on_bar) > 0
        view[painted] = empty[painted]
        return RectifiedViews(view, empty, unknown)

    @cached_property
    def appearance(self) -> Appearance:
        """Colour tables and empty board."""
        return self.rectified.appearance(self.placed, self.layout, self.top)

    def checker_offsets(self, stacked: Collection[int]) -> tuple[Floats, Floats]:
        """Nominal places of the known checkers, and their offsets from them (n x 2 each, board coordinates).

        Without those on points `stacked`, which carry others and look displaced.
        """
        nominal = [self.layout.slot(one.point, one.index) for one in self.placed if one.point not in stacked]
        places = np.array(nominal).reshape(-1, 2)
        pixels, reach = self.top.pixels(places), _SEARCH * self._radius_px
        seen = [self._figures.centre_near(pixel, reach, _STRAY_COST) for pixel in pixels]
        return places, (np.array(seen).reshape(-1, 2) - pixels) / self.top.scale * (1, -1)

    @cached_property
    def _figures(self) -> Figures:
        """Features of a checker at any place of the rectified view."""
        return Figures.of(self.appearance.evidence(self.rectified.view), self._radius_px)

    @property
    def _radius_px(self) -> float:
        return self.layout.checker * self.top.scale / 2

    def with_asides(self, stacked: Collection[int]) -> KnownPosition:
        """Copy with how far each known checker lies beside its column, if those of both sides were laid carelessly.

        Otherwise what is measured is the error of measuring, as of white checkers on white points. The width of the bar
        is fitted to all of them by least squares: `fit_layout` prefers one with which some lie exactly in place.
        `stacked`: see `checker_offsets`.
        """
        single = [one.point not in stacked for one in self.placed]
        owners = np.array([one.owner for one in self.placed])[single]
        _, offsets = self.checker_offsets(stacked)
        squared = [np.mean(offsets[owners == side, 0] ** 2) for side in (WHITE, BLACK) if (owners == side).any()]
        layout = self.layout
        if min(squared, default=0.0) < (_CARELESS * layout.checker) ** 2:
            return self
        places, offsets = replace(self, halo=_WIDE_HALO).checker_offsets(stacked)
        right_of_bar = places[:, 0] > 0.5
        # by how much each column moves if the bar is wider: the others become narrower
        by_bar = right_of_bar - (places[:, 0] - layout.bar * right_of_bar) / (1 - layout.bar)
        wider = max(float(by_bar @ offsets[:, 0] / (by_bar @ by_bar)), -layout.bar)
        fitted = replace(layout, bar=layout.bar + wider)
        fitted = replace(fitted, diameter=layout.checker / fitted.column)
        asides = np.zeros(len(single))
        asides[single] = offsets[:, 0] - by_bar * wider
        placed = [replace(one, aside=aside) for one, aside in zip(self.placed, asides.tolist(), strict=True)]
        return KnownPosition.of(self.picture, placed, fitted, self.pose)

    def find_hit_checkers(self, bar: Content) -> Floats:
        """Places (n x 2, board coordinates) of White's and Black's checkers on the bar, at most `bar` of each.

        Fewer are found if some are stacked. Raises CalibrationError if a side has checkers there, and none is found.
        """
        if not any(bar):
            return np.zeros((0, 2))
        alike = self._checker_ratios()
        found: list[Floats] = []
        for side, name in ((WHITE, "White"), (BLACK, "Black")):
            own = _likeliest(alike, side, bar[side], _APART * self.layout.checker * self.top.scale)
            if bar[side] and not own:
                raise CalibrationError(
                    f"the position has {bar[side]} of {name}'s checkers on the bar, but none is visible there: put "
                    "them there, or correct the position"
                )
            found += [(self.top.to_board @ (x, y, 1.0))[:2] for x, y in own]
        return np.array(found)

    def _checker_ratios(self) -> list[Singles]:
        """Maps of the log-likelihood ratio (nats a pixel) of White's and of Black's checkers to the bar."""
        top, layout = self.top, self.layout
        strip = np.zeros(self.bed.size[::-1], np.uint8)
        strip[:, _bar_columns(self.bed, max(layout.bar / 2, (0.5 + _ASIDE) * layout.checker))] = UNKNOWN
        ground = BackgroundModel(*(self._to_tops(one) for one in self._empty_bed(strip)))
        evidence = Appearance(ground, self.appearance.tables).evidence(self.rectified.view)
        figures = Figures.of(evidence, layout.checker * top.scale / 2)
        here = _area_rows(top, layout), _bar_columns(top, _ASIDE * layout.checker)
        alike = [np.full(top.size[::-1], _NOWHERE, np.float32) for _ in (WHITE, BLACK)]
        for side, one in enumerate(alike):
            one[here] = figures.everywhere(side)[here]
        return alike

    def _empty_bed(self, on_bar: Picture) -> tuple[Picture, Picture]:
        """Estimate the empty bed and its uncertainty (see `vision.board.inpaint_bed`).

        Hidden parts of the bar (`on_bar`, 255) take the median colour along the bar's length.
        """
        view = self.bed.rectify(self.picture)
        by_points = hidden_mask(self.placed, self.layout, self.pose, self.bed, self.halo)
        hidden = np.asarray(cv2.bitwise_or(by_points, on_bar), np.uint8)
        empty, unknown = inpaint_bed(view, hidden, self.layout, self.bed)
        here = _area_rows(self.bed, self.layout), _bar_columns(self.bed, self.layout.bar / 2)
        covered = on_bar[here] > 0
        if covered.any():
            free = (hidden[here] == 0) | (hidden[here] > 0).all(axis=0)
            nominal = np.where(free[..., None], view[here].astype(np.float32), np.nan)
            usual = np.nanmedian(nominal, axis=0)
            strays = SPREADS * np.nanmedian(np.abs(nominal - usual), axis=0).max(axis=1) / (usual.mean(axis=1) + 1)
            doubt = np.clip(UNKNOWN * strays, 0, UNKNOWN // 2)
            empty[here][covered] = np.broadcast_to(usual, nominal.shape)[covered]
            unknown[here][covered] = np.broadcast_to(doubt, covered.shape)[covered]
        return empty, unknown

    def _mask_hidden(self) -> Picture:
        """Mask (255 = hidden) of the bed hidden by checkers on the bar, which may be two high."""
        mask = np.zeros(self.bed.size[::-1], np.uint8)
        tops, _ = project_to_bed(self.pose, self.on_bar, 2 * self.layout.top)
        for ends in zip(self.on_bar, tops, strict=True):
            outline = np.vstack([end + CIRCLE * self.layout.checker / 2 * _HALO for end in ends])
            hull = cv2.convexHull(self.bed.pixels(outline).astype(np.float32))
            cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
        return mask

    def _to_tops(self, bed_view: Picture) -> Picture:
        """Warp the raster `bed` to `top`, on which the bed appears shifted."""
        return warp_to_plane(bed_view, self.bed, self.top, self.pose)


def _likeliest(alike: list[Singles], side: int, most: int, apart: float) -> list[tuple[int, int]]:
    """Up to `most` maxima (x, y) of a side's map, `apart` pixels or more from each other; changes the maps."""
    found: list[tuple[int, int]] = []
    while len(found) < most:
        _, nats, _, place = cv2.minMaxLoc(alike[side])
        if nats < _LEAST_NATS:
            break
        found.append((int(place[0]), int(place[1])))
        for one in alike:
            cv2.circle(one, place, round(apart), _NOWHERE, -1)
    return found


def _bar_columns(raster: Raster, half: float) -> slice:
    """Columns of a raster within `half` (board units) of the bar's middle."""
    left, right = raster.pixels(np.array([[0.5 - half, 0.0], [0.5 + half, 0.0]]))[:, 0]
    return slice(round(float(left)), round(float(right)))


def _area_rows(raster: Raster, layout: Layout) -> slice:
    """Rows of a raster within the playing area."""
    near, far = raster.pixels(np.array([[0.5, 0.0], [0.5, layout.depth]]))[:, 1]
    return slice(round(float(far)), round(float(near)))
