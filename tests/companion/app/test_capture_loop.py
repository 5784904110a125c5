import queue
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from companion.app import board_tracker
from companion.app.board_tracker import BoardTracker
from companion.app.camera_source import camera_source
from companion.app.capture_loop import LOOK_AGAIN_S, CaptureLoop, CapturePorts
from companion.core import BoardMarks, BoardsideError, Cause, Observation
from companion.core.layout import WHITE_NUMBERS
from companion.interface import CameraTrouble, Saw, Stirred
from companion.referee.assessment import differing
from companion.rules import rules_named
from vision import load_board
from vision.cameras import CameraLost, Frame, MotionGate
from vision.cameras.opening import UnknownCameraError

IMAGE = np.zeros((4, 4, 3), np.uint8)
READ, DARK, MOVED = Observation(()), Observation((), Cause.DARK), Observation((), Cause.MOVED_CAMERA)


class ScriptedSight:
    """Returns scripted looks once it has learned the board."""

    def __init__(self, *seen, known=True, learns=True):
        self.seen, self.known, self.learns, self.learned = list(seen), known, learns, 0
        self.confirmed, self.kept_after = [], lambda: None

    def learn(self, _image):
        self.learned += 1
        if not self.learns:
            raise BoardsideError("no board: set up the starting position")
        self.known = True

    def forget(self):
        self.known = False

    def look(self, _image):
        return self.seen.pop(0)

    def confirm(self, image, board):
        self.confirmed.append((image, board))

    def keep(self):
        self.kept_after()

    def jpeg(self, _image, observation, _marks=None):
        return b"embedded" if observation is None else b"drawn over"


def watching(sight, **options):
    items, pictures = [], []
    ports = CapturePorts(items.append, pictures.append, clock=lambda: 0.0, **options)
    watch = CaptureLoop(lambda: None, MotionGate, sight, ports)
    return watch, items, pictures


def feed(watch, *frames):
    for n, (at_s, still) in enumerate(frames):
        watch.handle(Frame(IMAGE, at_s, n), still=still)


def test_a_learned_board_is_stored_after_the_look_was_posted():
    sight = ScriptedSight(READ, known=False)
    watch, items, _ = watching(sight)
    written = []
    sight.kept_after = lambda: written.append([type(item) for item in items])
    feed(watch, (0.0, True))
    assert written == [[Saw]]


def test_when_points_are_renumbered_a_still_picture_is_redrawn_but_not_read():
    marks = [BoardMarks()]
    watch, items, pictures = watching(ScriptedSight(READ), marks=lambda: marks[-1])
    feed(watch, (0.2, True), (0.3, True))
    marks.append(BoardMarks(WHITE_NUMBERS[::-1]))
    feed(watch, (0.4, True), (0.5, True))
    assert len(items) == 1
    assert pictures == [b"drawn over", b"drawn over"]


def test_a_settled_picture_is_read_once():
    watch, items, pictures = watching(ScriptedSight(READ))
    feed(watch, (0.0, False), (0.1, False), (0.2, True), (0.3, True), (9.0, True))
    assert items == [Saw(READ, 0.2, b"embedded")]
    assert pictures == [b"embedded", b"drawn over"]


def test_every_frame_and_every_attempt_to_open_the_camera_counts_as_a_run_of_the_loop():
    turns = []

    class FilmedFrames:
        def __init__(self):
            self.frames = [Frame(IMAGE, 0.0, 0), Frame(IMAGE, 0.1, 1), None]

        def read(self):
            return self.frames.pop(0)

        def close(self):
            turns.append("closed")

    watch = CaptureLoop(
        FilmedFrames,
        MotionGate,
        ScriptedSight(),
        CapturePorts(print, print, tick=lambda: turns.append("turned")),
        reopen_s=0.0,
    )
    watch.run()
    assert turns == ["turned", "turned", "turned", "closed"]


def test_motion_voids_the_last_look():
    watch, items, _ = watching(ScriptedSight(READ, READ))
    feed(watch, (0.0, True), (0.1, False), (0.2, False), (0.3, True))
    assert items == [Saw(READ, 0.0, b"embedded"), Stirred(0.1), Saw(READ, 0.3, b"embedded")]


def test_an_unreadable_picture_is_retried_now_and_then():
    watch, items, _ = watching(ScriptedSight(DARK, READ))
    feed(watch, (0.0, True), (0.1, True), (LOOK_AGAIN_S, True), (9.0, True))
    assert [item.observation for item in items] == [DARK, READ]


def test_an_unknown_board_is_learned_before_it_is_read():
    sight = ScriptedSight(READ, known=False)
    watch, items, _ = watching(sight)
    feed(watch, (0.0, True))
    assert (sight.learned, items) == (1, [Saw(READ, 0.0, b"embedded")])


def test_a_board_that_is_not_found_is_reported_and_searched_again():
    sight = ScriptedSight(READ, known=False, learns=False)
    watch, items, pictures = watching(sight)
    feed(watch, (0.0, True), (0.1, True), (LOOK_AGAIN_S, True))
    assert items == [CameraTrouble("no board: set up the starting position", 0.0)]
    assert (sight.learned, pictures) == (2, [b"embedded"] * 2)
    sight.learns = True
    feed(watch, (9.0, True))
    assert items[1:] == [CameraTrouble(None, 0.0), Saw(READ, 9.0, b"embedded")]


def test_searches_for_a_board_become_rarer_until_something_moves():
    sight = ScriptedSight(known=False, learns=False)
    watch, _, _ = watching(sight)
    tries = []
    for tenths in range(2000):
        before = sight.learned
        watch.handle(Frame(IMAGE, tenths / 10, tenths), still=tenths != 1500)
        if sight.learned > before:
            tries.append(tenths / 10)
    assert tries == [0.0, 2.0, 6.0, 14.0, 30.0, 60.0, 90.0, 120.0, 150.1, 152.1, 156.1, 164.1, 180.1]


