"""Calibration of a framed board from one picture of a known position: pose, layout and appearance."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from vision.backgammon.cutouts import CutoutSet, LabelledView
from vision.backgammon.known_position import RectifiedViews
from vision.backgammon.layout import FINER, Rows, board_raster
from vision.backgammon.slot_comparison import SlotComparison
from vision.backgammon.slot_model import SAVED_SHAPES, Exposure, SlotModel
from vision.backgammon.slot_reading import read_rows
from vision.backgammon.stacking.count import LayerModel, learn_layers
from vision.backgammon.synthesis import learn_slots
from vision.backgammon.tray import Tray, tray_raster
from vision.board import UNKNOWN, BoardInView, Figures, Layout, discs, placed_checkers
from vision.imaging import (
    Appearance,
    BackgroundModel,
    BoardDrawing,
    ExposureCache,
    Grain,
    saturation_level,
    unexplained_pixels,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.core import Content
    from vision.arrays import Bools, Picture, Singles
    from vision.board import Placed, SavedCalibration
    from vision.geometry import Raster


_DRAWING_RADIUS = 0.44
"""Radius of the discs in which the board's drawing is looked for, in diameters of a checker: without its rim."""
_GRAIN_REACH = 0.4
"""Reach of the comparison of the board's grain, in diameters of a checker. Of 15 reflections 8 are called a hand with
0.2, 5 with 0.3, and 4 from here on to 0.6: at edges of the drawing light changes the contrast. With 0.4 and 0.6 all of
210 hands are named that were named without."""
_FRAME_MARGIN = 0.1
"""Width of the frame's edge on the raster, in diameters of a checker: the picture's blur."""
_REUSED_MODELS = "layers", "foreign_at_calibration", "cuts"
"""Cached properties that stay valid when the board moves."""


