"""Cuts out the known checkers with their shadows, for synthetic positions, and masks what the frame hides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.board import CIRCLE, POINTS, Figures
from vision.geometry import project_to_bed
from vision.imaging import ellipse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Ints, Picture, Singles
    from vision.backgammon.layout import Rows
    from vision.board import Layout, Placed
    from vision.geometry import CameraPose, Raster
    from vision.imaging import Appearance


_SAME_BODY = 20.0
"""Grey levels. Smaller differences at a checker's place mean that the frame hides it: three times the noise, JPEG error
and grain of the frame between two pictures."""
_LEAST_CHECKERS = 3
"""Least number of checkers at one edge that must be hidden at the same line."""


def hidden_from(
    view: Picture, ground: Picture, placed: Sequence[Placed], bodies: Sequence[Picture], centres: Sequence[Floats]
) -> dict[bool, float]:
    """The y (raster pixels) beyond which the frame hides checkers at White's edge (False) and the far edge (True).

    Beyond it all known checkers at that edge look like the empty board. Without a hidden part it is infinite: inf at
    White's edge, which is down the raster, -inf at the far edge. `bodies` are masks (255) of what each checker covers
    in `view`, `centres` their centres (x, y).
    """
    away = np.maximum.reduce(cv2.split(cv2.absdiff(view, ground)))
    edges: dict[bool, float] = {}
    for far, outward in ((False, 1), (True, -1)):
        own = [k for k, one in enumerate(placed) if one.index == 0 and (one.point >= POINTS // 2) == far]
        shown = [_visible_end(away, bodies[k] > 0, float(centres[k][1]), outward) for k in own]
        reached = [y for y, hides in shown if hides]
        alike = len(reached) >= max(_LEAST_CHECKERS, len(own) - 1)
        edges[far] = outward * float(np.median([outward * y for y in reached])) if alike else outward * np.inf
    return edges


def _visible_end(away: Picture, body: Bools, centre_y: float, outward: int) -> tuple[float, bool]:
    """The y at which the visible part of a checker ends, and whether hidden lines follow."""
    rows = np.flatnonzero(body.any(axis=1))
    beyond = outward * (rows - centre_y) >= 0
    rows = rows[beyond][::outward]
    unlike = [float(away[y][body[y]].mean()) > _SAME_BODY for y in rows]
    last = max((k for k, differs in enumerate(unlike) if differs), default=-1)
    return (float(rows[last]) + outward * 0.5 if last >= 0 else centre_y), 0 <= last < len(rows) - 2


_REACH = 0.8
"""Distance from a checker's centre up to which its shadow is included, in diameters."""
_LEAST_SHADE, _MOST_SHADE = 0.2, 1.15
"""Range of the shade factor: the darkest and the brightest that a checker makes the board around it."""
_BLUR, _DARK = 0.06, 8.0
"""Smoothing scale of shadows, in diameters; grey levels added to both sides of a ratio against noise in dark parts."""
_BAND = 0.06
"""Half width of the band about a checker's outline in which its rim is estimated, in diameters."""
_ALIKE = 25.0
"""Grey levels. If checker and board differ by less, the outline decides the share of each."""
_SEARCH = 0.12
"""Search range for a known checker about its slot, in diameters."""
_COVERED = 0.5
"""Share of a pixel from which it counts as covered by the checker."""
_NARROWER = 0.15
"""Inset of the part that is certainly checker, in diameters: domed checkers are narrower at the height at which they
are seen than their cylinder."""


@dataclass(frozen=True)
class LabelledView:
    """A rectified picture (BGR, raster of the checkers' tops) of a known position, with the checkers as labels."""

    view: Picture
    placed: Sequence[Placed]
    appearance: Appearance
    layout: Layout
    pose: CameraPose
    top: Raster
    rows: Rows

    @property
    def slots(self) -> Ints:
        """Row and index of its checkers' slots (n x 2)."""
        return np.array([(one.point, one.index) for one in self.placed], np.intp).reshape(-1, 2)

    @property
    def places(self) -> Floats:
        """Centres (x, y) of its checkers on the raster (n x 2)."""
        return self.top.pixels(self.layout.centres(self.placed))

    @cached_property
    def cuts(self) -> CutoutSet:
        """Cutouts of its checkers, computed once."""
        return cut_out_checkers(self)


@dataclass(frozen=True)
class RowCutout:
    """A known checker cut out of a raster.

    Attributes:
        own: square, BGR (float32): what the checker adds to each pixel; 0 around it.
        through: factor of the background in each pixel: 0 on the checker, 1 around it, other values for shadow and
            reflected light.
        body: mask of the pixels that the checker covers (top and side).
    """

    own: Singles
    through: Singles
    body: Bools

    @cached_property
    def drawn(self) -> Bools:
        """Mask of the pixels to which the checker adds anything, computed once."""
        blue, green, red = cv2.split(self.own)
        return np.asarray((blue != 0) | (green != 0) | (red != 0))


@dataclass(frozen=True, slots=True)
class CutoutSet:
    """Cutouts of the known checkers by owner, whether on the far side, and whether at the edge.

    `hidden_from`: where the frame hides checkers at White's edge (False) and at the far edge (True).
    """

    pools: dict[tuple[int, bool, bool], list[RowCutout]]
    hidden_from: dict[bool, float]


