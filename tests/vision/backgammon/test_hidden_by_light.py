"""In a gleam, checkers look like their points, and walls of checkers like others: neither is told for certain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from boards_by_cell import board_of
from gleams import with_gleam

from companion.core import Cause
from vision import learn_board
from vision.backgammon.doubts import doubt_gaps, doubt_veiled
from vision.board import EMPTY, POINTS, Slot
from vision.simulation import SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.projection import SimulatedView

HIGH = SimulatedView(800, 600, tilt_deg=22, distance=33.0, scale=37.5, target=(7.5, 4.66))
LOW = SimulatedView(1280, 960, tilt_deg=46, distance=13.0, scale=60, target=(6.8, 4.2))
PALE = Palette(
    white=(228, 211, 223),
    black=(46, 84, 57),
    felt=(142, 146, 138),
    points=((204, 227, 217), (134, 161, 129)),
    frame=(55, 94, 64),
)
PALE_FELT = Palette(
    white=(190, 200, 225), black=(40, 45, 40), felt=(170, 200, 185), points=(150, 130, 150), frame=(60, 60, 50)
)
CERTAIN_NATS = 5.0


def test_a_board_on_which_a_gleam_hides_checkers_is_not_read() -> None:
    table = SimulatedTable(3, view=HIGH, palette=PALE)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    position = board_of({2: 2, 3: 2, 5: 4, 12: 2, 14: 2, 20: 2, 23: 1}, {1: 1, 4: 1, 11: 3, 16: 5, 18: 4, 22: 1})
    table.set_up(position)
    picture = table.render()
    even = learned.look(picture)
    assert tuple(cell.best for cell in even.cells[:POINTS]) == position[:POINTS]
    hidden = with_gleam(picture, (321, 138), level=98, wide=61, gain=1.2)
    assert learned.look(hidden).unreadable is Cause.UNKNOWN


def test_a_checker_that_is_missing_in_even_light_is_read_as_missing() -> None:
    table = SimulatedTable(3, view=HIGH, palette=PALE)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    position = board_of({2: 2, 3: 2, 5: 4, 12: 2, 14: 2, 23: 1}, {1: 1, 4: 1, 11: 3, 16: 5, 18: 4, 22: 1})
    table.set_up(position)
    seen = learned.look(table.render())
    assert tuple(cell.best for cell in seen.cells[:POINTS]) == position[:POINTS]


@pytest.mark.parametrize(
    ("seed", "at", "level", "wide", "gain", "cell"),
    [(3, (565, 323), 99, 95, 1.143, 19), (5, (565, 380), 94, 103, 1.068, 14)],
)
def test_a_wall_in_a_gleam_is_no_second_checker_for_certain(
    seed: int, at: tuple[float, float], level: float, wide: float, gain: float, cell: int
) -> None:
    table = SimulatedTable(seed, view=LOW, palette=PALE_FELT)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    white = {12: 1, 14: 1, 19: 1, 22: 1, 0: 2, 2: 2, 5: 2, 7: 3, 10: 2}
    table.set_up(board_of(white, {16: 1, 17: 1, 18: 4, 21: 4, 11: 5}))
    seen = learned.look(with_gleam(table.render(), at, level, wide, gain))
    assert seen.cells[cell].log_likelihood((1, 0)) > -CERTAIN_NATS


SURE = 20.0


def slot(side: int | None, *, bare: bool | None = None) -> Slot:
    """A slot that holds a side's checker, or none, for certain."""
    nats = [-SURE] * 3
    nats[EMPTY if side is None else side] = 0.0
    return Slot(0, 0, (nats[0], nats[1], nats[2]), foreign=False, bare=bare)


def test_a_gap_in_a_row_is_doubtful_unless_the_drawing_is_seen_in_it() -> None:
    held, gap, seen = slot(1), slot(None), slot(None, bare=True)
    (row,) = doubt_gaps([[held, gap, seen, held, gap]])
    assert [one.margin_nats >= SURE for one in row] == [True, False, True, True, True]
    assert [one.holder for one in row] == [1, EMPTY, EMPTY, 1, EMPTY]


def test_checkers_lie_anywhere_on_the_bar() -> None:
    bar = [slot(None), slot(0)]
    *_, near, far = doubt_gaps([[]] * POINTS + [bar, bar])
    assert near == far == bar


def test_a_point_that_is_veiled_in_two_places_is_in_doubt_as_a_whole() -> None:
    row = [slot(None), slot(None), slot(None, bare=True), slot(1), slot(None)]
    last = replace(row[-1], y=1)
    (whole,) = doubt_veiled([[*row[:-1], last]], lambda one: one.holder == 1 or one.y == 1)
    assert [one.holder for one in whole] == [EMPTY, EMPTY, EMPTY, 1, EMPTY]
    assert whole[2].margin_nats == SURE  # the drawing is seen there
    assert sum(one.margin_nats for one in whole) - SURE < CERTAIN_NATS
    (partly,) = doubt_veiled([[*row[:-1], last]], lambda one: one.y == 1)
    assert [one.margin_nats >= SURE for one in partly] == [True, True, True, True, False]


@pytest.mark.parametrize(("gain", "cause"), [(1.15, None), (2.0, Cause.GLARE)])
def test_a_board_that_has_lost_its_colours_to_the_sensor_is_not_read(gain: float, cause: Cause | None) -> None:
    table = SimulatedTable(3, view=LOW, palette=PALE_FELT)
    learned = learn_board(table.render(), "backgammon", corners=np.array(table.corners()))
    table.set_up(board_of({2: 2, 3: 2, 5: 4, 12: 2, 14: 2, 23: 3}, {1: 1, 4: 1, 11: 3, 16: 5, 18: 4, 22: 1}))
    brighter = with_gleam(table.render(), (0, 0), level=0, wide=1, gain=gain)
    assert learned.look(brighter).unreadable is cause
