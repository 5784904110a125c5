"""Where the checkers of a board belong: points, slots, the starting position, how well a layout fits a picture.

`Layout` and its bases use board coordinates (the playing area is 1 wide), `CheckerPlaces` column widths. In both x
runs from the left edge of the playing area and y from White's edge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.core import FULL_ROW
from vision.board.storage import CalibrationError
from vision.geometry import COLUMNS, CameraPose, project_to_bed
from vision.imaging import colour_likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Content
    from vision.arrays import Bools, Floats, Ints, Singles
    from vision.geometry import Raster


HALF = COLUMNS // 2


@dataclass(frozen=True, slots=True)
class CheckerPlaces:
    """Places of checkers in rows; each array has one element per checker.

    Attributes:
        column: 0 to 11 from the left.
        top: whether the place is on Black's side (the far edge).
        rank: place in the row, from 0 at the edge inwards.
        colour: WHITE or BLACK.
        mirror: whether White's home is at the left.
    """

    column: Ints
    top: Bools
    rank: Ints
    colour: Ints
    mirror: bool

    @classmethod
    def of(cls, placed: Sequence[Placed], mirror: bool) -> CheckerPlaces:
        """The places of known checkers; `mirror`: White's home is at the left."""
        columns = [column_of(one.point, mirror) for one in placed]
        tops = [one.point >= COLUMNS for one in placed]
        return cls(
            np.array(columns, np.intp),
            np.array(tops, np.bool_),
            np.array([one.index for one in placed], np.intp),
            np.array([one.owner for one in placed], np.intp),
            mirror,
        )

    def ends(self) -> CheckerPlaces:
        """The places just before the edge and just behind the last checker of every row."""
        lengths: dict[tuple[int, bool, int], int] = {}
        for column, top, rank, colour in zip(self.column, self.top, self.rank, self.colour, strict=True):
            row = int(column), bool(top), int(colour)
            lengths[row] = max(lengths.get(row, 0), int(rank) + 1)
        column, top, colour = (np.repeat(values, 2) for values in zip(*lengths, strict=True))
        rank = np.array([place for length in lengths.values() for place in (-1, length)], np.intp)
        return CheckerPlaces(column, top, rank, colour, self.mirror)

    def positions(self, bar: float, height: float, pitch: float, first: float) -> Floats:
        """Centres of the checkers, n x 2 (x, y); all lengths are in column widths.

        `pitch`: distance between neighbouring checkers of a row; `first`: of the first checker's centre from the edge.
        """
        x = self.column + 0.5 + np.where(self.column >= HALF, bar, 0.0)
        inward = first + self.rank * pitch
        return np.stack([x, np.where(self.top, height - inward, inward)], axis=1)


def start_places(mirror: bool = False) -> CheckerPlaces:
    """The thirty places of the starting position; `mirror` puts White's home at the left."""
    return CheckerPlaces.of(placed_checkers(START), mirror)


def column_of(point: int, mirror: bool) -> int:
    """Column (0 at White's left) of a point (0 is White's 1 point)."""
    column = COLUMNS - 1 - point if point < COLUMNS else point - COLUMNS
    return COLUMNS - 1 - column if mirror else column


POINTS = 2 * COLUMNS


