"""The light over a board relative to another picture, where shadows fall on parts of it: followed, level by level.

Light changes gradually and in all colours alike, while things on the board begin at once: so it is followed from where
a plane holds, pixel by pixel, as far as the next pixels differ little. A hand or a checker is not reached. Beyond a
shadow's sharp edge the light is on another level. That is light too if the edges of the bare board, such as those of
its points, are seen in it: whatever covers the board hides them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.arrays import Bools, Singles


AGREES = 0.12
"""Largest deviation from the light expected at a pixel (natural logarithm of the ratio), and from the mean of the three
channels: grain of the board, noise, and small shifts of the raster. Checkers mostly deviate by more."""
_STRONGEST = 1.2
"""Largest difference of light that is followed, either way: a shadow that takes seven tenths of it."""
_REACH, _SMOOTH = 0.012, 0.04
"""Standard deviations of the blurs that follow the light and that describe it in the end, in widths of the raster: a
sixth of a column, and half a one. With 0.02 for the first, half of the shadows with a clear edge are lost."""
_STEPS, _SETTLED = 40, 3
"""Most steps in which the light is followed, and the number of pixels that change in the last one."""
_LEAST_SHARE = 0.05
"""Share of inliers around a pixel below which the plane is assumed there."""
_MOST_LEVELS, _LEAST_LEVEL = 3, 0.01
"""Most levels of light beside the first, and the least share of the raster of one: two checkers."""
_DENSE = 0.6
"""Share of such pixels around one of them from which they are a patch, and no scattered ones."""
_BINS, _SMOOTHED_BINS = 60, 5
"""Bins in which the commonest light is found, and how many of them are averaged: `AGREES` either way."""
_EDGE = 0.2
"""Least step of the bare board's logarithm between two pixels that counts as an edge of it."""
_FEWEST_EDGES, _SEEN_EDGES = 15, 0.25
"""Fewest of those edges that must be seen in a patch of light, and their least share. On 59 pictures in even light,
where dark checkers on dark points look most like it, 10 at most are seen, or a share of 0.08; of real shadows' patches
with the size of four checkers or more, 85 % have a larger share than 0.25."""


def light_field(ratio: Singles, grey: Bools, plane: Singles, bare: Singles) -> tuple[Singles, Bools]:
    """The log ratio of light at each pixel, followed over the `grey` ones from those near the plane.

    Also a mask of the pixels where one level of light meets another. A level's border is smoothed by about a checker's
    size: a pale checker in a shadow may be as bright as the board beside it in the sun.
    `ratio`: log ratio of brightness between two pictures; `grey`: where it is the same in all channels; `plane`: the
    light as a plane; `bare`: logarithm of the empty board's brightness. All height x width.
    """
    width = ratio.shape[1]
    first = _followed(ratio, grey, plane)
    levels = [(first, plane), *_beyond_edges(ratio, grey & ~first, bare)]
    fields = [_blurred(ratio, own, start, _SMOOTH * width) for own, start in levels]
    level = np.argmax([_share(own, _SMOOTH * width) for own, _ in levels], axis=0).astype(np.uint8)
    border = cv2.morphologyEx(level, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    return np.clip(np.choose(level, fields), -_STRONGEST, _STRONGEST), border


def commonest(ratios: Singles) -> float:
    """The commonest light among log ratios (n)."""
    counts, ends = np.histogram(ratios, _BINS, (-_STRONGEST, _STRONGEST))
    most = int(cv2.blur(counts.astype(np.float32), (1, _SMOOTHED_BINS)).argmax())
    return float(ends[most] + ends[most + 1]) / 2


def _beyond_edges(ratio: Singles, rest: Bools, bare: Singles) -> Iterator[tuple[Bools, Singles]]:
    """Further levels of light among the pixels `rest`: where each is, and the constant that it was followed from."""
    for _ in range(_MOST_LEVELS):
        left = _dense(rest)
        if left.mean() < _LEAST_LEVEL:
            return
        start = np.full_like(ratio, commonest(ratio[left]))
        own = _followed(ratio, rest, start)
        rest = rest & ~own
        shown = _shows_the_board(own, ratio, bare)
        if shown.any():
            yield shown, start


def _shows_the_board(own: Bools, ratio: Singles, bare: Singles) -> Bools:
    """The pixels of a level's patches in which enough of the bare board's edges are seen, and few others."""
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
    """The pixels of a mask that have mostly others of it around them."""
    return mask & (_share(mask, _REACH * mask.shape[1]) > _DENSE)


def _share(mask: Bools, reach: float) -> Singles:
    """The share of a mask's pixels around each pixel."""
    return np.asarray(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), reach), np.float32)


def _followed(ratio: Singles, grey: Bools, start: Singles) -> Bools:
    """The pixels of `grey`, which changed in all channels alike, to which the light from `start` can be followed."""
    agree = grey & (np.abs(ratio - start) < AGREES)
    for _ in range(_STEPS):
        near = _blurred(ratio, agree, start, _REACH * ratio.shape[1])
        before, agree = agree, grey & (np.abs(ratio - near) < AGREES)
        if np.count_nonzero(agree != before) <= _SETTLED:
            break
    return agree


def _blurred(ratio: Singles, agree: Bools, start: Singles, reach: float) -> Singles:
    """The mean log ratio of the pixels of `agree` around each one; `start` where there are few."""
    total = cv2.GaussianBlur((ratio - start) * agree, (0, 0), reach)
    return np.asarray(start + total / np.maximum(_share(agree, reach), _LEAST_SHARE), np.float32)
