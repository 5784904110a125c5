"""Draws chequered boards of random makes: `python -m training.chequered OUT.npz BOARDS SEED`.

It writes samples for `training.comparator`: patches of all squares in a learned look and in later ones, with labels.
Lengths are in squares (see `training.drawing`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.drawing import random_view, render
from training.foreign import random_thing
from training.lighting import later_light, random_lamp
from training.makes import (
    AROUND,
    TEXEL,
    BoardMake,
    any_colour,
    any_skin,
    colour,
    material,
    random_men,
    random_men_of_both,
    wood,
)
from training.scenes import DrawnScene, Man, Prism, add_strangers
from training.sensor import Sensor, scaled
from training.writing import COVERED, UNCLEAR, cover, write_samples
from vision.checkers.layout import GRID, LIGHT, SIDE
from vision.comparator import BLACK, EMPTY, OTHER, WHITE

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from vision.arrays import Picture, Singles


DARK = ~LIGHT.reshape(SIDE, SIDE)
EXTENT = np.array([SIDE, SIDE], float)
LOOKS = 4
"""Later pictures of each board."""
THINGS = 0.6
"""Share of the later pictures with foreign objects on the board."""


def random_make(chance: Generator) -> BoardMake:
    """A random make."""
    return _make_and_squares(chance)[0]


def _make_and_squares(chance: Generator) -> tuple[BoardMake, tuple[Singles, Singles]]:
    """A random make, and the colours of its dark and its light squares."""
    if chance.random() < 0.5:
        light, dark = wood(chance, 0.45, 1), wood(chance, 0.1, 0.6)
    else:
        light = colour(chance.uniform(0, 360), chance.uniform(0, 0.6), chance.uniform(0.45, 1))
        dark = colour(chance.uniform(0, 360), chance.uniform(0, 0.95), chance.uniform(0.04, 0.6))
    if chance.random() < 0.1:
        light, dark = dark, light
    careless = chance.uniform(0.02, 0.1) if chance.random() < 0.6 else chance.uniform(0.08, 0.2)
    thickness = chance.uniform(0.08, 0.36) if chance.random() < 0.85 else chance.uniform(0.02, 0.08)
    make = BoardMake(
        draw_bed(chance, dark, light),
        random_men_of_both(chance, dark, light),
        chance.uniform(0.27, 0.47),
        thickness,
        careless,
        chance.uniform(0, 0.12),
        any_colour(chance, 0.5) if chance.random() < 0.7 else any_colour(chance),
        any_skin(chance),
        any_colour(chance),
    )
    return make, (dark, light)


def draw_bed(chance: Generator, dark: Singles, light: Singles) -> Singles:
    """Albedo of the board and of the table around it."""
    size = (SIDE + 2 * AROUND) * TEXEL
    kind = str(chance.choice(["wood", "wood", "plain", "cloth", "stone"]))
    strength = chance.uniform(0.01, 0.15)
    y, x = np.mgrid[0:size, 0:size]
    row, column = y // TEXEL - AROUND, x // TEXEL - AROUND
    bed = np.empty((size, size, 3), np.float32)
    uneven = chance.uniform(0, 0.1) * (1 if chance.random() < 0.6 else 0.2)
    cells = SIDE + 2 * AROUND
    for chosen, base in (((row + column) % 2 == 0, dark), ((row + column) % 2 == 1, light)):
        texture = material(chance, size, kind)
        if kind == "wood" and chance.random() < 0.6:  # Every square is a piece of its own.
            start = np.kron(chance.integers(0, size, (cells, cells)), np.ones((TEXEL, TEXEL), int))
            texture = texture[(y + start) % size, (x + 3 * start) % size]
        tone = (
            1
            + uneven * chance.standard_normal((cells, cells, 1))
            + uneven / 3 * chance.standard_normal((cells, cells, 3))
        )
        tones = np.kron(tone, np.ones((TEXEL, TEXEL, 1)))
        drawn = base * (1 + chance.uniform(0.5, 1.2) * strength * texture[..., None]) * tones
        bed[chosen] = drawn[chosen]
    for _ in range(int(chance.integers(1, 16)) if chance.random() < 0.5 else 0):  # Stains, scratches, chips, prints.
        at = tuple(int(v) for v in chance.integers(AROUND * TEXEL, (SIDE + AROUND) * TEXEL, 2))
        pale = light if chance.random() < 0.4 else dark
        spot = tuple(float(v) for v in pale * chance.uniform(0.4, 1.6))
        if chance.random() < 0.3:
            to = tuple(int(v + d) for v, d in zip(at, chance.normal(0, TEXEL, 2), strict=True))
            cv2.line(bed, at, to, spot, 1, cv2.LINE_AA)
        else:
            cv2.circle(bed, at, int(chance.integers(1, 8)), spot, -1 if chance.random() < 0.6 else 1, cv2.LINE_AA)
    inside = (row >= 0) & (row < SIDE) & (column >= 0) & (column < SIDE)
    frame = wood(chance, 0.08, 0.8) if chance.random() < 0.5 else any_colour(chance)
    if chance.random() < 0.85:
        out = np.maximum(np.abs(x / TEXEL - cells / 2), np.abs(y / TEXEL - cells / 2)) - SIDE / 2
        wide = chance.uniform(0.05, 1.8)
        ring, table = ~inside & (out < wide), ~inside & (out >= wide)
        grain = 1 + strength * material(chance, size, kind)
        bed[ring] = (frame * grain[..., None])[ring]
        cloth = 1 + chance.uniform(0, 0.15) * material(chance, size, str(chance.choice(["wood", "cloth", "stone"])))
        bed[table] = (any_colour(chance) * cloth[..., None])[table]
    if chance.random() < 0.35:
        wide, ink = int(chance.integers(1, 3)), tuple(float(v) for v in frame * chance.uniform(0.2, 1.3))
        low, high = AROUND * TEXEL, (SIDE + AROUND) * TEXEL
        for at in range(low, high + 1, TEXEL):
            cv2.line(bed, (at, low), (at, high), ink, wide)
            cv2.line(bed, (low, at), (high, at), ink, wide)
    return np.clip(bed, 0.0, 1.2)


def _man(chance: Generator, make: BoardMake, side: int, row: int, column: int) -> Man:
    away = np.clip(chance.normal(0, make.careless, 2), -0.36, 0.36)
    if chance.random() < 0.08:
        away = chance.uniform(-0.36, 0.36, 2)
    if chance.random() < 0.015:
        away = chance.uniform(-0.5, 0.5, 2)
    bright = float(np.exp(chance.normal(0, make.unequal * (1 if chance.random() < 0.95 else 2))))
    return Man(side, column + 0.5 + away[0], row + 0.5 + away[1], chance.uniform(0, 360), bright)


def start(chance: Generator, make: BoardMake) -> list[Man]:
    """The starting position."""
    return [
        _man(chance, make, 0 if row < 3 else 1, row, column)
        for row in range(SIDE)
        for column in range(SIDE)
        if DARK[row, column] and row not in (3, 4)
    ]


def random_position(chance: Generator, make: BoardMake, earlier: list[Man]) -> list[Man]:
    """A random position: some of the `earlier` men stay exactly in place, the others are moved."""
    keep_share = chance.uniform(0.3, 0.97) if chance.random() < 0.6 else 0.0
    kept = [man for man in earlier if chance.random() < keep_share]
    taken = {(int(man.y), int(man.x)) for man in kept}
    before = {(int(man.y), int(man.x)) for man in earlier}
    empty = chance.uniform(0.3, 0.85)
    kings = 0.15 if chance.random() < 0.7 else 0.0
    crowned = _upside_down(chance, make) if chance.random() < 0.3 else None
    men = list(kept)
    for row in range(SIDE):
        for column in range(SIDE):
            if (row, column) in taken or not (DARK[row, column] or chance.random() < 0.03):
                continue
            if chance.random() < (0.85 if keep_share and (row, column) not in before else empty) or (
                not DARK[row, column] and chance.random() < empty
            ):
                continue
            man = _man(chance, make, int(chance.integers(2)), row, column)
            if chance.random() < kings:
                if crowned is None:
                    man.high, man.shift = 2, tuple(chance.normal(0, 0.04, 2))
                else:
                    man.of = crowned
            men.append(man)
    return men


def _upside_down(chance: Generator, make: BoardMake) -> BoardMake:
    """The make with its men upside down, as some players mark kings: another relief in the same colours."""
    first, second = (random_men(chance, men.albedo, None) for men in make.men)
    gloss = {"gloss": make.men[0].gloss, "shine": make.men[0].shine}
    return replace(make, men=(replace(first, **gloss), replace(second, **gloss)))


def lay_things(
    chance: Generator, make: BoardMake, squares: tuple[Singles, Singles], men: list[Man]
) -> list[Man | Prism]:
    """Some foreign objects, most of them on empty dark squares; `squares`: colours, dark first."""
    taken = {(int(man.y), int(man.x)) for man in men}
    free = [(row, column) for row in range(SIDE) for column in range(SIDE) if (row, column) not in taken]
    dark = [at for at in free if DARK[at]]
    things: list[Man | Prism] = []
    for _ in range(1 + int(chance.poisson(2.5))):
        at = chance.uniform(-0.5, SIDE + 0.5, 2)
        where = chance.random()
        on = dark if where < 0.7 else free
        if where < 0.85 and on:
            row, column = on[chance.integers(len(on))]
            at = np.array([column, row]) + 0.5 + np.clip(chance.normal(0, 0.12, 2), -0.45, 0.45)
        near = [np.hypot(*(at - one.middle)) for one in [*men, *things]]
        if min(near, default=9.0) > 2 * make.radius:
            things += random_thing(chance, make, *squares, at)
    return things


def beside(chance: Generator) -> list[Man]:
    """Captured men next to the board."""
    men = []
    for _ in range(int(chance.integers(0, 9)) if chance.random() < 0.5 else 0):
        along, away = chance.uniform(-0.8, 8.8), -0.65 - chance.uniform(0, 0.6)
        x, y = [(along, away), (along, 8 - away), (away, along), (8 - away, along)][chance.integers(4)]
        men.append(Man(int(chance.integers(2)), x, y, chance.uniform(0, 360), 1.0))
    return men


_BORDER_WIDTH = 0.035
"""Width, in squares, of the logistic curve of a man's label across the edge between two squares."""