@pytest.mark.parametrize("between_games", [True, False])
def test_a_board_that_has_moved_is_learned_again_between_games_only(between_games):
    sight = ScriptedSight(MOVED, READ)
    watch, _, _ = watching(sight, between_games=lambda: between_games)
    feed(watch, (0.0, True), (LOOK_AGAIN_S, True))
    assert sight.learned == int(between_games)


@pytest.mark.parametrize("between_games", [True, False])
def test_pictures_that_the_learned_board_does_not_fit_are_reported_and_between_games_it_is_learned_again(between_games):
    class WrongSizeSight(ScriptedSight):
        def look(self, image):
            if not self.learned:
                raise BoardsideError("the picture is 640 x 480, and the board was learned at 1280 x 960")
            return super().look(image)

    watch, items, _ = watching(WrongSizeSight(READ), between_games=lambda: between_games)
    feed(watch, (0.0, True), (LOOK_AGAIN_S, True))
    assert items[0] == CameraTrouble("the picture is 640 x 480, and the board was learned at 1280 x 960", 0.0)
    assert (Saw(READ, LOOK_AGAIN_S, b"embedded") in items) == between_games


class LostCamera:
    """A camera that is lost at every picture; `lost` is called then."""

    name = "lost"

    def __init__(self, lost):
        self.lost, self.closed = lost, False

    def read(self):
        self.lost()
        raise CameraLost("the lost camera is gone: plug it in again")

    def close(self):
        self.closed = True


def test_a_lost_camera_is_reported_once_and_closed_and_reopened():
    items, opened = [], []

    def open_camera():
        opened.append(LostCamera(lambda: len(opened) == 3 and watch.stop()))
        return opened[-1]

    watch = CaptureLoop(
        open_camera, MotionGate, ScriptedSight(), CapturePorts(items.append, print, clock=lambda: 3.0), reopen_s=0.0
    )
    watch.run()
    assert items == [CameraTrouble("the lost camera is gone: plug it in again", 3.0)]
    assert [camera.closed for camera in opened] == [True] * 3


def test_an_unknown_camera_is_refused():
    with pytest.raises(UnknownCameraError):
        camera_source("telescope", time.monotonic)


@pytest.fixture(scope="module")
def look_at_simulated_table(tmp_path_factory):
    """The first look of the loop at a simulated table, and the file of the learned board."""
    path = tmp_path_factory.mktemp("simulated") / "calibration.npz"
    source = camera_source("simulated", time.monotonic)
    items = queue.SimpleQueue()
    watch = CaptureLoop(source.open, MotionGate, BoardTracker(path), CapturePorts(items.put, lambda _: None))
    thread = threading.Thread(target=watch.run)
    thread.start()
    try:
        look = next(item for item in iter(lambda: items.get(timeout=60), None) if isinstance(item, Saw))
    finally:
        watch.stop()
        thread.join()
    return look, path


def test_a_simulated_table_is_found_learned_and_read_through_its_camera(look_at_simulated_table):
    rules = rules_named("standard")
    look, path = look_at_simulated_table
    assert differing(look.observation, rules.visible(rules.start())) == ()
    assert look.picture.startswith(b"\xff\xd8")
    assert BoardTracker(path).known


def test_a_board_that_cannot_be_stored_is_still_used(look_at_simulated_table, monkeypatch, caplog):
    _, path = look_at_simulated_table
    monkeypatch.setattr(board_tracker, "learn_board", lambda *_, **__: load_board(path))
    sight = BoardTracker(Path("/proc/boardside.npz"))
    sight.learn(IMAGE)
    sight.keep()
    assert sight.known
    assert "cannot be saved in /proc/boardside.npz" in caplog.text


def test_a_damaged_calibration_is_replaced(tmp_path, caplog):
    path = tmp_path / "calibration.npz"
    path.write_bytes(b"rubbish")
    assert not BoardTracker(path).known
    assert "learned again" in caplog.text


BOARD = (((1, 0), (0, 0)), ((0, 0), (1, 0)))
"""A board before and after a turn."""


def following(*seen):
    """A sight and its watch, and the list whose last entry is the board that the turn under way began from."""
    sight, began = ScriptedSight(*seen), [None]
    watch, _, _ = watching(sight, confirmed=lambda: began[-1])
    return sight, watch, began


def test_the_picture_of_an_accepted_position_is_used_for_comparison():
    sight, watch, began = following(READ, READ)
    feed(watch, (0.0, False), (0.2, True))
    assert sight.confirmed == []
    began.append(BOARD[0])
    feed(watch, (0.3, False))  # the hand of the next player is there at once
    assert [board for _, board in sight.confirmed] == [BOARD[0]]
    assert sight.confirmed[0][0] is IMAGE
    feed(watch, (0.5, True), (0.6, True))
    assert len(sight.confirmed) == 1
    began.append(BOARD[1])
    feed(watch, (0.7, False))
    assert [board for _, board in sight.confirmed] == list(BOARD)


def test_an_unreadable_picture_is_never_used_for_comparison():
    sight, watch, began = following(DARK)
    feed(watch, (0.0, False), (0.2, True))
    began.append(BOARD[0])
    feed(watch, (0.3, False))
    assert sight.confirmed == []


def test_pictures_of_a_board_before_it_moved_are_not_used_once_another_is_learned():
    sight, watch, began = following(READ, MOVED, DARK)
    feed(watch, (0.0, False), (0.2, True), (0.3, False), (0.5, True), (0.6, False), (0.8, True))
    began.append(BOARD[0])
    feed(watch, (0.9, False))
    assert sight.known
    assert sight.confirmed == []
