"""Reads a picture of a calibrated framed board to an observation: light, hand, slots, stacks, dice, tray."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from math import hypot, isfinite
from typing import TYPE_CHECKING

import numpy as np

from companion.core import (
    CHECKERS,
    FULL_ROW,
    Cause,
    CellReading,
    Observation,
    checker_totals,
)
from vision.backgammon.accepted_look import AcceptedLook
from vision.backgammon.between.checker import add_checkers_between, without_checkers_between
from vision.backgammon.between.search import search_between
from vision.backgammon.between.uncovered import CheckersInView
from vision.backgammon.cell_counts import bar_slots, cells
from vision.backgammon.checker_numbers import bearing_off_unseen, is_miscounted
from vision.backgammon.cutout_comparison import CutoutComparison
from vision.backgammon.doubts import doubt_gaps, doubt_veiled, doubt_walls, with_doubt_where, with_drawing
from vision.backgammon.layout import SLOTS
from vision.backgammon.slot_reading import LEAST_ROW, doubt_foreign, read_rows
from vision.backgammon.stacking.count import lifts, log_ratios_of_any, log_ratios_of_first
from vision.backgammon.trouble_part import part_with_glare, part_with_hand
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE, Figures, discs, refuse_other_size, uncontradicted
from vision.dice import BoardScene, read_dice
from vision.imaging import (
    BORDER_REACH,
    Illumination,
    blamed_on_darkness,
    calmed,
    cause_of_light,
    colours_lost,
    holds_hand,
    match_picture,
    saturated,
    thick_things,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Board, Content
    from vision.arrays import Bools, Floats, Picture, Singles
    from vision.backgammon.between.checker import CheckerBetween
    from vision.backgammon.calibration import Calibration
    from vision.backgammon.slot_model import Exposure
    from vision.board import Slot
    from vision.dice import Cube, DiceSeen
    from vision.imaging import DrawingSeen, PixelEvidence


_MOST_SATURATED, _MOST_LOST = 0.12, 0.5
"""Shares of the board that may be saturated in a picture, and of the bare one that may lose its colours at that level;
above both it is not read. Of 1,252 turns on drawn boards in 1.3 to 2.4 times the light, 14 are wrong without these
limits, 13 of them above 0.18 and 0.56."""
_TOUCHING = 0.9
"""Share of the sum of their radii up to which a die and a checker on the bed cannot lie side by side."""


@dataclass(frozen=True, slots=True)
class LitView:
    """The light of a raster: `gain` (B, G, R) relative to the calibration picture, and its variation over the board.

    `exposure`: the board's models for that light; `evidence`: of each pixel of the levelled raster; `drawing`: where
    the board's drawing is seen.
    """

    gain: Singles
    light: Illumination
    exposure: Exposure
    evidence: PixelEvidence
    drawing: DrawingSeen

    def veils(self, slot: Slot) -> bool:
        """Whether a veil, such as a lamp's reflection, lies over a slot."""
        return self.drawing.is_veiled(slot.x, slot.y)


