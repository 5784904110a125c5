"""Where a picture shows too little of the difference between the sides, the sides of men are in doubt."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from faded import paler

from vision.board import CERTAIN_NATS
from vision.checkers.layout import CELLS, GRID, LIGHT
from vision.checkers.reader import ComparedSquares
from vision.checkers.sides import ALL_SEEN, Sides
from vision.comparator import BLACK, CLASSES, EMPTY, WHITE

GREY, GREEN, BROWN = (120, 118, 116), (60, 110, 50), (20, 30, 45)
PINK, SILVER = (170, 105, 180), (115, 122, 124)
CHALK, COAL = (190, 195, 192), (35, 35, 38)
TAKEN = [cell for cell in np.flatnonzero(~LIGHT).tolist() if cell // 8 not in (3, 4)]
HELD = np.full(CELLS, EMPTY)
HELD[TAKEN] = [WHITE if cell < CELLS // 2 else BLACK for cell in TAKEN]
ONE_SIDE = np.where(HELD == BLACK, WHITE, HELD)
UNCHANGED = np.zeros(CELLS, bool)
MAN, BARE = TAKEN[5], 27
"""One of White's men, and a bare dark square."""


def drawn(white=PINK, black=SILVER, dark=GREEN):
    """A rectified picture of the known position."""
    view = np.full((*GRID.shape_px, 3), BROWN, np.uint8)
    for cell, (x, y) in enumerate(np.rint(GRID.middles()).astype(int).tolist()):
        cv2.rectangle(view, (x - 9, y - 9), (x + 10, y + 10), GREY if LIGHT[cell] else dark, -1)
        if HELD[cell] != EMPTY:
            cv2.circle(view, (x, y), 7, white if HELD[cell] == WHITE else black, -1)
    return view


def learned(view) -> Sides:
    return Sides(view, GRID.patches(view), HELD)


def with_gleam(view, cell: int, levels: float):
    """A picture with so much light added over one square."""
    light = np.zeros(view.shape, np.float32)
    x, y = np.rint(GRID.middles()[cell]).astype(int).tolist()
    cv2.rectangle(light, (x - 9, y - 9), (x + 10, y + 10), (levels,) * 3, -1)
    return np.asarray(np.clip(view + light, 0, 255), np.uint8)


def logs_of(seen):
    """Log-probabilities that are certain of these classes."""
    logs = np.full((CELLS, CLASSES), -8.0)
    logs[np.arange(CELLS), seen] = 0
    return logs


def in_doubt(sides: Sides, view, seen):
    return np.flatnonzero(sides.seen(view, GRID.patches(view), UNCHANGED).in_doubt(seen, logs_of(seen))).tolist()


def by_hue(view, doubtful, seen=HELD):
    """Log-odds of White by hue, of men whose side the network leaves open."""
    logs = logs_of(seen)
    logs[np.ix_(doubtful, [WHITE, BLACK])] = 0
    return learned(drawn()).seen(view, GRID.patches(drawn()), UNCHANGED).nats_by_hue(logs)


def test_in_faded_colours_sides_are_in_doubt_if_men_of_one_side_alone_seem_to_be_there() -> None:
    sides, faded = learned(drawn()), paler(drawn(), 0.5)
    assert in_doubt(sides, faded, ONE_SIDE) == TAKEN
    assert in_doubt(sides, faded, HELD) == [], "both sides are seen"


@pytest.mark.parametrize("gains", [(1, 1, 1), (0.7, 1, 1.2), (0.4, 0.4, 0.4)], ids=["learned", "warm", "dim"])
def test_other_light_is_no_loss_of_hues(gains: tuple[float, ...]) -> None:
    lit = np.asarray(np.clip(drawn() * np.array(gains), 0, 255), np.uint8)
    seen = learned(drawn()).seen(lit, GRID.patches(drawn()), UNCHANGED)
    assert not seen.in_doubt(ONE_SIDE, logs_of(ONE_SIDE)).any()


def test_where_a_board_has_no_hues_a_vivid_man_shows_that_colours_are_not_lost() -> None:
    neutral = drawn(dark=(70, 70, 70))
    sides, silver = learned(neutral), drawn(white=SILVER, dark=(70, 70, 70))
    assert in_doubt(sides, neutral, ONE_SIDE) == []
    for loss in (paler(neutral, 0.5), silver):
        assert in_doubt(sides, loss, ONE_SIDE) == TAKEN


def test_hues_tell_a_side_that_the_network_leaves_open() -> None:
    white, black = MAN, TAKEN[-1]
    nats = by_hue(drawn(), [white, black])
    assert nats[white] >= CERTAIN_NATS
    assert nats[black] <= -CERTAIN_NATS
    assert np.flatnonzero(nats).tolist() == TAKEN, "squares without a man have no side"


