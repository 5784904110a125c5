"""Causes of unreadable pictures, which are reported in place of a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from gleams import added
from labelled import answer

from companion.core import Cause
from vision.geometry import Raster
from vision.imaging import colours_lost, holds_hand, thick_things

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
    return added(picture, cv2.GaussianBlur(lamp, (0, 0), 15))


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


DIAMETER = 20


def test_only_what_is_as_large_as_a_hand_or_reaches_over_the_frame_is_one() -> None:
    """A die and a checker that was found lie there, then a hand, then a finger from the upper edge."""
    top = Raster(np.eye(3, 4), 0.0, 1.0, 200.0, 0.1)
    changed = np.zeros(top.size[::-1], np.float32)
    checker = (170, 60)
    cv2.circle(changed, checker, DIAMETER // 2, 9.0, -1)
    die = np.s_[100:116, 60:76]
    changed[die] = 9.0
    seam = np.s_[210:213, 40:200]
    changed[seam] = 9.0
    things = thick_things(changed, DIAMETER, [checker])
    assert things[die].mean() > 0.9
    assert things.sum() == things[die].sum()
    assert not holds_hand(things, DIAMETER, top)
    finger = changed.copy()
    finger[:60, 100:116] = 9.0
    assert holds_hand(thick_things(finger, DIAMETER, [checker]), DIAMETER, top)
    hand = changed.copy()
    hand[130:180, 80:130] = 9.0
    assert holds_hand(thick_things(hand, DIAMETER, [checker]), DIAMETER, top)
    assert not holds_hand(thick_things(hand, DIAMETER, [checker], hand > 0), DIAMETER, top)
    assert holds_hand(thick_things(hand, DIAMETER, [checker]), DIAMETER, top, dice=False)


def test_colours_are_lost_where_a_channel_is_saturated() -> None:
    seen = np.full((1, 5, 3), 100, np.uint8)
    seen[0, 0], seen[0, 1] = 255, (100, 100, 252)
    where = np.array([[False, True, True, True, True]])
    assert colours_lost(seen, where, 252) == 0.25
    assert colours_lost(seen, where, 252.5) == 0.0
    assert colours_lost(seen, where, np.array([99.5, 255.0, 255.0], np.float32)) == 1.0
    assert colours_lost(seen, np.zeros_like(where), 252) == 0.0
