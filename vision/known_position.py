"""A known position in the picture that a board is learned from: straightened, and without its checkers.

What lies on the bar must not be learned as a part of it. How high the bar is and where checkers are put on it is not
known, so they are sought all along it, as what looks like their side rather than like the bar for the most part.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import Appearance, BackgroundModel
from vision.board_rasters import board_raster
from vision.calibration_file import CalibrationError
from vision.empty_board import UNKNOWN, hidden_by, lift, uncover
from vision.geometry import rise
from vision.layout import CIRCLE
from vision.slots import BLACK, WHITE, Figures
from vision.straightened import Straightened

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.geometry import CameraPose
    from vision.layout import Layout, Placed
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_SOUGHT, _STRAY_COST = 0.8, 0.6
"""How far off its place a known checker is sought, in radii, and what must speak more for it there (nats a pixel)."""
_ASIDE = 0.45
"""How far, in diameters, a checker lies off the bar's middle at most."""
_APART = 0.8
"""Checkers on the bar do not overlap: what is nearer to one than so many diameters is the same."""
_LEAST_NATS = 1.0
"""How much a place must look like a side's checker rather than like the bar (nats a pixel)."""
_NOWHERE = -1.0
"""Stands for that on the maps where no checker is sought."""
_SPREADS = 1.48
"""Spreads of a normal distribution in its median deviation."""
_HALO = 1.25
"""Radius of what a checker hides there, over its own: how high it lies is not known."""