class Places(ABC):
    """Places and sizes of the checkers on any kind of board; lengths in board units.

    Attributes:
        depth: of the playing area.
        thickness: of a checker, in diameters.
    """

    __slots__ = ()
    depth: float
    thickness: float

    @property
    @abstractmethod
    def checker(self) -> float:
        """Diameter of a checker."""

    @property
    def top(self) -> float:
        """Height of a checker's top above the bed."""
        return self.thickness * self.checker

    @abstractmethod
    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Nominal centre of a checker, by its point (or square) and its index in the row there."""

    def centres(self, placed: Sequence[Placed]) -> Floats:
        """Centres (n x 2: x, y) of known checkers."""
        found = np.array([self.slot(one.point, one.index) for one in placed], np.float64).reshape(-1, 2)
        found[:, 0] += [one.aside for one in placed]
        return found


class PointLayout(Places):
    """Where the points of a backgammon board are, framed or of tiles; `mirror`: White's home is at the left."""

    __slots__ = ()
    mirror: bool

    @property
    @abstractmethod
    def column(self) -> float:
        """Width of a column."""

    def column_of(self, point: int) -> int:
        """The column (0 at White's left) of a point (0 is White's 1 point)."""
        return column_of(point, self.mirror)

    @abstractmethod
    def column_x(self, column: int) -> float:
        """The x of a column's middle."""

    @abstractmethod
    def hit_place(self, side: int) -> tuple[float, bool]:
        """Where a side's (0 White, 1 Black) hit checkers are labelled: x, and whether at White's edge."""


