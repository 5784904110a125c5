"""The light over a board relative to another picture, where shadows fall on parts of it: region growing in levels.

Light changes gradually and in all channels alike, while a hand or a checker has a sharp edge. So the region that fits a
plane of light is grown, pixel by pixel, while neighbours differ little. Beyond a shadow's sharp edge the light has
another level. A region there counts as light if the edges of the bare board, such as those of its points, are seen in
it, because anything that covers the board hides them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.arrays import Bools, Singles


TOLERANCE = 0.12
"""Largest deviation of an inlier's log ratio from the expected light, and of a channel's from the mean of the three:
grain of the board, noise, and small shifts of the raster. Checkers mostly deviate by more."""
_STRONGEST = 1.2
"""Largest log ratio of light, either way: a shadow that takes seven tenths of it."""
_REACH, _SMOOTH = 0.012, 0.04
"""Standard deviations of the blurs in region growing and of the final field, in widths of the raster: a sixth of a
column, and half a column. With 0.02 for the first, half of the shadows with a clear edge are lost."""
_STEPS, _SETTLED = 40, 3
"""Most steps of region growing, and the number of changed pixels at which it stops."""
_LEAST_SHARE = 0.05
"""Share of inliers around a pixel below which their mean is drawn towards the start value."""
_MOST_LEVELS, _LEAST_LEVEL = 3, 0.01
"""Most levels of light besides the first, and the least share of the raster that one must cover: two checkers."""
_DENSE = 0.6
"""Share of a mask around one of its pixels above which the pixel belongs to a patch and is not scattered."""
_BINS, _SMOOTHED_BINS = 60, 5
"""Bins of the histogram of `mode_of`, and how many of them are averaged: about `TOLERANCE` either way."""
_EDGE = 0.2
"""Least step of the bare board's log brightness between two pixels that counts as an edge of it."""
_FEWEST_EDGES, _SEEN_EDGES = 15, 0.25
"""Fewest of those edges that must be seen in a patch of light, and their least share. On 59 pictures in even light,
where dark checkers on dark points look most like it, 10 at most are seen, or a share of 0.08; of real shadows' patches
with the size of four checkers or more, 85 % have a larger share than 0.25."""


def light_field(ratio: Singles, grey: Bools, plane: Singles, bare: Singles) -> tuple[Singles, Bools]:
    """The log ratio of light at each pixel, and a mask of the pixels where one level of light meets another.

    The first level is grown from the `grey` pixels near the plane. A level's border is smoothed by about a checker's
    size, because a pale checker in a shadow may be as bright as the board beside it in the sun.
    `ratio`: log ratio of brightness between two pictures; `grey`: where it is the same in all channels; `plane`: the
    light as a plane; `bare`: logarithm of the empty board's brightness. All height x width.
    """
    width = ratio.shape[1]
    first = _grow_region(ratio, grey, plane)
    levels = [(first, plane), *_further_levels(ratio, grey & ~first, bare)]
    fields = [_local_mean(ratio, own, start, _SMOOTH * width) for own, start in levels]
    level = np.argmax([_local_share(own, _SMOOTH * width) for own, _ in levels], axis=0).astype(np.uint8)
    border = cv2.morphologyEx(level, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    return np.clip(np.choose(level, fields), -_STRONGEST, _STRONGEST), border


def mode_of(ratios: Singles) -> float:
    """The mode of log ratios (n), from a smoothed histogram."""
    counts, ends = np.histogram(ratios, _BINS, (-_STRONGEST, _STRONGEST))
    most = int(cv2.blur(counts.astype(np.float32), (1, _SMOOTHED_BINS)).argmax())
    return float(ends[most] + ends[most + 1]) / 2


def _further_levels(ratio: Singles, rest: Bools, bare: Singles) -> Iterator[tuple[Bools, Singles]]:
    """Further levels of light among the pixels `rest`: mask of each, and the constant field that it was grown from."""
    for _ in range(_MOST_LEVELS):
        left = _dense(rest)
        if left.mean() < _LEAST_LEVEL:
            return
        start = np.full_like(ratio, mode_of(ratio[left]))
        own = _grow_region(ratio, rest, start)
        rest = rest & ~own
        shown = _with_board_edges(own, ratio, bare)
        if shown.any():
            yield shown, start


def _with_board_edges(own: Bools, ratio: Singles, bare: Singles) -> Bools:
    """The pixels of a level's patches that show enough of the bare board's edges and few other edges."""
    near = cv2.dilate(_dense(own).astype(np.uint8), np.ones((5, 5), np.uint8))
    count, patches = cv2.connectedComponents(near)
    inside = own & (near > 0)
    seen, counted = np.zeros(count), np.zeros(count)
    for one, other in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
        both, either = inside[one] & inside[other], inside[one] | inside[other]
        expected, unexpected = np.abs(bare[one] - bare[other]), np.abs(ratio[one] - ratio[other])
        edge, foreign = either & (expected > _EDGE), both & (unexpected > _EDGE / 2)
        patch = np.maximum(patches[one], patches[other])
        seen += np.bincount(patch[edge & both & (unexpected < expected / 2)], minlength=count)
        counted += np.bincount(patch[edge | foreign], minlength=count)
    light = (seen >= _FEWEST_EDGES) & (seen > _SEEN_EDGES * counted)
    return np.asarray(inside & light[patches])


def _dense(mask: Bools) -> Bools:
    """A mask without its scattered pixels."""
    return mask & (_local_share(mask, _REACH * mask.shape[1]) > _DENSE)


def _local_share(mask: Bools, reach: float) -> Singles:
    """The share of the mask around each pixel; `reach`: standard deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), reach), np.float32)


def _grow_region(ratio: Singles, grey: Bools, start: Singles) -> Bools:
    """Grow the region of the `grey` pixels near `start`, as long as neighbouring ratios differ little; its mask."""
    agree = grey & (np.abs(ratio - start) < TOLERANCE)
    for _ in range(_STEPS):
        near = _local_mean(ratio, agree, start, _REACH * ratio.shape[1])
        before, agree = agree, grey & (np.abs(ratio - near) < TOLERANCE)
        if np.count_nonzero(agree != before) <= _SETTLED:
            break
    return np.asarray(agree)


def _local_mean(ratio: Singles, agree: Bools, start: Singles, reach: float) -> Singles:
    """The mean log ratio of the pixels of `agree` around each pixel, drawn to `start` where there are few."""
    total = cv2.GaussianBlur((ratio - start) * agree, (0, 0), reach)
    return np.asarray(start + total / np.maximum(_local_share(agree, reach), _LEAST_SHARE), np.float32)
