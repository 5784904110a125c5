"""Where the drawing on a board is seen, such as the edges of its points: anything that lies there would hide it.

Unlike brightness and colour, edges are the same in any light. A gradient of the logarithm of brightness does not depend
on the strength of the light, and under a veil (a lamp's reflection, mist) it keeps its direction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.geometry import halved, sobel_gradient

if TYPE_CHECKING:
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.imaging.appearance import BackgroundModel


_LOGARITHM = np.log(np.arange(256, dtype=np.float32) + 16)
"""Logarithm of each grey level plus 16: without the sum, noise in dark places would count as edges."""
_EDGE = 0.1
"""Least gradient of the empty board's logarithm, per pixel of the raster, that counts as an edge of its drawing."""
_LEAST_COSINE, _LEAST_LENGTH, _MOST_LENGTH = 0.85, 0.3, 1.5
"""An edge is seen if the cosine between its gradient (of three channels) and the empty board's is at least the first,
and the component along it has between 0.3 and 1.5 times its length. A veil makes it shorter."""
_LEAST_EDGES = 0.2
"""Least share of a disc that must be edges."""
_VEILED, _VEIL_BRIGHTER = 0.75, 0.1
"""A veil lies over a part of the board if the edges seen there have less than this share of the picture's usual length,
and its log brightness is that much above the usual. In 3,584 pictures with strong reflections, 951 of the 1,036 slots
that were certain and wrong lay where edges had less than 0.7, and 999 where they had less than 0.8; of the right ones
8 and 14 %. In other lights fewer than 1 in 200 slots lie there, most of them on boards that are saturated."""
_VEIL_REACH = 1.1
"""Standard deviation of the average over neighbouring edges, in diameters of a disc."""
_VEIL_SEEN = 0.25
"""Least share of the edges nearby, by length, that is seen where a veil is: where pale checkers stand close together,
the few edges between them are chance. On the simulated table, 0.18 at most were seen in such false veils; in gleams of
60 to 200 grey levels on five boards nine of ten veiled discs have 0.59 and more, and none less than 0.27."""
_BARE, _ABOVE_CHECKERS, _HIDDEN = 0.7, 0.2, 0.3
"""Least share of a disc's edges, weighted by their length, that is seen if the disc is bare; by how much this exceeds
the share in the disc of any known checker, because a checker as pale and as wide as the point under it nearly repeats
its edges; and the largest share that is seen if something covers the disc. Of 116 pictures of framed boards, as they
are, in blur, noise, a gleam and hard stripes of shadow, no disc with a checker (10,000) has more than 0.67, and one in
a hundred more than 0.35; of the bare ones (44,000) nine in ten have more than 0.7, and one in a hundred less than 0.3,
most of these in the gleam. In random lights 8 of 22,000 checkers have more than 0.7, at most 0.81; in the colours of
their points, under small hazy cameras, single ones have up to 0.86."""