def cut_out_checkers(labelled: LabelledView) -> CutoutSet:
    """Cut out the known checkers."""
    view, ground = labelled.view, labelled.appearance.background.picture
    placed, layout = labelled.placed, labelled.layout
    pose, top, rows = labelled.pose, labelled.top, labelled.rows
    figures = Figures.of(labelled.appearance.evidence(view), rows.diameter / 2)
    centres = [figures.centre_near(near, _SEARCH * rows.diameter) for near in labelled.places]
    bodies = [_body(centre, layout, pose, top) for centre in centres]
    covered = cv2.dilate(np.maximum.reduce(bodies), np.ones((3, 3), np.uint8))
    shade = _shade(view, ground, covered > 0, _BLUR * rows.diameter)
    reach = round(_REACH * layout.checker * top.scale)
    edges = hidden_from(view, ground, placed, bodies, centres)
    pools: dict[tuple[int, bool, bool], list[RowCutout]] = {}
    for checker, centre, body in zip(placed, centres, bodies, strict=True):
        u, v = np.rint(centre).astype(int)
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        if min(v, u) < reach or body[here].shape != (2 * reach + 1, 2 * reach + 1):
            continue
        cut = _matte(view[here], ground[here], shade[here], body[here] > 0, rows.diameter)
        of_others = _nearer_to_others(centres, centre, here)
        cut.own[of_others], cut.through[of_others], cut.body[of_others] = 0, 1, False
        far, edge = checker.point >= POINTS // 2, checker.index == 0
        pools.setdefault((checker.owner, far, edge), []).append(cut)
    return CutoutSet(pools, edges)


def _shade(view: Picture, ground: Picture, covered: Bools, blur: float) -> Singles:
    """Shading (height x width x 3): smoothed ratio of the visible board to the empty board; 1 where `covered`."""
    bare = (~covered).astype(np.float32)[..., None]
    seen, empty = (cv2.GaussianBlur(one.astype(np.float32) * bare, (0, 0), blur) for one in (view, ground))
    share = cv2.GaussianBlur(bare, (0, 0), blur)[..., None]
    shade = np.clip((seen + _DARK * share) / (empty + _DARK * share + 1e-6), _LEAST_SHADE, _MOST_SHADE)
    shade[covered] = 1
    return np.asarray(shade, np.float32)


def _matte(view: Picture, ground: Picture, shade: Singles, outline: Bools, diameter: float) -> RowCutout:
    """Alpha matting of a checker against the empty board at its rim.

    A pixel of the rim is modelled as a * body + b * board, with the checker's colour beside it and the board's. Both
    shares are solved by least squares, regularised towards the outline for similar colours.
    """
    band, mask = max(1, round(_BAND * diameter)), outline.astype(np.uint8)
    inset = max(1, round(_NARROWER * diameter))
    sure, near = cv2.erode(mask, ellipse(2 * inset)) > 0, cv2.dilate(mask, ellipse(2 * band)) > 0
    seen, board = view.astype(np.float32), ground.astype(np.float32)
    weight = cv2.GaussianBlur(sure.astype(np.float32), (0, 0), band) + 1e-6
    body = cv2.GaussianBlur(seen * sure[..., None], (0, 0), band) / weight[..., None]
    first = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), band / 2)
    regularization = _ALIKE**2
    bb, gg, bg = (body**2).sum(2) + regularization, (board**2).sum(2) + regularization, (body * board).sum(2)
    to_body, to_board = (
        (seen * body).sum(2) + regularization * first,
        (seen * board).sum(2) + regularization * (1 - first),
    )
    share = np.clip((to_body * gg - to_board * bg) / (bb * gg - bg**2), 0, 1)
    share[sure], share[~near] = 1, 0
    rest = np.clip((to_board - share * bg) / gg, 0, _MOST_SHADE) * (share < 1)
    through = np.where((near & ~sure)[..., None], np.minimum(rest, _MOST_SHADE * (1 - share))[..., None], shade)
    through[sure] = 0
    own = np.where(near[..., None], seen - through * board, 0)
    return RowCutout(own.astype(np.float32), through.astype(np.float32), share > _COVERED)


def _nearer_to_others(centres: Sequence[Floats], own: Floats, here: tuple[slice, slice]) -> Bools:
    """Mask of the pixels of a window that lie nearer to another checker's centre (x, y) than to `own`."""
    y, x = np.ogrid[here]
    away = np.hypot(x - own[0], y - own[1])
    nearer = np.zeros(away.shape, bool)
    for centre in centres:
        if np.hypot(*(centre - own)) <= 2 * away.max() + 1:
            nearer |= np.hypot(x - centre[0], y - centre[1]) < away
    return nearer


def _body(pixel: Floats, layout: Layout, pose: CameraPose, top: Raster) -> Picture:
    """Mask (255) of a checker, top and side, with its top centred at that pixel."""
    width, height = top.size
    centre = cv2.perspectiveTransform(pixel.reshape(1, 1, 2), top.to_board)[0]
    mask = np.zeros((height, width), np.uint8)
    foot = pose.centre[:2] + (centre - pose.centre[:2]) / project_to_bed(pose, centre, layout.top)[1]
    outline = np.vstack([centre + CIRCLE * layout.checker / 2, foot + CIRCLE * layout.checker / 2])
    hull = cv2.convexHull(top.pixels(outline).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return mask
