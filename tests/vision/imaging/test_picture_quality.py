"""What to mend first in a picture in which no board is found."""

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
def test_a_harmed_picture_says_what_to_mend_first(harmed, told):
    assert told in likely_cause(harmed)


@pytest.mark.parametrize("share", [0.3, 1.0, 1.3])
def test_a_picture_as_cameras_take_them_has_nothing_to_mend(share):
    assert likely_cause(cv2.convertScaleAbs(PICTURE, alpha=share)) == ""


def test_a_board_that_is_not_found_in_the_dark_asks_for_a_lamp():
    with pytest.raises(LocateError, match="turn on a lamp"):
        kind_of("backgammon").find(np.full((240, 320, 3), 4, np.uint8), mirror=False)
