"""Second layers: whether a checker in a row bears another one.

Seen from the side, a checker on top of another stands a little farther from the camera's foot, and the wall below it
is twice as high. Both are small; what they look like along the line from the camera's foot is learned from made-up
rows with and without a second layer, on a finer raster than the one the board is read on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.appearance import lab
from vision.composites import Lesson, Maker, through_sensor
from vision.layout import POINTS
from vision.rows import ROWS, SLOTS
from vision.slots import EMPTY, Figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_BOARDS = 12
"""Made-up positions to learn from; each has some sixty checkers that bear another and as many that do not."""
_LONGEST = 5
_ALONG, _ACROSS = 22, 3
"""Samples along the line from the camera's foot, and lines side by side."""
_REACH, _BREADTH = 1.5, 0.45
"""How far from the checker's centre they lie, in radii."""
_SEEK = 0.3
"""How far from where it was read a checker's centre is sought on the finer raster, in radii."""
_SHADE = 8.0
"""Grey levels that count as much as one nat of colour."""
_SHRINK = 0.15
"""Share of the figures' mean spread that is added to every figure's own: there are more figures than can be learned
well from some hundred checkers."""
_TRUTH_WEIGHT = 14
"""The checkers of the known position, of which none bears another, count as so many made-up ones."""
_STRAY = 0.05
"""Spread of where checkers lie about their slots, in diameters: players are not more careful than that."""
_TAIL = 3.0
"""Degrees of freedom of the Student distribution of the weighted sums."""
_TRUST = 0.6
"""Share of the nats that is taken: real second layers differ from made-up ones more than those differ among
themselves."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A checker as it was read: its row, slot and owner (0 White, 1 Black), and its centre on the fine raster."""

    row: int
    slot: int
    owner: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Look:
    """How one side's checkers look with and without another on top.

    Attributes:
        weights: what each figure counts for a second layer.
        middle: 2 x 2; without and with a second layer, the mean of the weighted sum at no lift, and what each pixel of
            lift adds to it.
        spread: of the weighted sum.
    """

    weights: Floats
    middle: Floats
    spread: float

    def log_ratios(self, figures: Floats, lift_px: Floats) -> Floats:
        """How much likelier figures (n x figures) are with a second layer than without (nats), at these lifts."""
        means = self.middle @ np.stack([np.ones_like(lift_px), lift_px])
        away = ((figures @ self.weights)[None] - means) / self.spread
        nats = -0.5 * (_TAIL + 1) * np.log1p(away**2 / _TAIL)
        return np.asarray(_TRUST * (nats[1] - nats[0]))


@dataclass(frozen=True, slots=True)
class LayerModel:
    """Tells second layers on one board.

    Attributes:
        looks: for White and Black; None where too few checkers were known.
        lift: ROWS x SLOTS x 2, see `lifts`.
    """

    looks: tuple[Look | None, Look | None]
    lift: Floats

    def log_ratios(self, lesson: Lesson, picture: Picture, spots: Sequence[Spot]) -> Floats:
        """For each spot, how much likelier it is that it bears another checker than not (nats).

        `picture` is the fine raster, levelled.
        """
        figures = figures_of(lesson, picture, spots, self.lift)
        ratios = np.zeros(len(spots))
        size = np.array([np.hypot(*self.lift[spot.row, spot.slot]) for spot in spots])
        for owner, look in enumerate(self.looks):
            own = np.array([spot.owner == owner for spot in spots])
            if look is not None and own.any():
                ratios[own] = look.log_ratios(figures[own], size[own])
        return ratios


def lifts(lesson: Lesson) -> Floats:
    """How much farther out, in raster pixels (ROWS x SLOTS x 2), the top of a checker appears that lies on another."""
    rows, pose, height = lesson.rows, lesson.pose, lesson.layout.top
    factor = (pose.centre[2] - height) / (pose.centre[2] - 2 * height)
    foot = lesson.top.pixels(pose.centre[:2])
    places = np.array([[rows.place(row, slot) for slot in range(SLOTS)] for row in range(ROWS)])
    return np.asarray((factor - 1) * (places - foot))


