"""A camera that changes its contrast: dark and bright tones change differently, and are corrected."""

from __future__ import annotations

import numpy as np
import pytest
from labelled import answer, scenes
from places import PICTURES

from vision.imaging import same_tones

SCENES = scenes(PICTURES)[:3]


def with_power(picture: np.ndarray, power: float) -> np.ndarray:
    return np.rint(255 * (picture / 255) ** power).astype(np.uint8)


def of_many_tones() -> np.ndarray:
    tones = np.random.default_rng(3).integers(60, 200, (20, 20, 1))
    return np.repeat(np.repeat(tones, 10, axis=0), 10, axis=1).repeat(3, axis=2).astype(np.uint8)


@pytest.mark.parametrize("power", [0.75, 1.3])
@pytest.mark.parametrize("gain", [0.8, 1.0])
def test_a_changed_tone_curve_is_corrected(power: float, gain: float) -> None:
    known = of_many_tones()
    seen = known.copy()
    seen[40:90, 30:120] = (20, 25, 30)  # something has come onto it
    seen = with_power((seen * gain).astype(np.uint8), power)
    again = same_tones(seen, seen, known)
    factor = again[100:].astype(float) / known[100:]
    assert abs(factor - gain).max() < 0.05


def in_haze(picture: np.ndarray, share: float) -> np.ndarray:
    """The picture behind haze that transmits that share; more than 1 is contrast added by a camera."""
    return np.clip(picture * share + 190 * (1 - share), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("share", [0.6, 0.8, 1.2])
def test_haze_is_corrected(share: float) -> None:
    known = of_many_tones()
    seen = known.copy()
    seen[40:90, 30:120] = (20, 25, 30)
    seen = in_haze(seen, share)
    factor = same_tones(seen, seen, known)[100:].astype(float) / known[100:]
    assert np.ptp(factor) < 0.06
    assert np.ptp(seen[100:] / known[100:]) > 0.15


@pytest.mark.parametrize("share", [0.6, 0.7])
def test_haze_is_corrected_in_light_from_one_side(share: float) -> None:
    known = of_many_tones()
    light = np.linspace(0.75, 1.2, known.shape[1])[:, None]
    seen = in_haze(known * light, share)
    contrast = np.ptp((same_tones(seen, seen, known) / light / known)[:, 20:-20], axis=(0, 1)).max()
    assert contrast < 0.6 * np.ptp((seen / light / known)[:, 20:-20])


@pytest.mark.parametrize(
    "change", [lambda view: view, lambda view: view // 2, lambda view: np.minimum(view, 170) // 3 * 4]
)
def test_a_picture_in_other_light_is_not_changed(change) -> None:
    known = SCENES[0].start
    seen = change(known).astype(np.uint8)
    assert same_tones(seen, seen, known) is seen


def test_a_reflection_on_dark_tones_is_not_taken_for_a_changed_curve() -> None:
    known = of_many_tones()
    seen = np.where(known < 110, known + 25, known).astype(np.uint8)
    assert same_tones(seen, seen, known) is seen


@pytest.mark.parametrize("power", [0.8, 1.25])
def test_pictures_of_another_contrast_are_read(power: float) -> None:
    for scene in SCENES:
        told = [frame for frame in scene.frames[1:] if not frame.hand]
        assert [frame.grade(answer(scene.eye, with_power(frame.picture, power))) for frame in told] == ["right"] * len(
            told
        )


@pytest.mark.parametrize("share", [0.6, 0.8])
def test_pictures_in_haze_are_read(share: float) -> None:
    for scene in SCENES:
        told = [frame for frame in scene.frames[1:] if not frame.hand]
        assert {frame.grade(answer(scene.eye, in_haze(frame.picture, share))) for frame in told} == {"right"}


def test_light_from_one_side_is_not_taken_for_haze() -> None:
    for scene in SCENES:
        learned = scene.eye.calibration
        seen = (scene.frames[1].picture * np.linspace(0.5, 1, scene.start.shape[1])[:, None]).astype(np.uint8)
        assert same_tones(seen, learned.top.rectify(seen), learned.appearance.background.picture) is seen
