"""Calibration of a chequered board from one picture of a known position."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from companion.core import Cause
from vision.board import (
    CERTAIN_NATS,
    BoardInView,
    CalibrationError,
    cannot_be_read,
    likeness_maps,
    not_on,
    refuse_too_few,
    square_name,
)
from vision.checkers.contour_reading import OutlineGeometry, Outlines
from vision.checkers.crossings import Crossings
from vision.checkers.layout import GRID, START, SquareLayout, fit_squares, men, placed_on
from vision.checkers.locate import refine_corners
from vision.checkers.reader import SquaresReader, classes_of
from vision.geometry import Raster, estimate_pose, fit_corners_exactly
from vision.imaging import to_lab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from companion.core import Content
    from vision.arrays import Floats, Ints, Picture
    from vision.board import Placed, SavedCalibration
    from vision.checkers.reader import ComparedSquares
    from vision.geometry import CameraPose


_OUTLINES = "outlines_"
"""Prefix of the file's arrays that belong to `Outlines`."""
_SEARCH_PX = 480
"""Resolution of the raster for fitting the checkers' size, in pixels a board."""


@dataclass(frozen=True)
class CheckersCalibration(BoardInView):
    """Calibration of a chequered board; its corners are those of the 64 squares.

    Attributes:
        squares: size of the checkers.
        position: contents of the 64 cells in the known position.
        outlines: model of outlines and relative brightness, which holds in any light.
        learned: the known position, rectified to `GRID`.
    """

    squares: SquareLayout
    position: tuple[Content, ...]
    outlines: Outlines
    learned: Picture
    kind = "squares"
    shapes: ClassVar = {
        "position": "64 2",
        "learned": "y x 3",
        f"{_OUTLINES}sizes": "2",
        f"{_OUTLINES}rounds": "2 2",
        f"{_OUTLINES}tone": "2 3",
        f"{_OUTLINES}spread": "3 3 3",
        f"{_OUTLINES}bare": "3",
        f"{_OUTLINES}contrast": "3",
    }

    @cached_property
    def outlined(self) -> OutlineGeometry:
        """Geometry for reading by outlines."""
        return OutlineGeometry.sized(self.squares, self.outlines.diameter, self.pose)

    @cached_property
    def comparing(self) -> SquaresReader:
        """Reader that compares with the known position."""
        return SquaresReader(self.learned, classes_of(self.position))

    @cached_property
    def crossings(self) -> Crossings:
        """Reader of the places where four squares meet."""
        return Crossings(self.comparing)

    def moved(self, motion: Floats) -> CheckersCalibration:
        """The same board in another place, by a homography (3 x 3) from old to new pixels. Raises NoPoseError."""
        found = self.transformed(motion)
        vars(found)["comparing"] = self.comparing
        return found

    def contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """See `BoardInView`."""
        outlines = {f"{_OUTLINES}{name}": part for name, part in self.outlines.parts.items()}
        arrays = {"position": np.array(self.position), "learned": self.learned, **outlines}
        return {"squares": asdict(self.squares)}, arrays

    @classmethod
    def restored(cls, kept: SavedCalibration) -> CheckersCalibration:
        """See `BoardInView`."""
        file = kept.arrays
        return cls(
            *kept.in_view,
            SquareLayout(**kept.meta["squares"]),
            tuple((int(white), int(black)) for white, black in file["position"]),
            Outlines.of({name[len(_OUTLINES) :]: file[name] for name in file if name.startswith(_OUTLINES)}),
            file["learned"],
        )


def calibrate_checkers(
    picture: Picture, corners: Floats, position: Sequence[Content | None] = START
) -> CheckersCalibration:
    """Calibrate a chequered board from a picture of a known position, in which (2, 0) and (0, 2) are kings.

    `corners`: of the 64 squares, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits. Raises
    CalibrationError if the position is not seen there, or has too few men of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    placed = placed_on(position)
    single = men(placed)
    refuse_too_few(single, "men", ", kings not counted")
    corners = refine_corners(picture, np.asarray(corners, np.float64))
    pose = fit_corners_exactly(estimate_pose(corners, size, depth=1.0), corners)
    contents = tuple(content or (0, 0) for content in position)
    learned = GRID.rectify(picture, corners)
    held = classes_of(contents)
    comparing = SquaresReader(learned, held)
    _refuse_unlike(comparing.by_other_squares(), held)
    squares, fit = _fit(picture, pose, single)
    outlines = Outlines.learn(picture, squares, pose, contents)
    found = CheckersCalibration(size, corners, pose, fit, squares, contents, outlines, learned)
    vars(found)["comparing"] = comparing
    return found


def _refuse_unlike(seen: ComparedSquares, known: Ints) -> None:
    """Raise CalibrationError if a hand is seen, or the squares contradict the known position by CERTAIN_NATS in all.

    `known`: class of each square (64) in that position.

    Of 95 drawn boards in the starting position 93 were learned, of 285 with one to three men elsewhere none.
    """
    if seen.hand:
        raise cannot_be_read(Cause.HAND)
    behind = -seen.nats[np.arange(len(known)), known]
    if behind.sum() < CERTAIN_NATS:
        return
    certain = behind >= CERTAIN_NATS
    unlike = np.flatnonzero(certain if certain.any() else behind)
    where = not_on([square_name(cell) for cell in unlike.tolist()], " ")
    raise CalibrationError(
        f"the known position is not visible inside these corners{where}: check that the checkers stand in that "
        "position, that the whole board is in the picture, with a dark corner at White's left, and that checkers and "
        "squares differ in colour"
    )


def _fit(picture: Picture, pose: CameraPose, placed: Sequence[Placed]) -> tuple[SquareLayout, float]:
    """Fit the checkers' size to maps of likeness to the middles of the known checkers."""
    bed = Raster.of(pose, 0.0, _SEARCH_PX, 0.05)
    view = to_lab(bed.rectify(picture))
    both = likeness_maps(view, bed, SquareLayout(), pose, placed)
    return fit_squares(both, bed, pose, placed)
