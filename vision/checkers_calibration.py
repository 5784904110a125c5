"""What one look at a known position of checkers teaches: where the board lies, and what everything looks like."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from vision.appearance import Appearance, BackgroundModel
from vision.calibration_file import CalibrationError, opened, write
from vision.cell_search import Reach
from vision.checkers_composites import CheckersLesson, learn_cells
from vision.chequered_corners import set_right
from vision.empty_board import hidden_by, lift
from vision.empty_squares import uncover_squares
from vision.exposures import Exposures, ceiling_of
from vision.geometry import CameraPose, estimate_pose, fit_corners_exactly, rise
from vision.layout import INSIDE, likeness_within
from vision.outlines import Ground as OutlineGround
from vision.outlines import Outlines
from vision.raster import Raster
from vision.read_checkers import read_cells
from vision.readability import unexplained_pixels
from vision.squares import CELLS, LIGHT, MIDDLES, SIDE, SQUARE, START, Squares, Standing, fit_squares, men, placed_on
from vision.straightened import checker_colours

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.cell_model import CellModel
    from vision.layout import Placed

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]
    Bools = NDArray[np.bool_]

_KIND = "squares"
_OUTLINES = "outlines_"
"""What names of arrays in a file begin with that hold outlines."""
_SQUARE_PX = 24
"""Raster pixels a square: a checker is then some 19 across, as on a framed board's raster."""
_MARGIN_SQUARES = 0.5
"""The raster shows so much of the frame round the squares."""
_SEARCH_PX = 480
_LEAST_FIT = 0.3
"""Least fit of the checkers' size to be taken for a board in the known position: less than for framed boards (wood on
wood under one dim lamp has 0.39), as the squares' own corners must be bare, and the position must be read again."""
_LEAST_LIKENESS = 0.2
"""How much every known checker's place must look like that side's, likewise."""
_LEAST_BARE = 0.1
"""How much less the corners of the known checkers' squares must look like them: where it is the squares themselves that
were taken for checkers it is 0.09 at most, with brown checkers on brown squares 0.13, mostly 0.6 and more."""
_CORNER = 0.43
"""Where a square's corners are looked at, in squares from its middle each way: no checker reaches there."""
_FEWEST = 2
"""Checkers of a colour that it can be learned from."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """A learned board under one brightness of pictures (see `vision.calibration.Exposure`)."""

    ceiling: Singles
    appearance: Appearance
    cells: CellModel


@dataclass(frozen=True)
class CheckersCalibration:
    """A learned chequered board.

    Attributes:
        size: width and height of the pictures it holds for.
        corners: 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left of the squares as White sits.
        pose: the camera.
        standing: the size of the checkers, and where those of the known position stand.
        fit: how well the known position fits, -1 to 1.
        view: raster of the known position, in the plane of the men's tops.
        ground: the empty board on it.
        unlike: how far the brightness of a covered dark and light square may be from what was foretold (logarithms).
        position: what lay on the cells then.
        outlines: what holds in any light.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    standing: Standing
    fit: float
    view: Picture
    ground: Picture
    unlike: tuple[float, float]
    position: tuple[Content, ...]
    outlines: Outlines

    @property
    def squares(self) -> Squares:
        """The size of the checkers."""
        return self.standing.squares

    @cached_property
    def top(self) -> Raster:
        """The raster of the men's tops, on which everything is read."""
        return _raster(self.pose, self.squares.top)

    @cached_property
    def reach(self) -> Reach:
        """Where the cells are on it."""
        return Reach.of(self.squares, self.pose, self.top)

    @cached_property
    def outlined(self) -> OutlineGround:
        """Where outlines are looked for."""
        return self.outlines.ground(self.squares, self.pose)

    @cached_property
    def placed(self) -> list[Placed]:
        """The checkers of the known position."""
        return placed_on(self.position)

    @cached_property
    def appearance(self) -> Appearance:
        """Colours and empty board."""
        return self._appearance(np.full(3, 255, np.float32))

    @cached_property
    def lesson(self) -> CheckersLesson:
        """What the cells are learned from."""
        covered = np.isin(np.arange(CELLS), [checker.point for checker in self.placed])
        unlike = np.where(covered, np.where(LIGHT, self.unlike[1], self.unlike[0]), 0.0)
        return CheckersLesson(
            self.view, self.placed, self.appearance, self.standing, self.pose, self.top, self.reach, unlike
        )

    @cached_property
    def exposures(self) -> Exposures[Exposure]:
        """The board under other brightnesses."""
        return Exposures(self._expose)

    @cached_property
    def strange(self) -> Bools:
        """Pixels that looked neither like checkers nor like the empty board when the board was learned."""
        seen = self.appearance.evidence(self.view)
        cells = read_cells(seen, self.reach, self.exposures.under(np.ones(3, np.float32)).cells)
        return unexplained_pixels(seen.changed, self.discs(cells.taken), self.reach.diameter)

    def carry(self, other: CheckersCalibration) -> None:
        """Take over what was worked out for another place of the board: a knock changes little of how it looks."""
        vars(self)["exposures"] = other.exposures.transferred(self._expose)
        if "strange" in vars(other):
            vars(self)["strange"] = other.strange

    def discs(self, taken: Bools) -> list[tuple[int, int]]:
        """Where on the raster (x, y) checkers are seen: a man's foot and top, and a king's top."""
        middles, lifts = self.reach.middles[taken], self.reach.lifts[taken]
        places = np.vstack([middles - lifts, middles, middles + lifts])
        return [(int(x), int(y)) for x, y in np.rint(places)]

    def _appearance(self, ceiling: Singles) -> Appearance:
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return Appearance(BackgroundModel(ground), checker_colours(view, men(self.placed), self.standing, self.top))

    def _expose(self, gain: Singles) -> Exposure:
        ceiling = ceiling_of(gain)
        appearance = self.appearance if (ceiling >= 255).all() else self._appearance(ceiling)
        return Exposure(ceiling, appearance, learn_cells(replace(self.lesson, appearance=appearance), gain))

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries (see `calibration_file.write`). Raises CalibrationError."""
        pose = {"depth": self.pose.depth, "focal": self.pose.focal, "misfit_px": self.pose.misfit_px}
        meta = {
            "size": self.size,
            "squares": asdict(self.squares),
            "fit": self.fit,
            "unlike": self.unlike,
            "pose": pose,
        }
        arrays: dict[str, NDArray[Any]] = {
            "corners": self.corners,
            "matrix": self.pose.matrix,
            "centre": self.pose.centre,
            "view": self.view,
            "ground": self.ground,
            "position": np.array(self.position),
            "shifts": self.standing.shifts,
            **{f"{_OUTLINES}{name}": part for name, part in self.outlines.parts.items()},
        }
        write(path, _KIND, meta, arrays, **extra)

    @classmethod
    def load(cls, path: Path) -> CheckersCalibration:
        """Read from a file. Raises CalibrationError where it is missing, damaged or of another version."""
        with opened(path) as kept:
            meta, file = kept.meta, kept.arrays
            return cls(
                tuple(meta["size"]),
                file["corners"],
                CameraPose(file["matrix"], file["centre"], **meta["pose"]),
                Standing(Squares(**meta["squares"]), file["shifts"]),
                meta["fit"],
                file["view"],
                file["ground"],
                (meta["unlike"][0], meta["unlike"][1]),
                tuple((int(white), int(black)) for white, black in file["position"]),
                Outlines.of({name[len(_OUTLINES) :]: file[name] for name in file if name.startswith(_OUTLINES)}),
            )


def calibrate_checkers(
    picture: Picture, corners: Floats, position: Sequence[Content | None] = START
) -> CheckersCalibration:
    """Learn a chequered board from a picture of a known position.

    Args:
        picture: BGR.
        corners: of the 64 squares, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits.
        position: what lies on each cell (see `companion.observation`); (2, 0) and (0, 2) are kings known as such.

    Raises:
        CalibrationError: the position is not seen there, or shows too few checkers of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    placed = placed_on(position)
    single = men(placed)
    if min(sum(checker.owner == side for checker in single) for side in (0, 1)) < _FEWEST:
        raise CalibrationError(
            f"the position has fewer than {_FEWEST} men of one colour: learn the board from another one"
        )
    corners = set_right(picture, np.asarray(corners, np.float64))
    pose = fit_corners_exactly(estimate_pose(corners, size, depth=1.0), corners)
    standing, fit = _fit(picture, pose, single)
    if fit < _LEAST_FIT:
        raise CalibrationError(
            "the known position is not seen inside these corners: check that the board stands at it, "
            "and that all of it is in the picture"
        )
    bed, top = _raster(pose, 0.0), _raster(pose, standing.top)
    empty = uncover_squares(bed.straighten(picture), hidden_by(placed, standing, pose, bed), bed)
    told = tuple(content or (0, 0) for content in position)
    ground = lift(empty.picture, bed, top, pose)
    outlines = Outlines.learn(picture, standing.squares, pose, told)
    view = top.straighten(picture)
    return CheckersCalibration(size, corners, pose, standing, fit, view, ground, empty.unlike, told, outlines)


