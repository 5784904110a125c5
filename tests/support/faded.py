"""Pictures that have lost some or all of their colours or contrast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.cameras import Picture


def paler(picture: Picture, share: float) -> Picture:
    """A picture that has kept that share of its colours; with 0 as in a camera's night mode."""
    grey = picture.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + (picture - grey) * share, 0, 255), np.uint8)


def hazy(picture: Picture, contrast: float, haze: float) -> Picture:
    """A picture that has kept that share of its contrast; `haze` grey levels are added."""
    return (contrast * picture + haze).astype(np.uint8)
