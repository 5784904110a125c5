"""Where a picture shows too little of the difference between the sides, the sides of men are in doubt."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

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


def paler(view, share: float):
    """A picture that has kept that share of its colours."""
    grey = view.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + (view - grey) * share, 0, 255), np.uint8)


def with_gleam(view, cell: int, levels: float):
    """A picture with so much light added over one square."""
    light = np.zeros(view.shape, np.float32)
    x, y = np.rint(GRID.middles()[cell]).astype(int).tolist()
    cv2.rectangle(light, (x - 9, y - 9), (x + 10, y + 10), (levels,) * 3, -1)
    return np.asarray(np.clip(view + light, 0, 255), np.uint8)


def in_doubt(sides: Sides, view, seen):
    return np.flatnonzero(sides.seen(view, GRID.patches(view)).in_doubt(seen)).tolist()


def test_in_faded_colours_sides_are_in_doubt_if_men_of_one_side_alone_seem_to_be_there() -> None:
    sides, faded = learned(drawn()), paler(drawn(), 0.5)
    assert in_doubt(sides, faded, ONE_SIDE) == TAKEN
    assert in_doubt(sides, faded, HELD) == [], "both sides are seen"


@pytest.mark.parametrize("gains", [(1, 1, 1), (0.7, 1, 1.2), (0.4, 0.4, 0.4)], ids=["learned", "warm", "dim"])
def test_other_light_is_no_loss_of_hues(gains: tuple[float, ...]) -> None:
    lit = np.asarray(np.clip(drawn() * np.array(gains), 0, 255), np.uint8)
    assert not learned(drawn()).seen(lit, GRID.patches(drawn())).in_doubt(ONE_SIDE).any()


def test_where_a_board_has_no_hues_their_loss_cannot_be_excluded() -> None:
    neutral = drawn(dark=(70, 70, 70))
    assert in_doubt(learned(neutral), neutral, ONE_SIDE) == TAKEN


def test_sides_of_different_brightness_need_no_hues() -> None:
    view = drawn(CHALK, COAL)
    assert in_doubt(learned(view), paler(view, 0.0), ONE_SIDE) == []


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


def test_a_side_in_doubt_leaves_the_square_in_doubt_but_not_that_a_man_is_there() -> None:
    logs = np.full((CELLS, CLASSES), -8.0)
    logs[np.arange(CELLS), ONE_SIDE] = 0
    seen = ComparedSquares(logs, HELD)
    assert seen.certain
    faded = replace(seen, sides=replace(ALL_SEEN, faded=True))
    men = HELD != EMPTY
    assert (faded.margins[men] < CERTAIN_NATS).all()
    assert (faded.nats[men, EMPTY] <= -CERTAIN_NATS).all()
    assert (faded.margins[~men] >= CERTAIN_NATS).all()
    assert (faded.without_contours == men).all()
