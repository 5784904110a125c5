"""What is drawn over the camera's picture."""

from __future__ import annotations

import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from companion.app.board_tracker import BoardTracker, ExpectedBoard
from companion.core import BLACK_BAR, BoardMarks, Cause, CellReading, Observation
from companion.core.layout import WHITE_NUMBERS
from vision.board import DOUBTFUL_NATS, WORDS, YELLOW, draw
from vision.board.overlay import name_on_picture, side_colours, tag

AMBER = np.array([40, 176, 255])


def changed(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return np.abs(before.astype(int) - after).max(axis=2) > 40


def around(place: np.ndarray, radius: float) -> tuple[slice, slice]:
    x, y = np.rint(place).astype(int)
    reach = max(1, round(radius))
    return slice(max(y - reach, 0), y + reach + 1), slice(max(x - reach, 0), x + reach + 1)


def certain(cells: dict[int, tuple[int, int]]) -> Observation:
    """A reading that is certain of points and bar, and contains no borne-off checkers."""
    on_board = (CellReading(((cells.get(cell, (0, 0)), 0.0),)) for cell in range(26))
    return Observation((*on_board, CellReading(), CellReading()))


def test_the_given_picture_is_not_modified(oblique: Scene) -> None:
    before = oblique.start.copy()
    drawn = draw(oblique.start, oblique.eye.calibration, oblique.eye.look(oblique.start))
    assert (oblique.start == before).all()
    assert drawn.shape == before.shape
    assert drawn.dtype == np.uint8


def test_every_point_that_holds_checkers_has_a_badge_and_no_other(scene: Scene) -> None:
    learned = scene.eye.calibration
    drawn = changed(scene.start, draw(scene.start, learned, certain({5: (5, 0), 18: (0, 5), BLACK_BAR: (0, 1)})))
    for cell in range(26):
        place = tag(learned, cell)
        assert drawn[around(place.badge, place.radius / 3)].any() == (cell in (5, 18, BLACK_BAR)), cell


def test_badges_have_the_colours_of_the_checkers_they_count(scene: Scene) -> None:
    learned, look = scene.eye.calibration, certain({5: (5, 0), 7: (3, 0), 16: (0, 3), 18: (0, 5)})
    white, black = side_colours(scene.start, learned, look)
    assert np.abs(np.subtract(white, black)).max() > 40
    drawn = draw(scene.start, learned, look)
    for point, colour in ((5, white), (18, black)):
        place = tag(learned, point)
        shade = np.median(drawn[around(place.badge, place.radius)].reshape(-1, 3), axis=0)
        assert np.abs(shade - colour).max() < 60, point


def test_points_have_the_numbers_of_the_player_they_are_drawn_for(oblique: Scene) -> None:
    assert [name_on_picture(cell, WHITE_NUMBERS) for cell in (0, 5, BLACK_BAR)] == ["1", "6", "bar"]
    assert [name_on_picture(cell, WHITE_NUMBERS[::-1]) for cell in (0, 5, BLACK_BAR)] == ["24", "19", "bar"]
    learned, look = oblique.eye.calibration, certain({5: (5, 0)})
    for_white, for_black = (
        draw(oblique.start, learned, look, BoardMarks(n)) for n in (WHITE_NUMBERS, WHITE_NUMBERS[::-1])
    )
    place = tag(learned, 23)
    assert changed(for_white, for_black)[around(place.name, place.height)].any()
    assert not changed(for_white, for_black)[around(place.badge, place.radius / 2)].any()


def test_a_column_that_differs_from_the_game_is_outlined(oblique: Scene) -> None:
    learned, look = oblique.eye.calibration, certain({5: (5, 0)})
    plain = draw(oblique.start, learned, look)
    ringed = draw(oblique.start, learned, look, BoardMarks(ringed=(5, BLACK_BAR)))
    yellow = (np.abs(ringed.astype(int) - YELLOW).max(axis=2) < 10) & changed(plain, ringed)
    layout, column = learned.layout, learned.layout.column
    for cell, has_line in ((5, True), (7, False)):
        x = layout.column_x(layout.column_of(cell))
        sides = learned.pose.project(np.array([[x + turn * column / 2, 0.2, 0] for turn in (-1, 1)]))
        assert all(yellow[around(side, column * learned.size[0] / 8)].any() == has_line for side in sides), cell


def test_a_board_of_tiles_has_no_label_for_a_bar() -> None:
    assert name_on_picture(BLACK_BAR, WHITE_NUMBERS, bar="") == ""


def test_a_doubtful_point_is_amber(oblique: Scene) -> None:
    learned = oblique.eye.calibration
    doubt = CellReading((((5, 0), 0.0), ((6, 0), 0.1 - DOUBTFUL_NATS)))
    cells = list(certain({4: (9, 0), 18: (0, 15)}).cells)
    cells[5] = doubt
    drawn = draw(oblique.start, learned, Observation(tuple(cells)))
    for point, expected in ((5, True), (4, False)):
        place = tag(learned, point)
        amber = np.abs(drawn[around(place.badge, place.radius)].astype(int) - AMBER).max(axis=2) < 10
        assert (amber.mean() > 0.2) == expected, point


def test_a_point_determined_by_the_number_of_checkers_is_not_doubtful(oblique: Scene) -> None:
    cells = list(certain({7: (9, 0), 18: (0, 15)}).cells)
    cells[5] = CellReading((((6, 0), 0.0), ((7, 0), 0.1 - DOUBTFUL_NATS)))
    drawn = draw(oblique.start, oblique.eye.calibration, Observation(tuple(cells)))
    place = tag(oblique.eye.calibration, 5)
    assert not (np.abs(drawn[around(place.badge, place.radius)].astype(int) - AMBER).max(axis=2) < 10).any()


def test_neighbouring_badges_do_not_touch_and_all_are_inside_the_picture(scene: Scene) -> None:
    learned = scene.eye.calibration
    tags = [tag(learned, cell) for cell in range(26)]
    for place in tags:
        assert ((place.name > 0) & (place.name < learned.size)).all()
        assert ((place.badge > 0) & (place.badge < learned.size)).all()
        near = [other for other in tags if other is not place]
        assert all(np.linalg.norm(place.badge - other.badge) > place.radius + other.radius for other in near)


@pytest.mark.parametrize("cause", list(Cause))
def test_an_unreadable_picture_has_the_cause_across_its_top(oblique: Scene, cause: Cause) -> None:
    drawn = draw(oblique.start, oblique.eye.calibration, Observation((), cause))
    band = changed(oblique.start, drawn)[: oblique.start.shape[0] // 20]
    assert band.any(axis=0).mean() > 0.3
    assert WORDS[cause].isascii()


def test_different_causes_look_different_in_the_picture(oblique: Scene) -> None:
    drawn = {draw(oblique.start, oblique.eye.calibration, Observation((), cause)).tobytes() for cause in Cause}
    assert len(drawn) == len(Cause)


def test_the_table_shows_its_reading() -> None:
    travel = Scene.load(PICTURES / "00-travel")
    sight = BoardTracker(None, ExpectedBoard(corners=travel.corners))
    plain = sight.jpeg(travel.start, None)
    sight.learn(travel.start)
    assert sight.jpeg(travel.start, None) == plain
    assert sight.jpeg(travel.start, sight.look(travel.start)) != plain
