"""Where the board's drawing is seen, and where something hides it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging import BackgroundModel, BoardDrawing, DrawingSeen

HEIGHT, WIDTH, BLOCK = 240, 280, 8
RADIUS = 9
"""Of a checker, in pixels."""
DISC = 0.88 * RADIUS
PLACES = [(x, y) for x in range(20, WIDTH - 20, 24) for y in range(20, HEIGHT - 20, 24)]
TAKEN, FREE = PLACES[::2], PLACES[1::2]
Y, X = np.meshgrid(np.arange(HEIGHT), np.arange(WIDTH), indexing="ij")

LIGHTS = {
    "as it was": np.ones((HEIGHT, WIDTH)),
    "half of the light": np.full((HEIGHT, WIDTH), 0.5),
    "hard stripes of shadow": np.where((X + Y) // 30 % 2, 0.6, 1.0),
}


@pytest.fixture
def board() -> np.ndarray:
    """A board (BGR) of blocks in several colours, with grain."""
    chance = np.random.default_rng(3)
    colours = chance.integers(60, 200, (HEIGHT // BLOCK, WIDTH // BLOCK, 3))
    drawn = colours.repeat(BLOCK, axis=0).repeat(BLOCK, axis=1)
    return np.clip(drawn + chance.normal(0, 2, drawn.shape), 0, 255).astype(np.uint8)


def with_checkers(board: np.ndarray) -> np.ndarray:
    picture = board.copy()
    for number, place in enumerate(TAKEN):
        cv2.circle(picture, place, RADIUS, (40, 40, 45) if number % 2 else (190, 200, 210), -1)
    return picture


def drawing_of(board: np.ndarray, view: np.ndarray) -> BoardDrawing:
    return BoardDrawing.of(BackgroundModel(board), DISC, view, np.array(TAKEN))


def told(seen: DrawingSeen, places: list[tuple[int, int]]) -> list[bool | None]:
    return [seen.is_bare(*place) for place in places]


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)
def test_free_places_show_the_drawing_and_checkers_hide_it(board, light):
    view = with_checkers(board)
    seen = drawing_of(board, view).seen_in((view * light[..., None]).astype(np.uint8))
    assert True not in told(seen, TAKEN)
    assert told(seen, TAKEN).count(False) >= 0.9 * len(TAKEN)
    assert told(seen, FREE).count(True) >= 0.8 * len(FREE)


def test_a_reflection_hides_no_drawing(board):
    view = with_checkers(board)
    reflection = 45 * np.exp(-(((X - WIDTH / 2) / 60) ** 2) - ((Y - HEIGHT / 2) / 50) ** 2)
    seen = drawing_of(board, view).seen_in((view + reflection[..., None]).clip(0, 255).astype(np.uint8))
    assert True not in told(seen, TAKEN)
    assert told(seen, FREE).count(True) >= 0.8 * len(FREE)


def test_a_strong_reflection_is_a_veil_and_other_light_is_none(board):
    view = with_checkers(board)
    drawing, away = drawing_of(board, view), np.hypot(X - WIDTH / 2, Y - HEIGHT / 2)
    spot = np.exp(-((away / 50) ** 2))[..., None]
    seen = drawing.seen_in((view + 110 * spot).clip(0, 255).astype(np.uint8))
    assert all(seen.is_veiled(x, y) == (away[y, x] < 45) for x, y in PLACES if not 30 < away[y, x] < 70)
    for light in (view * (1 + 0.8 * spot) / 1.8, view * 0.7 + 50):
        assert not drawing.seen_in(light.astype(np.uint8)).veiled.any()


def test_a_place_without_edges_is_neither_bare_nor_covered():
    plain = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    view = with_checkers(plain)
    assert set(told(drawing_of(plain, view).seen_in(view), PLACES)) == {None}


def test_nothing_is_bare_where_known_checkers_repeat_the_edges_under_them(board):
    seen = drawing_of(board, board).seen_in(board)
    assert True not in told(seen, PLACES)


def test_nothing_is_seen_of_an_unknown_drawing(board):
    seen = drawing_of(board, with_checkers(board)).unknown().seen_in(board)
    assert set(told(seen, PLACES)) == {None}


def test_discs_cover_what_is_around_their_middles(board):
    drawing = drawing_of(board, with_checkers(board))
    middles = np.zeros_like(drawing.lengths, bool)
    middles[50, 60] = True
    down, across = np.nonzero(drawing.discs(middles))
    assert (down.min(), down.max(), across.min(), across.max()) == pytest.approx((93, 108, 113, 128), abs=2)