def test_hues_are_compared_with_the_men_of_the_same_picture() -> None:
    """A light that was not corrected moves all hues, until White's are like Black's were."""
    view = drawn(tuple(int(level) for level in np.multiply(PINK, (0.8, 1.1, 0.8))), (85, 150, 90))
    logs = logs_of(HELD)
    logs[MAN, [WHITE, BLACK]] = 0
    assert learned(drawn()).seen(view, GRID.patches(view), UNCHANGED).nats_by_hue(logs)[MAN] >= CERTAIN_NATS


def test_hues_tell_nothing_in_faded_colours_and_without_a_man_of_certain_side() -> None:
    assert not by_hue(paler(drawn(), 0.5), [MAN]).any()
    assert not by_hue(drawn(), TAKEN).any()


def test_the_evidence_of_hues_makes_a_side_certain() -> None:
    logs = logs_of(HELD)
    logs[MAN, [WHITE, BLACK]] = (-0.7, -0.7)
    view = drawn()
    seen = ComparedSquares(logs, HELD, sides=learned(view).seen(view, GRID.patches(view), UNCHANGED))
    assert seen.certain
    assert seen.nats[MAN].argmax() == WHITE
    assert not replace(seen, sides=ALL_SEEN).certain


def test_sides_of_different_brightness_need_no_hues() -> None:
    view = drawn(CHALK, COAL)
    assert in_doubt(learned(view), paler(view, 0.0), ONE_SIDE) == []


def test_sides_of_different_brightness_and_hue_are_in_doubt_without_colours_if_one_seems_gone() -> None:
    """As in a camera's night mode: without the other side's men, brightness alone is misleading."""
    view = drawn(PINK, COAL)
    assert in_doubt(learned(view), paler(view, 0.2), ONE_SIDE) == TAKEN
    assert in_doubt(learned(view), paler(view, 0.2), HELD) == []
    assert in_doubt(learned(view), view, ONE_SIDE) == []


def test_in_a_gleam_that_makes_men_of_both_sides_white_a_side_is_in_doubt() -> None:
    """A pink man and a silver one become alike; one of chalk and one of coal do not."""
    gleam = with_gleam(drawn(), MAN, 130)
    assert in_doubt(learned(drawn()), gleam, np.where(np.arange(CELLS) == MAN, BLACK, HELD)) == [MAN]
    assert in_doubt(learned(drawn()), drawn(), HELD) == []
    view = drawn(CHALK, COAL)
    assert in_doubt(learned(view), with_gleam(view, MAN, 130), HELD) == []


def test_a_bare_square_that_is_white_all_over_may_hold_a_man() -> None:
    assert in_doubt(learned(drawn()), with_gleam(drawn(), BARE, 210), HELD) == [BARE]
    assert in_doubt(learned(drawn()), with_gleam(drawn(), BARE, 100), HELD) == []


def test_a_hue_that_contradicts_the_network_leaves_the_side_in_doubt() -> None:
    view, wrong = drawn(), HELD.copy()
    wrong[MAN] = BLACK
    seen = ComparedSquares(logs_of(wrong), HELD, sides=learned(view).seen(view, GRID.patches(view), UNCHANGED))
    assert seen.margins[MAN] < CERTAIN_NATS
    assert not seen.certain


def test_a_changed_man_who_was_learned_in_a_gleam_may_have_been_replaced() -> None:
    view = with_gleam(drawn(), MAN, 130)
    sides, only = learned(view), np.arange(CELLS) == MAN
    for changed, doubtful in ((UNCHANGED, []), (only, [MAN])):
        seen = sides.seen(view, GRID.patches(view), changed)
        assert np.flatnonzero(seen.in_doubt(HELD, logs_of(HELD))).tolist() == doubtful


def test_hues_in_a_gleam_tell_nothing() -> None:
    view = with_gleam(drawn(), MAN, 60)
    seen = learned(drawn()).seen(view, GRID.patches(view), UNCHANGED)
    assert seen.nats_by_hue(logs_of(HELD))[MAN] == 0


def test_a_bare_square_that_is_bright_by_itself_hides_no_man_but_one_in_a_gleam_may() -> None:
    """Yellow saturates two channels in any light; pale green in a gleam, which makes a pale man as bright."""
    view = drawn(CHALK, COAL, dark=(120, 255, 255))
    assert not learned(view).may_be_hidden(view, GRID.patches(view)).any()
    view = with_gleam(drawn(CHALK, COAL, dark=(150, 175, 170)), BARE, 80)
    assert np.flatnonzero(learned(view).may_be_hidden(view, GRID.patches(view))).tolist() == [BARE]


def test_a_side_in_doubt_leaves_the_square_in_doubt_but_not_that_a_man_is_there() -> None:
    seen = ComparedSquares(logs_of(ONE_SIDE), HELD)
    assert seen.certain
    pale = paler(drawn(), 0.5)
    faded = replace(seen, sides=learned(drawn()).seen(pale, GRID.patches(pale), UNCHANGED))
    men = HELD != EMPTY
    assert (faded.margins[men] < CERTAIN_NATS).all()
    assert (faded.nats[men, EMPTY] <= -CERTAIN_NATS).all()
    assert (faded.margins[~men] >= CERTAIN_NATS).all()
    assert (faded.without_contours == men).all()
