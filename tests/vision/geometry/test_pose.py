"""The camera's pose, estimated from the playing area's corners in the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import CameraPose, estimate_pose, project_to_bed

if TYPE_CHECKING:
    from labelled import Scene

SIZE = (1280, 960)


def bed(depth: float) -> np.ndarray:
    return np.array([[0, 0, 0], [1, 0, 0], [1, depth, 0], [0, depth, 0]], np.float64)


def camera(focal: float, depth: float, azimuth: float, tilt: float, distance: float) -> CameraPose:
    """A camera that looks at the middle of a board: `tilt` from straight above, `azimuth` round it (radians)."""
    target = np.array([0.5, depth / 2, 0])
    away = np.array([np.sin(azimuth) * np.sin(tilt), -np.cos(azimuth) * np.sin(tilt), np.cos(tilt)])
    centre = target + distance * away
    up = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    right = np.cross(-away, up)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(-away, right), -away])
    lens = np.array([[focal * SIZE[0], 0, SIZE[0] / 2], [0, focal * SIZE[0], SIZE[1] / 2], [0, 0, 1]])
    matrix = lens @ np.column_stack([rotation, -rotation @ centre])
    return CameraPose(matrix, centre, depth, focal, 0.0)


cameras = st.builds(
    camera,
    focal=st.floats(0.65, 1.1),
    depth=st.floats(0.75, 1.0),
    azimuth=st.floats(0.02, 3.1) | st.floats(-3.1, -0.02),
    tilt=st.floats(0.05, 0.95),
    distance=st.floats(1.6, 2.6),
)


@settings(max_examples=40)
@given(true=cameras)
def test_the_estimated_camera_projects_the_corners_to_their_places(true: CameraPose) -> None:
    corners = true.project(bed(true.depth))
    found = estimate_pose(corners, SIZE)
    assert found.centre[2] > 0
    assert np.abs(found.project(bed(found.depth)) - corners).max() < 2.5


@settings(max_examples=40)
@given(true=cameras)
def test_with_known_depth_the_camera_is_recovered(true: CameraPose) -> None:
    found = estimate_pose(true.project(bed(true.depth)), SIZE, depth=true.depth)
    assert found.depth == true.depth
    inside = np.random.default_rng(1).uniform([0, 0, 0], [1, true.depth, 0], (20, 3))
    assert np.abs(found.project(inside) - true.project(inside)).max() < 2.5


@settings(max_examples=40)
@given(true=cameras)
def test_a_half_turn_of_the_board_gives_the_same_camera_on_the_other_side(true: CameraPose) -> None:
    corners = true.project(bed(true.depth))
    one, other = estimate_pose(corners, SIZE), estimate_pose(np.roll(corners, 2, axis=0), SIZE)
    assert other.depth == pytest.approx(one.depth, abs=1e-3)
    assert other.centre[2] == pytest.approx(one.centre[2], rel=1e-2)
    assert other.centre[0] == pytest.approx(1 - one.centre[0], abs=1e-2)


@given(true=cameras, height=st.floats(0.0, 0.05))
def test_a_place_above_the_bed_hides_the_place_to_which_it_projects(true: CameraPose, height: float) -> None:
    places = np.array([[0.1, 0.1], [0.9, 0.2], [0.4, 0.7]])
    hidden, larger = project_to_bed(true, places, height)
    assert larger >= 1
    raised = np.column_stack([places, np.full(3, height)])
    on_bed = np.column_stack([hidden, np.zeros(3)])
    assert true.project(raised) == pytest.approx(true.project(on_bed), abs=1e-6)


@given(true=cameras, height=st.floats(0.0, 0.05))
def test_the_homography_of_a_plane_agrees_with_the_projection(true: CameraPose, height: float) -> None:
    places = np.array([[0.0, 0.0], [1.0, 0.3], [0.4, 0.7]])
    flat = cv2.perspectiveTransform(places[None], true.plane(height))[0]
    assert flat == pytest.approx(true.project(np.column_stack([places, np.full(3, height)])), abs=1e-6)


def test_a_board_seen_from_exactly_above_gives_a_camera() -> None:
    corners = np.array([[100.0, 850.0], [1180.0, 850.0], [1155.0, 250.0], [125.0, 250.0]])
    found = estimate_pose(corners, SIZE)
    assert np.isfinite(found.matrix).all()
    assert np.abs(found.project(bed(found.depth)) - corners).max() < 2.5


def test_corners_of_real_pictures_fit_a_camera(scene: Scene) -> None:
    found = estimate_pose(scene.corners, SIZE)
    assert found.misfit_px < 2
    assert 0.7 < found.depth < 1.1
    assert np.linalg.norm(found.centre - [0.5, found.depth / 2, 0]) > 1
