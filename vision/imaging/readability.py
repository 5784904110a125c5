"""Whether a picture can be read, and if not why: dark, glare, blur, moved camera, hand. And its sharpness."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import Cause, Observation
from vision.geometry import grey, sobel_gradient
from vision.imaging.exposure import SATURATED, saturated
from vision.imaging.filters import ellipse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Ints, Picture, Singles
    from vision.geometry import Raster

    Discs = Sequence[tuple[int, int]]


_DARK_LEVEL, _LIT_SHARE, _WELL_LIT_SHARE = 22, 0.05, 0.25
"""Grey level that the first share of the board must reach: a row of tiles takes up a tenth of what is looked at, and
the rest may be a black table. Of 5,032 pictures with a fiftieth to two fifths of the light, and noise of up to 9 grey
levels, none was wrong. Below the second share, noise may look like a hand or a blur."""
_WHITE = (255,) * 3
_GLARE_LEVEL = 250
"""Grey level from which a pixel is saturated."""
_GLARE_SHARE = 0.12
"""Largest share of the board that may be saturated where it was not in the calibration picture."""
_EDGE_SHARE = 0.06
"""Share of the pixels that count as the empty board's strongest edges (outlines of the points and of the frame)."""
_EDGES_LEFT = 0.55
"""Least share of those edges' gradient that must still be in place. A shift of two raster pixels (a tenth of a column)
leaves 0.3, a blur as wide 0.4; boards full of checkers keep 0.7 and more."""
_STILL_SHARP = 0.6
"""Gradient of the picture's strongest edges over that of the empty board's. If edges are not in place, the camera was
moved above this ratio, and the picture is blurred below it."""
_BLOCKS = 3, 4
"""Blocks down and across in which the edges are checked."""
_CHANGED_NATS = 5.0
"""Distance of a pixel from the empty board, in nats, from which it is foreground: three deviations of noise."""
_DISC_HALO = 0.72
"""Radius around a checker that its side, shadow and rim cover, in diameters."""
_OPENING = 0.45
"""Things thinner than this, in diameters, are seams and shadows: a finger is wider than half a checker."""
_SEAM_PX = 5
"""Largest gap, in raster pixels, that an edge of the empty board cuts into something over it."""
_REACHING_DISCS = 0.8
"""Least area inside the playing area, in checkers, from which something that reaches over the frame is a hand."""
_LYING_DISCS = 6.0
"""The same area for something that does not reach over the frame: two dice side by side, with their visible sides and
their shadows, cover up to five small checkers. With 6 every hand of 170 labelled pictures is still detected."""
_EVERY = 3
"""Sampling step along x and y, in pixels, of the check for darkness."""


def cause_of_light(view: Picture, ground: Picture) -> Cause | None:
    """DARK or GLARE, from the BGR raster before levelling and the empty board's `ground`; None if the light is good."""
    if is_dark(view):
        return Cause.DARK
    bright = cv2.inRange(view, (_GLARE_LEVEL,) * 3, _WHITE)
    if cv2.countNonZero(bright) <= _GLARE_SHARE * bright.size:
        return None
    return Cause.GLARE if np.count_nonzero(washed_out(view, ground)) > _GLARE_SHARE * bright.size else None


def colours_lost(view: Picture, where: Bools, white: Singles | float = SATURATED) -> float:
    """Share of a mask's pixels that are `saturated`: there pale checkers look like what they stand on."""
    return float(saturated(view, white)[where].mean()) if where.any() else 0.0


def is_dark(view: Picture) -> bool:
    """Whether nearly all of a raster (BGR, before levelling) is too dark to be read."""
    return _lit_share(view) < _LIT_SHARE


def blamed_on_darkness(seen: Observation, view: Picture) -> Observation:
    """An observation with DARK as the cause in place of any other one if its raster (BGR, before levelling) is dim."""
    dark = seen.unreadable is not None and _lit_share(view) < _WELL_LIT_SHARE
    return Observation((), Cause.DARK) if dark else seen


