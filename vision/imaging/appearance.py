"""Appearance models of a board: the empty board and both sides' colours, and the evidence of a new picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import sobel_gradient
from vision.imaging.colour import bins_of, to_lab8
from vision.imaging.exposure import match_gain

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles
    from vision.geometry import Window


_LEAST_DENSITY = 1e-7
"""Least density (per cubic Lab unit) of a colour under the empty board."""
_NOISE = (6.0, 3.0, 3.0)
"""Standard deviation of L, a and b (8-bit) of one unchanged place between pictures: sensor noise, JPEG and imperfect
gain matching."""
_GRADIENT_NOISE = 2.0
"""Standard deviation of the gradient of L where nothing changed: `_NOISE` averaged over a Sobel kernel."""
_EDGE_VARIATION = 0.3
"""Standard deviation of an edge's gradient, relative to the gradient: pictures of one camera vary in sharpness."""
_MOST_NATS = 8.0
"""Bound on the log-likelihood ratio of one pixel, in nats, because neighbouring pixels are not independent."""
_EVERY = 7
"""Sampling step, in pixels, of the check for saturation."""
_SATURATED, _LEAST_WHITE = 258.0, 200.0
"""Grey level above which the expected value of a pixel is saturated; least grey level at which a sensor saturates."""
_FEWEST_SATURATED = 30
"""Least number of saturated pixels from which a channel's saturation level is measured."""
_WHOLE_RANGE = 255
_HALF_KNOWN = 127
"""Pixels of the empty board with a greater uncertainty (of 255) are not used."""
_BLACK = (0.0, 128.0, 128.0)
"""Black in 8-bit Lab. If the brightness changes by a share, a colour moves by that share of its distance from black."""


@dataclass(frozen=True, slots=True)
class PixelEvidence:
    """Evidence of each pixel of a raster; all maps are height x width, float32.

    Attributes:
        white, black: log-likelihood ratio of that side's checkers against the empty board (nats, clipped).
        changed: distance from the empty board as negative log-likelihood (nats, clipped).
        relief: difference of the gradient from the empty board's, in standard deviations, clipped; it does not depend
            on the light.
        steep: length of the gradient (L per pixel).
        view, background: the levelled raster and the empty board's, BGR.
    """

    white: Singles
    black: Singles
    changed: Singles
    relief: Singles
    steep: Singles
    view: Picture
    background: Picture

    @property
    def maps(self) -> tuple[Singles, Singles, Singles, Singles]:
        """The maps from which a slot's features are computed."""
        return self.white, self.black, self.changed, self.relief


def lightness_gradient(view: Singles) -> Singles:
    """Gradient of L (8-bit units per pixel; height x width x 2: along x, along y) of a raster in Lab (float32)."""
    light = cv2.extractChannel(view, 0)
    return np.asarray(cv2.merge(sobel_gradient(np.asarray(light, np.float32))), np.float32)


@dataclass(frozen=True)
class BackgroundModel:
    """Background model: colour and gradient of the empty board at each pixel of a raster, with their variation.

    Attributes:
        picture: the empty board, height x width x 3, BGR.
        unknown: uncertainty of each pixel (see `vision.board.inpaint_bed`). Above half of 255 the pixel is not used;
            below, it is the share (of 255) by which the pixel may be lighter or darker. None if all of it was seen.
    """

    picture: Picture
    unknown: Picture | None = None

    @cached_property
    def centre(self) -> Singles:
        """The empty board in Lab (8-bit units), float32."""
        return to_lab8(self.picture).astype(np.float32)

    @cached_property
    def weight(self) -> Singles:
        """1 / standard deviation (height x width x 3, per Lab unit); smaller at edges, as rasters shift a little."""
        local = cv2.blur(self.centre * self.centre, (3, 3)) - cv2.blur(self.centre, (3, 3)) ** 2
        spread = np.maximum(local, 0) + np.array(_NOISE, np.float32) ** 2
        if self.unknown is not None:
            share = np.where(self.unknown > _HALF_KNOWN, 0, self.unknown)[..., None] / np.float32(255)
            spread += (share * np.abs(self.centre - np.array(_BLACK, np.float32))) ** 2
        return np.asarray(1 / np.sqrt(spread), np.float32)

    @cached_property
    def offset(self) -> Singles:
        """Log density of the empty board at each pixel's expected colour: the largest possible (height x width)."""
        return np.asarray(np.log(self.weight).sum(axis=2) - 1.5 * np.log(2 * np.pi), np.float32)

    @cached_property
    def slope(self) -> Singles:
        """Gradient of L (height x width x 2: along x, along y)."""
        return lightness_gradient(self.centre)

    @cached_property
    def gradient_weight(self) -> Singles:
        """1 / standard deviation of each pixel's gradient (height x width)."""
        return np.asarray(1 / np.sqrt(_GRADIENT_NOISE**2 + (_EDGE_VARIATION * self.steep) ** 2), np.float32)

    @cached_property
    def known(self) -> Singles:
        """1 for each pixel that is used, else 0."""
        if self.unknown is None:
            return np.ones(self.picture.shape[:2], np.float32)
        return np.asarray(self.unknown <= _HALF_KNOWN, np.float32)

    def within(self, window: Window) -> BackgroundModel:
        """The model of a part of the raster."""
        return BackgroundModel(window.of(self.picture), None if self.unknown is None else window.of(self.unknown))

    @property
    def steep(self) -> Singles:
        """Length of the gradient (L per pixel)."""
        return np.asarray(cv2.magnitude(*cv2.split(self.slope)), np.float32)

    def log_density(self, view: Singles) -> Singles:
        """Log density of each pixel of a Lab raster (float32) under the empty board, at least log(`_LEAST_DENSITY`)."""
        away = view - self.centre
        away *= self.weight
        away *= away
        density = np.asarray(cv2.transform(away, np.full((1, 3), -0.5, np.float32)), np.float32)
        density += self.offset
        return np.asarray(np.maximum(density, np.log(_LEAST_DENSITY), out=density), np.float32)