def _raster(pose: CameraPose, height: float) -> Raster:
    return Raster.of(pose, height, SIDE * _SQUARE_PX, _MARGIN_SQUARES / SIDE)


def _fit(picture: Picture, pose: CameraPose, placed: Sequence[Placed]) -> tuple[Standing, float]:
    """The checkers' size, from how much each pixel looks like the middles of the known ones.

    The fit is 0 at most where one of them is not there.
    """
    bed = Raster.of(pose, 0.0, _SEARCH_PX, 0.05)
    view = np.asarray(cv2.cvtColor(bed.straighten(picture).astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)
    usual = Squares()
    tops, scale = rise(pose, MIDDLES[[checker.point for checker in placed]], usual.top)
    owners = np.array([checker.owner for checker in placed])
    likeness = []
    for side in (0, 1):
        pixels = bed.sample([view], tops[owners == side][:, None] + INSIDE * usual.checker / 2 * scale * 0.6)[0]
        middle = np.median(pixels.reshape(-1, 3), axis=0)
        spread = 1.48 * np.median(np.abs(pixels.reshape(-1, 3) - middle), axis=0)
        spread = np.maximum(spread, (10, 6, 6)) * 1.5
        likeness.append(np.exp(-0.5 * (((view - middle) / spread) ** 2).sum(axis=2)))
    both = likeness[0], likeness[1]
    standing, fit = fit_squares(both, bed, pose, placed)
    within = likeness_within(standing, both, bed, pose, placed)
    bare = float((within - _in_corners(both, bed, placed)).mean())
    seen = within.min() >= _LEAST_LIKENESS and bare >= _LEAST_BARE
    return standing, fit if seen else min(fit, 0.0)


def _in_corners(likeness: tuple[Floats, Floats], bed: Raster, placed: Sequence[Placed]) -> Floats:
    """How much the corners of each checker's square look like it: they do where it is the square that was seen."""
    middles = MIDDLES[[checker.point for checker in placed]]
    corners = middles[:, None] + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _CORNER * SQUARE
    sampled = bed.sample(likeness, corners)[[checker.owner for checker in placed], np.arange(len(placed))]
    return np.asarray(np.median(sampled, axis=1))
