"""Checkers on the bar, and checkers beside it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from labelled import Scene, scenes
from places import PICTURES

from companion.core import CellReading, Dice, Finding, Observation, Side
from companion.notation import parse_play
from companion.referee.judge import judge
from companion.rules import BackgammonPosition, rules_named
from companion.rules.backgammon.rules import move_checkers
from vision.backgammon.cell_counts import add_layers, bar_slots, cells
from vision.backgammon.layout import FAR_BAR, NEAR_BAR, ROWS
from vision.backgammon.slot_reading import read_rows
from vision.backgammon.synthesis import Canvas
from vision.board import BLACK, POINTS, WHITE, Figures, Slot, count_row
from vision.board.json_io import describe
from vision.registry import learn_board


def narrow() -> Scene:
    (scene,) = scenes(PICTURES / "narrow-bar")
    return scene


def test_the_edge_of_a_checker_beside_a_narrow_bar_is_not_counted_on_the_bar() -> None:
    scene = narrow()
    empty = [look for frame, look in zip(scene.frames, scene.looks, strict=True) if frame.bar == [0, 0]]
    assert empty
    for look in empty:
        assert all(cell.best == (0, 0) and cell.margin_nats > 10 for cell in look.cells[24:26])


def test_a_checker_in_the_middle_of_a_narrow_bar_is_one_checker() -> None:
    scene = narrow()
    ((frame, look),) = [one for one in zip(scene.frames, scene.looks, strict=True) if one[0].bar == [0, 1]]
    white, black = look.cells[24:26]
    assert white.best == (0, 0)
    assert black.best == (0, 1)
    assert black.margin_nats > 5
    assert frame.grade(describe(look)) != "wrong"


@pytest.mark.parametrize(("apart", "count"), [(0.54, 1), (0.67, 2), (1.0, 2)])
def test_two_detections_on_the_bar_are_one_checker_only_if_they_are_far_nearer_than_two_can_lie(
    apart: float, count: int
) -> None:
    """Where the learned depth is a little off, two checkers that touch are found less than a diameter apart."""
    rows = narrow().eye.calibration.rows
    read: list[list[Slot]] = [[] for _ in range(ROWS)]
    x, y = round(float(rows.columns[NEAR_BAR])), 100.0
    for nats, place in ((-24.5, y), (-23.5, y + apart * rows.diameter)):
        read[NEAR_BAR].append(Slot(x, place, (-35.0, 0.0, nats), foreign=False))
    assert sum(slot.holder == BLACK for slot in bar_slots(read, rows)) == count


def test_every_checker_of_a_touching_group_on_the_bar_is_counted() -> None:
    (scene,) = scenes(PICTURES / "bar-of-three")
    told = scene.frames[1]
    assert told.bar == [0, 3]
    assert told.grade(describe(scene.looks[1])) == "right"
    found = learn_board(scene.start)
    assert told.grade(found.answer(found.look(told.picture))) == "right"


@pytest.mark.parametrize("side", [WHITE, BLACK])
@pytest.mark.parametrize("name", ["00-travel", "03-magnetic", "14-green"])
def test_one_or_two_checkers_are_seen_wherever_they_lie_along_the_bar(name: str, side: int) -> None:
    learned = next(scene for scene in scenes(PICTURES) if scene.name == name).eye.calibration
    rows, exposure = learned.rows, learned.under(np.ones(3, np.float32))
    for count, far in product((1, 2), (False, True)):
        (cut, *_) = learned.cuts.pools[side, far, False]
        row = FAR_BAR if far else NEAR_BAR
        for along in np.arange(1.0, rows.length / rows.diameter - 1.0, 0.1):
            canvas = Canvas.of(learned.appearance.background.picture)
            for number in range(count):
                y = rows.edges[row] + rows.inward[row] * (along + number) * rows.diameter
                assert canvas.paste(cut, float(rows.columns[row]), float(y), (-np.inf, -1))
            evidence = exposure.appearance.evidence(np.clip(canvas.picture, 0, 255).astype(np.uint8))
            slots = bar_slots(read_rows(Figures.of(evidence, rows.diameter / 2), rows, exposure.slots), rows)
            seen = CellReading.of(count_row(slots, gaps=True))
            assert seen.best == ((count, 0), (0, count))[side], along
            assert seen.margin_nats > 4, along


@pytest.mark.parametrize(("doubtful", "lead"), [(2, 5.0), (3, 2.0), (5, 2.0)])
def test_many_doubtful_checkers_on_the_bar_may_be_one_error(doubtful: int, lead: float) -> None:
    """An edge of the bar that moved looks like a checker at several places. A certain checker stays."""
    rows = narrow().eye.calibration.rows
    spots = [int(2 * rows.diameter * place) for place in range(doubtful + 1)]
    slots = [Slot(0, y, (0.0, -20.0, -3.0), foreign=False) for y in spots[1:]]
    read: list[list[Slot]] = [[] for _ in range(ROWS)]
    read[NEAR_BAR] = [Slot(0, spots[0], (0.0, -20.0, -20.0), foreign=False), *slots]
    white, _ = cells(read, rows, {})[POINTS:]
    assert white.best == (1 + doubtful, 0)
    assert -white.log_likelihood((1, 0)) == pytest.approx(lead, abs=1.5)
    assert white.log_likelihood((0, 0)) < -10


def test_two_checkers_hit_in_one_turn_may_be_stacked_on_the_bar() -> None:
    """The eye is certain of the lower one and leaves the upper one to the referee, who knows that two were hit."""
    pile = CellReading.of(add_layers({(0, 1): 0.0}, bar=True))
    assert pile.best == (0, 1)
    assert pile.margin_nats > 5
    points = [0] * 24
    for point, count in {24: 2, 13: 5, 8: 3, 6: 5, 4: -1, 5: -1, 12: -5, 17: -3, 19: -5}.items():
        points[point - 1] = count
    before = BackgammonPosition(tuple(points))
    play = parse_play("8/5* 6/4*")
    board = [CellReading.of({content: 0.0}) for content in move_checkers(before, Side.WHITE, play)[:25]]
    seen = Observation((*board, pile, CellReading(), CellReading()))
    verdict = judge(rules_named("standard"), before, Side.WHITE, Dice((3, 2)), seen, done=True)
    assert verdict.finding is Finding.LEGAL
