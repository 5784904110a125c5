"""Borne-off checkers beside the board are counted where they are plainly seen, and not where they are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core import CellReading
from vision.backgammon.tray import Tray
from vision.geometry import Raster
from vision.imaging import Appearance, BackgroundModel, colour_table, level, to_lab8

WHITE, BLACK, TABLE = (215, 230, 235), (60, 40, 35), (70, 110, 150)
RADIUS = 9


def grained(picture: np.ndarray, seed: int) -> np.ndarray:
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def table(*discs: tuple[int, int, tuple[int, int, int]]) -> np.ndarray:
    """A table beside the board, with discs (x, y, colour) on it."""
    picture = np.full((200, 120, 3), TABLE, np.uint8)
    cv2.rectangle(picture, (90, 150), (118, 190), (200, 60, 60), -1)  # a box that has always stood there
    for x, y, colour in discs:
        cv2.circle(picture, (x, y), RADIUS, colour, -1, cv2.LINE_AA)
    return grained(picture, len(discs))


@pytest.fixture(scope="module")
def tray() -> Tray:
    tables = tuple(
        colour_table(to_lab8(grained(np.full((40, 40, 3), c, np.uint8), 1)).reshape(-1, 3)) for c in (WHITE, BLACK)
    )
    raster = Raster(np.eye(3), 0.0, 1.0, 1.0, 0.0)
    beside = np.ones((200, 120), bool)
    return Tray(raster, Appearance(BackgroundModel(table()), (tables[0], tables[1])), 2.0 * RADIUS, beside)


def row(count: int, x: int, colour: tuple[int, int, int]) -> list[tuple[int, int, tuple[int, int, int]]]:
    return [(x, 15 + 20 * k, colour) for k in range(count)]


def likely(cell: CellReading, side: int, within: float = 1.0) -> set[int]:
    return {content[side] for content, nats in cell.likelihoods if nats > -within}


def test_an_empty_table_gives_no_reading(tray: Tray) -> None:
    assert tray.look(grained(table(), 9)) == (CellReading(), CellReading())


def test_checkers_of_both_sides_are_counted(tray: Tray) -> None:
    white, black = tray.look(table(*row(5, 20, WHITE), *row(3, 60, BLACK)))
    assert (white.best, black.best) == ((5, 0), (0, 3))
    assert (likely(white, 0), likely(black, 1)) == ({5}, {3})


def test_fewer_than_lie_there_are_ruled_out_but_some_may_not_be_seen(tray: Tray) -> None:
    white, _ = tray.look(table(*row(5, 20, WHITE)))
    assert likely(white, 0, 7.0) == set(range(5, 16))


def test_checkers_that_touch_are_counted_separately(tray: Tray) -> None:
    side_by_side = [(15 + 18 * k, 40, WHITE) for k in range(5)]
    assert tray.look(table(*side_by_side))[0].best == (5, 0)


def test_what_is_a_checker_only_perhaps_may_be_one_more(tray: Tray) -> None:
    """One of which something is hidden is not counted, and not denied."""
    beside = table(*row(4, 20, WHITE))
    cv2.circle(beside, (80, 110), RADIUS - 3, WHITE, -1)
    white, _ = tray.look(beside)
    assert likely(white, 0) == {4, 5}
    assert white.log_likelihood((3, 0)) < -5 < white.log_likelihood((6, 0))


def test_a_weak_colour_match_is_weak_evidence(tray: Tray) -> None:
    pale, plain = (164, 187, 205), (200, 218, 226)
    (seen, _), (sure, _) = (tray.look(table(*row(3, 20, WHITE), (80, 110, colour))) for colour in (pale, plain))
    assert (seen.best, sure.best) == ((4, 0), (4, 0))
    assert -4 < seen.log_likelihood((3, 0)) < -2
    assert seen.log_likelihood((2, 0)) < -7
    assert sure.log_likelihood((3, 0)) < -7


def test_a_bright_table_that_the_sensor_cuts_off_is_no_row_of_checkers() -> None:
    bright, checker, gain = (128, 178, 232), (124, 174, 202), np.full(3, 1.27, np.float32)
    learned, ceiling = grained(np.full((200, 120, 3), bright, np.uint8), 2), 255 / gain
    colours = [np.full((40, 40, 3), colour, np.uint8) for colour in (WHITE, checker)]
    whole, saturated = (
        tuple(
            colour_table(to_lab8(np.minimum(grained(one, 1), most).astype(np.uint8)).reshape(-1, 3)) for one in colours
        )
        for most in (255, ceiling)
    )
    where = np.zeros((200, 120), bool)
    where[:, 60] = True
    appearance = Appearance(BackgroundModel(learned), (whole[0], whole[1]))
    beside = Tray(Raster(np.eye(3), 0.0, 1.0, 1.0, 0.0), appearance, 2.0 * RADIUS, where)
    taken = np.clip(grained(np.full((200, 120, 3), bright, np.uint8), 3) * gain, 0, 255).astype(np.uint8)
    view = level(taken, gain, ceiling)
    assert beside.look(view)[1].best is not None  # red alone is lost, and so the table has Black's colour
    assert beside.under(ceiling, (saturated[0], saturated[1])).look(view) == (CellReading(), CellReading())
    assert beside.under(np.full(3, 255, np.float32), appearance.tables).appearance is appearance


def test_without_a_certain_checker_there_is_no_reading(tray: Tray) -> None:
    """A die, a coin and a crumb, each smaller than a checker."""
    beside = table()
    cv2.rectangle(beside, (30, 30), (38, 38), WHITE, -1)
    cv2.circle(beside, (70, 80), 4, WHITE, -1)
    cv2.circle(beside, (30, 120), 4, BLACK, -1)
    assert tray.look(beside) == (CellReading(), CellReading())


def test_more_than_a_side_has_is_rejected(tray: Tray) -> None:
    sixteen = [*row(9, 15, WHITE), *row(9, 40, WHITE)]
    assert tray.look(table(*sixteen))[0] == CellReading()
