"""How a board looks: both sides' colours, the empty board under them, and what a new picture says against them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.gain import match_gain
from vision.shade import is_shaded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.raster import Window

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float32]
    Bools = NDArray[np.bool_]

_BINS, _SHIFT = 32, 3
_SMOOTH = (1.6, 0.8, 0.8)
"""Spread of a colour table in bins of 8 Lab units: light varies more over a board than hue does."""
_RARE = 1e-8
"""Density (a cubic Lab unit) of a colour that a side's checkers never showed: less than a thousandth of an even
spread over all colours."""
_FOREIGN = 1e-7
"""The same for the empty board."""
_NOISE = (6.0, 3.0, 3.0)
"""What L, a and b (8-bit) of one unchanged place vary by between pictures: sensor noise, JPEG and imperfect gain
matching."""
_RIPPLE = 2.0
"""Spread of the gradient of L where nothing changed, from the noise above averaged over a Sobel mask."""
_SOFTER = 0.3
"""Share of an edge's own gradient that it varies by: pictures of one camera are not all equally sharp."""
_CLIP = 8.0
"""One pixel counts at most so much (nats): neighbouring pixels are not independent witnesses."""
_EVERY = 7
"""One pixel in so many is enough to see what is washed out."""
_SHADE_REACH = 0.65
"""How much of a disc is looked at for shade (in radii), within the rims of checkers that lie beside."""
_WASHED, _BRIGHT_LEAST = 258.0, 200.0
"""A ground that comes out brighter than the one is washed out; no sensor stops below the other."""
_ENOUGH = 30
_WHOLE_RANGE = 255
_HALF_KNOWN = 127
"""Of 255: what is less known of the empty board tells nothing."""
_BLACK = (0.0, 128.0, 128.0)
"""In 8-bit Lab; what is lighter by a share lies by that share farther from it."""


def lab(picture: Picture) -> Picture:
    """BGR to 8-bit Lab."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)


def colour_table(pixels: Picture) -> Floats:
    """Log density (a cubic Lab unit) over the Lab cube in 32 x 32 x 32 bins, from sample pixels (n x 3, 8-bit Lab)."""
    counts = np.zeros((_BINS,) * 3, np.float32)
    np.add.at(counts, tuple((pixels >> _SHIFT).T), 1)
    counts /= max(len(pixels), 1)
    for axis, spread in enumerate(_SMOOTH):
        kernel = np.exp(-0.5 * (np.arange(-5, 6) / spread) ** 2)
        kernel /= kernel.sum()
        counts = np.apply_along_axis(np.convolve, axis, counts, kernel, "same")
    return np.log(counts / 8**3 + _RARE).astype(np.float32)


def bins_of(colours: Picture) -> NDArray[np.intp]:
    """Where each pixel of a raster in Lab stands in a colour table, from its first number to its last."""
    light, a, b = (np.asarray(one, np.uint8) >> _SHIFT for one in cv2.split(colours))
    index = light.astype(np.uint16)
    for further in (a, b):
        index *= _BINS
        index += further
    return np.asarray(index, np.intp)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What each pixel of a raster says; all maps are height x width, float32.

    Attributes:
        white, black: how much more it looks like that side's checkers than like the empty board (nats, clipped).
        changed: how far it is from the empty board, whatever it is (nats, clipped).
        relief: how much it rises and falls otherwise than on the empty board (spreads of noise, clipped): this holds in
            any light.
        steep: how much it rises and falls (L a pixel).
        view, ground: the raster itself, levelled, and the empty board's, BGR.
    """

    white: Floats
    black: Floats
    changed: Floats
    relief: Floats
    steep: Floats
    view: Picture
    ground: Picture

    def in_shade(self, x: int, y: int, radius: float) -> bool:
        """Whether a disc (raster pixels) shows nothing but the empty board, darker than it was learned."""
        reach = round(_SHADE_REACH * radius)
        here = slice(max(y - reach, 0), y + reach + 1), slice(max(x - reach, 0), x + reach + 1)
        return is_shaded(self.view[here], self.ground[here])

    @property
    def maps(self) -> tuple[Floats, Floats, Floats, Floats]:
        """What a slot's figures are taken from."""
        return self.white, self.black, self.changed, self.relief


def slopes(view: Floats) -> Floats:
    """Gradient of L (8-bit units a pixel) along x and y, from a raster in Lab (float32)."""
    light = cv2.extractChannel(view, 0)
    along_both = [cv2.Sobel(light, cv2.CV_32F, *along, ksize=3, scale=1 / 8) for along in ((1, 0), (0, 1))]
    return np.asarray(cv2.merge(along_both), np.float32)