def _lit_share(view: Picture) -> float:
    """Share of a raster's pixels (BGR) that reach `_DARK_LEVEL`."""
    blue, green, red = np.moveaxis(view[::_EVERY, ::_EVERY].astype(np.uint16), -1, 0)
    return float(np.mean(blue + green + red >= 3 * _DARK_LEVEL))


def steepness(view: Picture) -> float:
    """Gradient of the strongest edges of a raster (BGR), relative to its mean brightness; at least 1e-6.

    A blur of a twentieth of a square reduces it to 0.6 of that of a sharp look at the same board, of an eighth to 0.3.
    """
    light = grey(view)
    steep = cv2.magnitude(*sobel_gradient(light))
    return max(float(np.quantile(steep, 1 - _EDGE_SHARE)) / max(float(light.mean()), 1.0), 1e-6)


def washed_out(view: Picture, ground: Picture) -> Bools:
    """Mask of the saturated pixels (BGR rasters) where the empty board is not nearly white."""
    bright, pale = (
        cv2.inRange(one, (level,) * 3, _WHITE) for one, level in ((view, _GLARE_LEVEL), (ground, _GLARE_LEVEL - 10))
    )
    return np.asarray(cv2.subtract(bright, pale) > 0)


def thick_things(changed: Singles, diameter: float, discs: Discs = (), ignore: Bools | None = None) -> Bools:
    """Mask of what is neither empty board nor a checker that was found, such as hands and dice; without thin parts.

    `changed`: distance of each pixel from the empty board in nats (see `Appearance.evidence`); `diameter`: of a
    checker, in pixels; `discs`: centres (x, y) of the checkers that were found; `ignore`: mask of pixels that are not
    checked, such as those that differ from the empty board already in calibration.
    """
    mask = unexplained(changed, discs, diameter)
    if ignore is not None:
        mask[ignore] = 0
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, ellipse(_SEAM_PX))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, ellipse(max(3, _OPENING * diameter))) > 0)


def holds_hand(things: Bools, diameter: float, top: Raster, *, dice: bool = True) -> bool:
    """Whether one of the `things` is a hand, or anything else over the board that is neither checker nor die.

    `things`: see `thick_things`; `dice`: whether what is small may be dice.
    """
    count, labels = cv2.connectedComponents(things.astype(np.uint8))
    if count == 1:
        return False
    margin = round(top.margin * top.scale)
    sizes = np.bincount(labels[margin:-margin, margin:-margin].ravel(), minlength=count) / (np.pi / 4 * diameter**2)
    half = margin // 2
    reaching = np.concatenate([labels[half], labels[-1 - half], labels[:, half], labels[:, -1 - half]])
    most = np.full(count, _LYING_DISCS if dice else _REACHING_DISCS)
    most[reaching] = _REACHING_DISCS
    return bool((sizes[1:] > most[1:]).any())


def unexplained_pixels(changed: Singles, discs: Discs, diameter: float) -> Bools:
    """Mask of the pixels near something that is neither empty board nor a checker that was found."""
    mask = unexplained(changed, discs, diameter)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0)


def unexplained(changed: Singles, discs: Discs, diameter: float) -> Picture:
    """Mask (1) of the pixels that are neither empty board nor near a checker that was found."""
    mask = (changed > _CHANGED_NATS).astype(np.uint8)
    for x, y in discs:
        cv2.circle(mask, (x, y), round(_DISC_HALO * diameter), 0, -1)
    return mask


