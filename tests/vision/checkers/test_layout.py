"""The size of checkers on a chequered board, if those of one side look like their squares."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.checkers.calibration import calibrate_checkers
from vision.checkers.layout import LIGHT, MIDDLES, START

SQUARE_PX, EDGE_PX = 80, 100
CORNERS = np.array([[0, 8], [8, 8], [8, 0], [0, 0]], np.float64) * SQUARE_PX + EDGE_PX


@pytest.mark.parametrize("diameter", [0.66, 0.76])
def test_the_diameter_of_dark_checkers_on_dark_squares_is_measured(diameter):
    picture = np.full((2 * EDGE_PX + 8 * SQUARE_PX, 2 * EDGE_PX + 8 * SQUARE_PX, 3), 90, np.uint8)
    for (x, y), light, (white, black) in zip(MIDDLES * 8, LIGHT, START, strict=True):
        middle = int(EDGE_PX + x * SQUARE_PX), int(EDGE_PX + (8 - y) * SQUARE_PX)
        corner = (middle[0] - SQUARE_PX // 2, middle[1] - SQUARE_PX // 2, SQUARE_PX, SQUARE_PX)
        cv2.rectangle(picture, corner, (150, 190, 215) if light else (36, 33, 31), -1)
        if white or black:
            colour = (225, 230, 235) if white else (41, 37, 36)
            cv2.circle(picture, middle, round(diameter * SQUARE_PX / 2), colour, -1, cv2.LINE_AA)
    noise = np.random.default_rng(5).normal(0, 2, picture.shape)
    seen = np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)
    assert calibrate_checkers(seen, CORNERS).squares.diameter == pytest.approx(diameter, abs=0.06)
