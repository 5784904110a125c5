"""What lies on a drawn board: checkers, dice, hands. Lengths are in columns or squares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.makes import BoardMake
    from vision.arrays import Floats, Singles


FACETS = 20
ANGLES = np.arange(FACETS) * 2 * np.pi / FACETS
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
"""A checker's outline, of radius 1."""


@dataclass
class Man:
    """A checker on the board: side 0 or 1, centre, rotation in degrees, brightness, and how many high.

    `of`: its make, if not the board's; `foreign`: whether it is not one of the board's men, but a coin, a chip or a
    checker of another set.
    """

    side: int
    x: float
    y: float
    turn: float
    bright: float
    high: int = 1
    shift: tuple[float, float] = (0.0, 0.0)
    of: BoardMake | None = None
    foreign: bool = False

    @property
    def middle(self) -> Floats:
        """Its centre (2)."""
        return np.array([self.x, self.y])


@dataclass
class Prism:
    """An object with a flat top: its convex outline (n x 2) on the bed, height, colours of top and wall, and marks.

    `marks`: outlines (n x 2) on the top and their colours.
    """

    outline: Floats
    high: float
    top: Singles
    wall: Singles
    marks: list[tuple[Floats, Singles]] = field(default_factory=list)

    @property
    def middle(self) -> Floats:
        """The mean (2) of its outline's corners."""
        return np.asarray(self.outline.mean(axis=0))


@dataclass
class DrawnScene:
    """Objects on the board; `dice`: (x, y, edge, turn); `hands`: as from `random_hand`. Both are drawn on top."""

    men: list[Man] = field(default_factory=list)
    prisms: list[Prism] = field(default_factory=list)
    dice: list[tuple[float, float, float, float]] = field(default_factory=list)
    hands: list[tuple[Floats, float, bool]] = field(default_factory=list)


def random_hand(chance: Generator, extent: Floats) -> tuple[Floats, float, bool]:
    """A hand with its arm from one edge: outlines of fingers, palm and arm, its height, and whether it has a sleeve."""
    tip = chance.uniform(0, 1, 2) * extent
    away = chance.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(away), np.sin(away)]), np.array([-np.sin(away), np.cos(away)])

    def limb(start: Floats, end: Floats, thin: float, thick: float) -> Floats:
        return np.concatenate([CIRCLE * thin + start, CIRCLE * thick + end])

    parts = []
    for place in (-0.45, -0.15, 0.15, 0.45)[: int(chance.integers(1, 5))]:
        end = tip + across * place + along * chance.uniform(0, 0.5)
        parts.append(limb(end, tip + across * place * 0.8 + along * 1.8, 0.17, 0.24))
    parts.append(limb(tip + along * 1.8, tip + along * 2.8, 0.55, 0.6))
    parts.append(limb(tip + along * 2.6, tip + along * 20, 0.5, 0.8))
    return np.array(parts), chance.uniform(0.3, 1.5), bool(chance.random() < 0.7)


def add_strangers(
    chance: Generator, scene: DrawnScene, extent: Floats, hand: float, dice: float, edges: tuple[float, float]
) -> None:
    """Put a hand and one or two dice on a scene with these chances; `edges`: least and greatest edge of a die."""
    if chance.random() < hand:
        scene.hands.append(random_hand(chance, extent))
    if chance.random() < dice:
        edge = chance.uniform(*edges)
        scene.dice = [
            (*(chance.uniform(0, 1, 2) * extent), edge, chance.uniform(0, np.pi))
            for _ in range(int(chance.integers(1, 3)))
        ]
