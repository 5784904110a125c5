"""What one look at a known position teaches: where the board lies, its layout, and what everything on it looks like."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.appearance import Appearance, BackgroundModel
from vision.board_fit import fit_board
from vision.board_rasters import FINER, board_raster
from vision.calibration_file import CalibrationError, opened, write
from vision.closer_look import CloserLook, alike_slots
from vision.composites import learn_slots
from vision.cutouts import Cuts, Lesson
from vision.exposures import Exposures, ceiling_of
from vision.geometry import CameraPose
from vision.known_position import KnownPosition
from vision.layers import LayerModel, learn_layers
from vision.layout import ORDINARY_ROW, POINTS, Layout, placed_checkers
from vision.learned_models import Exposure, LearnedModels
from vision.read_backgammon import discs, read_rows
from vision.readability import unexplained_pixels
from vision.rows import Rows
from vision.slots import Figures
from vision.straightened import Straightened
from vision.tray import Tray, tray_raster
from vision.two_looks import KnownLook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.observation import Content
    from vision.raster import Raster

    Floats = NDArray[np.float64]
    Picture = NDArray[np.uint8]

_KIND = "points"
"""What files name this kind of board, as the sheets' field `board` does."""
_LEAST_FIT = 0.42
"""Least fit of a layout (see `fit_layout`) to be taken for a board: places chosen at random give less than 0.1, sets
with glossy checkers under a dim lamp 0.48 and more, corners that are 3 % off 0.38."""
_WORKED_OUT = "layers", "strange", "cuts", "start_look"
"""What holds, once worked out, in whatever place the board lies."""
_CLOSER_KEPT = 3
"""Finer rasters take more memory (10 MB each), and most of a second to learn: light that flickers between two steps of
brightness and is shaded for a moment needs three."""

START: tuple[Content, ...] = tuple(
    {0: (0, 2), 5: (5, 0), 7: (3, 0), 11: (0, 5), 12: (5, 0), 16: (0, 3), 18: (0, 5), 23: (2, 0)}.get(point, (0, 0))
    for point in range(POINTS)
)
"""The starting position of backgammon by point, White's 1 point first."""