@dataclass(frozen=True)
class KnownPosition:
    """A picture (BGR) of a known position, and where everything lies in it.

    Attributes:
        picture: as it was taken.
        placed: the checkers on the points.
        layout, pose: the board, and the camera.
        bed, top: rasters of the bed and of the checkers' tops, of one scale.
        on_bar: n x 2, where checkers lie on the bar that are taken away (board coordinates).
    """

    picture: Picture
    placed: Sequence[Placed]
    layout: Layout
    pose: CameraPose
    bed: Raster
    top: Raster
    on_bar: Floats = field(default_factory=lambda: np.zeros((0, 2)))

    @classmethod
    def of(
        cls, picture: Picture, placed: Sequence[Placed], layout: Layout, pose: CameraPose, times: int = 1
    ) -> KnownPosition:
        """On rasters `times` as fine as the coarse ones."""
        bed, top = (board_raster(pose, layout, height, times) for height in (0.0, layout.top))
        return cls(picture, placed, layout, pose, bed, top)

    def without(self, hit: Floats) -> KnownPosition:
        """The same with checkers on the bar taken away (see `hit`)."""
        return replace(self, on_bar=hit) if len(hit) else self

    @cached_property
    def straightened(self) -> Straightened:
        """The position, and the empty board as far as it can be told."""
        on_bar = self._hidden_by(self.on_bar)
        view = self.top.straighten(self.picture)
        empty, unknown = (self._lift(one) for one in self._bare(on_bar))
        painted = self._lift(on_bar) > 0
        view[painted] = empty[painted]
        return Straightened(view, empty, unknown)

    @cached_property
    def appearance(self) -> Appearance:
        """Colours and empty board."""
        return self.straightened.appearance(self.placed, self.layout, self.top)

    def off(self, stacked: Collection[int]) -> tuple[Floats, Floats]:
        """How far the known checkers are seen off their places.

        Args:
            stacked: points whose checkers bear others and look as if they lay elsewhere; they are left out.

        Returns:
            Their places, and how far off they are (n x 2 each, board coordinates).
        """
        told = [self.layout.slot(one.point, one.index) for one in self.placed if one.point not in stacked]
        places = np.array(told).reshape(-1, 2)
        radius = self.layout.checker * self.top.scale / 2
        figures = Figures.of(self.appearance.evidence(self.straightened.view), radius)
        pixels = self.top.pixels(places)
        seen = [figures.centre_near(pixel, _SOUGHT * radius, _STRAY_COST) for pixel in pixels]
        return places, (np.array(seen).reshape(-1, 2) - pixels) / self.top.scale * (1, -1)

    def hit(self, bar: Content) -> Floats:
        """Where checkers lie on the bar (n x 2, board coordinates), as many as are told; fewer where some are stacked.

        Args:
            bar: how many of White's and of Black's lie there.

        Raises:
            CalibrationError: a side's checkers are told to lie there, and none is seen.
        """
        if not any(bar):
            return np.zeros((0, 2))
        alike = self._like_checkers()
        found: list[Floats] = []
        for side, name in ((WHITE, "White"), (BLACK, "Black")):
            own = _likeliest(alike, side, bar[side], _APART * self.layout.checker * self.top.scale)
            if bar[side] and not own:
                raise CalibrationError(
                    f"{bar[side]} of {name}'s checkers are said to lie on the bar, and none is seen there: put them "
                    "there, or say what does lie on the bar"
                )
            found += [(self.top.to_board @ (x, y, 1.0))[:2] for x, y in own]
        return np.array(found)

    def _like_checkers(self) -> list[Singles]:
        """For White's and Black's checkers, how much they look to have their centre there on the bar (nats a pixel)."""
        top, layout = self.top, self.layout
        strip = np.zeros(self.bed.size[::-1], np.uint8)
        strip[:, _across(self.bed, max(layout.bar / 2, (0.5 + _ASIDE) * layout.checker))] = UNKNOWN
        ground = BackgroundModel(*(self._lift(one) for one in self._bare(strip)))
        evidence = Appearance(ground, self.appearance.tables).evidence(self.straightened.view)
        figures = Figures.of(evidence, layout.checker * top.scale / 2)
        here = _down(top, layout), _across(top, _ASIDE * layout.checker)
        alike = [np.full(top.size[::-1], _NOWHERE, np.float32) for _ in (WHITE, BLACK)]
        for side, one in enumerate(alike):
            one[here] = figures.everywhere(side)[here]
        return alike

    def _bare(self, on_bar: Picture) -> tuple[Picture, Picture]:
        """The empty bed, and how little is known of it (see `vision.empty_board.uncover`).

        The bar, where that is hidden (`on_bar`, 255), looks as it does elsewhere along its length.
        """
        view = self.bed.straighten(self.picture)
        by_points = hidden_by(self.placed, self.layout, self.pose, self.bed)
        hidden = np.asarray(cv2.bitwise_or(by_points, on_bar), np.uint8)
        empty, unknown = uncover(view, hidden, self.layout, self.bed)
        here = _down(self.bed, self.layout), _across(self.bed, self.layout.bar / 2)
        covered = on_bar[here] > 0
        if covered.any():
            free = (hidden[here] == 0) | (hidden[here] > 0).all(axis=0)
            told = np.where(free[..., None], view[here].astype(np.float32), np.nan)
            usual = np.nanmedian(told, axis=0)
            strays = _SPREADS * np.nanmedian(np.abs(told - usual), axis=0).max(axis=1) / (usual.mean(axis=1) + 1)
            doubt = np.clip(UNKNOWN * strays, 0, UNKNOWN // 2)
            empty[here][covered] = np.broadcast_to(usual, told.shape)[covered]
            unknown[here][covered] = np.broadcast_to(doubt, covered.shape)[covered]
        return empty, unknown

    def _hidden_by(self, hit: Floats) -> Picture:
        """Mask (255 = hidden) of what checkers on the bar hide in the raster of the bed; one may lie on another."""
        mask = np.zeros(self.bed.size[::-1], np.uint8)
        tops, _ = rise(self.pose, hit, 2 * self.layout.top)
        for ends in zip(hit, tops, strict=True):
            outline = np.vstack([end + CIRCLE * self.layout.checker / 2 * _HALO for end in ends])
            hull = cv2.convexHull(self.bed.pixels(outline).astype(np.float32))
            cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
        return mask

    def _lift(self, bed_view: Picture) -> Picture:
        return lift(bed_view, self.bed, self.top, self.pose)


def _likeliest(alike: list[Singles], side: int, most: int, apart: float) -> list[tuple[int, int]]:
    """Up to so many places (x, y) that look like a side's checkers, the likeliest first; maps lose what is found."""
    found: list[tuple[int, int]] = []
    while len(found) < most:
        _, nats, _, place = cv2.minMaxLoc(alike[side])
        if nats < _LEAST_NATS:
            break
        found.append((int(place[0]), int(place[1])))
        for one in alike:
            cv2.circle(one, place, round(apart), _NOWHERE, -1)
    return found


def _across(raster: Raster, half: float) -> slice:
    """The columns of a raster from `half` (board units) left of the bar's middle to as far right of it."""
    left, right = raster.pixels(np.array([[0.5 - half, 0.0], [0.5 + half, 0.0]]))[:, 0]
    return slice(round(float(left)), round(float(right)))


def _down(raster: Raster, layout: Layout) -> slice:
    """The rows of a raster that the playing area takes."""
    near, far = raster.pixels(np.array([[0.5, 0.0], [0.5, layout.depth]]))[:, 1]
    return slice(round(float(far)), round(float(near)))
