"""Dice with known numbers, drawn onto boards of labelled scenes and read there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from drawn_dice import DrawnDie, LampLight, Look, draw

if TYPE_CHECKING:
    from labelled import Scene

    from companion.core import Die
    from vision.cameras import Picture

RED = Look((24, 24, 176), (245, 245, 245), bevel=0.1, pitch=0.26, pip_radius=0.085, clear=0.0, gloss=0.1)
IVORY = replace(RED, face=(200, 215, 225), pip=(30, 30, 30), pitch=0.22)
BLACK = replace(RED, face=(34, 32, 30), pitch=0.28, pip_radius=0.1)
LAMP = LampLight(np.array([0.3, 0.2, 0.93]), spread=0.2, ambient=0.5, strength=0.8)


def die(
    board: Scene, x: float, y: float, value: int, turn: np.ndarray, height: float = 0.0, size: float = 0.75
) -> DrawnDie:
    """A die whose lowest corner is at that height; any front and right face that fit its value.

    `size`: its side over a checker's diameter.
    """
    front = next(number for number in (1, 2) if number not in (value, 7 - value))
    right = next(number for number in (2, 3) if number not in (value, 7 - value, front, 7 - front))
    side = size * board.eye.calibration.layout.checker
    placed = DrawnDie(value, front, right, np.array([x, y, 0.0]), turn, side)
    return replace(placed, centre=np.array([x, y, height - placed.lowest]))


def drawn(board: Scene, *dice: DrawnDie, picture: Picture | None = None, look: Look = RED) -> Picture:
    """A picture of a board, by default of its starting position, with dice drawn into it."""
    picture = board.start if picture is None else picture
    for one in dice:
        picture = draw(picture, board.eye.calibration.pose, one, look, LAMP, [], np.random.default_rng(1))
    return picture


def lying(board: Scene, *dice: DrawnDie, picture: Picture | None = None, look: Look = RED) -> tuple[Die, ...]:
    """The dice that are read when drawn into a picture, by default the starting position."""
    return board.eye.look(drawn(board, *dice, picture=picture, look=look)).lying


def middle(board: Scene) -> float:
    """The y of the line halfway between both players."""
    return board.eye.calibration.layout.depth / 2