@dataclass(frozen=True)
class Calibration:
    """A learned board.

    Attributes:
        size: width and height of the pictures it holds for.
        corners: 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left of the playing area as White sits.
        pose: the camera.
        layout: columns, bar and checkers.
        fit: how well the known position fits, -1 to 1.
        appearance: colours and empty board.
        straight: the known position and the empty board on the raster.
        points: what lay on the points then.
        table: raster of the table beside the board then.
        fine: the same on a raster of twice the scale.
        models: for pictures as bright as that one, where they were learned before; None where not.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    layout: Layout
    fit: float
    appearance: Appearance
    straight: Straightened
    points: tuple[Content, ...]
    table: Picture
    fine: Straightened
    models: LearnedModels | None = None

    @cached_property
    def top(self) -> Raster:
        """The raster of the checkers' tops, on which everything is read."""
        return board_raster(self.pose, self.layout, self.layout.top)

    @cached_property
    def rows(self) -> Rows:
        """The rows on that raster."""
        return Rows.of(self.layout, self.top)

    @cached_property
    def tray(self) -> Tray:
        """The table beside the board."""
        return Tray.of(self.table, tray_raster(self.top, self.layout), self.layout, self.appearance.tables, self.size)

    @cached_property
    def lesson(self) -> Lesson:
        """What the slots are learned from."""
        return Lesson(
            self.straight.view,
            placed_checkers(self.points),
            self.appearance,
            self.layout,
            self.pose,
            self.top,
            self.rows,
        )

    @cached_property
    def cuts(self) -> Cuts:
        """Its checkers, each by itself."""
        return self.lesson.cuts

    @cached_property
    def start_look(self) -> KnownLook:
        """The picture it was learned from, to compare others with."""
        return KnownLook.learned(self.lesson)

    @cached_property
    def fine_lesson(self) -> Lesson:
        """What second layers are learned from: the same on a raster of twice the scale."""
        top = board_raster(self.pose, self.layout, self.layout.top, FINER)
        placed = self.lesson.placed
        appearance = self.fine.appearance(placed, self.layout, top)
        return Lesson(self.fine.view, placed, appearance, self.layout, self.pose, top, Rows.of(self.layout, top))

    @cached_property
    def layers(self) -> LayerModel:
        """Tells second layers."""
        return learn_layers(self.fine_lesson, self.points)

    @cached_property
    def strange(self) -> NDArray[np.bool_]:
        """Pixels that looked neither like checkers nor like the empty board when the board was learned."""
        seen = self.appearance.evidence(self.straight.view)
        figures = Figures.of(seen, self.rows.diameter / 2)
        rows = read_rows(figures, self.rows, self.under(np.ones(3, np.float32)).slots)
        return unexplained_pixels(seen.changed, discs(rows), self.rows.diameter)

    @cached_property
    def exposures(self) -> Exposures[Exposure]:
        """The board under each brightness of pictures."""
        return Exposures(self._expose)

    def carry(self, other: Calibration) -> None:
        """Take over what was worked out for another place of the board: a knock changes little of how it looks."""
        vars(self)["exposures"] = other.exposures.transferred(self._expose)
        vars(self).update({name: vars(other)[name] for name in _WORKED_OUT if name in vars(other)})

    def under(self, gain: NDArray[np.float32]) -> Exposure:
        """The board as pictures show it that are brighter (B, G, R) by `gain` than the one that it was learned from."""
        return self.exposures.under(gain)

    def _expose(self, gain: NDArray[np.float32]) -> Exposure:
        ceiling = ceiling_of(gain)
        if (ceiling >= 255).all():
            slots = learn_slots(self.lesson, gain) if self.models is None else self.models.slots
            return Exposure(ceiling, self.appearance, slots, gain)
        appearance = self.straight.cut_off(ceiling).appearance(self.lesson.placed, self.layout, self.top)
        return Exposure(ceiling, appearance, learn_slots(replace(self.lesson, appearance=appearance), gain), gain)

    @cached_property
    def _closer(self) -> Exposures[CloserLook]:
        return Exposures(self._look_closer, _CLOSER_KEPT)

    def _look_closer(self, gain: NDArray[np.float32]) -> CloserLook:
        exposure = self.under(gain)
        alike = alike_slots(exposure.slots)
        if self.models is not None and self.models.slots is exposure.slots and self.models.rims is not None:
            return CloserLook(self.fine_lesson, exposure.ceiling, alike, self.models.rims, FINER)
        return CloserLook.of(self.fine_lesson, self.fine, alike, exposure.gain, exposure.ceiling, FINER)

    def closer(self, exposure: Exposure) -> CloserLook | None:
        """What a closer look knows under that brightness, learned when first asked for; None where none is needed."""
        return self._closer.under(exposure.gain) if alike_slots(exposure.slots).any() else None

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file, with `extra` entries (see `calibration_file.write`). Raises CalibrationError.

        What takes longest is learned before, if it was not yet, so that the first picture is read as fast as others.
        """
        plain = self.under(np.ones(3, np.float32))
        closer = self.closer(plain)
        meta = {
            "size": self.size,
            "layout": asdict(self.layout),
            "fit": self.fit,
            "pose": {"depth": self.pose.depth, "focal": self.pose.focal, "misfit_px": self.pose.misfit_px},
        }
        arrays: dict[str, NDArray[Any]] = {
            "corners": self.corners,
            "matrix": self.pose.matrix,
            "centre": self.pose.centre,
            "tables": np.stack(self.appearance.tables),
            "straight": np.dstack(self.straight.parts),
            "points": np.array(self.points),
            "table": self.table,
            "fine": np.dstack(self.fine.parts),
            **LearnedModels(plain.slots, None if closer is None else closer.rims).arrays,
        }
        write(path, _KIND, meta, arrays, **extra)

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read from a file. Raises CalibrationError where it is missing, damaged or of another version."""
        with opened(path) as kept:
            meta, file = kept.meta, kept.arrays
            pose = CameraPose(file["matrix"], file["centre"], **meta["pose"])
            straight, fine = (Straightened.of(file[name]) for name in ("straight", "fine"))
            ground = BackgroundModel(straight.ground, straight.unknown)
            return cls(
                tuple(meta["size"]),
                file["corners"],
                pose,
                Layout(**meta["layout"]),
                meta["fit"],
                Appearance(ground, (file["tables"][0], file["tables"][1])),
                straight,
                tuple((int(white), int(black)) for white, black in file["points"]),
                file["table"],
                fine,
                LearnedModels.of(file),
            )


def calibrate(
    picture: Picture, corners: Floats, mirror: bool = False, position: Sequence[Content] = START
) -> Calibration:
    """Learn a framed backgammon board from a picture of a known position.

    Args:
        picture: BGR.
        corners: of the playing area, 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left as White sits.
        mirror: whether White's home is at the left.
        position: what lies on each of the 24 points, White's 1 point first, and then on the bar, White's and Black's;
            the starting position if not told.

    Raises:
        CalibrationError: the position is not seen there, or shows too few checkers of one colour.
    """
    size = (picture.shape[1], picture.shape[0])
    points, bar = position[:POINTS], position[POINTS:]
    placed = placed_checkers(points)
    if min(sum(checker.owner == side for checker in placed) for side in (0, 1)) < 2:
        raise CalibrationError(
            "the position has fewer than two checkers of one colour on the points: learn the board from another one"
        )
    stacked = [point for point, content in enumerate(points) if sum(content) > ORDINARY_ROW]
    fitted = fit_board(picture, np.asarray(corners, np.float64), placed, mirror, stacked)
    if fitted.fit < _LEAST_FIT:
        raise CalibrationError(
            "the known position is not seen inside these corners: check that the board stands at it, "
            "and that all of it is in the picture"
        )
    layout, pose = fitted.known.layout, fitted.known.pose
    hit = fitted.known.hit((sum(white for white, _ in bar), sum(black for _, black in bar)))
    known = fitted.known.without(hit)
    fine = KnownPosition.of(picture, placed, layout, pose, FINER).without(hit).straightened
    table = tray_raster(known.top, layout).straighten(picture)
    return Calibration(
        size,
        fitted.corners,
        pose,
        layout,
        fitted.fit,
        known.appearance,
        known.straightened,
        tuple(points),
        table,
        fine,
    )
