"""Pictures of tiles are stretched to the full range of grey levels."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tiles.contrast import ContrastStretch

CORNERS = np.array([[0.0, 39.0], [59.0, 39.0], [59.0, 0.0], [0.0, 0.0]])


@pytest.fixture(scope="module")
def hazy():
    """A picture with grey levels from 90 to 189 in all channels."""
    return np.random.default_rng(1).integers(90, 190, (40, 60, 3)).astype(np.uint8)


def test_the_darkest_level_becomes_black_and_the_brightest_white(hazy):
    seen = ContrastStretch.of(hazy, CORNERS).applied(hazy)
    assert seen.min() == 0
    assert seen.max() == 255
    assert (seen == 255).mean() < 0.1


def test_what_lies_outside_the_corners_does_not_count(hazy):
    wider = np.pad(hazy, ((0, 0), (0, 30), (0, 0)), constant_values=255)
    assert ContrastStretch.of(wider, CORNERS) == ContrastStretch.of(hazy, CORNERS)


def test_another_exposure_scales_what_is_seen_and_leaves_no_haze(hazy):
    stretch = ContrastStretch.of(hazy, CORNERS)
    seen = stretch.applied(hazy).astype(float)
    dimmer = stretch.applied((0.8 * hazy).astype(np.uint8), 0.8 * stretch.black)
    inside = (seen > 10) & (seen < 250)
    assert dimmer[inside] == pytest.approx(0.8 * seen[inside], abs=stretch.factor + 1)


def test_a_stretched_picture_is_undone_to_a_grey_level(hazy):
    stretch = ContrastStretch.of(hazy, CORNERS)
    unclipped = hazy.max(axis=2) < 180
    off = stretch.undone(stretch.applied(hazy)).astype(int) - hazy
    assert np.abs(off[unclipped]).max() <= 1


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_one_grey_level_has_a_finite_stretch(level):
    flat = np.full((40, 60, 3), level, np.uint8)
    assert np.isfinite(ContrastStretch.of(flat, CORNERS).factor)


def test_corners_outside_the_picture_change_nothing(hazy):
    assert ContrastStretch.of(hazy, CORNERS + 1000).applied(hazy) == pytest.approx(hazy)
