"""Contour model for slots where a checker and the empty board look nearly alike.

White checkers on white points in glare have no colour of their own, but a round outline. It shows as a ring of edges
where the empty board has none, and it hides edges of the points. Both are measured on the finer raster. Their
distributions with and without a checker are learned from synthetic positions, as for slots (see `slot_model`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.backgammon.cutouts import cut_out_checkers
from vision.backgammon.layout import SLOTS
from vision.backgammon.synthesis import PositionComposer
from vision.board import EMPTY, POINTS, SimulatedSensor
from vision.imaging import lightness_gradient, to_lab8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.backgammon.cutouts import LabelledView
    from vision.backgammon.synthesis import Canvas
    from vision.cameras import Picture

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]

FIGURES = 8
"""Number of contour features of a slot."""
_BOARDS = 14
"""Number of synthetic positions to learn from."""
_STRAY = 0.06
"""Standard deviation of checkers about their slots, in diameters."""
_SEARCH = 0.16
"""Search range for a checker's centre about its first reading, in diameters, in `_STEPS` steps each way."""
_STEPS = 4
_RADII = (0.9, 0.96, 1.02)
"""Radii at which the rim is measured, in checker radii. The outline is known to some hundredths."""
_ANGLES = 32
"""Number of directions sampled on each circle."""
_INSIDE = (0.25, 0.55, 0.8)
"""Radii of the circles on which hidden edges and changed colours are measured, in checker radii."""
_CAP = 3.0
"""Largest contribution of one direction, in standard deviations. It keeps half a strong rim from passing for a whole
one."""
_FLOOR = 0.2
"""Least standard deviation of each feature between two pictures of the same scene."""
_ROOM_PX = 3
"""Additional margin of the windows, in pixels, for the gradient kernel."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of the features."""
_TRUST = 0.6
"""Share of the log-likelihood ratio that is used: real rims in glare differ more from synthetic ones than those from
each other."""
_WIDER = 2.0
"""Factor on the variances of synthetic checkers, to cover real ones."""
_LEAST_SAMPLES = 12
"""Least number of synthetic slots of each kind. With fewer, a side gets no contour model."""


@dataclass(frozen=True, slots=True)
class RimStatistics:
    """Distribution of the features of one side's slots, with a checker and without.

    Attributes:
        centre: 2 x FIGURES, means; without and with a checker.
        spread: 2 x FIGURES, standard deviations. The features are treated as independent.
    """

    centre: Floats
    spread: Floats

    def log_ratios(self, figures: Floats) -> Floats:
        """Log-likelihood ratios (nats) of a checker to none, for features n x FIGURES.

        Deviations beyond a class's mean, away from the other class, cost nothing.
        """
        away = (figures[:, None] - self.centre) / self.spread
        beyond = np.sign(self.centre[1] - self.centre[0]) * np.array([[-1], [1]])
        distance = (np.where(away * beyond > 0, 0.0, away) ** 2).sum(axis=2)
        nats = -np.log(self.spread).sum(axis=1) - 0.5 * (_TAIL + FIGURES) * np.log1p(distance / _TAIL)
        return np.asarray(_TRUST * (nats[:, 1] - nats[:, 0]))


@dataclass(frozen=True, slots=True)
class RimModel:
    """Contour model of both sides; None for a side that looks different from all of the board."""

    statistics: tuple[RimStatistics | None, RimStatistics | None]

    def log_ratios(
        self, labelled: LabelledView, picture: Picture, side: int, centres: Floats, inward: Floats
    ) -> Floats | None:
        """Log-likelihood ratios (nats) of that side's checkers to none at these places (n x 2, finer raster)."""
        one_side = self.statistics[side]
        return (
            None
            if one_side is None or not len(centres)
            else one_side.log_ratios(figures_of(labelled, picture, centres, inward))
        )


def learn_rims(labelled: LabelledView, gain: Singles, alike: Bools, seed: int = 11) -> RimModel:
    """Learn from synthetic positions.

    Args:
        labelled: the known position on the finer raster.
        gain: brightness (B, G, R) of the pictures to be read, relative to the calibration picture.
        alike: rows x slots x 2, where White's (Black's) checkers look like the board.
        seed: of the synthetic positions.
    """
    if not alike.any():
        return RimModel((None, None))
    chance = np.random.default_rng(seed)
    composer = PositionComposer(labelled, cut_out_checkers(labelled), chance, _STRAY)  # used once, too large to cache
    sensor = SimulatedSensor(labelled.view.shape, gain, chance)
    samples: dict[tuple[int, bool], list[Floats]] = {}
    for _ in range(_BOARDS):
        canvas = composer.compose(SLOTS - 2)
        picture = sensor.take(canvas.picture)
        for side in (0, 1):
            for holds in (False, True):
                places = _places(canvas, alike[..., side], side if holds else EMPTY)
                if len(places):
                    centres = np.array([labelled.rows.place(row, slot) for row, slot in places])
                    centres += chance.normal(0, _STRAY * labelled.rows.diameter, centres.shape)
                    inward = labelled.rows.inward[[row for row, _ in places]]
                    samples.setdefault((side, holds), []).append(figures_of(labelled, picture, centres, inward))
    statistics = [
        _summarise([np.vstack(samples.get((side, holds), [np.zeros((0, FIGURES))])) for holds in (False, True)])
        for side in (0, 1)
    ]
    return RimModel((statistics[0], statistics[1]))


def _places(canvas: Canvas, alike: Bools, owner: int) -> Sequence[tuple[int, int]]:
    """Rows and slots of the points that look alike and have that owner."""
    return [(int(row), int(slot)) for row, slot in np.argwhere(alike[:POINTS] & (canvas.owners[:POINTS] == owner))]