def labels(men: list[Man], hidden: Picture) -> Singles:
    """Probability (64 x 4) of each class; a row of zeros where the content cannot be seen.

    Args:
        men: on the board.
        hidden: rectified map of what foreign objects, dice and hands hide, 0 to 255.
    """
    chances = np.zeros((SIDE * SIDE, 4), np.float32)
    chances[:, EMPTY] = 1
    for man in men:
        for row in range(SIDE):
            for column in range(SIDE):
                inside = 0.5 - max(abs(man.x - column - 0.5), abs(man.y - row - 0.5))
                if inside < -3 * _BORDER_WIDTH:
                    continue
                here = 1 / (1 + np.exp(-inside / _BORDER_WIDTH))
                cell = row * SIDE + column
                chances[cell, WHITE + man.side] = max(chances[cell, WHITE + man.side], here)
                chances[cell, EMPTY] = max(0.0, 1 - chances[cell, WHITE : BLACK + 1].sum())
    middles = np.rint(GRID.middles()).astype(int)
    for cell, (x, y) in enumerate(middles):
        part = hidden[y - 8 : y + 9, x - 8 : x + 9]
        if chances[cell, EMPTY] > 0.99:
            share = np.clip((part.mean() / 255 - UNCLEAR) / (COVERED - UNCLEAR), 0, 1)
            chances[cell] = np.eye(4)[EMPTY] * (1 - share) + np.eye(4)[OTHER] * share
        else:
            cover(chances[cell], part)
    total = chances.sum(axis=1, keepdims=True)
    return np.where(total > 0, chances / np.maximum(total, 1e-6), 0).astype(np.float32)