@dataclass(frozen=True)
class Calibration(BoardInView):
    """A calibrated board.

    Attributes:
        layout: columns, bar and checkers.
        appearance: colour tables and empty board.
        rectified: the known position and the empty board, rectified.
        points: content of the points in the known position.
        table: rectified picture of the table beside the board.
        fine: as `rectified`, at twice the scale.
        asides: how far aside each of its checkers on the bed lies (see `Placed`).
        slots: slot model for the brightness of the known position; None if it is not learned yet.
        on_bar: White's and Black's checkers on the bar in the known position.
    """

    layout: Layout
    appearance: Appearance
    rectified: RectifiedViews
    points: tuple[Content, ...]
    table: Picture
    fine: RectifiedViews
    asides: tuple[float, ...]
    slots: SlotModel | None = None
    on_bar: tuple[int, int] = (0, 0)
    kind = "points"
    shapes: ClassVar = {
        "tables": "2 t t t",
        "straight": "h w 7",
        "points": "24 2",
        "table": "y x 3",
        "fine": "i j 7",
        "asides?": "n",
        **SAVED_SHAPES,
    }

    @property
    def numbers(self) -> tuple[int, int]:
        """White's and Black's checkers on the board in the known position."""
        white, black = (sum(content[side] for content in self.points) + self.on_bar[side] for side in (0, 1))
        return white, black

    def inside(self, values: NDArray[Any]) -> NDArray[Any]:
        """The part of a map of the raster (height x width, or with more axes) within the playing area."""
        margin = round(self.top.margin * self.top.scale)
        return values[margin:-margin, margin:-margin]

    @cached_property
    def top(self) -> Raster:
        """Raster in the plane of the checkers' tops, used for all reading."""
        return board_raster(self.pose, self.layout, self.layout.top)

    @cached_property
    def rows(self) -> Rows:
        """The rows on the raster `top`."""
        return Rows.of(self.layout, self.top)

    @cached_property
    def drawing(self) -> BoardDrawing:
        """The drawing on the board, looked for in discs a little smaller than a checker.

        Not where the frame hides checkers: its edges are seen whether something lies behind it or not.
        """
        radius, margin = (share * self.rows.diameter for share in (_DRAWING_RADIUS, _FRAME_MARGIN))
        y = np.arange(self.top.size[1])[:, None]
        near, far = (self.cuts.hidden_from[edge] for edge in (False, True))
        board, unknown = self.appearance.background.picture, self.rectified.unknown
        board_alone = BackgroundModel(board, np.where((y > near - margin) | (y < far + margin), UNKNOWN, unknown))
        return BoardDrawing.of(board_alone, radius, self.rectified.view, self.labelled.places)

    @cached_property
    def grain(self) -> Grain:
        """The grain of felt or wood, which lights leave as it is where nothing is drawn."""
        return Grain(self.appearance.background.picture, _GRAIN_REACH * self.rows.diameter)

    @cached_property
    def tray(self) -> Tray:
        """The tray: the table beside the board."""
        return Tray.of(self.table, tray_raster(self.top, self.layout), self.layout, self.appearance.tables, self.size)

    @cached_property
    def labelled(self) -> LabelledView:
        """The known position on the raster `top`, from which the slot model is learned."""
        return LabelledView(
            self.rectified.view,
            self.placed,
            self.appearance,
            self.layout,
            self.pose,
            self.top,
            self.rows,
        )

    @cached_property
    def placed(self) -> list[Placed]:
        """The checkers of the known position on the bed."""
        nominal = placed_checkers(self.points)
        return [replace(one, aside=aside) for one, aside in zip(nominal, self.asides, strict=True)]

    @cached_property
    def cuts(self) -> CutoutSet:
        """The known checkers as cutouts."""
        return self.labelled.cuts

    @cached_property
    def fine_labelled(self) -> LabelledView:
        """As `labelled`, at twice the scale; stacked checkers are learned from it."""
        top = board_raster(self.pose, self.layout, self.layout.top, FINER)
        placed = self.labelled.placed
        appearance = self.fine.appearance(placed, self.layout, top)
        return LabelledView(self.fine.view, placed, appearance, self.layout, self.pose, top, Rows.of(self.layout, top))

    @cached_property
    def layers(self) -> LayerModel:
        """Model that decides whether checkers are one or two high."""
        return learn_layers(self.fine_labelled, self.points)

    @cached_property
    def slot_comparison(self) -> SlotComparison | None:
        """Reads doubtful slots again; None if a side has no single checkers in the known position."""
        layers = self.layers
        return None if layers.singles is None else SlotComparison(self.fine_labelled, layers.singles.known)

    @cached_property
    def foreign_at_calibration(self) -> Bools:
        """Mask (on `top`) of pixels of the known position that match neither checkers nor the empty board."""
        seen = self.appearance.evidence(self.rectified.view)
        figures = Figures.of(seen, self.rows.diameter / 2)
        rows = read_rows(figures, self.rows, self.under(np.ones(3, np.float32)).slots)
        return unexplained_pixels(seen.changed, discs(rows), self.rows.diameter)

    @cached_property
    def exposures(self) -> ExposureCache[Exposure]:
        """Models of the board by brightness of the picture."""
        return ExposureCache(self._expose)

    def reuse_models(self, other: Calibration) -> None:
        """Copy cached results from a calibration of the same board at another place.

        They are kept because a small move hardly changes the appearance.
        """
        vars(self)["exposures"] = other.exposures.transferred(self._expose)
        vars(self).update({name: vars(other)[name] for name in _REUSED_MODELS if name in vars(other)})

    def under(self, gain: Singles) -> Exposure:
        """Models for pictures that are brighter than the calibration picture by `gain` (B, G, R)."""
        return self.exposures.under(gain)

    def _expose(self, gain: Singles) -> Exposure:
        ceiling = saturation_level(gain)
        if (ceiling >= 255).all():
            slots = learn_slots(self.labelled, gain) if self.slots is None else self.slots
            return Exposure(ceiling, self.appearance, slots)
        appearance = self.rectified.saturated_at(ceiling).appearance(self.labelled.placed, self.layout, self.top)
        return Exposure(ceiling, appearance, learn_slots(replace(self.labelled, appearance=appearance), gain))

    def contents(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """See `BoardInView`.

        Slow models are learned first, so that the first picture after loading is read at normal speed.
        """
        plain = self.under(np.ones(3, np.float32))
        meta = {"layout": asdict(self.layout), "on_bar": self.on_bar}
        return meta, {
            "tables": np.stack(self.appearance.tables),
            "straight": np.dstack(self.rectified.parts),
            "points": np.array(self.points),
            "table": self.table,
            "fine": np.dstack(self.fine.parts),
            "asides": np.array(self.asides),
            **{name: getattr(plain.slots, name.removeprefix("slots.")) for name in SAVED_SHAPES},
        }

    @classmethod
    def restored(cls, kept: SavedCalibration) -> Calibration:
        """See `BoardInView`."""
        meta, file = kept.meta, kept.arrays
        rectified, fine = (RectifiedViews.of(file[name]) for name in ("straight", "fine"))
        ground = BackgroundModel(rectified.ground, rectified.unknown)
        points = tuple((int(white), int(black)) for white, black in file["points"])
        number = len(placed_checkers(points))
        asides = tuple(file["asides"].tolist()) if "asides" in file else (0.0,) * number
        if len(asides) != number:
            raise ValueError(f"asides has {len(asides)} values")
        return cls(
            *kept.in_view,
            Layout(**meta["layout"]),
            Appearance(ground, (file["tables"][0], file["tables"][1])),
            rectified,
            points,
            file["table"],
            fine,
            asides,
            SlotModel(*(file[name] for name in SAVED_SHAPES)),
            tuple(meta["on_bar"]),
        )
