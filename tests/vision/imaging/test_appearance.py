"""The appearance of a board, and how a change of light is distinguished from a change of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import Window
from vision.imaging import Appearance, BackgroundModel, colour_table, level, match_gain, to_lab8

if TYPE_CHECKING:
    from labelled import Scene


gains = st.tuples(*[st.floats(0.75, 1.3)] * 3)


def board(seed: int = 3) -> np.ndarray:
    """A raster similar to a board: triangles in two colours on a third."""
    picture = np.full((230, 270, 3), (60, 110, 70), np.uint8)
    for column in range(12):
        colour = (40, 50, 130) if column % 2 else (150, 180, 190)
        left = 8 + 21 * column
        for far in (0, 1):
            y, tip = (225, 130) if far else (5, 100)
            cv2.fillConvexPoly(picture, np.array([[left, y], [left + 20, y], [left + 10, tip]]), colour)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def lit(picture: np.ndarray, gain: tuple[float, ...]) -> np.ndarray:
    return np.clip(picture * np.array(gain), 0, 255).astype(np.uint8)


@settings(max_examples=20)
@given(gains)
def test_a_change_of_exposure_and_white_balance_is_estimated(gain: tuple[float, ...]) -> None:
    found = match_gain(lit(board(4), gain), board())
    assert found == pytest.approx(gain, rel=0.03)


@settings(max_examples=20)
@given(gains)
def test_checkers_and_a_hand_are_not_taken_for_a_change_of_light(gain: tuple[float, ...]) -> None:
    covered = board(4)
    cv2.rectangle(covered, (20, 20), (110, 210), (170, 190, 220), -1)
    cv2.circle(covered, (200, 60), 30, (30, 30, 30), -1)
    assert match_gain(lit(covered, gain), board()) == pytest.approx(gain, rel=0.05)


@settings(max_examples=20)
@given(gains)
def test_levelling_undoes_the_change(gain: tuple[float, ...]) -> None:
    before = board()
    view = lit(before, gain)
    after = level(view, match_gain(view, before))
    untouched = (view < 250).all(axis=2)
    assert np.abs(after[untouched].astype(int) - before[untouched]).mean() < 3


def test_an_object_over_the_only_unclipped_part_is_not_taken_for_a_change_of_light() -> None:
    """In bright light a board is clipped to white except for dark triangles, most of which have black checkers."""
    bright, dark = (250, 255, 255), (100, 95, 200)
    before = np.full((230, 270, 3), bright, np.uint8)
    for column in range(0, 12, 2):
        before[100:200, 8 + 21 * column : 22 + 21 * column] = dark
    after = lit(before, (1.05, 1.1, 1.2))
    for column in range(0, 10, 2):
        after[100:200, 8 + 21 * column : 22 + 21 * column] = (110, 105, 120)
    assert match_gain(after, before) == pytest.approx((1.05, 1.1, 1.2), rel=0.12)


def test_a_black_picture_gives_no_gain() -> None:
    assert (match_gain(np.zeros((230, 270, 3), np.uint8), board()) == 1).all()


def test_the_model_of_a_board_finds_it_more_likely_than_another_colour() -> None:
    ground = BackgroundModel(board())
    same = ground.log_density(to_lab8(board(5)).astype(np.float32))
    red = ground.log_density(to_lab8(np.full((230, 270, 3), (0, 0, 255), np.uint8)).astype(np.float32))
    assert np.median(same - red) > 5


def test_a_part_of_a_board_has_the_same_appearance_as_in_the_whole() -> None:
    appearance = Appearance(BackgroundModel(board()), (np.zeros((32, 32, 32), np.float32),) * 2)
    window, seen = Window(40, 60, 140, 130), board(5)
    part, whole = appearance.within(window).evidence(window.of(seen)), appearance.evidence(seen)
    for name in ("white", "black", "changed", "relief", "steep"):
        inside = slice(2, -2), slice(2, -2)  # a slope at the border has no neighbours there
        assert getattr(part, name)[inside] == pytest.approx(window.of(getattr(whole, name))[inside], abs=1e-4)


def test_a_learned_colour_is_more_likely_than_another() -> None:
    shown = np.array([[150, 128, 140]] * 500, np.uint8)
    table = colour_table(shown)
    assert table.shape == (32, 32, 32)
    near, far = table[150 >> 3, 128 >> 3, 140 >> 3], table[60 >> 3, 160 >> 3, 90 >> 3]
    assert near - far > 5
    assert np.isfinite(table).all()


@pytest.mark.parametrize("stops", [-0.3, 0.3])
def test_a_learned_board_has_the_same_appearance_in_more_and_less_light(oblique: Scene, stops: float) -> None:
    learned = oblique.eye.calibration
    view = learned.top.rectify(lit(oblique.start, (2**stops,) * 3))
    gain = match_gain(view, learned.top.rectify(oblique.start))
    assert gain == pytest.approx([2**stops] * 3, rel=0.06)


def test_a_sensor_that_clips_below_white_is_detected() -> None:
    bright = board()
    bright[:20] = 245
    seen = np.minimum(lit(bright, (1.2,) * 3), 238)
    appearance = Appearance(BackgroundModel(bright), (np.zeros((32, 32, 32), np.float32),) * 2)
    gain = np.full(3, 1.2, np.float32)
    assert appearance.saturation_gain(seen, gain) == pytest.approx(gain * 255 / 238, rel=0.01)


def test_without_clipped_pixels_the_sensor_has_its_full_range() -> None:
    appearance = Appearance(BackgroundModel(board()), (np.zeros((32, 32, 32), np.float32),) * 2)
    gain = np.full(3, 0.9, np.float32)
    assert appearance.saturation_gain(lit(board(), (0.9,) * 3), gain) == pytest.approx(gain)
