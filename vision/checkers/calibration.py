"""Calibration of a chequered board from one picture of a known position."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.board import (
    INSIDE,
    CalibrationError,
    checker_colours,
    hidden_mask,
    likeness_within,
    open_calibration,
    refuse_too_few,
    warp_to_plane,
    write_calibration,
)
from vision.checkers.background import inpaint_squares
from vision.checkers.cell_reading import read_cells
from vision.checkers.cell_search import Reach
from vision.checkers.contour_reading import OutlineGeometry, Outlines
from vision.checkers.layout import (
    CELLS,
    LIGHT,
    MIDDLES,
    SIDE,
    SQUARE,
    START,
    ShiftedSquares,
    SquareLayout,
    fit_squares,
    men,
    placed_on,
)
from vision.checkers.locate import refine_corners
from vision.checkers.reader import GRID, SquaresReader, classes_of
from vision.checkers.synthesis import CheckersLesson, learn_cells
from vision.geometry import CameraPose, Raster, estimate_pose, fit_corners_exactly, project_to_bed
from vision.imaging import (
    Appearance,
    BackgroundModel,
    ExposureCache,
    colour_likeness,
    saturation_level,
    to_lab,
    unexplained_pixels,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Content
    from vision.board import Placed
    from vision.cameras import Picture
    from vision.checkers.likelihood import CellModel

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Bools = NDArray[np.bool_]

_KIND = "squares"
"""Name of this kind of board in files."""
_OUTLINES = "outlines_"
"""Prefix of the file's arrays that belong to `Outlines`."""
_SQUARE_PX = 24
"""Resolution of the raster, in pixels a square; a checker then measures about 19, as on a framed board's raster."""
_MARGIN_SQUARES = 0.5
"""Margin of the raster around the squares, in squares."""
_SEARCH_PX = 480
"""Resolution of the raster for fitting the checkers' size, in pixels a board."""
_LEAST_FIT = 0.3
"""Least fit of the checkers' size for the known position (wood on wood under one dim lamp has 0.39). It is lower than
for framed boards because bare corners and a second reading are required as well."""
_LEAST_LIKENESS = 0.2
"""Least likeness, 0 to 1, of every known checker's place to its side."""
_LEAST_BARE = 0.1
"""Least difference in likeness between the known checkers and their squares' corners. Where squares were taken for
checkers it is at most 0.09; brown checkers on brown squares have 0.13, others mostly 0.6 or more."""
_CORNER = 0.43
"""Distance of the samples in a square's corners from its middle, in squares each way; no checker reaches there."""


@dataclass(frozen=True, slots=True)
class CheckersExposure:
    """A calibrated board at one brightness: grey level (B, G, R) of saturation, appearance and cell models."""

    ceiling: Singles
    appearance: Appearance
    cells: CellModel


