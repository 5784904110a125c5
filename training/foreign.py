"""Things that are no men of the board and may lie on it: coins, chips, other sets' checkers, dice, paper, keys, phones.

Lengths are in squares. Things with the colour and size of the board's own men are not drawn, as nobody could see that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from training.makes import any_colour, colour, men_colour, random_men
from training.scenes import CIRCLE, Man, Prism

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.makes import BoardMake, Men
    from vision.arrays import Floats, Singles


_UNLIKE = 0.14
"""Least difference of a colour from both sides' (greatest channel, square roots of linear light): twice what men of one
side differ by."""
_SMALLER, _LARGER = 0.77, 1.25
"""Radius over the men's radius up to which, and from which, a thing of a man's colour is no man by its size."""
_KINDS = {
    "checker": 0.3,
    "coin": 0.2,
    "chip": 0.16,
    "cube": 0.12,
    "paper": 0.08,
    "long": 0.07,
    "box": 0.03,
    "cap": 0.04,
}
"""Shares of the kinds of things."""


def random_thing(chance: Generator, make: BoardMake, bed: Singles, other: Singles, at: Floats) -> list[Man | Prism]:
    """The parts of a random thing at a place (x, y); `bed` and `other`: colours of the squares."""
    kind = str(chance.choice(list(_KINDS), p=list(_KINDS.values())))
    if kind in ("checker", "coin", "chip", "cap"):
        while True:
            radius, thickness, men = _disc(chance, make, kind, bed, other)
            differs = min(float(np.abs(np.sqrt(men.albedo) - np.sqrt(side.albedo)).max()) for side in make.men)
            share = radius / make.radius
            if differs > _UNLIKE * (1.5 if men.metal else 1) or not _SMALLER < share < _LARGER:
                break
        of = replace(make, men=(men, men), radius=radius, thickness=thickness)
        return [Man(0, at[0], at[1], chance.uniform(0, 360), 1.0, of=of, foreign=True)]
    turn = chance.uniform(0, 2 * np.pi)
    way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return [
        replace(one, outline=one.outline @ way + at, marks=[(m @ way + at, ink) for m, ink in one.marks])
        for one in _PRISMS[kind](chance)
    ]


def _disc(chance: Generator, make: BoardMake, kind: str, bed: Singles, other: Singles) -> tuple[float, float, Men]:
    """Radius, thickness and look of something round."""
    if kind == "checker":
        like = make.men[chance.integers(2)] if chance.random() < 0.4 else None
        own = chance.random() < 0.25
        albedo = make.men[chance.integers(2)].albedo if own else men_colour(chance, bed, other)
        radius = (
            make.radius * chance.uniform(0.85, 1.15)
            if chance.random() < 0.6 and not own
            else chance.uniform(0.15, 0.52)
        )
        return radius, make.thickness * chance.uniform(0.5, 1.5), random_men(chance, albedo, like)
    if kind == "coin":
        metal = chance.choice([chance.uniform(28, 45), chance.uniform(12, 25), 0.0])
        albedo = colour(
            metal, chance.uniform(0.25, 0.75) if metal else chance.uniform(0, 0.12), chance.uniform(0.12, 0.7)
        )
        coin = random_men(chance, albedo, None)
        rings = [(chance.uniform(0.88, 0.96), 0.04, chance.normal(0, 0.9), chance.normal(0, 0.25))]
        if chance.random() < 0.2:  # A rim of another metal.
            rings.append((0.98, chance.uniform(0.1, 0.2), 0.0, chance.uniform(-0.4, 0.5)))
        coin = replace(coin, rings=rings, slope=0.0, top=1.0, grain=chance.uniform(0, 0.2), metal=True)
        shine = {"gloss": chance.uniform(0.1, 1.6), "shine": chance.uniform(2, 30), "relief": chance.uniform(0.3, 3)}
        return chance.uniform(0.16, 0.45), chance.uniform(0.02, 0.08), replace(coin, **shine)
    albedo = any_colour(chance)
    if kind == "chip":
        chip = random_men(chance, albedo, None)
        spots = (int(chance.integers(3, 13)), any_colour(chance, 0.4) if chance.random() < 0.6 else any_colour(chance))
        rings = [*chip.rings, (chance.uniform(0.5, 0.7), 0.04, 0.0, chance.uniform(-0.6, 1))]
        return chance.uniform(0.3, 0.5), chance.uniform(0.04, 0.25), replace(chip, top=1.0, rings=rings, spots=spots)
    cap = replace(random_men(chance, albedo, None), slope=chance.uniform(-0.8, 0.8))
    return chance.uniform(0.1, 0.4), chance.uniform(0.04, 0.4), cap


def _rectangle(width: float, depth: float) -> Floats:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, depth / 2)


def _lit(colour_of: Singles, chance: Generator) -> Singles:
    return np.clip(colour_of * np.float32(chance.uniform(0.7, 1.1)), 0, 1.1)


def _cube(chance: Generator) -> list[Prism]:
    edge = chance.uniform(0.22, 0.75)
    side = any_colour(chance, 0.5) if chance.random() < 0.6 else any_colour(chance)
    ink = np.float32([0.02, 0.02, 0.02]) if side.mean() > 0.35 else np.float32([0.85, 0.9, 0.9])
    pips = [
        CIRCLE * edge * chance.uniform(0.07, 0.12) + np.array(at) * edge
        for at in [(-0.27, -0.27), (0.27, 0.27), (0, 0), (0.27, -0.27), (-0.27, 0.27)][: int(chance.integers(1, 6))]
    ]
    if chance.random() < 0.3:  # Figures of a doubling cube.
        pips = [_rectangle(0.08, 0.4) * edge + (left * edge, 0) for left in chance.uniform(-0.25, 0.25, 3)]
        pips.append(_rectangle(0.4, 0.08) * edge + (0, chance.uniform(-0.2, 0.2) * edge))
    top = _lit(side, chance)
    return [Prism(_rectangle(edge, edge), edge, top, side * 0.8, [(one, ink) for one in pips])]


def _paper(chance: Generator) -> list[Prism]:
    angle = np.sort(chance.uniform(0, 2 * np.pi, int(chance.integers(3, 8))))
    outline = np.column_stack([np.cos(angle), np.sin(angle)]) * chance.uniform(0.2, 0.9)
    if chance.random() < 0.6:
        outline = _rectangle(*chance.uniform(0.3, 1.8, 2))
    sheet = any_colour(chance, 0.6) if chance.random() < 0.7 else any_colour(chance)
    middle, reach = outline.mean(axis=0), float(np.abs(outline).max())
    marks = []
    if chance.random() < 0.5:  # A fold: one half is lit otherwise.
        half = (len(outline) + 1) // 2 + 1
        marks.append((outline[:half], np.asarray(sheet * np.float32(chance.uniform(0.55, 1.2)))))
    for _ in range(int(chance.integers(0, 6))):
        away = (0, reach * chance.uniform(-0.4, 0.4))
        line = np.add(_rectangle(reach * chance.uniform(0.2, 0.8), reach * 0.06), away)
        marks.append((line + middle, np.asarray(sheet * np.float32(0.3))))
    return [Prism(outline, chance.uniform(0, 0.15), _lit(sheet, chance), sheet * 0.7, marks)]


def _long(chance: Generator) -> list[Prism]:
    side = colour(chance.uniform(20, 50), chance.uniform(0, 0.5), chance.uniform(0.2, 0.9))
    side = side if chance.random() < 0.6 else any_colour(chance)
    length, width, high = chance.uniform(0.6, 3), chance.uniform(0.08, 0.3), chance.uniform(0.03, 0.25)
    parts = [Prism(_rectangle(length, width), high, _lit(side, chance), side * 0.7)]
    if chance.random() < 0.5:  # A key's bow, or a ring.
        bow = CIRCLE * chance.uniform(0.8, 1.8) * width + (length / 2, 0)
        hole = CIRCLE * width * 0.4 + (length / 2, 0)
        parts.append(Prism(bow, high, _lit(side, chance), side * 0.7, [(hole, np.float32([0.05, 0.05, 0.05]))]))
    return parts


def _box(chance: Generator) -> list[Prism]:
    width, depth = chance.uniform(1, 4), chance.uniform(0.8, 2)
    side = any_colour(chance) if chance.random() < 0.5 else np.float32(np.ones(3) * chance.uniform(0.02, 0.12))
    screen = _rectangle(width * 0.92, depth * 0.92)
    marks = [(screen, any_colour(chance, 0.02, 0.5))] if chance.random() < 0.6 else []
    away = np.array([chance.uniform(0.3, 0.5) * width, chance.uniform(0.3, 0.5) * depth])
    box = Prism(_rectangle(width, depth), chance.uniform(0.1, 0.8), _lit(side, chance), side * 0.7, marks)
    return [replace(box, outline=box.outline + away, marks=[(one + away, ink) for one, ink in marks])]


_PRISMS = {"cube": _cube, "paper": _paper, "long": _long, "box": _box}
