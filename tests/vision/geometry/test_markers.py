"""Printed markers beside the board: optional; after a knock they give its place at once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.backgammon import FramedBoard
from vision.board import TrackedBoard
from vision.geometry import find_markers, motion_of
from vision.registry import is_of_kind, learn_board, load_board

SCENE = Scene.load(PICTURES / "09-leather")
PLACES = {3: (60, 300), 7: (1130, 120), 11: (40, 60), 19: (1150, 330)}
"""Markers drawn into the pictures: number and upper left corner."""
SIDE = 60


def with_markers(picture: np.ndarray, numbers=tuple(PLACES)) -> np.ndarray:
    """The picture with markers printed beside the board, white paper round them."""
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    drawn = picture.copy()
    for number in numbers:
        x, y = PLACES[number]
        paper = np.full((SIDE + 24, SIDE + 24), 235, np.uint8)
        paper[12:-12, 12:-12] = np.maximum(cv2.aruco.generateImageMarker(known, number, SIDE), 25)
        drawn[y - 12 : y + SIDE + 12, x - 12 : x + SIDE + 12] = paper[..., None]
    return drawn


def knock(shift_px=(34, -20), degrees=2.0) -> np.ndarray:
    """Homography (3 x 3) of the pixels when the camera is knocked."""
    turn = cv2.getRotationMatrix2D((640, 480), degrees, 0.96)
    turn[:, 2] += shift_px
    return np.vstack([turn, [0, 0, 1]])


def knocked(picture: np.ndarray, motion: np.ndarray) -> np.ndarray:
    return cv2.warpPerspective(picture, motion, picture.shape[1::-1], borderValue=(96, 104, 110))


@pytest.fixture(scope="module")
def board():
    """A board learned with four markers beside it."""
    return learned_beside(tuple(PLACES))


def learned_beside(numbers):
    """The board, learned with these markers beside it; what lies inside its frame was learned before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FramedBoard, "learn", lambda *_: FramedBoard(SCENE.eye.calibration))
        return learn_board(with_markers(SCENE.start, numbers), corners=SCENE.corners)


def carried(places, motion):
    return cv2.perspectiveTransform(np.asarray(places, np.float64)[None], motion)[0]


def test_markers_are_found_with_their_corners():
    found = find_markers(with_markers(SCENE.start))
    assert found.keys() == PLACES.keys()
    for number, (x, y) in PLACES.items():
        assert np.abs(found[number][0] - (x, y)).max() < 1.5


def test_in_a_picture_without_markers_none_is_found():
    assert find_markers(SCENE.start) == {}


def test_the_motion_of_a_knock_is_computed_from_the_markers():
    motion = knock()
    before, now = (find_markers(one) for one in (with_markers(SCENE.start), knocked(with_markers(SCENE.start), motion)))
    found = motion_of(before, now)
    assert np.abs(carried(SCENE.corners, found) - carried(SCENE.corners, motion)).max() < 3


def test_three_markers_are_too_few():
    now = find_markers(knocked(with_markers(SCENE.start, (3, 7, 11)), knock()))
    assert motion_of(find_markers(with_markers(SCENE.start)), now) is None


def test_a_marker_that_was_moved_alone_gives_no_motion():
    before = find_markers(with_markers(SCENE.start))
    pushed = {**before, 3: before[3] + (14, 0)}
    assert motion_of(before, pushed) is None


def test_unmoved_markers_give_no_motion():
    before = find_markers(with_markers(SCENE.start))
    assert motion_of(before, before) is None


def test_a_board_with_too_few_markers_beside_it_is_learned_without():
    assert not isinstance(learned_beside((3, 7, 11)), TrackedBoard)


def test_a_displaced_and_half_covered_board_is_found_by_its_markers(board):
    motion = knock()
    picture = with_markers(SCENE.frames[1].picture)
    picture[480:, 200:1050] = (120, 150, 190)
    found = board.reacquire(knocked(picture, motion))
    width = np.linalg.norm(SCENE.corners[1] - SCENE.corners[0])
    assert np.abs(found.corners - carried(SCENE.corners, motion)).max() < 0.01 * width
    assert found.look(knocked(picture, motion)).unreadable is not None
    clear = knocked(with_markers(SCENE.frames[1].picture), motion)
    assert SCENE.frames[1].grade(found.answer(found.look(clear))) == "right"


def test_markers_moved_without_the_board_cause_no_misreading(board):
    elsewhere = with_markers(SCENE.frames[1].picture)
    sheet = knocked(with_markers(np.full_like(elsewhere, 90)), knock())
    picture = SCENE.frames[1].picture.copy()
    for corners in find_markers(sheet).values():
        left, top = corners.min(axis=0).astype(int) - 12
        right, bottom = corners.max(axis=0).astype(int) + 12
        picture[top:bottom, left:right] = sheet[top:bottom, left:right]
    found = board.reacquire(picture)
    if found is not None:
        assert SCENE.frames[1].grade(found.answer(found.look(picture))) != "wrong"


def test_a_board_is_stored_with_its_markers(board, tmp_path):
    board.save(tmp_path / "board.cal")
    kept = load_board(tmp_path / "board.cal")
    assert is_of_kind(kept, "backgammon")
    assert kept.summary["markers"] == sorted(PLACES)
    assert kept.reacquire(knocked(with_markers(SCENE.frames[1].picture), knock())) is not None
