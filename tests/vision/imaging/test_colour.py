"""Hues that are left of a known picture's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging import hues_left

NOISE = np.random.default_rng(1)
BOARD = np.zeros((60, 90, 3), np.uint8)
BOARD[:, :30], BOARD[:, 30:60], BOARD[:, 60:] = (60, 90, 150), (90, 120, 70), (120, 120, 120)


def pale(picture: np.ndarray, share: float) -> np.ndarray:
    """A picture with that share of its saturation."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
    return np.clip(grey + (picture - grey) * share, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_hues_left_are_the_share_of_the_saturation(share):
    assert hues_left(pale(BOARD, share), BOARD) == pytest.approx(share, abs=0.06)


def test_neither_the_light_nor_something_on_the_board_takes_its_hues():
    seen = np.clip(BOARD * np.array([0.7, 0.9, 1.2]) * 0.8, 0, 255)
    seen[10:30, 20:60] = (30, 30, 200)
    assert hues_left(seen.astype(np.uint8), BOARD) == pytest.approx(1, abs=0.1)


def test_a_grey_board_has_no_hues_to_be_measured():
    board = np.repeat(NOISE.integers(60, 200, (60, 90, 1)), 3, axis=2).astype(np.uint8)
    assert hues_left(board, board) is None
