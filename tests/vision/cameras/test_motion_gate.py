"""The decision whether the picture is still."""

from __future__ import annotations

import weakref

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cameras import Frame, MotionGate
from vision.cameras.motion_gate import HOLD_S

EVERY_S = 0.1
CHANCE = np.random.default_rng(5)
NOISE = [CHANCE.normal(0, 2.5, (480, 640, 3)) for _ in range(4)]


def board() -> np.ndarray:
    picture = np.full((480, 640, 3), (70, 110, 90), np.uint8)
    for column in range(12):
        cv2.circle(picture, (60 + 45 * column, 380), 20, (40, 40, 40) if column % 2 else (210, 220, 220), -1)
    return picture


BOARD = board()


def film(pictures: list[np.ndarray]) -> list[Frame]:
    """The pictures a tenth of a second apart, each with noise of its own."""
    return [
        Frame(np.clip(picture + NOISE[k % len(NOISE)], 0, 255).astype(np.uint8), k * EVERY_S, k)
        for k, picture in enumerate(pictures)
    ]


def gated(pictures: list[np.ndarray]) -> list[bool]:
    gate = MotionGate()
    return [gate.still(frame) for frame in film(pictures)]


def hand(x: int) -> np.ndarray:
    picture = board()
    cv2.ellipse(picture, (x, 150), (45, 150), 0, 0, 360, (130, 160, 210), -1)
    return picture


def test_noise_alone_is_no_motion() -> None:
    assert gated([BOARD] * 8) == [False, False, *[True] * 6]


def test_a_picture_counts_as_still_after_a_moment_without_motion() -> None:
    assert HOLD_S > EVERY_S
    gate = MotionGate(hold_s=0.3)
    assert [gate.still(frame) for frame in film([BOARD] * 5)] == [False, False, False, True, True]


def test_a_moving_hand_is_not_still() -> None:
    assert not any(gated([hand(200 + 12 * k) for k in range(8)]))


def test_a_hand_that_stops_for_less_than_a_moment_causes_no_reading() -> None:
    assert not any(gated([hand(200), hand(230), hand(230), hand(260), hand(260), hand(290)]))


def test_flickering_light_is_no_motion() -> None:
    flicker = [np.clip(BOARD * (1 + 0.02 * (-1) ** k), 0, 255).astype(np.uint8) for k in range(8)]
    assert all(gated(flicker)[2:])


def test_a_checker_set_down_is_motion_and_then_the_picture_is_still() -> None:
    with_one_more = board()
    cv2.circle(with_one_more, (300, 120), 20, (210, 220, 220), -1)
    assert gated([BOARD] * 4 + [with_one_more] * 4) == [False, False, True, True, False, False, True, True]


def test_a_change_of_the_picture_size_resets_the_gate() -> None:
    gate = MotionGate()
    for frame in film([BOARD] * 4):
        gate.still(frame)
    for number, size in enumerate([(320, 240), (320, 200)], 4):
        assert not gate.still(Frame(np.asarray(cv2.resize(BOARD, size)), number / 10, number))


def test_pictures_of_two_sizes_are_not_averaged() -> None:
    small = np.asarray(cv2.resize(BOARD, (320, 240)))
    gate = MotionGate()
    frames = [*film([BOARD] * 2), *(Frame(small, number / 10, number) for number in range(2, 6))]
    assert [gate.still(frame) for frame in frames][-1]
    assert gate.averaged(frames[-1]).image.shape == small.shape


@settings(max_examples=30)
@given(level=st.floats(0.5, 1.2), grain=st.floats(0.0, 1.2))
def test_a_still_board_counts_as_still_in_any_light_and_noise(level: float, grain: float) -> None:
    gate = MotionGate()
    frames = [
        Frame(np.clip(BOARD * level + grain * NOISE[k % 4], 0, 255).astype(np.uint8), k * EVERY_S, k) for k in range(4)
    ]
    assert [gate.still(frame) for frame in frames][2:] == [True, True]


def averaged(pictures: list[np.ndarray]) -> list[np.ndarray]:
    """The pictures that are read when the gate reports them as still."""
    gate = MotionGate()
    return [gate.averaged(frame).image for frame in film(pictures) if gate.still(frame)]


def noise_of(picture: np.ndarray, shown: np.ndarray) -> float:
    return float((picture.astype(np.float32) - shown).std())


def test_still_frames_are_averaged_for_the_first_reading() -> None:
    first, *later = averaged([hand(200), hand(230), *[BOARD] * 5])
    assert noise_of(first, BOARD) < 0.7 * noise_of(later[0], BOARD)
    assert all(noise_of(one, BOARD) > 2 for one in later)


def test_frames_before_a_motion_are_not_averaged() -> None:
    with_one_more = board()
    cv2.circle(with_one_more, (300, 120), 20, (210, 220, 220), -1)
    *_, seen, _ = averaged([BOARD] * 4 + [with_one_more] * 4)
    assert noise_of(seen, with_one_more) < 0.8 * 2.5


def test_a_picture_that_is_still_for_long_needs_no_more_memory() -> None:
    gate, seen = MotionGate(hold_s=5.0), []
    for number in range(60):
        frame = Frame(BOARD.copy(), number * EVERY_S, number)
        seen.append(weakref.ref(frame.image))
        if gate.still(frame) and number == 55:
            assert sum(one() is not None for one in seen) <= 9
            gate.averaged(frame)
    del frame
    assert not any(one() is not None for one in seen)
