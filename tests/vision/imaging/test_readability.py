"""Causes of unreadable pictures, which are reported in place of a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from labelled import answer

from companion.core import Cause

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelled import Labelled, Scene

    Harm = Callable[[np.ndarray], np.ndarray]


def darkened(picture: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(picture * 0.04 + noise, 0, 255).astype(np.uint8)


def blurred(picture: np.ndarray) -> np.ndarray:
    return cv2.GaussianBlur(picture, (0, 0), 12)


def under_a_reflected_lamp(picture: np.ndarray) -> np.ndarray:
    height, width = picture.shape[:2]
    lamp = np.zeros((height, width), np.float32)
    cv2.ellipse(lamp, (width // 2, height // 2), (width // 4, height // 4), 0, 0, 360, 500, -1)
    return np.clip(picture + cv2.GaussianBlur(lamp, (0, 0), 15)[..., None], 0, 255).astype(np.uint8)


def moved(dx: float, dy: float, degrees: float) -> Harm:
    def harm(picture: np.ndarray) -> np.ndarray:
        height, width = picture.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
        turn[:, 2] += dx, dy
        return cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)

    return harm


HARMED = [
    pytest.param(darkened, Cause.DARK, id="dark"),
    pytest.param(blurred, Cause.BLUR, id="blurred"),
    pytest.param(under_a_reflected_lamp, Cause.GLARE, id="a lamp reflected"),
    pytest.param(moved(140, -90, 0), Cause.MOVED_CAMERA, id="shifted"),
    pytest.param(moved(-20, 10, 12), Cause.MOVED_CAMERA, id="turned"),
]


@pytest.mark.parametrize(("harm", "cause"), HARMED)
def test_an_unreadable_picture_has_a_cause(scene: Scene, harm: Harm, cause: Cause) -> None:
    assert scene.eye.look(harm(scene.frames[2].picture)).unreadable is cause


def test_a_good_picture_has_no_cause(scene: Scene) -> None:
    looks = zip(scene.frames, scene.looks, strict=True)
    causes = {frame.file.name: look.unreadable for frame, look in looks if not frame.hand}
    assert causes == dict.fromkeys(causes)


def test_a_hand_over_the_board_is_detected(oblique: Scene, hand: Labelled) -> None:
    assert oblique.eye.look(hand.picture).unreadable is Cause.HAND


def test_a_hand_in_less_light_is_detected(oblique: Scene, hand: Labelled) -> None:
    dimmer = (hand.picture * 0.75).astype(np.uint8)
    assert oblique.eye.look(dimmer).unreadable is Cause.HAND


SLIGHTLY_HARMED = [
    pytest.param(moved(3, -2, 0), id="shifted a little"),
    pytest.param(moved(12, 8, 0.5), id="knocked a little"),
    pytest.param(lambda picture: cv2.GaussianBlur(picture, (0, 0), 2), id="a little out of focus"),
    pytest.param(lambda picture: cv2.GaussianBlur(picture, (0, 0), 5), id="out of focus"),
    pytest.param(lambda picture: (picture * 0.4).astype(np.uint8), id="dim"),
    pytest.param(lambda picture: cv2.convertScaleAbs(picture, alpha=1.8), id="bright"),
    pytest.param(lambda picture: cv2.convertScaleAbs(picture, alpha=0.6, beta=60), id="hazy"),
]


@pytest.mark.parametrize("harm", SLIGHTLY_HARMED)
def test_a_difficult_picture_is_read_correctly_or_refused(oblique: Scene, harm: Harm) -> None:
    frame = oblique.frames[1]
    assert frame.grade(answer(oblique.eye, harm(frame.picture))) != "wrong"
