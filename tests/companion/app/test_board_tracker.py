"""The board under one camera, before and after it is moved."""

from __future__ import annotations

import shutil
from contextlib import nullcontext

import cv2
import learned_once
import numpy as np
import pytest
from labelled import Scene, answer
from places import PICTURES

from companion.app import board_tracker
from companion.app.board_tracker import BoardTracker, ExpectedBoard
from companion.core import Cause, Observation
from vision.backgammon import FramedBoard
from vision.backgammon.calibration import Calibration
from vision.board import CalibrationError, LocateError
from vision.board.json_io import describe
from vision.cameras import load_picture


@pytest.fixture(scope="module")
def scene():
    return Scene.load(PICTURES / "09-leather")


@pytest.fixture
def learned(scene):
    """The file of the scene's board, which all tests share."""
    assert scene.eye
    return learned_once.FOLDERS[-1] / f"{scene.name}.cal"


@pytest.fixture
def sight(scene, learned, tmp_path, monkeypatch):
    """A tracker with a file of its own, at `tmp_path / "board.cal"`; its board has models for the pictures' light."""
    with monkeypatch.context() as patch:
        patch.setattr(board_tracker, "load_board", lambda _: FramedBoard(scene.eye.calibration))
        return BoardTracker(shutil.copy(learned, tmp_path / "board.cal"))


def knocked(picture, shift_px=(24, -8), degrees=1.5):
    size = (picture.shape[1], picture.shape[0])
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), degrees, 0.97)
    turn[:, 2] += shift_px
    return cv2.warpAffine(picture, turn, size, borderValue=(96, 104, 110))


def test_a_knock_between_two_looks_does_not_end_the_reading(scene, sight):
    frame = scene.frames[1]
    assert scene.eye.look(knocked(frame.picture)).unreadable is Cause.MOVED_CAMERA
    assert frame.grade(describe(sight.look(knocked(frame.picture)))) == "right"


def test_the_new_place_of_a_board_is_stored_for_the_next_start(scene, sight, tmp_path):
    frame = scene.frames[1]
    sight.look(knocked(frame.picture))
    sight.keep()
    kept = Calibration.load(tmp_path / "board.cal")
    assert not np.allclose(kept.corners, scene.corners, atol=5)
    assert frame.grade(describe(BoardTracker(tmp_path / "board.cal").look(knocked(frame.picture)))) == "right"


def test_a_board_that_a_full_disk_refused_is_stored_once_there_is_space(monkeypatch, tmp_path, caplog):
    path, now_s, attempts, full = tmp_path / "board.cal", [0.0], [], [True]

    class Savable(Blurred):
        def save(self, path):
            attempts.append(now_s[0])
            if full[0]:
                raise CalibrationError("no space left on device")
            path.write_text("saved")

    monkeypatch.setattr(board_tracker, "learn_board", lambda *_, **__: Savable())
    sight = BoardTracker(path, clock=lambda: now_s[0])
    sight.learn(None)
    for now_s[0] in (0.0, 1.0, board_tracker.SAVE_AGAIN_S):
        sight.keep()
    assert attempts == [0.0, board_tracker.SAVE_AGAIN_S]
    assert caplog.text.count("cannot be saved") == 1
    full[0] = False
    for now_s[0] in (2 * board_tracker.SAVE_AGAIN_S, 9 * board_tracker.SAVE_AGAIN_S):
        sight.keep()
    assert path.read_text() == "saved"
    assert len(attempts) == 3


@pytest.mark.slow
def test_with_a_hand_over_it_a_knocked_board_keeps_its_old_place(scene, sight, tmp_path):
    hand = next(frame for frame in scene.frames if frame.hand)
    before = (tmp_path / "board.cal").read_bytes()
    assert sight.look(knocked(hand.picture)).unreadable is not None
    sight.keep()
    assert (tmp_path / "board.cal").read_bytes() == before


def test_a_board_that_cannot_be_read_in_a_new_place_either_is_left_unchanged(scene, sight):
    elsewhere = np.roll(scene.frames[1].picture, 400, axis=1)
    assert sight.look(elsewhere).unreadable is not None
    assert scene.frames[1].grade(describe(sight.look(scene.frames[1].picture))) == "right"


def test_a_board_that_has_not_moved_is_read_as_before(scene, sight):
    frame = scene.frames[1]
    seen, expected = describe(sight.look(frame.picture)), answer(scene.eye, frame.picture)
    assert (seen["unreadable"], seen["position"]) == (expected["unreadable"], expected["position"])


