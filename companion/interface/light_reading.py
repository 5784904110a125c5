"""What the light and focus meter shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Lighting(StrEnum):
    """Whether the light is right for the camera."""

    GOOD = "good"
    DIM = "dim"
    DARK = "dark"
    CLIPPED = "clipped"


class Focus(StrEnum):
    """How sharp the picture is, compared with the sharpest seen."""

    SHARP = "sharp"
    SOFT = "soft"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class LightReading:
    """One reading: `brightness` and `sharpness` are from 0 to 1, the latter relative to the best picture seen."""

    lighting: Lighting
    brightness: float
    focus: Focus
    sharpness: float
