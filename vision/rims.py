"""Rims: a closer look at slots where a checker and the empty board look nearly alike.

White checkers on white points in glare have no colour of their own, but a round outline: a ring of edges where the
empty board has none, and edges of the points that are hidden. Both are looked at on the finer raster. What they are
with a checker and without is learned from made-up positions, like everything of a slot (see `slots`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.appearance import lab, slopes
from vision.composites import PositionComposer, through_sensor
from vision.cutouts import cut_out_checkers
from vision.layout import POINTS
from vision.rows import SLOTS
from vision.slots import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.composites import Canvas
    from vision.cutouts import LabelledView

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

FIGURES = 8
_BOARDS = 14
"""Made-up positions to learn from."""
_STRAY = 0.06
"""Spread of where checkers lie about their slots, in diameters."""
_OFF_PX = 0.5
"""Spread of how far off rasters of later pictures lie: a board that was knocked is found again to half a pixel."""
_SEEK = 0.16
"""How far from where it was read a checker's centre is sought, in diameters, in `_STEPS` steps each way."""
_STEPS = 4
_RADII = (0.9, 0.96, 1.02)
"""Where the rim is looked for, in radii: the outline is known to some hundredths."""
_ANGLES = 32
_INSIDE = (0.25, 0.55, 0.8)
"""Circles on which hidden edges and changed colours are looked for, in radii."""
_CAP = 3.0
"""One direction counts at most so many spreads: half a rim that is plain must not pass for a whole one."""
_FLOOR = 0.2
"""Least spread of each figure between two pictures of the same."""
_ROOM_PX = 3
"""So much farther than anything is looked for, windows reach: gradients take a pixel to either side."""
_TAIL = 4.0
"""Degrees of freedom of the Student distribution of the figures."""
_TRUST = 0.6
"""Share of the nats that is taken: real rims in glare differ from made-up ones more than those among themselves."""
_WIDER = 2.0
"""How much wider figures of real checkers spread than those of made-up ones, as a variance."""
_LEAST_SAMPLES = 12
"""With fewer made-up slots of either kind than this, a side is not told by its rims."""


@dataclass(frozen=True, slots=True)
class Look:
    """How slots of one side look that hold a checker of it, or none.

    Attributes:
        centre, spread: 2 x FIGURES; without and with a checker. The figures are taken as independent.
    """

    centre: Floats
    spread: Floats

    def log_ratios(self, figures: Floats) -> Floats:
        """How much likelier figures (n x FIGURES) are with a checker than without (nats).

        A rim plainer than any made-up one is no reason to doubt it, nor is a place that is emptier than empty.
        """
        away = (figures[:, None] - self.centre) / self.spread
        beyond = np.sign(self.centre[1] - self.centre[0]) * np.array([[-1], [1]])
        distance = (np.where(away * beyond > 0, 0.0, away) ** 2).sum(axis=2)
        nats = -np.log(self.spread).sum(axis=1) - 0.5 * (_TAIL + FIGURES) * np.log1p(distance / _TAIL)
        return np.asarray(_TRUST * (nats[:, 1] - nats[:, 0]))


@dataclass(frozen=True, slots=True)
class RimModel:
    """Tells checkers from board where both look alike; None for a side that looks different from all of the board."""

    looks: tuple[Look | None, Look | None]

    def log_ratios(
        self, labelled: LabelledView, picture: Picture, side: int, centres: Floats, inward: Floats
    ) -> Floats | None:
        """How much likelier checkers of that side at these places (n x 2, fine raster) are than none (nats)."""
        look = self.looks[side]
        return (
            None
            if look is None or not len(centres)
            else look.log_ratios(figures_of(labelled, picture, centres, inward))
        )


def learn_rims(labelled: LabelledView, gain: Singles, alike: Bools, seed: int = 11) -> RimModel:
    """Learn from made-up positions.

    Args:
        labelled: the board on the fine raster.
        gain: how much brighter (B, G, R) the pictures to be read are than in the calibration picture.
        alike: rows x slots x 2, where White's (Black's) checkers look like the board.
        seed: of the made-up positions.
    """
    chance = np.random.default_rng(seed)
    composer = PositionComposer(labelled, cut_out_checkers(labelled), chance, _STRAY)  # used once, too large to cache
    samples: dict[tuple[int, bool], list[Floats]] = {}
    for _ in range(_BOARDS if alike.any() else 0):
        canvas = composer.compose(SLOTS - 2)
        picture = through_sensor(_knocked(canvas.picture, chance), gain, chance)
        for side in (0, 1):
            for holds in (False, True):
                places = _places(canvas, alike[..., side], side if holds else EMPTY)
                if len(places):
                    centres = np.array([labelled.rows.place(row, slot) for row, slot in places])
                    centres += chance.normal(0, _STRAY * labelled.rows.diameter, centres.shape)
                    inward = labelled.rows.inward[[row for row, _ in places]]
                    samples.setdefault((side, holds), []).append(figures_of(labelled, picture, centres, inward))
    looks = [
        _look([np.vstack(samples.get((side, holds), [np.zeros((0, FIGURES))])) for holds in (False, True)])
        for side in (0, 1)
    ]
    return RimModel((looks[0], looks[1]))