def _summarise(kinds: Sequence[Floats]) -> RimStatistics | None:
    if min(len(kind) for kind in kinds) < _LEAST_SAMPLES:
        return None
    spread = np.sqrt([_WIDER * kind.var(axis=0) + _FLOOR**2 for kind in kinds])
    return RimStatistics(np.array([kind.mean(axis=0) for kind in kinds]), spread)


@dataclass(frozen=True, slots=True)
class Windows:
    """Square windows of a raster, stacked vertically, so that only a few slots are processed.

    Attributes:
        corners: n x 2, the first raster pixel (x, y) of each window.
        side: of each, in pixels.
    """

    corners: NDArray[np.intp]
    side: int

    @classmethod
    def round(cls, centres: Floats, reach: float, shape: tuple[int, ...]) -> Windows:
        """Windows about places (n x 2) on a raster of that shape, with a margin for gradients."""
        side = min(2 * int(np.ceil(reach + _ROOM_PX)) + 1, *shape)
        corners = np.clip(np.rint(centres).astype(np.intp) - side // 2, 0, np.array(shape[::-1]) - side)
        return cls(corners, side)

    def cut(self, raster: NDArray[Any]) -> NDArray[Any]:
        """Cut the windows out of a raster (n * side x side)."""
        return np.concatenate([raster[y : y + self.side, x : x + self.side] for x, y in self.corners])

    def inside(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """Convert places on the raster (x and y, n x ... each) to places in the stacked windows."""
        each = (-1, *(1,) * (x.ndim - 1))
        left, top = (one.astype(np.float32).reshape(each) for one in self.corners.T)
        right, down = (np.clip(np.asarray(one, np.float32), 0, self.side - 1) for one in (x - left, y - top))
        down += (self.side * np.arange(len(y), dtype=np.float32)).reshape(each)
        return right, down


def figures_of(labelled: LabelledView, picture: Picture, centres: Floats, inward: Floats) -> Floats:
    """Contour features (n x FIGURES) of slots near these centres on the finer raster (levelled).

    Edge strength on the best ring and colour change there, each outward, aside and inward; loss of the board's own
    edges inside; colour change inside.
    """
    ground, radius = labelled.appearance.background, labelled.rows.diameter / 2
    windows = Windows.round(centres, (_RADII[-1] + 2 * _SEARCH) * radius, picture.shape[:2])
    view, empty, weight = (windows.cut(one) for one in (picture, ground.centre, ground.weight))
    view = to_lab8(view).astype(np.float32)
    slopes = lightness_gradient(view), windows.cut(ground.slope)
    both = np.asarray(cv2.merge([axis for slope in slopes for axis in cv2.split(slope)]), np.float32)
    calm = windows.cut(ground.calm)
    angles = np.linspace(0, 2 * np.pi, _ANGLES, endpoint=False)
    out = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    shifts = np.linspace(-_SEARCH, _SEARCH, 2 * _STEPS + 1) * 2 * radius
    grid = np.stack(np.meshgrid(shifts, shifts), axis=-1).reshape(-1, 2)
    trials = (centres[:, None] + grid).astype(np.float32)  # n x places x 2
    ring = np.array([reach * radius * out for reach in _RADII], np.float32)  # radii x angles x 2
    x, y = windows.inside(*(trials[:, :, None, None, axis] + ring[..., axis] for axis in (0, 1)))
    right, down, bare_right, bare_down = (one.reshape(x.shape) for one in cv2.split(_at(both, x, y)))
    contrast = np.abs(right * out[:, 0] + down * out[:, 1]) - np.abs(bare_right * out[:, 0] + bare_down * out[:, 1])
    contrast *= _at(calm, x, y).reshape(x.shape)
    edge = np.clip(contrast.max(axis=2), -_CAP, _CAP)  # n x places x angles
    best = edge.mean(axis=2).argmax(axis=1)
    each = np.arange(len(centres))
    changed = np.minimum(cv2.transform(((view - empty) * weight) ** 2, np.ones((1, 3), np.float32)), _CAP**2)
    on_rim = _at(changed, x[each, best], y[each, best]).reshape(len(each), len(_RADII), _ANGLES)
    rim = edge[each, best], on_rim.max(axis=1) / _CAP
    sectors = np.clip(np.rint(out[:, 1] * inward[:, None]), -1, 1)  # n x angles: outward, aside, inward
    inner = np.array([reach * radius * out for reach in _INSIDE]).reshape(-1, 2)
    within = windows.inside(*(trials[each, best][:, None, axis] + inner[:, axis] for axis in (0, 1)))
    right, down, bare_right, bare_down = cv2.split(_at(both, *within))
    gone = (np.hypot(bare_right, bare_down) - np.hypot(right, down)) * _at(calm, *within)
    features = [_mean_where(one, sectors == sector) for one in rim for sector in (-1, 0, 1)]
    features += [np.clip(gone, -_CAP, _CAP).mean(axis=1), _at(changed, *within).mean(axis=1) / _CAP]
    return np.column_stack(features).astype(np.float64)


def _mean_where(values: Singles, where: Bools) -> Singles:
    return np.asarray((values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1))


def _at(maps: Singles, x: Singles, y: Singles) -> Singles:
    """Sample a map (of one or more channels) at places (n x ... each); n x samples, with the map's channels."""
    u, v = (np.asarray(one, np.float32).reshape(len(one), -1) for one in (x, y))
    return np.asarray(cv2.remap(maps, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
