"""Cut-outs: the known checkers, each by itself, with the shade it throws, without the board that shows at its rim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.frame_edge import hidden_from
from vision.geometry import rise
from vision.layout import CIRCLE, POINTS
from vision.slots import Figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.appearance import Appearance
    from vision.geometry import CameraPose
    from vision.layout import Layout, Placed
    from vision.raster import Raster
    from vision.rows import Rows
    from vision.slots import Singles

    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]

_REACH = 0.8
"""How far from a checker's centre its shadow is taken along, in diameters."""
_LEAST_SHADE, _MOST_SHADE = 0.2, 1.15
"""How much a checker darkens the board around it at most, and how much it lightens it."""
_BLUR, _DARK = 0.06, 8.0
"""Shadows are smooth over so many diameters; grey levels below which a ratio tells nothing."""
_BAND = 0.06
"""Breadth, in diameters, of the band on both sides of a checker's outline in which its true rim is sought."""
_ALIKE = 25.0
"""Grey levels: where checker and board differ by less, the outline tells how much of either a pixel shows."""
_ASTRAY = 0.12
"""How far from its slot, in diameters, a known checker is sought: start positions are set up with some care."""
_COVERED = 0.5
"""Share of a checker from which on a pixel counts as covered by it."""

_NARROWER = 0.15
"""How much narrower (in diameters, all round) a checker may be than the cylinder of its outline: domes are, at the
height they are seen at."""


@dataclass(frozen=True)
class Lesson:
    """A board in a known position, straightened.

    Attributes:
        view: raster of the checkers' tops.
        placed: the known checkers.
        appearance: colours and empty board.
        layout, pose, top, rows: where everything is.
    """

    view: Picture
    placed: Sequence[Placed]
    appearance: Appearance
    layout: Layout
    pose: CameraPose
    top: Raster
    rows: Rows

    @cached_property
    def cuts(self) -> Cuts:
        """Its checkers, each by itself; kept as long as the lesson is."""
        return cut_out(self)


@dataclass(frozen=True, slots=True)
class Cutout:
    """A known checker cut out of a raster.

    Attributes:
        own: square, BGR (float32): what the checker itself adds to each pixel; 0 around it.
        through: how much of what lies behind each pixel shows through: 0 on the checker, 1 around it, more or less
            where it shades the board or throws light on it.
        body: which pixels the checker covers (top and side).
    """

    own: Singles
    through: Singles
    body: Bools


@dataclass(frozen=True, slots=True)
class Cuts:
    """The known checkers as cut-outs.

    Attributes:
        pools: by owner, whether on the far side, and whether at the edge.
        hidden_from: where the frame hides checkers at White's edge (False) and at the far one (`vision.frame_edge`).
    """

    pools: dict[tuple[int, bool, bool], list[Cutout]]
    hidden_from: dict[bool, float]


def cut_out(lesson: Lesson) -> Cuts:
    """Cut out the known checkers."""
    view, ground, placed, layout = lesson.view, lesson.appearance.ground.picture, lesson.placed, lesson.layout
    pose, top, rows = lesson.pose, lesson.top, lesson.rows
    figures = Figures.of(lesson.appearance.evidence(view), rows.diameter / 2)
    slots = top.pixels(np.array([layout.slot(checker.point, checker.index) for checker in placed]))
    centres = [figures.centre_near(near, _ASTRAY * rows.diameter) for near in slots]
    bodies = [_body(centre, layout, pose, top) for centre in centres]
    covered = np.maximum.reduce([cv2.dilate(body, np.ones((3, 3), np.uint8)) for body in bodies])
    shade = _shade(view, ground, covered > 0, _BLUR * rows.diameter)
    reach = round(_REACH * layout.checker * top.scale)
    edges = hidden_from(view, ground, placed, bodies, centres)
    pools: dict[tuple[int, bool, bool], list[Cutout]] = {}
    for checker, centre, body in zip(placed, centres, bodies, strict=True):
        u, v = np.rint(centre).astype(int)
        here = slice(v - reach, v + reach + 1), slice(u - reach, u + reach + 1)
        if min(v, u) < reach or body[here].shape != (2 * reach + 1, 2 * reach + 1):
            continue
        cut = _matte(view[here], ground[here], shade[here], body[here] > 0, rows.diameter)
        theirs = _nearer(centres, centre, here)
        cut.own[theirs], cut.through[theirs], cut.body[theirs] = 0, 1, False
        far, edge = checker.point >= POINTS // 2, checker.index == 0
        if edge:
            _uncover(cut, edges[far] - v, 1 if far else -1)
        pools.setdefault((checker.owner, far, edge), []).append(cut)
    return Cuts(pools, edges)