def level(view: Picture, gain: Singles, ceiling: Singles | None = None) -> Picture:
    """Divide a raster (BGR) by `gain` (B, G, R), to match the empty board's brightness and white balance.

    `ceiling` (B, G, R): values are clipped there, so that saturated pixels are equal in both.
    """
    most = np.full(3, 255, np.float32) if ceiling is None else ceiling
    table = np.clip(np.arange(256)[:, None] / gain[None], 0, most[None]).astype(np.uint8)
    return np.asarray(cv2.LUT(view, table[None]), np.uint8)


@dataclass(frozen=True, slots=True)
class Appearance:
    """Colour models: the empty board, and tables of White's and of Black's colours (see `colour_table`)."""

    background: BackgroundModel
    tables: tuple[Singles, Singles]

    def within(self, window: Window) -> Appearance:
        """The models of a part of the raster."""
        return Appearance(self.background.within(window), self.tables)

    def saturated_at(self, ceiling: Singles, tables: tuple[Singles, Singles]) -> Appearance:
        """The models for pictures saturated above `ceiling` (B, G, R), with the checkers' `tables` at that exposure."""
        if (ceiling >= _WHOLE_RANGE).all():
            return self
        ground = np.minimum(self.background.picture, ceiling).astype(np.uint8)
        return Appearance(BackgroundModel(ground, self.background.unknown), tables)

    def gain_of(self, view: Picture) -> Singles:
        """How much brighter (B, G, R) a raster is than the empty board."""
        return match_gain(view, self.background.picture)

    def saturation_gain(self, view: Picture, gain: Singles) -> Singles:
        """The gain (B, G, R) at which a sensor with full range would saturate where this sensor does.

        Most sensors saturate below 255 (compressed highlights, vignetting). The level is measured on pixels of the
        board that are expected to be saturated.
        """
        ground, seen = (one.reshape(-1, 3)[::_EVERY] for one in (self.background.picture, view))
        most = np.full(3, 255, np.float32)
        for channel in range(3):
            saturated = seen[ground[:, channel] * gain[channel] > _SATURATED, channel]
            if len(saturated) >= _FEWEST_SATURATED:
                most[channel] = np.clip(np.median(saturated), _LEAST_WHITE, 255)
        return np.asarray(gain * 255 / most, np.float32)

    def evidence(self, levelled: Picture) -> PixelEvidence:
        """Compute the evidence of each pixel of a levelled raster (BGR)."""
        coarse = to_lab8(levelled)
        view = coarse.astype(np.float32)
        index = bins_of(coarse)
        white, black = (table.ravel().take(index) for table in self.tables)
        ground = self.background.log_density(view)
        slope = lightness_gradient(view)
        steep = cv2.magnitude(*cv2.split(slope))
        slope -= self.background.slope
        relief = np.asarray(cv2.magnitude(*cv2.split(slope)), np.float32)
        relief *= self.background.gradient_weight
        white -= ground
        black -= ground
        changed = self.background.offset - ground
        for one in (white, black, changed, relief):
            cv2.threshold(one, _MOST_NATS, 0, cv2.THRESH_TRUNC, dst=one)
            one *= self.background.known
        white, black = np.maximum(white, -_MOST_NATS, out=white), np.maximum(black, -_MOST_NATS, out=black)
        return PixelEvidence(
            white, black, changed, relief, np.asarray(steep, np.float32), levelled, self.background.picture
        )
