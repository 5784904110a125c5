"""Random makes of boards and checkers: colours, materials, shapes. Colours are B, G, R in linear light."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from vision.arrays import Floats, Singles


TEXEL = 26
"""Pixels per unit of length of the drawn bed."""
AROUND = 2
"""Units of length of table drawn around the board."""


def colour(hue: float, saturation: float, value: float) -> Singles:
    """Colour (B, G, R) of a hue in degrees, and saturation and value from 0 to 1."""
    part = np.array([[[hue % 360, np.clip(saturation, 0, 1), value]]], np.float32)
    return cv2.cvtColor(part, cv2.COLOR_HSV2BGR)[0, 0]


def any_colour(chance: Generator, darkest: float = 0.03, brightest: float = 0.95) -> Singles:
    """Any colour, many of them dull."""
    return colour(chance.uniform(0, 360), chance.beta(1, 1.4), chance.uniform(darkest, brightest))


def wood(chance: Generator, darkest: float, brightest: float) -> Singles:
    """A random colour of wood; darker ones are more saturated."""
    value = chance.uniform(darkest, brightest)
    return colour(chance.uniform(12, 44), chance.uniform(0.2, 0.75) * (1.15 - 0.5 * value), value)


def wood_or_any(chance: Generator) -> Singles:
    """A colour of wood, or more often any colour."""
    return wood(chance, 0.08, 0.9) if chance.random() < 0.3 else any_colour(chance)


def cloud(chance: Generator, size: int, across: float, along: float) -> Singles:
    """Random texture (size x size), features of these widths in pixels, standard deviation about 1."""
    small = chance.standard_normal((max(2, int(size / along)), max(2, int(size / across)))).astype(np.float32)
    return cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)


def material(chance: Generator, size: int, kind: str) -> Singles:
    """Texture of a material, standard deviation about 1."""
    if kind == "wood":
        fine = cloud(chance, size, chance.uniform(25, 90), chance.uniform(1.5, 4))
        grain = 0.6 * fine + 0.7 * cloud(chance, size, chance.uniform(60, 140), chance.uniform(5, 14))
        return grain if chance.random() < 0.5 else np.ascontiguousarray(grain.T)
    if kind == "cloth":
        weave = cv2.GaussianBlur(chance.standard_normal((size, size)).astype(np.float32), (0, 0), 0.8)
        return 1.8 * weave + 0.4 * cloud(chance, size, 20, 20)
    if kind == "stone":
        return cloud(chance, size, 18, 18) + 0.6 * cloud(chance, size, 7, 7)
    return np.zeros((size, size), np.float32)


@dataclass
class Men:
    """How the checkers of one side look.

    Attributes:
        albedo, wall: colour of the top and of the wall.
        top: radius of the top over that of the foot.
        slope: slope of the top over its radius, positive outwards.
        rings: grooves as (radius, width, depth, darkness).
        emblem: outline (n x 2, radii) and its brightness, or None.
        gloss, shine: strength and exponent of the reflection.
        grain: strength of the texture.
        relief: strength of a stamped relief, as of coins.
        metal: whether the reflection has the top's own colour.
        spots: number of spots around the edge, as of chips, and their colour, or None.
    """

    albedo: Singles
    wall: Singles
    top: float
    slope: float
    rings: list[tuple[float, float, float, float]]
    emblem: tuple[Floats, float] | None
    gloss: float
    shine: float
    grain: float
    relief: float = 0.0
    metal: bool = False
    spots: tuple[int, Singles] | None = None


@dataclass
class BoardMake:
    """A make of board and checkers.

    Attributes:
        bed: albedo of the board and of the table around it, `TEXEL` pixels a unit and `AROUND` units beside the board.
        men: how White's and Black's checkers look.
        radius, thickness: of the checkers.
        careless: standard deviation of their places.
        unequal: standard deviation of the logarithm of their brightness.
        dice, skin, sleeve: colours.
    """

    bed: Singles
    men: tuple[Men, Men]
    radius: float
    thickness: float
    careless: float
    unequal: float
    dice: Singles
    skin: Singles
    sleeve: Singles

    @property
    def extent(self) -> Floats:
        """Width and depth of the board."""
        depth, width = self.bed.shape[:2]
        return np.array([width, depth]) / TEXEL - 2 * AROUND


def random_men(chance: Generator, albedo: Singles, like: Men | None) -> Men:
    """Men of a colour, in the shape of the other side's or another one."""
    wall = np.clip(albedo * chance.uniform(0.5, 1.1), 0, 1)
    if like is not None:
        return replace(like, albedo=albedo, wall=wall)
    rings = [
        (chance.uniform(0.15, 0.95), chance.uniform(0.025, 0.09), chance.normal(0, 0.9), chance.normal(0, 0.25))
        for _ in range(int(chance.integers(0, 5)))
    ]
    emblem = None
    if chance.random() < 0.3:
        tips = int(chance.integers(2, 8))
        far = chance.uniform(0.25, 0.6)
        near = far * chance.uniform(0.3, 1)
        angle, radius = np.arange(2 * tips) * np.pi / tips, np.where(np.arange(2 * tips) % 2, near, far)
        emblem = (np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), chance.uniform(0.3, 1.8))
    slope = chance.choice([0.0, chance.uniform(0, 0.7), -chance.uniform(0, 0.4)], p=[0.4, 0.4, 0.2])
    glossy = chance.random() < 0.5
    return Men(
        albedo,
        wall,
        chance.uniform(0.72, 1) if chance.random() < 0.6 else 1.0,
        float(slope),
        rings,
        emblem,
        chance.uniform(0, 0.7) if glossy else 0.0,
        chance.uniform(6, 80),
        chance.uniform(0, 0.13),
    )


def men_colour(chance: Generator, bed: Singles, other: Singles) -> Singles:
    """A random colour of men: a third nearly that of the bed under them, some nearly the other colour beside it."""
    kind = chance.random()
    if kind < 0.33:
        base = bed * chance.uniform(0.5, 1.7) * (1 + chance.normal(0, 0.06, 3))
    elif kind < 0.48:
        base = other * chance.uniform(0.6, 1.15) * (1 + chance.normal(0, 0.05, 3))
    elif kind < 0.68:
        base = wood(chance, 0.1, 0.95)
    elif kind < 0.84:
        base = any_colour(chance)
    else:
        base = np.ones(3) * (chance.uniform(0.02, 0.2) if chance.random() < 0.5 else chance.uniform(0.7, 0.97))
    return np.clip(np.asarray(base, np.float32), 0.015, 1.0)


def random_men_of_both(chance: Generator, bed: Singles, other: Singles) -> tuple[Men, Men]:
    """Random men of both sides that clearly differ from each other."""
    while True:
        sides = men_colour(chance, bed, other), men_colour(chance, bed, other)
        apart = np.abs(np.sqrt(sides[0]) - np.sqrt(sides[1])).max()
        from_bed = min(float(np.abs(np.sqrt(one) - np.sqrt(bed)).max()) for one in sides)
        if apart > 0.2 and from_bed > 0.03:
            break
    white = random_men(chance, sides[0], None)
    return white, random_men(chance, sides[1], white if chance.random() < 0.7 else None)


def any_skin(chance: Generator) -> Singles:
    """The colour of somebody's hand."""
    return np.float32([0.32, 0.5, 0.8]) * np.float32(chance.uniform(0.25, 1.1)) * np.exp(chance.normal(0, 0.1, 3))