class FramedBoardReader:
    """Reads pictures of one board."""

    def __init__(self, calibration: Calibration, *, own_picture: bool = False) -> None:
        """`own_picture`: for the calibration's own picture, whose drawing and grain say nothing."""
        self.calibration = calibration
        self._own_picture = own_picture
        self._drawing = calibration.drawing.unknown() if own_picture else calibration.drawing
        self._accepted: AcceptedLook | None = None
        self._last: tuple[Picture, Picture, tuple[CellReading, ...]] | None = None

    def compare_with_known(self) -> None:
        """Compare later pictures with that of the known position."""
        self._compare_with(self.calibration.rectified.view, self.calibration.points)

    def accept(self, picture: Picture, board: Board) -> None:
        """Compare later pictures with this one, which shows `board`.

        What the picture alone contradicts does not count: otherwise a play accepted by mistake would confirm itself.
        """
        if self._last is None or self._last[0] is not picture:
            self.look(picture)
        if self._last is not None:
            _, view, readings = self._last
            self._compare_with(view, uncontradicted(readings, board))

    def _compare_with(self, view: Picture, held: Sequence[Content | None]) -> None:
        self._accepted = AcceptedLook(view, self.calibration.rows, lifts(self.calibration.labelled), held)

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of the calibration picture's size."""
        learned = self.calibration
        refuse_other_size(picture, learned.size)
        taken, picture = picture, calmed(picture)
        view = learned.top.rectify(picture)
        self._last = None
        cause = cause_of_light(view, learned.appearance.background.picture)
        if cause is not None:
            return Observation((), cause, where=part_with_glare(learned, view) if cause is Cause.GLARE else None)
        return blamed_on_darkness(self._seen(picture, view, taken), view)

    def _seen(self, picture: Picture, view: Picture, taken: Picture) -> Observation:
        """Read a picture with enough light; `view`: its raster, `taken`: the picture before it was blurred."""
        learned = self.calibration
        picture, view = match_picture(picture, view, learned.appearance.background.picture, learned.top.rectify)
        lit = self.light_of(view)
        if cause := lit.exposure.edges.cause(lit.evidence.steep):
            return Observation((), cause)
        if self._has_lost_colours(view, lit):
            return Observation((), Cause.GLARE, where=part_with_glare(learned, view))
        figures, finer_view = Figures.of(lit.evidence, learned.rows.diameter / 2), self.finer_view(picture, lit)
        rows = self.rows(lit, figures, finer_view)
        odd = self._things(lit, discs(rows), learned.foreign_at_calibration)
        if self._is_hand(odd):
            explained = learned.foreign_at_calibration | self._bare_in_any_light(lit, view)
            if self._is_hand(self._things(lit, discs(rows, foreign=True), explained)):
                return Observation((), Cause.HAND, where=part_with_hand(learned, lit.evidence, explained))
            lit = replace(lit, light=lit.light.with_border(odd))
        in_view = CheckersInView(figures, lit.exposure.slots, learned.top)
        rows = self.with_doubt(lit, rows)
        if lit.light.shadowed:
            rows = doubt_gaps(doubt_walls(rows, in_view))
        seen = self._dice(picture, lit, rows)
        rows = self._with_doubt_at(seen.cubes, rows)
        between = self._checkers_between(in_view, rows, seen.cubes, finer_view)
        on_points = without_checkers_between(rows, between, learned.rows)
        layers = self._on_top(on_points, finer_view, lit, self._lacking(on_points))
        on_board = add_checkers_between(cells(on_points, learned.rows, layers), between)
        borne_off = self._borne_off(on_board, picture, lit)
        if lit.light.shadowed and is_miscounted(on_board, borne_off, learned.numbers):
            return Observation((), Cause.UNKNOWN)
        if uncounted := bearing_off_unseen(on_board, borne_off):
            layers |= self._on_top(on_points, finer_view, lit, uncounted, short=True)
            on_board = add_checkers_between(cells(on_points, learned.rows, layers), between)
        readings, level = (*on_board, *borne_off), lit.evidence.view
        self._last = taken, level, readings
        if self._accepted is not None:
            readings = self._accepted.compared(readings, level)
        return Observation(readings, lying=seen.dice, between=tuple(one.points for one in between))

    def _has_lost_colours(self, view: Picture, lit: LitView) -> bool:
        """Whether much of a raster is saturated, and most of the bare board would lose its colours at that level."""
        inside = self.calibration.inside
        bare = inside(self.calibration.appearance.background.picture)
        coloured = ~saturated(bare)
        now = colours_lost(inside(view), coloured)
        return now > _MOST_SATURATED and colours_lost(bare, coloured, lit.exposure.ceiling) > _MOST_LOST

    def _dice(self, picture: Picture, lit: LitView, rows: list[list[Slot]]) -> DiceSeen:
        """The dice; none of them counts as read if a veil lies over one, because faint pips vanish under it."""
        learned = self.calibration
        scene = BoardScene(
            learned.pose,
            learned.layout,
            learned.top,
            learned.appearance.background,
            learned.rows.diameter,
            learned.foreign_at_calibration,
            picture,
            (lit.gain, lit.exposure.ceiling),
            lit.evidence,
            rows,
        )
        seen = read_dice(scene)
        veiled = any(lit.drawing.is_veiled(round(x), round(y)) for x, y in self._pixels_of(seen.cubes).tolist())
        return replace(seen, dice=()) if veiled else seen

    def light_of(self, view: Picture) -> LitView:
        """The light of a raster (BGR), the board's models for it, and the evidence of its pixels when levelled."""
        learned = self.calibration
        gain = learned.appearance.gain_of(view)
        light = Illumination.of(view, learned.appearance.background.picture, gain)
        exposure = learned.under(learned.appearance.saturation_gain(view, gain) * light.brighter)
        evidence = exposure.appearance.evidence(light.level(view, exposure.ceiling))
        return LitView(gain, light, exposure, evidence, self._drawing.seen_in(view))

    def rows(self, lit: LitView, figures: Figures, finer_view: Callable[[], Picture]) -> list[list[Slot]]:
        """The slots of each row; doubtful ones are compared with known checkers, by a network and then as cutouts."""
        learned = self.calibration
        rows = read_rows(figures, learned.rows, lit.exposure.slots)
        compared = learned.slot_comparison
        if compared is None:
            rows = with_drawing(rows, lit.drawing, lambda _: ())
        else:
            rows = with_drawing(rows, lit.drawing, partial(compared.clear_checkers, view=finer_view))
            rows = compared.read(rows, finer_view)
        view, ceiling = lit.evidence.view, lit.exposure.ceiling
        return doubt_foreign(CutoutComparison(learned.labelled, learned.cuts, view, ceiling, rows).compare())

    def with_doubt(self, lit: LitView, rows: list[list[Slot]]) -> list[list[Slot]]:
        """The rows, with doubt about the slots under a sharp edge of light and under a veil (see `doubted`)."""
        return with_doubt_where(doubt_veiled(rows, lit.veils), partial(self._at_a_border, lit))

    def _with_doubt_at(self, dice: Sequence[Cube], rows: list[list[Slot]]) -> list[list[Slot]]:
        """The rows, with doubt about checkers where a die is seen: dark sides of dice look like dark checkers."""
        learned = self.calibration
        reaches = [_TOUCHING * learned.top.scale * (learned.layout.checker + die.side) / 2 for die in dice]
        near = list(zip(self._pixels_of(dice).tolist(), reaches, strict=True))

        def holds_checker_under_die(slot: Slot) -> bool:
            return slot.holder != EMPTY and any(hypot(x - slot.x, y - slot.y) < reach for (x, y), reach in near)

        return with_doubt_where(rows, holds_checker_under_die)

    def _pixels_of(self, dice: Sequence[Cube]) -> Floats:
        """Centres (n x 2) of dice on the raster."""
        return self.calibration.top.pixels(np.array([(die.x, die.y) for die in dice]).reshape(-1, 2))

    def _at_a_border(self, lit: LitView, slot: Slot) -> bool:
        """Whether a sharp edge of a shadow falls on a slot."""
        return lit.light.changes_near(slot.x, slot.y, BORDER_REACH * self.calibration.rows.diameter)

    def finer_view(self, picture: Picture, lit: LitView) -> Callable[[], Picture]:
        """Function that makes the levelled picture on the finer raster, at its first call only."""
        return cache(lambda: lit.light.level(self.calibration.fine_labelled.top.rectify(picture), lit.exposure.ceiling))

    def _checkers_between(
        self,
        seen: CheckersInView,
        read: list[list[Slot]],
        lying: Sequence[Cube],
        finer_view: Callable[[], Picture],
    ) -> list[CheckerBetween]:
        """Checkers between two cells; `lying`: the dice."""
        known = self.calibration.slot_comparison
        compare = None if known is None else lambda places: known.on_bed(finer_view(), places)
        places = [(round(x), round(y)) for x, y in self._pixels_of(lying).tolist()]
        return search_between(seen, read, self.calibration.rows, places, compare)

    def _lacking(self, read: list[list[Slot]]) -> list[int]:
        """The sides of which fewer than fifteen checkers were read for certain."""
        slots = [slot for row in read[:POINTS] for slot in row] + bar_slots(read, self.calibration.rows)
        sure = [slot.holder for slot in slots if slot.margin_nats > SURE_NATS]
        return [side for side in (WHITE, BLACK) if sure.count(side) < CHECKERS]

    def _on_top(
        self,
        read: list[list[Slot]],
        finer_view: Callable[[], Picture],
        lit: LitView,
        sides: Sequence[int],
        *,
        short: bool = False,
    ) -> dict[int, list[float]]:
        """By point, log-likelihood ratios (nats) that 1, 2, ... checkers of `sides` carry another.

        The first ones of rows with LEAST_ROW checkers or more; if `short`, any ones of rows that are not full.
        """
        labelled, layers = self.calibration.fine_labelled, self.calibration.layers
        lengths, total = (
            (range(1, FULL_ROW), log_ratios_of_any) if short else (range(LEAST_ROW, SLOTS + 1), log_ratios_of_first)
        )
        found: dict[int, list[float]] = {}
        for point, row in enumerate(read[:POINTS]):
            own = {index: slot for index, slot in enumerate(row) if slot.holder in sides}
            if not own or sum(slot.holder != EMPTY for slot in row) not in lengths:
                continue
            if not any(self._at_a_border(lit, slot) or lit.veils(slot) for slot in row):
                seen = layers.seen(labelled, finer_view(), lit.exposure, point, own)
                first, *further = layers.log_ratios(seen, alone=short).tolist()
                found[point] = total([max(first, 0.0) if 0 in own and self._frame_hides(point) else first, *further])
        return found

    def _frame_hides(self, point: int) -> bool:
        """Whether the frame hides the wall of a point's first checker, so that a low wall is not seen to be one.

        Measured: of 22 such checkers that carried another one, 8 looked single; of 129 others 14.
        """
        return isfinite(self.calibration.cuts.hidden_from[point >= POINTS // 2])

    def _borne_off(self, on_board: tuple[CellReading, ...], picture: Picture, lit: LitView) -> tuple[CellReading, ...]:
        """Read White's and Black's borne-off checkers, if a side has fewer than fifteen on the board."""
        known, ceiling = self.calibration.slot_comparison, lit.exposure.ceiling
        if known is None or min(checker_totals(cell.best for cell in on_board)) >= CHECKERS:
            return CellReading(), CellReading()
        tray = self.calibration.tray.under(ceiling, lit.exposure.appearance.tables)
        return tray.look(picture, lit.gain, ceiling, known)

    def _bare_in_any_light(self, lit: LitView, view: Picture) -> Bools:
        """Mask of where the bare board is seen by its drawing or, where nothing is drawn, by its grain."""
        drawn = self._drawing.discs(lit.drawing.bare)
        return drawn if self._own_picture else drawn | self.calibration.grain.seen_in(view)

    def _things(self, lit: LitView, checkers: Sequence[tuple[int, int]], explained: Bools) -> Bools:
        """Mask of what is neither board nor checker; `explained`: mask of what is neither, whatever its colour."""
        return thick_things(lit.evidence.changed, self.calibration.rows.diameter, checkers, explained)

    def _is_hand(self, things: Bools) -> bool:
        """Whether one of the `things` is a hand (see `holds_hand`)."""
        return holds_hand(things, self.calibration.rows.diameter, self.calibration.top)