def _uncover(cut: Cutout, edge: float, inward: int) -> None:
    """Draw the last row that the frame leaves of a checker out behind it; it begins `edge` pixels from the centre."""
    reach = cut.body.shape[0] // 2
    hidden = (np.arange(-reach, reach + 1) - edge) * inward < 0
    if hidden.any():
        last = int(np.flatnonzero(~hidden)[0 if inward > 0 else -1])
        for part in (cut.own, cut.through, cut.body):
            part[hidden] = part[last]


def _shade(view: Picture, ground: Picture, covered: Bools, blur: float) -> Singles:
    """How much darker or lighter (B, G, R) the board beside the checkers is than empty, but for its grain."""
    bare = (~covered).astype(np.float32)[..., None]
    seen, empty = (cv2.GaussianBlur(one.astype(np.float32) * bare, (0, 0), blur) for one in (view, ground))
    share = cv2.GaussianBlur(bare, (0, 0), blur)[..., None]
    shade = np.clip((seen + _DARK * share) / (empty + _DARK * share + 1e-6), _LEAST_SHADE, _MOST_SHADE)
    shade[covered] = 1
    return np.asarray(shade, np.float32)


def _matte(view: Picture, ground: Picture, shade: Singles, outline: Bools, diameter: float) -> Cutout:
    """A checker without what shows of the empty board at its rim.

    A pixel of the rim is taken for a mixture of the checker's colour beside it and of the board's, a a share of the
    one and b of the other, by least squares; the outline speaks where both colours are alike.
    """
    band, mask = max(1, round(_BAND * diameter)), outline.astype(np.uint8)
    sure, near = _within(mask, diameter), cv2.dilate(mask, _disc(band)).astype(bool)
    seen, board = view.astype(np.float32), ground.astype(np.float32)
    weight = cv2.GaussianBlur(sure.astype(np.float32), (0, 0), band) + 1e-6
    body = cv2.GaussianBlur(seen * sure[..., None], (0, 0), band) / weight[..., None]
    first = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), band / 2)
    faith = _ALIKE**2
    bb, gg, bg = (body**2).sum(2) + faith, (board**2).sum(2) + faith, (body * board).sum(2)
    to_body, to_board = (seen * body).sum(2) + faith * first, (seen * board).sum(2) + faith * (1 - first)
    share = np.clip((to_body * gg - to_board * bg) / (bb * gg - bg**2), 0, 1)
    share[sure], share[~near] = 1, 0
    rest = np.clip((to_board - share * bg) / gg, 0, _MOST_SHADE) * (share < 1)
    through = np.where((near & ~sure)[..., None], np.minimum(rest, _MOST_SHADE * (1 - share))[..., None], shade)
    through[sure] = 0
    own = np.where(near[..., None], seen - through * board, 0)
    return Cutout(own.astype(np.float32), through.astype(np.float32), share > _COVERED)


def _within(mask: Picture, diameter: float) -> Bools:
    """What of an outline a checker covers whatever its shape."""
    return cv2.erode(mask, _disc(max(1, round(_NARROWER * diameter)))).astype(bool)


def _disc(radius: int) -> Picture:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)), np.uint8)


def _nearer(centres: Sequence[Floats], own: Floats, here: tuple[slice, slice]) -> Bools:
    """Which pixels of a window lie nearer to another checker's centre (x, y) than to this one's."""
    y, x = np.mgrid[here]
    away = [np.hypot(x - centre[0], y - centre[1]) for centre in centres]
    return np.asarray(np.minimum.reduce(away) < np.hypot(x - own[0], y - own[1]))


def _body(pixel: Floats, layout: Layout, pose: CameraPose, top: Raster) -> Picture:
    """Mask (255) of a checker, top and side, whose top is centred at that pixel."""
    width, height = top.size
    centre = cv2.perspectiveTransform(pixel.reshape(1, 1, 2), top.to_board)[0]
    mask = np.zeros((height, width), np.uint8)
    foot = pose.centre[:2] + (centre - pose.centre[:2]) / rise(pose, centre, layout.top)[1]
    outline = np.vstack([centre + CIRCLE * layout.checker / 2, foot + CIRCLE * layout.checker / 2])
    hull = cv2.convexHull(top.pixels(outline).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return mask
