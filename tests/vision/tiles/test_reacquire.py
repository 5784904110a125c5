"""Relocating a displaced line of tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene, tile_board
from places import PICTURES

SCENE = Scene.load(PICTURES / "tiles-blue-white")
SIZE = (1280, 960)


@pytest.fixture(scope="module")
def board():
    return tile_board(SCENE)


def knocked(picture, degrees, right, down):
    """The picture, and the corners, as after a knock of the camera."""
    motion = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, 1.0)
    motion[:, 2] += right, down
    moved = cv2.warpAffine(picture, motion, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return moved, cv2.transform(SCENE.corners[None], motion)[0]


def test_tiles_that_did_not_move_keep_their_place(board):
    assert board.reacquire(SCENE.frames[1].picture) is None


@pytest.mark.parametrize(("degrees", "right", "down"), [(0.2, 5, -3), (-2.5, 24, 17), (1.5, -30, 8)])
def test_after_a_knock_of_the_camera_the_line_is_found_and_read(board, degrees, right, down):
    frame = SCENE.frames[1]
    picture, corners = knocked(frame.picture, degrees, right, down)
    found = board.reacquire(picture)
    assert np.abs(found.corners - corners).max() < 4
    assert frame.grade(found.answer(found.look(picture))) == "right"


def test_tiles_moved_too_far_are_neither_found_nor_read(board):
    picture, _ = knocked(SCENE.frames[1].picture, 40, 0, 0)
    assert board.reacquire(picture) is None
    assert board.answer(board.look(picture))["unreadable"] is not None