def learn_layers(lesson: Lesson, gain: Singles, seed: int = 3) -> LayerModel:
    """Learn from the known position and from made-up ones.

    Args:
        lesson: the board on the fine raster.
        gain: how much brighter (B, G, R) the pictures to be read are than the lesson's.
        seed: of the made-up positions.
    """
    chance = np.random.default_rng(seed)
    maker, lift = Maker.of(lesson, chance, _STRAY), lifts(lesson)
    known = [Spot(one.point, one.index, one.owner, *lesson.rows.place(one.point, one.index)) for one in lesson.placed]
    view = through_sensor(lesson.view.astype(np.float32), gain, chance)
    seen = [(known, np.zeros(len(known), bool), figures_of(lesson, view, known, lift))] * _TRUTH_WEIGHT
    for _ in range(_BOARDS):
        canvas = maker.make(_LONGEST, lift)
        where = [(int(row), int(slot)) for row, slot in np.argwhere(canvas.owners[:POINTS] != EMPTY)]
        centres = [lesson.rows.place(*place) + lift[place] * canvas.on_top[place] for place in where]
        spots = [Spot(*place, int(canvas.owners[place]), *centre) for place, centre in zip(where, centres, strict=True)]
        bears = np.array([canvas.on_top[place] for place in where])
        seen.append((spots, bears, figures_of(lesson, through_sensor(canvas.picture, gain, chance), spots, lift)))
    looks = [_look([_of_owner(owner, *one, lift) for one in seen]) for owner in (0, 1)]
    return LayerModel((looks[0], looks[1]), lift)


def figures_of(lesson: Lesson, picture: Picture, spots: Sequence[Spot], lift: Floats) -> Floats:
    """What the spots look like (n x figures) along the directions of their lifts, and how far out they lie."""
    evidence = lesson.appearance.evidence(picture)
    light = lab(picture)[..., 0].astype(np.float32)
    radius = lesson.rows.diameter / 2
    score = Figures.of(evidence, radius).score
    centres = np.array([_centre(score, spot, _SEEK * radius) for spot in spots]).reshape(-1, 2)
    out = np.array([lift[spot.row, spot.slot] for spot in spots]).reshape(-1, 2)
    ahead = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    along = np.tile(np.linspace(-_REACH, _REACH, _ALONG), _ACROSS) * radius
    across = np.repeat(np.linspace(-_BREADTH, _BREADTH, _ACROSS), _ALONG) * radius
    places = centres[:, None] + along[None, :, None] * ahead[:, None] + across[None, :, None] * aside[:, None]
    u, v = (np.ascontiguousarray(places[..., axis], np.float32) for axis in (0, 1))
    white, black, changed, bright = (
        cv2.remap(one, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for one in (evidence.white, evidence.black, evidence.changed, light)
    )
    owner = np.array([spot.owner for spot in spots])[:, None]
    home = np.array([lesson.rows.place(spot.row, spot.slot) for spot in spots]).reshape(-1, 2)
    outward = ((centres - home) * ahead).sum(axis=1, keepdims=True)
    shade = (bright - bright.mean(axis=1, keepdims=True)) / _SHADE
    return np.hstack([np.where(owner == 0, white, black), changed, shade, outward]).astype(np.float64)


def _centre(score: Singles, spot: Spot, reach: float) -> tuple[float, float]:
    """The best place for a checker's centre within `reach` pixels of a spot."""
    span, height, width = max(1, round(reach)), *score.shape
    left, top = min(max(round(spot.x) - span, 0), width - 1), min(max(round(spot.y) - span, 0), height - 1)
    window = score[top : top + 2 * span + 1, left : left + 2 * span + 1]
    row, column = divmod(int(window.argmax()), window.shape[1])
    return float(left + column), float(top + row)


def _of_owner(
    owner: int, spots: Sequence[Spot], bears: Bools, figures: Floats, lift: Floats
) -> tuple[Floats, Bools, Floats]:
    own = np.array([spot.owner == owner for spot in spots], bool)
    size = np.array([np.hypot(*lift[spot.row, spot.slot]) for spot in spots])
    return figures[own], bears[own], size[own]


def _look(samples: Sequence[tuple[Floats, Bools, Floats]]) -> Look | None:
    """Fisher's discriminant between checkers with and without another on top, whose means shift with the lift."""
    figures, bears, size = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    if min(bears.sum(), (~bears).sum()) < _ALONG:
        return None
    means, residues = [], np.empty_like(figures)
    for kind in (~bears, bears):
        terms = np.column_stack([np.ones(kind.sum()), size[kind]])
        mean = np.linalg.solve(terms.T @ terms + np.diag([0.1, 1.0]), terms.T @ figures[kind])
        residues[kind] = figures[kind] - terms @ mean
        means.append(mean)
    spread = np.cov(residues.T)
    spread += np.eye(len(spread)) * _SHRINK * np.trace(spread) / len(spread)
    weights = np.linalg.solve(spread, (means[1] - means[0]).T @ np.array([1.0, size.mean()]))
    middle = np.array([mean @ weights for mean in means])
    return Look(weights, middle, float((residues @ weights).std()))