@dataclass(frozen=True)
class CheckersCalibration:
    """Calibration of a chequered board.

    Attributes:
        size: width and height of the pictures it holds for.
        corners: 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left of the squares as White sits.
        pose: camera pose.
        standing: size of the checkers, and their places in the known position.
        fit: how well the known position fits, -1 to 1.
        view: raster of the known position, in the plane of the men's tops (BGR).
        ground: the same of the empty board.
        unlike: uncertainty of the estimated brightness of covered dark and light squares (natural logarithm).
        position: contents of the 64 cells in the known position.
        outlines: model of outlines and relative brightness, which holds in any light.
        learned: the known position, rectified to `GRID`; None in files of earlier versions.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    standing: ShiftedSquares
    fit: float
    view: Picture
    ground: Picture
    unlike: tuple[float, float]
    position: tuple[Content, ...]
    outlines: Outlines
    learned: Picture | None

    @property
    def squares(self) -> SquareLayout:
        """Size of the checkers."""
        return self.standing.squares

    @cached_property
    def top(self) -> Raster:
        """Raster in the plane of the men's tops, on which pictures are read."""
        return _raster(self.pose, self.squares.top)

    @cached_property
    def reach(self) -> Reach:
        """Search areas of the cells on that raster."""
        return Reach.of(self.squares, self.pose, self.top)

    @cached_property
    def outlined(self) -> OutlineGeometry:
        """Geometry for reading by outlines."""
        return self.outlines.ground(self.squares, self.pose)

    @cached_property
    def comparing(self) -> SquaresReader | None:
        """Reader that compares with the known position; None without its picture."""
        return None if self.learned is None else SquaresReader(self.learned, classes_of(self.position))

    @cached_property
    def placed(self) -> list[Placed]:
        """Checkers of the known position."""
        return placed_on(self.position)

    @cached_property
    def appearance(self) -> Appearance:
        """Colour tables and empty board."""
        return self._appearance(np.full(3, 255, np.float32))

    @cached_property
    def lesson(self) -> CheckersLesson:
        """Data from which the cell models are learned."""
        covered = np.isin(np.arange(CELLS), [checker.point for checker in self.placed])
        unlike = np.where(covered, np.where(LIGHT, self.unlike[1], self.unlike[0]), 0.0)
        return CheckersLesson(
            self.view, self.placed, self.appearance, self.standing, self.pose, self.top, self.reach, unlike
        )

    @cached_property
    def exposures(self) -> ExposureCache[CheckersExposure]:
        """Cache of the board's models at other brightnesses."""
        return ExposureCache(self._expose)

    @cached_property
    def foreign_at_calibration(self) -> Bools:
        """Mask of the pixels that looked like neither checkers nor empty board in the calibration picture."""
        seen = self.appearance.evidence(self.view)
        cells = read_cells(seen, self.reach, self.exposures.under(np.ones(3, np.float32)).cells)
        return unexplained_pixels(seen.changed, self.discs(cells.taken), self.reach.diameter)

    def reuse_models(self, other: CheckersCalibration) -> None:
        """Reuse the models of a calibration of the same board in another place."""
        vars(self)["exposures"] = other.exposures.transferred(self._expose)
        for name in ("foreign_at_calibration", "comparing"):
            if name in vars(other):
                vars(self)[name] = vars(other)[name]

    def discs(self, taken: Bools) -> list[tuple[int, int]]:
        """Raster places (x, y) of the cells' checkers: a man's foot, a man's top, and a king's top."""
        middles, lifts = self.reach.middles[taken], self.reach.lifts[taken]
        places = np.vstack([middles - lifts, middles, middles + lifts])
        return [(int(x), int(y)) for x, y in np.rint(places)]

    def _appearance(self, ceiling: Singles) -> Appearance:
        view, ground = (np.minimum(one, ceiling).astype(np.uint8) for one in (self.view, self.ground))
        return Appearance(BackgroundModel(ground), checker_colours(view, men(self.placed), self.standing, self.top))

    def _expose(self, gain: Singles) -> CheckersExposure:
        ceiling = saturation_level(gain)
        appearance = self.appearance if (ceiling >= 255).all() else self._appearance(ceiling)
        return CheckersExposure(ceiling, appearance, learn_cells(replace(self.lesson, appearance=appearance), gain))

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries (see `write_calibration`). Raises CalibrationError."""
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
        if self.learned is not None:
            arrays["learned"] = self.learned
        write_calibration(path, _KIND, meta, arrays, **extra)

    @classmethod
    def load(cls, path: Path) -> CheckersCalibration:
        """Load from a file. Raises CalibrationError if it is missing, damaged or of another version."""
        with open_calibration(path) as kept:
            kept.check(_SHAPES)
            meta, file = kept.meta, kept.arrays
            return cls(
                tuple(meta["size"]),
                file["corners"],
                CameraPose(file["matrix"], file["centre"], **meta["pose"]),
                ShiftedSquares(SquareLayout(**meta["squares"]), file["shifts"]),
                meta["fit"],
                file["view"],
                file["ground"],
                (meta["unlike"][0], meta["unlike"][1]),
                tuple((int(white), int(black)) for white, black in file["position"]),
                Outlines.of({name[len(_OUTLINES) :]: file[name] for name in file if name.startswith(_OUTLINES)}),
                file.get("learned"),
            )


_SHAPES = {
    "corners": "4 2",
    "matrix": "3 4",
    "centre": "3",
    "view": "h w 3",
    "ground": "h w 3",
    "position": "64 2",
    "shifts": "64 2",
    "?learned": "y x 3",
    f"?{_OUTLINES}sizes": "2",
    f"?{_OUTLINES}rounds": "2 2",
    f"?{_OUTLINES}tone": "2 3",
    f"?{_OUTLINES}spread": "3 3 3",
    f"?{_OUTLINES}bare": "3",
    f"?{_OUTLINES}contrast": "3",
}
"""See `SavedCalibration.check`."""


def calibrate_checkers(
    picture: Picture, corners: Floats, position: Sequence[Content | None] = START
) -> CheckersCalibration:
    """Calibrate a chequered board from a picture of a known position.

    Args:
        picture: BGR.
        corners: of the 64 squares, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits.
        position: contents of each cell (see `companion.core.observation`); (2, 0) and (0, 2) are known kings.

    Raises:
        CalibrationError: the position is not seen there, or has too few men of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    placed = placed_on(position)
    single = men(placed)
    refuse_too_few(single, "men", ", kings not counted")
    corners = refine_corners(picture, np.asarray(corners, np.float64))
    pose = fit_corners_exactly(estimate_pose(corners, size, depth=1.0), corners)
    standing, fit = _fit(picture, pose, single)
    if fit < _LEAST_FIT:
        raise CalibrationError(
            "the known position is not visible inside these corners: check that the checkers stand in that position, "
            "and that the whole board is in the picture"
        )
    bed, top = _raster(pose, 0.0), _raster(pose, standing.top)
    empty = inpaint_squares(bed.rectify(picture), hidden_mask(placed, standing, pose, bed), bed)
    contents = tuple(content or (0, 0) for content in position)
    ground = warp_to_plane(empty.picture, bed, top, pose)
    outlines = Outlines.learn(picture, standing.squares, pose, contents)
    view = top.rectify(picture)
    learned = GRID.rectify(picture, corners)
    return CheckersCalibration(
        size, corners, pose, standing, fit, view, ground, empty.unlike, contents, outlines, learned
    )


