"""Pictures in a lamp's gleam."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.cameras import Picture


def with_gleam(picture: Picture, at: tuple[float, float], level: float, wide: float, gain: float) -> Picture:
    """A picture `gain` times as bright, with a lamp's gleam of that level at a pixel; `wide`: standard deviation."""
    y, x = np.indices(picture.shape[:2])
    gleam = level * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 2 / wide**2)
    return added(picture * gain, gleam)


def added(picture: Picture | np.ndarray, light: np.ndarray) -> Picture:
    """A picture with light (height x width, grey levels) added to it."""
    return np.clip(picture + light[..., None], 0, 255).astype(np.uint8)
