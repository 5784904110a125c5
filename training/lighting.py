"""Random light on a drawn board, and how it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from vision.arrays import Floats, Singles


@dataclass
class DrawnLight:
    """Light on a scene.

    Attributes:
        towards: unit vector to the lamp.
        ambient: share of light from everywhere.
        soft: standard deviation of the blur of shadows, per height.
        contact: darkness around the foot of a checker.
        tint, gradient, vignette: colour, and its change over the picture (natural logarithm).
        glare: reflections on the bed: (x, y), (width, height), strength, angle.
        stripes: edges of hard light and shade: outline (n x 2) on the bed and factor.
    """

    towards: Floats
    ambient: float
    soft: float
    contact: float
    tint: Singles
    gradient: Floats
    vignette: float
    glare: list[tuple[Floats, Floats, float, float]]
    stripes: list[tuple[Floats, float]]


def random_lamp(chance: Generator, extent: Floats) -> DrawnLight:
    """Light of a room: soft or hard, from any side, sometimes with glare, or with the edge of a shadow on the board."""
    up, around = np.radians(chance.uniform(22, 82)), chance.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
    glare = [
        (
            (chance.uniform(-0.1, 1.1, 2) * extent),
            chance.uniform(0.4, 3, 2),
            chance.uniform(0.05, 0.7),
            chance.uniform(0, 180),
        )
        for _ in range(int(chance.integers(1, 4)) if chance.random() < 0.25 else 0)
    ]
    stripes = []
    for _ in range(int(chance.integers(1, 4)) if chance.random() < 0.25 else 0):
        angle = chance.uniform(0, np.pi)
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        middle, wide = (chance.uniform(-0.1, 1.1, 2) * extent), chance.uniform(0.15, 3)
        far, off = 12 * along, wide * across
        edge = np.array([-far - off, far - off, far + off, off - far])
        stripes.append((middle + edge, float(np.exp(chance.normal(0, 0.45)))))
    strength = 0.05 if chance.random() < 0.6 else 0.13
    return DrawnLight(
        towards,
        chance.uniform(0.3, 0.9),
        chance.uniform(0.02, 0.35),
        chance.uniform(0, 0.5),
        np.exp(chance.normal(0, 0.06, 3)).astype(np.float32),
        chance.normal(0, strength, 2),
        chance.uniform(0, 0.15),
        glare,
        stripes,
    )


def interpolated(first: DrawnLight, second: DrawnLight, share: float) -> DrawnLight:
    """Interpolate from the first light towards the second by a share (0 to 1)."""
    towards = first.towards * (1 - share) + second.towards * share
    return replace(
        first,
        towards=towards / np.linalg.norm(towards),
        ambient=first.ambient * (1 - share) + second.ambient * share,
        tint=first.tint * np.float32(1 - share) + second.tint * np.float32(share),
        gradient=first.gradient * (1 - share) + second.gradient * share,
        stripes=second.stripes if share > 0.25 else first.stripes,
    )


def later_light(
    chance: Generator, light: DrawnLight, extent: Floats, other: float, changed: float, striped: float = 0.0
) -> DrawnLight:
    """The light some time later: with these probabilities another one, changed a little, or with other stripes."""
    now = chance.random()
    if now < other:
        return random_lamp(chance, extent)
    if now < other + changed:
        return interpolated(light, random_lamp(chance, extent), chance.uniform(0, 0.5))
    return replace(light, stripes=random_lamp(chance, extent).stripes) if now < other + changed + striped else light
