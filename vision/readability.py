"""Whether a picture can be read, and if not, why: too dark, glare, a blur, a moved camera, a hand over the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import Cause

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.raster import Raster

    Picture = NDArray[np.uint8]
    Singles = NDArray[np.float32]
    Ints = NDArray[np.intp]
    Bools = NDArray[np.bool_]
    Discs = list[tuple[int, int]]

_DARK_LEVEL, _LIT_SHARE = 22, 0.25
"""Grey level that so much of a board must reach: below it, sensor noise is as large as what tells points apart."""
_WHITE = (255,) * 3
_GLARE_LEVEL = 250
_GLARE_SHARE = 0.12
"""Share of the board that may be washed out where it was not when the board was learned."""
_EDGE_SHARE = 0.06
"""The strongest edges of the empty board: so many of all pixels (outlines of the points and of the frame)."""
_EDGES_LEFT = 0.55
"""What must be left of those edges, in place. A shift of two raster pixels (a tenth of a column) leaves 0.3, a blur
as wide 0.4; boards full of checkers still show 0.7 and more."""
_STILL_SHARP = 0.6
"""Sharpness of the strongest edges anywhere, over the empty board's, above which edges that are not in place have
moved."""
_BLOCKS = 3, 4
_CHANGED_NATS = 5.0
"""How far a pixel must be from the empty board to belong to something lying over it: three spreads of noise."""
_DISC_HALO = 0.72
"""Radius round a checker that is its side, its shadow or its rim, in diameters."""
_OPENING = 0.45
"""Things thinner than this, in diameters, are seams and shadows, not hands: a finger is wider than half a checker."""
_SEAM_PX = 5
"""Edges of the empty board cut what lies over them apart by so much at most, in raster pixels."""
_REACHING_DISCS = 0.8
"""Area inside the playing area, in checkers, from which something that comes in over the frame is a hand."""
_LYING_DISCS = 5.0
"""Area of something wholly inside: two dice side by side, with what is seen of their sides, are up to four small
checkers."""
_EVERY = 3
"""One pixel in so many, each way, is enough to tell how dark a picture is."""


def cause_of_light(view: Picture, ground: Picture) -> Cause | None:
    """DARK or GLARE, from the raster as taken."""
    blue, green, red = np.moveaxis(view[::_EVERY, ::_EVERY].astype(np.uint16), -1, 0)
    if np.count_nonzero(blue + green + red >= 3 * _DARK_LEVEL) < _LIT_SHARE * blue.size:
        return Cause.DARK
    bright = cv2.inRange(view, (_GLARE_LEVEL,) * 3, _WHITE)
    if cv2.countNonZero(bright) <= _GLARE_SHARE * bright.size:
        return None
    return Cause.GLARE if np.count_nonzero(washed_out(view, ground)) > _GLARE_SHARE * bright.size else None


def washed_out(view: Picture, ground: Picture) -> Bools:
    """The pixels that are all but white, where the board is not when nothing lies on it."""
    bright, pale = (
        cv2.inRange(one, (level,) * 3, _WHITE) for one, level in ((view, _GLARE_LEVEL), (ground, _GLARE_LEVEL - 10))
    )
    return np.asarray(cv2.subtract(bright, pale) > 0)


def is_covered(changed: Singles, discs: Discs, ignore: Bools, diameter: float, top: Raster) -> bool:
    """Whether a hand, or anything else that is neither checker nor die, is over the board.

    Args:
        changed: how far each pixel is from the empty board (see `Appearance.evidence`).
        discs: centres (x, y) of the checkers that were found.
        ignore: pixels that never looked like the empty board.
        diameter: of a checker, in pixels.
        top: the raster.
    """
    mask = unexplained(changed, discs, diameter)
    mask[ignore] = 0
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _ellipse(_SEAM_PX))
    thick = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _ellipse(max(3, round(_OPENING * diameter))))
    count, labels = cv2.connectedComponents(thick)
    if count == 1:
        return False
    margin = round(top.margin * top.scale)
    sizes = np.bincount(labels[margin:-margin, margin:-margin].ravel(), minlength=count) / (np.pi / 4 * diameter**2)
    half = margin // 2
    reaching = np.concatenate([labels[half], labels[-1 - half], labels[:, half], labels[:, -1 - half]])
    most = np.full(count, _LYING_DISCS)
    most[reaching] = _REACHING_DISCS
    return bool((sizes > most)[1:].any())


def unexplained_pixels(changed: Singles, discs: Discs, diameter: float) -> Bools:
    """The pixels that look neither like the empty board nor belong to a checker that was found."""
    mask = unexplained(changed, discs, diameter)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0)


def unexplained(changed: Singles, discs: Discs, diameter: float) -> Picture:
    """Mask (1) of what is neither empty board nor near a checker that was found."""
    mask = (changed > _CHANGED_NATS).astype(np.uint8)
    for x, y in discs:
        cv2.circle(mask, (x, y), round(_DISC_HALO * diameter), 0, -1)
    return mask


@dataclass(frozen=True, slots=True)
class Edges:
    """The strongest edges of an empty board, block by block, to be looked for in pictures of it.

    Attributes:
        steep: how steep (L a pixel) the least of them is.
        where: which pixels of the raster they are, block after block.
        starts: which of those is the first of each block that has any.
        empty: how steep all of a block's are on the empty board.
    """

    steep: float
    where: Ints
    starts: Ints
    empty: Singles

    @classmethod
    def of(cls, empty: Singles) -> Edges:
        """From how steep the raster of an empty board is."""
        steep = np.quantile(empty, 1 - _EDGE_SHARE)
        edges = empty >= steep
        pixels = np.arange(empty.size).reshape(empty.shape)
        blocks = [pixels[block][edges[block]] for block in _blocks(empty.shape)]
        blocks = [block for block in blocks if len(block)]
        where = np.concatenate(blocks)
        starts = np.cumsum([0, *(len(block) for block in blocks)])[:-1]
        return cls(float(steep), where, starts, np.add.reduceat(empty.ravel()[where], starts))

    def cause(self, relief: Singles) -> Cause | None:
        """MOVED_CAMERA or BLUR, from how steep a raster is."""
        left = np.add.reduceat(relief.ravel()[self.where], self.starts) / self.empty
        if np.quantile(left, 0.75) >= _EDGES_LEFT:
            return None
        sharp = np.quantile(relief, 1 - _EDGE_SHARE) >= _STILL_SHARP * self.steep
        return Cause.MOVED_CAMERA if sharp else Cause.BLUR


def _blocks(shape: tuple[int, ...]) -> list[tuple[slice, slice]]:
    """A raster in three by four blocks: a hand never hides all of them, a move spoils all."""
    down, across = (
        np.linspace(0, length, parts + 1).astype(int) for length, parts in zip(shape[:2], _BLOCKS, strict=True)
    )
    return [(slice(*down[i : i + 2]), slice(*across[j : j + 2])) for i in range(_BLOCKS[0]) for j in range(_BLOCKS[1])]


def _ellipse(size: int) -> Picture:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size | 1, size | 1)), np.uint8)
