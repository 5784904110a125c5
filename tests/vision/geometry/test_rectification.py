"""Rectification of the board: raster pixels, board coordinates and picture pixels agree."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.backgammon.layout import FAR_BAR, NEAR_BAR, ROWS, Rows
from vision.board import POINTS, Layout
from vision.geometry import Raster, Window, estimate_pose

CORNERS = np.array([[256.0, 835.0], [1069.0, 818.0], [979.0, 243.0], [316.0, 250.0]])
POSE = estimate_pose(CORNERS, (1280, 960))
LAYOUT = Layout(depth=POSE.depth)

rasters = st.builds(
    Raster.of,
    pose=st.just(POSE),
    height=st.floats(0.0, 0.04),
    scale=st.floats(120, 480),
    margin=st.floats(0.0, 0.1),
)
places = st.tuples(st.floats(0, 1), st.floats(0, POSE.depth))


def homogeneous(matrix: np.ndarray, place: np.ndarray) -> np.ndarray:
    x, y, w = matrix @ [*place, 1]
    return np.array([x / w, y / w])


@given(rasters, places)
def test_pixels_and_board_coordinates_convert_into_each_other(raster: Raster, place: tuple[float, float]) -> None:
    pixel = raster.pixels(np.array(place))
    assert homogeneous(raster.to_board, pixel) == pytest.approx(place, abs=1e-9)
    width, height = raster.size
    assert (pixel >= -0.5).all()
    assert (pixel <= [width + 0.5, height + 0.5]).all()


@given(rasters, places)
def test_a_raster_pixel_is_sampled_where_the_camera_sees_that_place(raster: Raster, place: tuple[float, float]) -> None:
    seen = POSE.project(np.array([[*place, raster.height]]))[0]
    assert homogeneous(raster.to_picture, raster.pixels(np.array(place))) == pytest.approx(seen, abs=1e-6)


@given(st.integers(0, 200), st.integers(0, 150), st.floats(1, 60))
def test_a_part_of_a_raster_equals_that_part_of_the_whole(x: int, y: int, reach: float) -> None:
    raster = Raster.of(POSE, 0.02, 240, 0.05)
    chance = np.random.default_rng(5)
    picture = cv2.resize(chance.integers(0, 255, (96, 128, 3)).astype(np.uint8), (1280, 960))
    window = Window.round(np.array([[x, y]], np.float64), reach, raster.size)
    part, whole = (one.astype(int) for one in (raster.rectify(picture, window), raster.rectify(picture)))
    assert part.shape == window.of(whole).shape
    assert abs(part - window.of(whole)).max() <= 1  # a hair's breadth rounded otherwise
    right, bottom = raster.size
    assert (window.corner <= [x, y]).all()
    assert min(x + reach, right) <= window.right
    assert min(y + reach, bottom) <= window.bottom


def test_a_mark_in_the_picture_is_mapped_to_its_place_on_the_board() -> None:
    raster = Raster.of(POSE, 0.0, 240, 0.05)
    place = np.array([0.25, 0.6])
    x, y = np.rint(POSE.project(np.array([[*place, 0.0]]))[0]).astype(int)
    picture = np.zeros((960, 1280, 3), np.uint8)
    cv2.circle(picture, (int(x), int(y)), 6, (255, 255, 255), -1)
    straight = raster.rectify(picture)
    assert straight.shape == (*raster.size[::-1], 3)
    marked = np.argwhere(straight[..., 0] > 128).mean(axis=0)[::-1]
    assert marked == pytest.approx(raster.pixels(place), abs=1)


def test_white_s_edge_is_at_the_bottom_of_a_raster() -> None:
    raster = Raster.of(POSE, 0.0, 240, 0.05)
    (left, bottom), (right, top) = raster.pixels(np.array([[0.0, 0.0], [1.0, POSE.depth]]))
    assert left < right
    assert top < bottom


def test_sampling_returns_the_value_of_a_map_at_a_place() -> None:
    raster = Raster.of(POSE, 0.0, 240, 0.05)
    across, down = raster.size
    ramp = np.tile(np.arange(across, dtype=np.float64), (down, 1))
    found = raster.sample([ramp, -ramp], np.array([[0.0, 0.1], [0.5, 0.1]]))
    assert found[0] == pytest.approx(raster.pixels(np.array([[0.0, 0.1], [0.5, 0.1]]))[:, 0], abs=0.5)
    assert (found[1] == -found[0]).all()


@given(rasters)
def test_rows_begin_at_the_edge_and_run_inwards(raster: Raster) -> None:
    rows = Rows.of(LAYOUT, raster)
    assert len(rows.columns) == len(rows.edges) == len(rows.inward) == ROWS
    for point in range(POINTS):
        for index in (0, 4):
            x, y = raster.pixels(np.array(LAYOUT.slot(point, index)))
            assert rows.columns[point] == pytest.approx(x)
            assert rows.edges[point] + rows.inward[point] * (rows.first + index * rows.step) == pytest.approx(y)


def test_the_two_rows_of_the_bar_are_in_its_middle_and_run_towards_each_other() -> None:
    raster = Raster.of(POSE, 0.0, 240, 0.05)
    rows = Rows.of(LAYOUT, raster)
    assert rows.columns[NEAR_BAR] == rows.columns[FAR_BAR] == pytest.approx(raster.pixels(np.array([0.5, 0.0]))[0])
    assert (rows.inward[NEAR_BAR], rows.inward[FAR_BAR]) == (-1, 1)
    assert rows.edges[NEAR_BAR] > rows.edges[FAR_BAR]
