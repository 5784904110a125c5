"""Random light on pictures of one camera: lamps that moved, shadows, reflections, haze, and what a poor sensor adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.arrays import Floats, Picture


GAMMA = 2.2
"""From grey levels to light."""


def in_random_light(picture: Picture, rng: np.random.Generator, gains: tuple[float, float]) -> Picture:
    """The picture in other light, each disturbance now and then; `gains`: least and greatest factor of all light."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width] / width
    light = (picture / 255.0) ** GAMMA * rng.uniform(*gains) * rng.normal(1, 0.03, 3)
    if rng.random() < 0.5:
        light *= _slope(x, y, rng)[..., None]
    if rng.random() < 0.35:
        light *= _shadow(x, y, rng)[..., None]
    grey = 255 * np.clip(light, 0, 4) ** (1 / GAMMA)
    if rng.random() < 0.3:
        grey += _gleam(x, y, rng)[..., None]
    if rng.random() < 0.3:
        veil = rng.uniform(0.05, 0.35)
        grey = (1 - veil) * grey + veil * rng.uniform(130, 230)
    if rng.random() < 0.4:
        grey = cv2.GaussianBlur(grey, (0, 0), rng.uniform(0.4, 1.6))
    grey += rng.normal(0, rng.uniform(0.5, 4), grey.shape)
    clipped = np.clip(np.rint(grey), 0, 255).astype(np.uint8)
    _, coded = cv2.imencode(".jpg", clipped, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _slope(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """A lamp that moved: factors that rise across the picture, by a third from its middle at most."""
    direction, rise = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.66)
    return np.asarray(np.clip(1 + rise * _along(x, y, direction), 0.3, None))


def _shadow(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """The shadow of something beside the board: factors, with a sharp or a soft edge."""
    direction, edge, depth = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3), rng.uniform(0.15, 0.6)
    softness = rng.choice([0.002, 0.01, 0.04, 0.1])
    away = _along(x, y, direction) - edge
    return np.asarray(1 - depth / (1 + np.exp(-np.clip(away / softness, -50, 50))))


def _along(x: Floats, y: Floats, direction: float) -> Floats:
    """Distance of each pixel from the picture's middle, in widths of the picture, in a direction (radians)."""
    return np.asarray((x - 0.5) * np.cos(direction) + (y - 0.4) * np.sin(direction))


def _gleam(x: Floats, y: Floats, rng: np.random.Generator) -> Floats:
    """A lamp's reflection: grey levels that it adds."""
    across, down = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.65)
    size, level = rng.uniform(0.03, 0.2), rng.uniform(30, 130)
    return np.asarray(level * np.exp(-((x - across) ** 2 + (y - down) ** 2) / (2 * size**2)))
