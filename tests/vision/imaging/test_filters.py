"""Noise is measured relative to the light, and filtered in noisy pictures only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from places import PICTURES

from vision.cameras import load_picture
from vision.imaging import calmed
from vision.imaging.filters import noise_share

if TYPE_CHECKING:
    from vision.arrays import Picture


@pytest.fixture(scope="module")
def clean() -> Picture:
    return load_picture(PICTURES / "08-classic" / "00.jpg")


def noisy(picture: Picture, spread: float, light: float = 1.0) -> Picture:
    """The picture in that share of the light, with noise of that many grey levels."""
    noise = np.random.default_rng(1).normal(0, spread, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


def away(one: Picture, other: Picture) -> float:
    """Mean difference in grey levels."""
    return float(np.abs(one.astype(int) - other).mean())


def test_a_picture_without_noise_is_not_filtered(clean: Picture) -> None:
    assert calmed(clean) is clean


@pytest.mark.parametrize("spread", [8, 20, 30])
def test_filtering_reduces_noise(clean: Picture, spread: float) -> None:
    seen = noisy(clean, spread)
    assert away(calmed(seen), clean) < away(seen, clean) / 2


def test_noise_is_larger_in_darker_pictures(clean: Picture) -> None:
    bright, dim = noisy(clean, 2), noisy(clean, 2, light=0.3)
    assert calmed(bright) is bright
    assert noise_share(dim) > 2 * noise_share(bright)
    assert calmed(dim) is not dim
    assert away(calmed(dim), noisy(clean, 0, light=0.3)) < away(dim, noisy(clean, 0, light=0.3))


def test_noise_is_measured_in_black_pictures() -> None:
    assert noise_share(np.zeros((48, 64, 3), np.uint8)) == 0