@dataclass(frozen=True, slots=True)
class Edges:
    """The strongest edges of an empty board in blocks, to check whether they are in place in a picture.

    Attributes:
        steep: gradient (L per pixel) of the weakest of them.
        where: their indices in the flattened raster, block after block.
        starts: index into `where` of the first edge pixel of each block that has any.
        empty: sum of the empty board's gradient over each block's edges.
    """

    steep: float
    where: Ints
    starts: Ints
    empty: Singles

    @classmethod
    def of(cls, empty: Singles) -> Edges:
        """From the gradient lengths of an empty board's raster (height x width)."""
        steep = np.quantile(empty, 1 - _EDGE_SHARE)
        edges = empty >= steep
        pixels = np.arange(empty.size).reshape(empty.shape)
        blocks = [pixels[block][edges[block]] for block in _blocks(empty.shape)]
        blocks = [block for block in blocks if len(block)]
        where = np.concatenate(blocks)
        starts = np.cumsum([0, *(len(block) for block in blocks)])[:-1]
        return cls(float(steep), where, starts, np.add.reduceat(empty.ravel()[where], starts))

    def cause(self, relief: Singles) -> Cause | None:
        """MOVED_CAMERA or BLUR, from the gradient lengths of a raster; None if the edges are in place."""
        left = np.add.reduceat(relief.ravel()[self.where], self.starts) / self.empty
        if np.quantile(left, 0.75) >= _EDGES_LEFT:
            return None
        sharp = np.quantile(relief, 1 - _EDGE_SHARE) >= _STILL_SHARP * self.steep
        return Cause.MOVED_CAMERA if sharp else Cause.BLUR


def _blocks(shape: tuple[int, ...]) -> list[tuple[slice, slice]]:
    """Divide a raster into blocks: a hand never hides all of them, but a moved camera changes all."""
    down, across = (
        np.linspace(0, length, parts + 1).astype(int) for length, parts in zip(shape[:2], _BLOCKS, strict=True)
    )
    bands, columns = ([slice(*ends) for ends in pairwise(cuts.tolist())] for cuts in (down, across))
    return list(product(bands, columns))


_WIDTH_PX = 640
"""Width to which larger pictures are reduced."""
_DARK_PICTURE = 30.0
"""Grey level that a twentieth of a picture must reach; below it, noise is as large as the contrast of checkers."""
_WHITE_SHARE = 0.25
"""Share of saturated pixels from which a picture is too bright; automatic exposure keeps it to a fiftieth."""
_SHARP = 16.0
"""Gradient in grey levels per pixel that the steepest hundredth of a picture (640 wide, scaled to the full range) has
if it is in focus. Pictures of boards have 35 and more, blurred by a third of a checker 8 to 18."""


def likely_cause(picture: Picture) -> str:
    """End of an error text: the first thing to improve in a picture (BGR); empty if none is found."""
    factor = min(1.0, _WIDTH_PX / picture.shape[1])
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    bright = float(np.percentile(grey, 95))
    if bright < _DARK_PICTURE:
        return ". It is too dark: turn on a lamp"
    if (grey >= _GLARE_LEVEL).mean() > _WHITE_SHARE:
        return ". It is too bright: shade the lamp, or let the camera expose for less"
    light = grey.astype(np.float32) * np.float32(255 / max(bright, 1.0))
    if float(np.percentile(np.hypot(*sobel_gradient(light)), 99)) < _SHARP:
        return ". It may be out of focus: focus the lens"
    return ""


@dataclass(frozen=True, slots=True)
class PictureFigures:
    """Brightness and sharpness of one picture.

    Attributes:
        clipped: share of saturated pixels, 0 to 1.
        bright: grey level, 0 to 255, below which nine tenths of the pixels are.
        sharpness: energy of the gradient over the variance of the picture: it falls with blur, at any contrast.
    """

    clipped: float
    bright: float
    sharpness: float


def picture_figures(image: Picture) -> PictureFigures:
    """Measure a picture (BGR)."""
    step = max(1, image.shape[1] // _WIDTH_PX)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    few = grey[::step, ::step]
    calm = cv2.GaussianBlur(grey, (3, 3), 0)
    energy = sum(cv2.norm(cv2.Sobel(calm, cv2.CV_16S, *along), cv2.NORM_L2SQR) for along in ((1, 0), (0, 1)))
    contrast = calm.size * cv2.meanStdDev(calm)[1].item() ** 2
    sharpness = energy / contrast if contrast > 0 else 0.0
    return PictureFigures(float(np.mean(few >= _GLARE_LEVEL)), float(np.percentile(few, 90)), sharpness)