def _knocked(picture: Singles, chance: np.random.Generator) -> Singles:
    """A raster that lies a little off the learned one."""
    off = np.column_stack([np.eye(2), chance.normal(0, _OFF_PX, 2)])
    return np.asarray(cv2.warpAffine(picture, off, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)


def _places(canvas: Canvas, alike: Bools, owner: int) -> Sequence[tuple[int, int]]:
    """Rows and slots of points that are alike and hold that."""
    return [(int(row), int(slot)) for row, slot in np.argwhere(alike[:POINTS] & (canvas.owners[:POINTS] == owner))]


def _look(kinds: Sequence[Floats]) -> Look | None:
    if min(len(kind) for kind in kinds) < _LEAST_SAMPLES:
        return None
    spread = np.sqrt([_WIDER * kind.var(axis=0) + _FLOOR**2 for kind in kinds])
    return Look(np.array([kind.mean(axis=0) for kind in kinds]), spread)


@dataclass(frozen=True, slots=True)
class Windows:
    """Square windows of a raster, one upon the other: a few slots need no whole raster to be worked out.

    Attributes:
        corners: n x 2, the raster pixel (x, y) that is the first of each window.
        side: of each, in pixels.
    """

    corners: NDArray[np.intp]
    side: int

    @classmethod
    def round(cls, centres: Floats, reach: float, shape: tuple[int, ...]) -> Windows:
        """Windows round places (n x 2) on a raster of that shape, with room for gradients at their edges."""
        side = min(2 * int(np.ceil(reach + _ROOM_PX)) + 1, *shape)
        corners = np.clip(np.rint(centres).astype(np.intp) - side // 2, 0, np.array(shape[::-1]) - side)
        return cls(corners, side)

    def cut(self, raster: NDArray[Any]) -> NDArray[Any]:
        """The raster's windows (n * side x side)."""
        return np.concatenate([raster[y : y + self.side, x : x + self.side] for x, y in self.corners])

    def inside(self, places: NDArray[Any]) -> Singles:
        """Places on the raster (n x ... x 2) as places in the windows."""
        extra = (1,) * (places.ndim - 2)
        own = (places - self.corners.reshape(-1, *extra, 2)).astype(np.float32)
        np.clip(own, 0, self.side - 1, out=own)
        own[..., 1] += (self.side * np.arange(len(places), dtype=np.float32)).reshape(-1, *extra)
        return np.asarray(own)


def figures_of(labelled: LabelledView, picture: Picture, centres: Floats, inward: Floats) -> Floats:
    """What slots look like (n x FIGURES) whose checkers would be centred near there on the fine raster (levelled).

    The figures: how much edge there is on the best ring, on what share of it, how much of the board's own edges is
    gone inside, and how much else the inside has changed.
    """
    ground, radius = labelled.appearance.ground, labelled.rows.diameter / 2
    windows = Windows.round(centres, (_RADII[-1] + 2 * _SEEK) * radius, picture.shape[:2])
    view, empty, weight = (windows.cut(one) for one in (picture, ground.centre, ground.weight))
    view = lab(view).astype(np.float32)
    both = np.dstack([slopes(view), windows.cut(ground.slope)])
    calm = windows.cut(ground.calm)
    angles = np.linspace(0, 2 * np.pi, _ANGLES, endpoint=False)
    out = np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    shifts = np.linspace(-_SEEK, _SEEK, 2 * _STEPS + 1) * 2 * radius
    grid = np.stack(np.meshgrid(shifts, shifts), axis=-1).reshape(-1, 2)
    sought = (centres[:, None] + grid).astype(np.float32)  # n x places x 2
    ring = np.array([reach * radius * out for reach in _RADII], np.float32)  # radii x angles x 2
    places = windows.inside(sought[:, :, None, None] + ring)
    steep = _at(both, places)
    rise = _across(steep[..., :2], out) - _across(steep[..., 2:], out)
    edge = np.clip((rise * _at(calm, places)).max(axis=2), -_CAP, _CAP)  # n x places x angles
    best = edge.mean(axis=2).argmax(axis=1)
    each = np.arange(len(centres))
    changed = np.minimum(cv2.transform(((view - empty) * weight) ** 2, np.ones((1, 3), np.float32)), _CAP**2)
    rim = edge[each, best], _at(changed, places[each, best]).max(axis=1) / _CAP
    sectors = np.clip(np.rint(out[:, 1] * inward[:, None]), -1, 1)  # n x angles: outward, aside, inward
    inner = np.array([reach * radius * out for reach in _INSIDE]).reshape(-1, 2)
    within = windows.inside(sought[each, best][:, None] + inner)
    steep = _at(both, within)
    gone = (np.hypot(steep[..., 2], steep[..., 3]) - np.hypot(steep[..., 0], steep[..., 1])) * _at(calm, within)
    told = [_mean_where(one, sectors == sector) for one in rim for sector in (-1, 0, 1)]
    told += [np.clip(gone, -_CAP, _CAP).mean(axis=1), _at(changed, within).mean(axis=1) / _CAP]
    return np.column_stack(told).astype(np.float64)


def _mean_where(values: Singles, where: Bools) -> Singles:
    return np.asarray((values * where).sum(axis=1) / np.maximum(where.sum(axis=1), 1))


def _at(maps: Singles, places: Singles) -> Singles:
    """The values at places (..., 2) of a map, or of several one behind the other (a further axis)."""
    u, v = (np.ascontiguousarray(places[..., axis].reshape(len(places), -1), np.float32) for axis in (0, 1))
    told = cv2.remap(maps, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(told, np.float32).reshape(*places.shape[:-1], *maps.shape[2:])


def _across(slope: Singles, out: Singles) -> Singles:
    """Steepness across a ring, from the gradient along it (..., angles, 2)."""
    return np.asarray(np.abs(slope[..., 0] * out[:, 0] + slope[..., 1] * out[:, 1]), np.float32)