@dataclass(frozen=True)
class BackgroundModel:
    """The empty board as a raster shows it, to compare pictures against; edges vary more, as rasters lie a little off.

    Attributes:
        picture: height x width x 3, BGR.
        unknown: how little is known of it (`vision.empty_board.uncover`): past half of 255 nothing is said there, below
            that it may be lighter or darker by so much. None where all of it was seen.
    """

    picture: Picture
    unknown: Picture | None = None

    @cached_property
    def centre(self) -> Floats:
        """The same in Lab."""
        return lab(self.picture).astype(np.float32)

    @cached_property
    def weight(self) -> Floats:
        """Per pixel and channel, 1 / spread (Lab units)."""
        local = cv2.blur(self.centre * self.centre, (3, 3)) - cv2.blur(self.centre, (3, 3)) ** 2
        spread = np.maximum(local, 0) + np.array(_NOISE, np.float32) ** 2
        if self.unknown is not None:
            share = np.where(self.unknown > _HALF_KNOWN, 0, self.unknown)[..., None] / np.float32(255)
            spread += (share * np.abs(self.centre - np.array(_BLACK, np.float32))) ** 2
        return np.asarray(1 / np.sqrt(spread), np.float32)

    @cached_property
    def offset(self) -> Floats:
        """Per pixel, log density at the centre."""
        return np.asarray(np.log(self.weight).sum(axis=2) - 1.5 * np.log(2 * np.pi), np.float32)

    @cached_property
    def slope(self) -> Floats:
        """Height x width x 2, gradient of L along x and y."""
        return slopes(self.centre)

    @cached_property
    def calm(self) -> Floats:
        """Per pixel, 1 / spread of that gradient."""
        return np.asarray(1 / np.sqrt(_RIPPLE**2 + (_SOFTER * self.steep) ** 2), np.float32)

    @cached_property
    def known(self) -> Floats:
        """Per pixel, 1, or 0 where nothing is said."""
        if self.unknown is None:
            return np.ones(self.picture.shape[:2], np.float32)
        return np.asarray(self.unknown <= _HALF_KNOWN, np.float32)

    def within(self, window: Window) -> BackgroundModel:
        """What of it lies in a part of the raster."""
        return BackgroundModel(window.of(self.picture), None if self.unknown is None else window.of(self.unknown))

    @property
    def steep(self) -> Floats:
        """How much the empty board itself rises and falls (L a pixel)."""
        return np.asarray(cv2.magnitude(*cv2.split(self.slope)), np.float32)

    def log_density(self, view: Floats) -> Floats:
        """Log density of each pixel of a raster in Lab (float32) under the empty board, not below a floor."""
        away = view - self.centre
        away *= self.weight
        away *= away
        density = np.asarray(cv2.transform(away, np.full((1, 3), -0.5, np.float32)), np.float32)
        density += self.offset
        return np.asarray(np.maximum(density, np.log(_FOREIGN), out=density), np.float32)


def level(view: Picture, gain: Floats, ceiling: Floats | None = None) -> Picture:
    """A raster that is `gain` times (B, G, R) too bright, brought back to the ground's brightness and white balance.

    `ceiling` (B, G, R): cut off there, so that what the sensor washed out is alike in both.
    """
    most = np.full(3, 255, np.float32) if ceiling is None else ceiling
    table = np.clip(np.arange(256)[:, None] / gain[None], 0, most[None]).astype(np.uint8)
    return np.asarray(cv2.LUT(view, table[None]), np.uint8)


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the checkers and the empty board look like."""

    ground: BackgroundModel
    tables: tuple[Floats, Floats]

    def within(self, window: Window) -> Appearance:
        """The same for a part of the raster."""
        return Appearance(self.ground.within(window), self.tables)

    def cut_off(self, ceiling: Floats, tables: tuple[Floats, Floats]) -> Appearance:
        """The same as a sensor gives it that tells nothing apart above `ceiling` (B, G, R), with the colours it has."""
        if (ceiling >= _WHOLE_RANGE).all():
            return self
        ground = np.minimum(self.ground.picture, ceiling).astype(np.uint8)
        return Appearance(BackgroundModel(ground, self.ground.unknown), tables)

    def gain_of(self, view: Picture) -> Floats:
        """How much brighter (B, G, R) a raster is than the ground."""
        return match_gain(view, self.ground.picture)

    def cut_off_gain(self, view: Picture, gain: Floats) -> Floats:
        """The gain (B, G, R) at which a sensor with full range would wash out as much of the ground as this one does.

        Most sensors stop short of 255 (highlights are compressed, corners vignetted): what they give where the ground
        is too bright for them is seen on the ground itself.
        """
        ground, seen = (one.reshape(-1, 3)[::_EVERY] for one in (self.ground.picture, view))
        most = np.full(3, 255, np.float32)
        for channel in range(3):
            washed = seen[ground[:, channel] * gain[channel] > _WASHED, channel]
            if len(washed) >= _ENOUGH:
                most[channel] = np.clip(np.median(washed), _BRIGHT_LEAST, 255)
        return np.asarray(gain * 255 / most, np.float32)

    def evidence(self, levelled: Picture) -> Evidence:
        """What each pixel of a levelled raster says."""
        coarse = lab(levelled)
        view = coarse.astype(np.float32)
        index = bins_of(coarse)
        white, black = (table.ravel().take(index) for table in self.tables)
        ground = self.ground.log_density(view)
        slope = slopes(view)
        steep = cv2.magnitude(*cv2.split(slope))
        slope -= self.ground.slope
        relief = np.asarray(cv2.magnitude(*cv2.split(slope)), np.float32)
        relief *= self.ground.calm
        white -= ground
        black -= ground
        changed = self.ground.offset - ground
        for one in (white, black, changed, relief):
            cv2.threshold(one, _CLIP, 0, cv2.THRESH_TRUNC, dst=one)
            one *= self.ground.known
        white, black = np.maximum(white, -_CLIP, out=white), np.maximum(black, -_CLIP, out=black)
        return Evidence(white, black, changed, relief, np.asarray(steep, np.float32), levelled, self.ground.picture)