@dataclass(frozen=True, slots=True)
class Layout(PointLayout):
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

    def column_x(self, column: int) -> float:
        """The x of a column's centre."""
        return (column + 0.5) * self.column + (self.bar if column >= COLUMNS // 2 else 0.0)

    def hit_place(self, side: int) -> tuple[float, bool]:
        """The middle of the bar."""
        return 0.5, side == 0

    def reach(self, point: int, along: float) -> float:
        """The y of a place on a point, `along` board units from the point's edge."""
        return along if point < COLUMNS else self.depth - along

    def slot(self, point: int, index: int) -> tuple[float, float]:
        """Nominal centre (x, y) of checker number `index` (0 at the edge) on a point."""
        along = (self.edge + index * self.step) * self.checker
        return self.column_x(self.column_of(point)), self.reach(point, along)


@dataclass(frozen=True, slots=True)
class Placed:
    """A checker at a known place: point, index in the row, owner (0 White, 1 Black).

    `aside`: how far to the right of its nominal place it lies, in board units.
    """

    point: int
    index: int
    owner: int
    aside: float = 0.0


def placed_checkers(points: Sequence[Content], row: int = FULL_ROW) -> list[Placed]:
    """The checkers of a known position that lie on the bed: at most `row` a point; others lie on top of them."""
    found = []
    for point, (white, black) in enumerate(points[:POINTS]):
        owner = 0 if white else 1
        found += [Placed(point, index, owner) for index in range(min(white + black, row))]
    return found


FEWEST = 2
"""Least number of checkers of a side from which its appearance is learned: one may lie in glare or shade."""


_MOST_NAMED = 6
"""Most places that an error message names. Where more are not seen, the board is not there."""


def not_on(places: Sequence[str], between: str, counted: str = "") -> str:
    """Text in brackets for an error message: the places where known checkers are not seen; "" for none or many."""
    return f" (not on {between.join(places)}{counted})" if 0 < len(places) <= _MOST_NAMED else ""


def cannot_be_read(cause: str) -> CalibrationError:
    """The error of a picture of a known position that cannot be read, for one of `Cause`."""
    return CalibrationError(f"the known position cannot be read ({cause}): mend this, and take the picture again")


def refuse_too_few(placed: Sequence[Placed], what: str, besides: str = "") -> None:
    """Raise CalibrationError if a side has fewer than `FEWEST` of the known checkers.

    `what`: plural noun for the checkers; `besides`: where they are counted, for the message.
    """
    counts = {name: sum(checker.owner == side for checker in placed) for side, name in enumerate(("White", "Black"))}
    few = ", ".join(f"{name}'s: {count}" for name, count in counts.items() if count < FEWEST)
    if few:
        raise CalibrationError(
            f"the position has fewer than two {what} of one colour{besides} ({few}), and what a side's look like is "
            "learned from its own: calibrate with another position"
        )


_TURN = np.linspace(0, 2 * np.pi, 24, endpoint=False)
CIRCLE: Floats = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
"""Points on the unit circle: 24 x 2."""
INSIDE: Floats = np.vstack([CIRCLE * 0.9, CIRCLE[::2] * 0.6, CIRCLE[::4] * 0.3])
"""Sample places within the unit circle: n x 2."""
_USUAL_THICKNESS = 0.26, 0.06
"""Mean and standard deviation of thickness over diameter in sets on sale: 10 to 12 mm on 38 to 45 mm down to 3 mm on 14
mm."""


def fit_of(
    layout: Places, likeness: tuple[Singles, Singles], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> float:
    """Fit of a layout: mean likeness inside the known checkers' tops, minus that on rings around them and a prior."""
    feet, owners = _feet(layout, placed)
    tops, scale = project_to_bed(pose, feet, layout.top)
    radius = layout.checker / 2
    within = _within(likeness, bed, tops, radius * scale, owners)
    rim = tops[:, None] + CIRCLE[None] * radius * scale * 1.17
    outside = bed.sample(likeness, rim)[owners, np.arange(len(placed))]
    clear = _clear_of(rim, tops, radius * scale) & _clear_of(rim, feet, radius)
    without = (outside * clear).sum(axis=1) / np.maximum(clear.sum(axis=1), 1)
    usual, spread = _USUAL_THICKNESS
    return float((within - without).mean() - 0.01 * ((layout.thickness - usual) / spread) ** 2)


def likeness_maps(
    view: Singles, bed: Raster, layout: Places, pose: CameraPose, placed: Sequence[Placed], sampled: Bools | None = None
) -> tuple[Singles, Singles]:
    """Likeness (0 to 1; height x width) of a raster of the bed (Lab) to White's and to Black's checkers.

    `sampled`: mask (n) of the known checkers whose colours are used; None, or none of a side, for all of them.
    """
    feet, owners = _feet(layout, placed)
    tops, scale = project_to_bed(pose, feet, layout.top)
    found = []
    for side in (0, 1):
        own = owners == side
        if sampled is not None and (own & sampled).any():
            own &= sampled
        pixels = bed.sample([view], tops[own][:, None] + INSIDE * layout.checker / 2 * scale * 0.6)[0]
        found.append(colour_likeness(view, pixels.reshape(-1, 3)))
    return found[0], found[1]


def likeness_within(
    layout: Places, likeness: tuple[Singles, Singles], bed: Raster, pose: CameraPose, placed: Sequence[Placed]
) -> Floats:
    """Mean likeness of each known checker's place to its owner's checkers, 0 to 1."""
    feet, owners = _feet(layout, placed)
    tops, scale = project_to_bed(pose, feet, layout.top)
    return _within(likeness, bed, tops, layout.checker / 2 * scale, owners)


def _within(likeness: tuple[Singles, Singles], bed: Raster, tops: Floats, radius: float, owners: Ints) -> Floats:
    inside = bed.sample(likeness, tops[:, None] + INSIDE[None] * radius)
    return np.asarray(inside[owners, np.arange(len(owners))].mean(axis=1))


def _feet(layout: Places, placed: Sequence[Placed]) -> tuple[Floats, Ints]:
    """Centres on the bed (n x 2, board coordinates) and owners (n) of known checkers."""
    return layout.centres(placed), np.array([checker.owner for checker in placed])


def _clear_of(places: Floats, centres: Floats, radius: float) -> Bools:
    """Mask of the places (n x k x 2) that lie outside all circles."""
    across, up = (places[None, :, :, axis] - centres[:, None, None, axis] for axis in (0, 1))
    across *= across
    up *= up
    across += up
    return np.asarray(across.min(axis=0) > (1.1 * radius) ** 2)


START: tuple[Content, ...] = tuple(
    {0: (0, 2), 5: (5, 0), 7: (3, 0), 11: (0, 5), 12: (5, 0), 16: (0, 3), 18: (0, 5), 23: (2, 0)}.get(point, (0, 0))
    for point in range(POINTS)
)
"""Starting position of backgammon: (White, Black) by point, White's 1 point first."""
