"""Models of one board under several brightnesses of its pictures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.imaging import ExposureCache


def brighter(share: float) -> np.ndarray:
    return np.full(3, share, np.float32)


@pytest.fixture
def made() -> list[float]:
    return []


@pytest.fixture
def exposures(made: list[float]) -> ExposureCache[float]:
    def make(gain: np.ndarray) -> float:
        made.append(round(float(gain[0]), 3))
        return made[-1]

    return ExposureCache(make, 2)


def test_a_model_is_made_once_for_pictures_of_one_brightness(exposures, made):
    assert exposures.under(brighter(1.2)) == exposures.under(brighter(1.201))
    assert len(made) == 1


def test_darker_pictures_are_read_with_what_was_learned(exposures, made):
    exposures.under(brighter(0.5))
    assert made == [1.0]


def test_a_model_is_for_pictures_about_as_bright_as_the_brightest_channel(exposures):
    assert exposures.under(np.array([1.0, 1.1, 1.5], np.float32)) == pytest.approx(1.5, rel=0.06)


def test_the_most_recently_used_model_is_evicted_last(exposures, made):
    for share in (1.0, 1.5, 1.0, 2.0, 1.0):
        exposures.under(brighter(share))
    assert len(made) == 3


def test_a_relocated_board_keeps_its_models_and_makes_new_ones_separately(exposures):
    first = exposures.under(brighter(1.0))
    transferred = exposures.transferred(lambda gain: -float(gain[0]))
    assert transferred.under(brighter(1.0)) == first
    assert transferred.under(brighter(1.5)) < 0
    assert exposures.under(brighter(1.5)) > 0


@given(shares=st.lists(st.floats(0.5, 2.5), min_size=1, max_size=12), asked=st.floats(0.5, 2.5))
def test_the_model_for_a_brightness_does_not_depend_on_earlier_requests(shares, asked):
    kept = ExposureCache(lambda gain: round(float(gain[0]), 4), 2)
    for share in shares:
        kept.under(brighter(share))
    assert kept.under(brighter(asked)) == ExposureCache(lambda gain: round(float(gain[0]), 4)).under(brighter(asked))


def test_a_lamp_that_flickers_around_the_border_of_two_steps_makes_only_two_models(exposures, made):
    for share in (1.195, 1.21) * 5:
        exposures.under(brighter(share))
    assert len(made) == 2