def board(chance: Generator) -> dict[str, NDArray]:
    """A make of board: patches of its learned look and of later ones, with their labels."""
    (make, squares), (view, corners), lamp, sensor = (
        _make_and_squares(chance),
        random_view(chance, EXTENT),
        random_lamp(chance, EXTENT),
        Sensor.random(chance),
    )
    men = start(chance, make)
    if chance.random() < 0.35:
        while True:
            men = random_position(chance, make, [])
            if min(sum(man.side == side for man in men) for side in (0, 1)) >= 2:
                break
    light, _ = render(chance, make, view, DrawnScene(men + beside(chance)), lamp)
    wrong = chance.normal(0, 1, (4, 2)) * chance.uniform(0, 0.012) * np.ptp(corners, axis=0).mean()
    learned = GRID.rectify(sensor.picture(light), corners + wrong)
    tone = GRID.light(learned)
    looks = [scaled(learned, np.float32(tone.scale))]
    label_sets = [labels(men, np.zeros(GRID.shape_px, np.uint8))]
    for _ in range(LOOKS):
        lit = later_light(chance, lamp, EXTENT, other=0.25, changed=0.25, striped=0.1)
        later = sensor.later(chance, 1.0 if chance.random() < 0.5 else 0.2)
        on_board = random_position(chance, make, men)
        things = lay_things(chance, make, squares, on_board) if chance.random() < THINGS else []
        round_things = [one for one in things if isinstance(one, Man)]
        prisms = [one for one in things if isinstance(one, Prism)]
        scene = DrawnScene(on_board + beside(chance) + round_things, prisms)
        add_strangers(chance, scene, EXTENT, hand=0.2, dice=0.2, edges=(0.25, 0.5))
        light, hidden = render(chance, make, view, scene, lit)
        moved = chance.uniform(0, 0.0015) if chance.random() < 0.75 else chance.uniform(0, 0.01)
        now_wrong = wrong + chance.normal(0, 1, (4, 2)) * moved * np.ptp(corners, axis=0).mean()
        seen = GRID.rectify(later.picture(light), corners + now_wrong)
        looks.append(GRID.in_light(seen, tone))
        label_sets.append(labels(on_board, GRID.rectify(hidden, corners + now_wrong)))
    return {"patches": np.stack([GRID.patches(look) for look in looks]), "labels": np.array(label_sets)}


if __name__ == "__main__":
    write_samples(board)