def test_a_stored_board_of_another_game_is_not_used(learned):
    assert BoardTracker(learned).known
    assert not BoardTracker(learned, ExpectedBoard("checkers")).known


def test_a_stored_board_of_the_other_orientation_is_not_used(learned):
    assert not BoardTracker(learned, ExpectedBoard(mirror=True)).known


@pytest.mark.slow
def test_another_game_on_the_board_is_named():
    picture = load_picture(PICTURES / "checkers-travel" / "00.jpg")
    told = []
    with pytest.raises(LocateError):
        BoardTracker(None, other_game=told.append).learn(picture)
    assert told == ["checkers"]


def test_without_a_starting_position_no_game_is_named(scene):
    told = []
    with pytest.raises(LocateError):
        BoardTracker(None, ExpectedBoard("checkers"), other_game=told.append).learn(np.zeros_like(scene.start))
    assert told == []


def test_corners_that_a_player_marks_are_learned_from(scene):
    sight = BoardTracker(None)
    sight.mark(scene.corners)
    sight.learn(scene.start)
    assert sight.known
    assert np.abs(sight.guess - scene.corners).max() < 0.02 * scene.start.shape[1]


@pytest.mark.slow
def test_wrong_marked_corners_are_reported_and_dropped(scene):
    sight = BoardTracker(None)
    sight.mark(scene.corners * 0.5)
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        sight.learn(scene.start)
    assert np.allclose(sight.guess, scene.corners * 0.5)
    sight.learn(scene.start)
    assert np.abs(sight.guess - scene.corners).max() < 0.02 * scene.start.shape[1]


class Blurred:
    """A board that cannot be read; `meanwhile` is called during the look."""

    game, corners = "backgammon", np.zeros((4, 2))

    def __init__(self, meanwhile=lambda: None):
        self.meanwhile = meanwhile

    def look(self, _):
        self.meanwhile()
        return Observation((), Cause.BLUR)

    def reacquire(self, _):
        return None


def test_corners_that_are_marked_while_a_picture_is_read_are_learned_from_next(scene):
    board = Blurred(lambda: sight.mark(scene.corners))
    sight = BoardTracker.of(board)
    assert sight.look(scene.start).unreadable is Cause.BLUR
    assert not sight.known
    sight.learn(scene.start)
    assert sight.known
    assert np.abs(sight.guess - scene.corners).max() < 0.02 * scene.start.shape[1]


@pytest.mark.parametrize("fails", [False, True])
def test_corners_that_are_marked_while_a_board_is_learned_are_learned_from_next(monkeypatch, fails):
    first, second = np.zeros((4, 2)), np.ones((4, 2))
    used = []

    def learns(*_, corners, **__):
        used.append(corners)
        if corners is first:
            sight.mark(second)
            if fails:
                raise CalibrationError("not visible inside these corners")
        return Blurred()

    monkeypatch.setattr(board_tracker, "learn_board", learns)
    sight = BoardTracker(None)
    sight.mark(first)
    with pytest.raises(CalibrationError) if fails else nullcontext():
        sight.learn(None)
    assert not sight.known
    sight.learn(None)
    assert sight.known
    assert len(used) == 2
    assert used[1] is second


def test_given_corners_of_a_known_position_are_tried_until_the_board_is_seen(scene):
    told = scene.frames[1]
    board = FramedBoard.position({"points": told.points, "bar": told.bar})
    sight = BoardTracker(None, ExpectedBoard(position=board, corners=scene.corners))
    for _ in range(2):
        with pytest.raises(CalibrationError, match="not visible inside these corners"):
            sight.learn(np.zeros_like(told.picture))
    sight.learn(told.picture)
    assert told.grade(describe(sight.look(told.picture))) == "right"


def test_a_game_that_was_not_found_is_not_searched_again(scene, monkeypatch):
    searched = []

    def fails(*arguments):
        searched.append(arguments)
        raise LocateError("no board")

    monkeypatch.setattr(FramedBoard, "find", fails)
    with pytest.raises(LocateError):
        BoardTracker(None).learn(np.zeros_like(scene.start))
    assert len(searched) == 1


def test_if_no_board_is_found_the_most_likely_one_is_the_guess():
    sight = BoardTracker(None)
    with pytest.raises(LocateError):
        sight.learn(load_picture(PICTURES / "locate" / "a-few-plays-on.jpg"))
    assert not sight.known
    assert sight.guess.shape == (4, 2)
