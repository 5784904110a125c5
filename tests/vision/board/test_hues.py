"""Hues that are left of a known picture's."""

from __future__ import annotations

import numpy as np
import pytest
from faded import paler

from vision.board import BoardHues

NOISE = np.random.default_rng(1)
BOARD = np.zeros((60, 90, 3), np.uint8)
BOARD[:, :30], BOARD[:, 30:60], BOARD[:, 60:] = (60, 90, 150), (90, 120, 70), (120, 120, 120)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
def test_hues_left_are_the_share_of_the_saturation(share):
    assert BoardHues(BOARD).left(paler(BOARD, share)) == pytest.approx(share, abs=0.06)


def test_neither_the_light_nor_something_on_the_board_takes_its_hues():
    seen = np.clip(BOARD * np.array([0.7, 0.9, 1.2]) * 0.8, 0, 255)
    seen[10:30, 20:60] = (30, 30, 200)
    assert BoardHues(BOARD).left(seen.astype(np.uint8)) == pytest.approx(1, abs=0.1)


def test_a_grey_board_has_no_hues_to_be_measured():
    board = np.repeat(NOISE.integers(60, 200, (60, 90, 1)), 3, axis=2).astype(np.uint8)
    assert BoardHues(board).left(board) is None
