"""Pictures of the simulated table look like a camera's: perspective, noise, hands, and every checker where it lies."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core import Side
from vision.cameras import CameraLost
from vision.simulation import SimulatedCamera, SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.boards import STARTING_BOARD
from vision.simulation.camera import FRAMES_PER_S, IDLE_FRAMES_PER_S, LIVELY_S
from vision.simulation.projection import THICKNESS, SimulatedView


class PictureClock:
    def __init__(self) -> None:
        self.now_s = 50.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    return SimulatedTable(seed=5)


@pytest.fixture
def starting(table: SimulatedTable) -> SimulatedTable:
    table.set_up(STARTING_BOARD)
    return table


def brightness_at(picture: np.ndarray, x: float, y: float, z: float) -> float:
    ((across, down),) = SimulatedView().project([(x, y, z)]).round().astype(int)
    return float(picture[down - 3 : down + 4, across - 3 : across + 4].mean())


def test_a_picture_has_the_form_of_a_small_camera_s_colour_picture(starting: SimulatedTable) -> None:
    picture = starting.render()
    assert picture.shape == (960, 1280, 3)
    assert picture.dtype == np.uint8


def test_the_corners_are_inside_the_picture_and_the_near_edge_is_longer(starting: SimulatedTable) -> None:
    left, right, far_right, far_left = np.array(starting.corners())
    assert all(0 <= x < 1280 and 0 <= y < 960 for x, y in starting.corners())
    assert left[1] > far_left[1]
    assert np.linalg.norm(right - left) > 1.05 * np.linalg.norm(far_right - far_left)


def test_white_checkers_are_bright_and_black_ones_dark_where_they_lie(starting: SimulatedTable) -> None:
    picture = starting.render()
    shades = {Side.WHITE: [], Side.BLACK: []}
    for checker in starting.checkers():
        shades[checker.side].append(brightness_at(picture, checker.x, checker.y, (checker.layer + 1) * THICKNESS))
    assert max(shades[Side.BLACK]) + 60 < min(shades[Side.WHITE])


def test_two_pictures_of_the_same_table_differ_by_sensor_noise_only(starting: SimulatedTable) -> None:
    one, other = starting.render().astype(int), starting.render().astype(int)
    difference = other - one
    assert 1.5 < difference.std() < 4.5
    assert abs(difference.mean()) < 0.05
    assert np.abs(difference).max() < 24


def test_the_same_seed_gives_the_same_picture() -> None:
    assert np.array_equal(SimulatedTable(seed=9).render(), SimulatedTable(seed=9).render())


def test_a_moved_checker_changes_the_picture_where_it_was_and_where_it_is(starting: SimulatedTable) -> None:
    before = starting.render().astype(int)
    was = starting.checkers()[4]
    starting.drag(was.id, 9.5, 1.0)
    now = next(c for c in starting.checkers() if c.id == was.id)
    after = starting.render().astype(int)
    for place in (was, now):
        assert abs(brightness_at(after - before, place.x, place.y, THICKNESS)) > 20


def test_a_carrying_hand_covers_much_of_the_board_and_nothing_of_it_remains(starting: SimulatedTable) -> None:
    still = starting.render().astype(int)
    starting.hold(0, 9.5, 5.0)
    held = starting.render().astype(int)
    starting.drag(0, 5.5, 1.0)
    starting.set_up(STARTING_BOARD)
    covered = np.abs(held - still).max(axis=2) > 40
    assert covered.mean() > 0.03


def test_a_hand_enters_from_its_player_s_side(starting: SimulatedTable) -> None:
    rows = {}
    still = starting.render().astype(int)
    for side in Side:
        starting.hand(9.5, 5.3, side)
        rows[side] = np.nonzero((np.abs(starting.render() - still).max(axis=2) > 40).any(axis=1))[0]
        starting.hand(None)
    assert rows[Side.WHITE].max() == 959
    assert rows[Side.BLACK].min() == 0
    assert np.abs(starting.render() - still).max() < 24


def test_the_colours_of_the_set_can_be_chosen() -> None:
    red = SimulatedTable(seed=1, palette=Palette(white=(40, 40, 200)))
    ((across, down),) = (
        SimulatedView().project([(red.checkers()[0].x, red.checkers()[0].y, THICKNESS)]).round().astype(int)
    )
    blue_green_red = red.render()[down, across].astype(int)
    assert blue_green_red[2] > blue_green_red[0] + 60


def test_the_camera_gives_ten_frames_a_second_then_few_while_nothing_moves(starting: SimulatedTable) -> None:
    clock = PictureClock()
    waits = []

    class StillTable:
        version = 1

        def wait(self, version: int, timeout_s: float) -> int:
            waits.append(timeout_s)
            clock.sleep(timeout_s)
            return version

        render = starting.render

    camera = SimulatedCamera(StillTable(), clock=clock, sleep=clock.sleep)
    times = np.array([camera.read().at_s for _ in range(26)])
    steps = np.diff(times)
    lively = times[1:] - times[0] <= LIVELY_S
    assert steps[lively] == pytest.approx(1 / FRAMES_PER_S)
    assert steps[~lively][1:] == pytest.approx(1 / IDLE_FRAMES_PER_S)
    assert waits


def test_frames_are_numbered_and_a_closed_camera_is_reported(starting: SimulatedTable) -> None:
    clock = PictureClock()
    camera = SimulatedCamera(starting, clock=clock, sleep=clock.sleep)
    assert [camera.read().number for _ in range(3)] == [1, 2, 3]
    camera.close()
    with pytest.raises(CameraLost, match="closed"):
        camera.read()
