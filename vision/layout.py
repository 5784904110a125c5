"""Layout of a framed board: bar, columns, rows and checker size, fitted to a known position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.geometry import COLUMNS, CameraPose, rise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

POINTS = 24
"""Number of points."""
ORDINARY_ROW = 5
"""Checkers in a row before a second layer begins, as in the drawings of most rule sheets."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Dimensions of a framed board, in board coordinates (the playing area is 1 wide).

    Attributes:
        depth: of the playing area.
        bar: width of the bar strip between columns 5 and 6; 0 if there is none.
        diameter: of a checker, in column widths.
        thickness: of a checker, in diameters.
        edge: from the edge to the centre of a row's first checker, in diameters.
        step: between the centres of neighbouring checkers in a row, in diameters.
        mirror: whether White's home board is at the left.
    """

    depth: float
    bar: float = 0.08
    diameter: float = 0.9
    thickness: float = 0.25
    edge: float = 0.55
    step: float = 1.02
    mirror: bool = False

    @property
    def column(self) -> float:
        """Width of a column in board units."""
        return (1 - self.bar) / COLUMNS

    @property
    def checker(self) -> float:
        """Diameter of a checker in board units."""
        return self.diameter * self.column

    @property
    def top(self) -> float:
        """Height of a checker's top above the bed in board units."""
        return self.thickness * self.checker

    def column_of(self, point: int) -> int:
        """Column (0 at White's left) of a point (0 is White's 1 point)."""
        column = 11 - point if point < COLUMNS else point - COLUMNS
        return 11 - column if self.mirror else column

    def column_x(self, column: int) -> float:
        """The x of a column's centre."""
        return (column + 0.5) * self.column + (self.bar if column >= COLUMNS // 2 else 0.0)

    def waiting(self, side: int) -> tuple[float, bool]:
        """Where a side's (0 White, 1 Black) hit checkers are announced: x, and whether on White's side.

        Here the bar.
        """
        return 0.5, side == 0

    def reach(self, point: int, along: float) -> float:
        """The y of a place on a point, `along` board units from the point's edge."""
        return along if point < COLUMNS else self.depth - along

    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Nominal centre (x, y) of checker number `index` (0 at the edge) on a point."""
        along = (self.edge + index * self.step) * self.checker
        return self.column_x(self.column_of(point)), self.reach(point, along)


class Places(Protocol):
    """Places and size of the checkers on any kind of board; lengths in board units."""

    @property
    def depth(self) -> float:
        """Depth of the playing area."""

    @property
    def checker(self) -> float:
        """Diameter of a checker."""

    @property
    def thickness(self) -> float:
        """Thickness of a checker, in diameters."""

    @property
    def top(self) -> float:
        """Height of a checker's top above the bed."""

    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Nominal centre of a checker, by its point (or square) and its index in the row there."""


class PointLayout(Places, Protocol):
    """Where the points of a backgammon board are, framed or of tiles; lengths in board units."""

    @property
    def column(self) -> float:
        """Width of a column."""

    @property
    def mirror(self) -> bool:
        """Whether White's home is at the left."""

    def column_of(self, point: int) -> int:
        """The column (0 at White's left) of a point (0 is White's 1 point)."""

    def column_x(self, column: int) -> float:
        """The x of a column's middle."""

    def waiting(self, side: int) -> tuple[float, bool]:
        """Place of a side's (0 White, 1 Black) hit checkers: x, and whether on White's side."""


class Plane(Protocol):
    """Maps that can be sampled at board coordinates, such as those of a `Raster`."""

    def sample(self, maps: Sequence[Floats], places: Floats) -> Floats:
        """Values of each map at board coordinates (..., 2)."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A checker at a known place: point, index in the row, owner (0 White, 1 Black)."""

    point: int
    index: int
    owner: int


def placed_checkers(points: Sequence[Content], row: int = ORDINARY_ROW) -> list[Placed]:
    """The checkers of a known position that lie on the bed: at most `row` a point; others lie on top of them."""
    found = []
    for point, (white, black) in enumerate(points[:POINTS]):
        owner = 0 if white else 1
        found += [Placed(point, index, owner) for index in range(min(white + black, row))]
    return found


_TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
CIRCLE: Floats = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
"""Points on the unit circle: 24 x 2."""
INSIDE: Floats = np.vstack([CIRCLE * 0.9, CIRCLE[::2] * 0.6, CIRCLE[::4] * 0.3])
"""Sample places within the unit circle: n x 2."""
_STEPS = {"bar": 0.01, "diameter": 0.04, "thickness": 0.06, "edge": 0.04, "step": 0.02}
"""First search step of each dimension, in the units of `Layout`."""
_LIMITS = {
    "bar": (0.0, 0.2),
    "diameter": (0.6, 1.02),
    "thickness": (0.1, 0.45),
    "edge": (0.45, 0.8),
    "step": (0.97, 1.25),
}
"""Search range of each dimension, in the units of `Layout`."""
_USUAL_THICKNESS = 0.26, 0.06
"""Mean and standard deviation of thickness over diameter in sets on sale: 10 to 12 mm on 38 to 45 mm down to 3 mm on 14
mm."""


def fit_layout(
    likeness: tuple[Floats, Floats], bed: Raster, pose: CameraPose, placed: Sequence[Placed], mirror: bool
) -> tuple[Layout, float]:
    """Fit the layout so that the known checkers cover exactly the places that look like them.

    Args:
        likeness: for White and Black, the likeness of each pixel of the bed raster to that side's checkers, 0 to 1.
        bed: the raster of the bed (height 0) on which the likeness maps were made.
        pose: the camera.
        placed: the known checkers.
        mirror: whether White's home board is at the left.

    Returns:
        The layout and its fit: mean likeness inside the checkers minus that just outside, -1 to 1.
    """
    first = Layout(depth=pose.depth, mirror=mirror)
    trials = [replace(first, bar=bar, diameter=d) for bar in np.arange(0.0, 0.17, 0.01) for d in (0.8, 0.9)]
    score, best = max(
        ((fit_of(trial, likeness, bed, pose, placed), trial) for trial in trials), key=lambda pair: pair[0]
    )
    for shrink in 0.6 ** np.arange(6):
        for name, step in _STEPS.items():
            score, best = _improve(name, step * shrink, score, best, likeness, bed, pose, placed)
    return best, score


def _improve(
    name: str,
    step: float,
    score: float,
    best: Layout,
    likeness: tuple[Floats, Floats],
    bed: Raster,
    pose: CameraPose,
    placed: Sequence[Placed],
) -> tuple[float, Layout]:
    low, high = _LIMITS[name]
    for sign in (-1, 1):
        while True:
            value = min(max(getattr(best, name) + sign * step, low), high)
            trial = replace(best, **{name: value})
            found = fit_of(trial, likeness, bed, pose, placed)
            if found <= score + 1e-6:
                break
            score, best = found, trial
    return score, best


def fit_of(
    layout: Places, likeness: tuple[Floats, Floats], bed: Plane, pose: CameraPose, placed: Sequence[Placed]
) -> float:
    """Fit of a layout (see `fit_layout`)."""
    feet, owners = _feet(layout, placed)
    tops, scale = rise(pose, feet, layout.top)
    radius = layout.checker / 2
    within = _within(likeness, bed, tops, radius * scale, owners)
    rim = tops[:, None] + CIRCLE[None] * radius * scale * 1.17
    outside = bed.sample(likeness, rim)[owners, np.arange(len(placed))]
    clear = _clear_of(rim, tops, radius * scale) & _clear_of(rim, feet, radius)
    without = (outside * clear).sum(axis=1) / np.maximum(clear.sum(axis=1), 1)
    usual, spread = _USUAL_THICKNESS
    return float((within - without).mean() - 0.01 * ((layout.thickness - usual) / spread) ** 2)


def likeness_within(
    layout: Places, likeness: tuple[Floats, Floats], bed: Plane, pose: CameraPose, placed: Sequence[Placed]
) -> Floats:
    """Mean likeness of each known checker's place to its owner's checkers, 0 to 1 (see `fit_layout`)."""
    feet, owners = _feet(layout, placed)
    tops, scale = rise(pose, feet, layout.top)
    return _within(likeness, bed, tops, layout.checker / 2 * scale, owners)


def _within(
    likeness: tuple[Floats, Floats], bed: Plane, tops: Floats, radius: float, owners: NDArray[np.intp]
) -> Floats:
    inside = bed.sample(likeness, tops[:, None] + INSIDE[None] * radius)
    return np.asarray(inside[owners, np.arange(len(owners))].mean(axis=1))


def _feet(layout: Places, placed: Sequence[Placed]) -> tuple[Floats, NDArray[np.intp]]:
    feet = np.array([layout.slot(checker.point, checker.index) for checker in placed])
    return feet, np.array([checker.owner for checker in placed])


def _clear_of(places: Floats, centres: Floats, radius: float) -> Bools:
    """Mask of the places (n x k x 2) that lie outside all circles."""
    across, up = (places[:, :, None, axis] - centres[:, axis] for axis in (0, 1))
    return np.asarray((across * across + up * up).min(axis=2) > (1.1 * radius) ** 2)