@dataclass(frozen=True, slots=True)
class DrawingSeen:
    """Where a picture shows the board's drawing and where not: masks of discs' middles, at half scale.

    Attributes:
        bare: nothing lies in the disc.
        hidden: something covers the disc.
        veiled: near the disc, edges are fainter than elsewhere and the board brighter, as in a lamp's reflection.
    """

    bare: Bools
    hidden: Bools
    veiled: Bools

    def is_bare(self, x: int, y: int) -> bool | None:
        """Whether the disc around a pixel of the raster is bare; None if that cannot be decided."""
        at = y // 2, x // 2
        return True if self.bare[at] else False if self.hidden[at] else None

    def is_veiled(self, x: int, y: int) -> bool:
        """Whether a veil lies over the board around a pixel of the raster."""
        return bool(self.veiled[y // 2, x // 2])


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """The edges of the drawing on an empty board, and the discs in which they are looked for.

    Attributes:
        along_x, along_y: gradient of the logarithm of brightness divided by its length, height x width x 3 channels.
        length: its length, height x width; 0 where there is no edge, or where the empty board is not known.
        level: sum of the logarithms of the empty board's channels, height x width.
        kernel: averages over a disc, at half scale.
        lengths: mean length in the disc around each pixel, at half scale; 0 where too few of its pixels are edges.
        nearby: mean length as far around each pixel as a veil is looked for, at half scale.
        least_bare: least share of a disc's edges that is seen if the disc is bare.
    """

    along_x: Singles
    along_y: Singles
    length: Singles
    level: Singles
    kernel: Singles
    lengths: Singles
    nearby: Singles
    least_bare: float = _BARE

    @classmethod
    def of(cls, background: BackgroundModel, radius_px: float, view: Picture, checkers: Floats) -> BoardDrawing:
        """From the empty board, the radius of the discs, and a raster with known checkers at these places (n x 2)."""
        logarithm = _logarithm(background.picture)
        along_x, along_y, length = _gradient(logarithm)
        known = np.where(length < _EDGE, 0, length * background.known)
        kernel = _disc(radius_px / 2)
        edges, lengths = (_mean(one, kernel) for one in ((known > 0).astype(np.float32), known))
        along_x, along_y = (
            np.asarray(one / np.maximum(length, _EDGE)[..., None], np.float32) for one in (along_x, along_y)
        )
        lengths = np.where(edges > _LEAST_EDGES, lengths, np.float32(0))
        drawing = cls(along_x, along_y, known, _sum(logarithm), kernel, lengths, _nearby(known, kernel))
        x, y = np.rint(checkers).astype(int).T // 2
        most = float(drawing._shares(*drawing._along(_logarithm(view)))[y, x].max(initial=0))
        return replace(drawing, least_bare=max(_BARE, most + _ABOVE_CHECKERS))

    def unknown(self) -> BoardDrawing:
        """The drawing with no edges, of which a picture shows nothing."""
        return replace(self, lengths=np.zeros_like(self.lengths))

    def seen_in(self, view: Picture) -> DrawingSeen:
        """Where the drawing is seen in a raster (BGR), in any light."""
        logarithm = _logarithm(view)
        along, alike = self._along(logarithm)
        shares = self._shares(along, alike)
        bare, hidden = shares > self.least_bare, (shares < _HIDDEN) & (self.lengths > 0)
        return DrawingSeen(bare, hidden, self._veiled(logarithm, along, alike))

    def discs(self, centres: Bools) -> Bools:
        """Mask of all pixels (height x width) in the discs around the pixels of a mask at half scale."""
        half = cv2.dilate(centres.astype(np.uint8), (self.kernel > 0).astype(np.uint8))
        return np.asarray(cv2.resize(half, self.length.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)

    def _along(self, logarithm: Singles) -> tuple[Singles, Bools]:
        """Length of a raster's gradient along the empty board's, and where both have nearly the same direction."""
        along_x, along_y, length = _gradient(logarithm)
        along = _sum(along_x * self.along_x + along_y * self.along_y)
        return along, along > _LEAST_COSINE * length

    def _veiled(self, logarithm: Singles, along: Singles, alike: Bools) -> Bools:
        """Mask of the discs' middles, at half scale, near which a veil lies over the edges that are seen."""
        seen = (self.length > 0) & alike
        if not seen.any():
            return np.zeros_like(self.lengths, bool)
        usual = float(np.median(along[seen] / self.length[seen]))
        brighter = (_sum(logarithm) - self.level) / np.float32(3)
        brighter -= np.median(brighter[seen])
        edges = self.length * seen
        kept, whole, risen = (_nearby(one, self.kernel) for one in (along * seen, edges, brighter * edges))
        fainter, raised = kept < _VEILED * usual * whole, risen > _VEIL_BRIGHTER * whole
        return np.asarray(fainter & raised & (whole > _VEIL_SEEN * self.nearby))

    def _shares(self, along: Singles, alike: Bools) -> Singles:
        """The share of the edges in the disc around each pixel that is seen, at half scale; 0 where there are few."""
        seen = alike & (along > _LEAST_LENGTH * self.length) & (along < _MOST_LENGTH * self.length)
        shares = _mean(self.length * seen, self.kernel) / np.where(self.lengths > 0, self.lengths, np.inf)
        return np.asarray(shares, np.float32)


def _disc(radius_px: float) -> Singles:
    reach = np.arange(-int(radius_px), int(radius_px) + 1)
    disc = np.hypot(reach, reach[:, None]) <= radius_px
    return np.asarray(disc / disc.sum(), np.float32)


def _mean(image: Singles, kernel: Singles) -> Singles:
    return np.asarray(cv2.filter2D(halved(image), -1, kernel, borderType=cv2.BORDER_CONSTANT))


def _nearby(image: Singles, kernel: Singles) -> Singles:
    """Mean around each pixel, weighted by distance, at half scale; as far as a veil is looked for."""
    return np.asarray(cv2.GaussianBlur(halved(image), (0, 0), _VEIL_REACH * len(kernel)))


def _logarithm(view: Picture) -> Singles:
    """Logarithm of brightness (height x width x 3)."""
    return np.asarray(cv2.LUT(view, _LOGARITHM), np.float32)


def _gradient(logarithm: Singles) -> tuple[Singles, Singles, Singles]:
    """Gradient of the logarithm along x and y (height x width x 3), and its length (height x width)."""
    along_x, along_y = sobel_gradient(logarithm)
    return along_x, along_y, np.sqrt(_sum(along_x * along_x + along_y * along_y))


def _sum(channels: Singles) -> Singles:
    return np.asarray(cv2.transform(channels, np.ones((1, 3), np.float32)))
