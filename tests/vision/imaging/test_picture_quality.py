"""The first thing to improve in a picture in which no board is found."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.board import LocateError
from vision.imaging import likely_cause
from vision.registry import kind_of

PICTURE = Scene.load(PICTURES / "09-leather").start


@pytest.mark.parametrize(
    ("harmed", "told"),
    [
        pytest.param((PICTURE * 0.04).astype(np.uint8), "turn on a lamp", id="dark"),
        pytest.param(cv2.convertScaleAbs(PICTURE, alpha=6), "shade the lamp", id="blown out"),
        pytest.param(cv2.GaussianBlur(PICTURE, (0, 0), 14), "out of focus", id="blurred"),
    ],
)
def test_a_bad_picture_is_reported_with_the_first_thing_to_improve(harmed, told):
    assert told in likely_cause(harmed)


@pytest.mark.parametrize("share", [0.3, 1.0, 1.3])
def test_for_a_normal_picture_nothing_is_reported(share):
    assert likely_cause(cv2.convertScaleAbs(PICTURE, alpha=share)) == ""


def test_if_a_board_is_not_found_in_the_dark_the_advice_is_more_light():
    with pytest.raises(LocateError, match="turn on a lamp"):
        kind_of("backgammon").find(np.full((240, 320, 3), 4, np.uint8), mirror=False)
