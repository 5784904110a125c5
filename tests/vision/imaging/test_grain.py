"""The grain of a table is seen in any light, but not through what lies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.imaging import Grain

if TYPE_CHECKING:
    from vision.cameras import Picture

REACH_PX = 6.0
CHANGED, INSIDE = (slice(40, 120), slice(60, 160)), (slice(56, 104), slice(76, 144))
"""A part of the raster that is in another light, or covered, and the same without what is near its edge."""


def wood(seed: int, contrast: float = 14.0) -> Picture:
    """A raster of a table with a grain of that many grey levels along its width."""
    noise = np.random.default_rng(seed).normal(0, 1, (160, 240))
    grain = cv2.GaussianBlur(noise, (0, 0), 8, sigmaY=1.5)
    grey = 120 + contrast * grain / grain.std()
    return np.clip(grey[..., None] * (0.8, 1.0, 1.2), 0, 255).astype(np.uint8)


def with_noise(picture: np.ndarray, levels: float = 2.0) -> Picture:
    """A picture as a sensor takes it."""
    noise = np.random.default_rng(7).normal(0, levels, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("factor", "added"), [(1.0, 0.0), (0.4, 0.0), (1.4, 0.0), (1.0, 80.0), (0.7, 60.0)],
    ids=["as it is", "shadow", "lamp", "reflection", "haze"],
)  # fmt: skip
def test_the_grain_is_seen_in_any_light(factor: float, added: float) -> None:
    table = wood(1)
    lit = table.astype(np.float32)
    lit[CHANGED] = lit[CHANGED] * factor + added
    assert Grain(table, REACH_PX).seen_in(with_noise(lit))[INSIDE].mean() > 0.95


def test_little_of_the_grain_seems_to_be_seen_through_another_thing_of_the_same_wood() -> None:
    table = wood(1)
    covered = table.copy()
    covered[CHANGED] = wood(2)[CHANGED] // 2 + 60
    seen = Grain(table, REACH_PX).seen_in(with_noise(covered))
    assert seen[INSIDE].mean() < 0.3
    assert seen[:, 190:].mean() > 0.95


def test_a_surface_without_grain_is_seen_nowhere() -> None:
    plain = np.full((160, 240, 3), 120, np.uint8)
    assert not Grain(plain, REACH_PX).seen_in(with_noise(plain)).any()