def _raster(pose: CameraPose, height: float) -> Raster:
    return Raster.of(pose, height, SIDE * _SQUARE_PX, _MARGIN_SQUARES / SIDE)


def _fit(picture: Picture, pose: CameraPose, placed: Sequence[Placed]) -> tuple[ShiftedSquares, float]:
    """Fit the checkers' size to maps of likeness to the middles of the known checkers.

    The fit is 0 or less if a known checker is not seen.
    """
    bed = Raster.of(pose, 0.0, _SEARCH_PX, 0.05)
    view = to_lab(bed.rectify(picture)).astype(np.float64)
    usual = SquareLayout()
    tops, scale = project_to_bed(pose, MIDDLES[[checker.point for checker in placed]], usual.top)
    owners = np.array([checker.owner for checker in placed])
    likeness = []
    for side in (0, 1):
        pixels = bed.sample([view], tops[owners == side][:, None] + INSIDE * usual.checker / 2 * scale * 0.6)[0]
        likeness.append(colour_likeness(view, pixels.reshape(-1, 3)))
    both = likeness[0], likeness[1]
    standing, fit = fit_squares(both, bed, pose, placed)
    within = likeness_within(standing, both, bed, pose, placed)
    bare = float((within - _in_corners(both, bed, placed)).mean())
    seen = within.min() >= _LEAST_LIKENESS and bare >= _LEAST_BARE
    return standing, fit if seen else min(fit, 0.0)


def _in_corners(likeness: tuple[Floats, Floats], bed: Raster, placed: Sequence[Placed]) -> Floats:
    """Likeness of the corners of each checker's square to the checker; high where the square was taken for it."""
    middles = MIDDLES[[checker.point for checker in placed]]
    corners = middles[:, None] + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * _CORNER * SQUARE
    sampled = bed.sample(likeness, corners)[[checker.owner for checker in placed], np.arange(len(placed))]
    return np.asarray(np.median(sampled, axis=1))
