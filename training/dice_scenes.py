"""Random dice on random beds, near checkers and walls: flat, leaning, on a checker, or none.

Lengths are in sides of the die that is looked at, which lies near the origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from training.dice_tracing import BOX, CHECKER, DIE, LAMP, TRIANGLE, TracedScene, a_world
from training.makes import any_colour, wood_or_any

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from vision.arrays import Floats, Singles

    Records = NDArray[np.void]

FLAT, LEANING, RAISED, NONE = range(4)
_PROBABILITIES = (0.5, 0.3, 0.08, 0.12)
"""Probabilities that the die lies flat, leans, lies on a checker, or is missing."""
PIXELS, SIDE_PX = 96, 24
"""Width and height of a picture, and pixels a side in the plane of an upper face."""
_RATIOS = 0.36, 0.95
"""Range of a die's side over a checker's diameter, as `vision.dice` searches."""
_LEAST_TILT = 8.0
"""Least tilt of the upper face of a leaning die, in degrees."""


@dataclass
class DiceScene:
    """A scene; `dice[0]` is the one looked at, if there is one."""

    traced: TracedScene
    how: int

    @property
    def dice(self) -> Records:
        """All dice."""
        return self.traced.parts[0]


def random_scene(chance: Generator) -> DiceScene:
    """A random scene."""
    how = int(chance.choice(4, p=_PROBABILITIES))
    world, radius = a_world(), 0.5 / chance.uniform(*_RATIOS)
    scene = TracedScene(world)
    bed = wood_or_any(chance)
    world["ground"], world["rough"] = bed, chance.uniform(0.3, 0.95)
    world["grain"] = chance.choice([0.0, chance.uniform(0, 0.25)])
    world["scale"] = np.exp(chance.uniform(np.log(0.5), np.log(15), 2))
    turn = chance.uniform(0, 2 * np.pi)
    world["cosine"], world["sine"] = np.cos(turn), np.sin(turn)
    _camera(chance, world)
    scene.parts[4] = _lamps(chance, world)
    scene.parts[3] = _board_points(chance, radius)
    kinds = [_random_make(chance, radius, bed), _random_make(chance, radius, bed)]
    die = _die(chance)
    men: list[Any] = []
    if how == NONE:
        men = [_checker(kinds[0], *chance.normal(0, 0.4 * radius, 2))] if chance.random() < 0.8 else []
        scene.parts[2] = _maybe_wall(chance, [], chance.random() < 0.3)
    elif how == LEANING:
        men, scene.parts[2] = _leaning_die(chance, die, kinds[0], radius)
    elif how == RAISED:
        men = [_checker(kinds[0], *chance.uniform(-0.35, 0.35, 2) * radius)]
        die["centre"] = (0, 0, float(kinds[0]["tall"]) + 0.5)
    else:
        scene.parts[2] = _maybe_wall(chance, [die], chance.random() < 0.35)
        near = _checker_beside(chance, die, kinds[0], radius) if chance.random() < 0.4 else None
        men = [] if near is None else [near]
    dice = [] if how == NONE else [die]
    if chance.random() < 0.3 and not len(scene.parts[2]):
        dice += _second_die(chance, die, bool(dice), men)
    scene.parts[0] = np.array(dice, DIE)
    scene.parts[1] = np.array(men + _more_checkers(chance, dice, men, kinds, radius), CHECKER)
    return DiceScene(scene, how)


def _camera(chance: Generator, world: Any) -> None:
    tilt, turn, far = np.radians(chance.uniform(0, 52)), chance.uniform(0, 2 * np.pi), chance.uniform(18, 60)
    world["eye"] = far * np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    world["plane"], world["width"], world["height"] = 1.0, PIXELS, PIXELS
    world["corner"] = (-PIXELS / 2 / SIDE_PX, PIXELS / 2 / SIDE_PX)
    world["right"], world["down"] = (1 / SIDE_PX, 0), (0, -1 / SIDE_PX)
    world["foot"] = chance.uniform(0.6, 1.4)


def _lamps(chance: Generator, world: Any) -> Records:
    world["sky"] = np.exp(chance.normal(0, 0.1, 3)) * chance.uniform(0.05, 0.55)
    lamps = np.zeros(int(chance.integers(1, 3)), LAMP)
    for lamp in lamps:
        turn, up, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.35, 1.5), chance.uniform(20, 70)
        lamp["place"] = far * np.array([np.cos(turn) * np.cos(up), np.sin(turn) * np.cos(up), np.sin(up)])
        lamp["radius"] = far * np.exp(chance.uniform(np.log(0.02), np.log(0.3)))
        lamp["light"] = np.exp(chance.normal(0, 0.1, 3)) * chance.uniform(0.25, 0.9)
    return lamps


def _board_points(chance: Generator, radius: float) -> Records:
    """Some points of a board, side by side."""
    if chance.random() < 0.4:
        return np.zeros(0, TRIANGLE)
    wide, inks = 2 * radius / chance.uniform(0.8, 1), [wood_or_any(chance), wood_or_any(chance)]
    turn, start = chance.uniform(0, 2 * np.pi), chance.uniform(-1, 0) * wide
    foot, tip = chance.uniform(-10, 4), chance.uniform(3, 16)
    points = np.zeros(5, TRIANGLE)
    for number, point in enumerate(points):
        left = start + (number - 2) * wide
        x, y = np.array([left, left + wide, left + wide / 2]), np.array([foot, foot, foot + tip])
        point["x"], point["y"] = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
        point["colour"] = inks[number % 2]
    return points


def _random_make(chance: Generator, radius: float, bed: Singles) -> Any:
    """A checker of some make, at the origin; some are nearly of the bed's colour."""
    made = np.zeros(1, CHECKER)[0]
    made["radius"], made["tall"] = radius, 2 * radius * chance.uniform(0.1, 0.42)
    made["colour"] = wood_or_any(chance) if chance.random() < 0.8 else bed * np.exp(chance.normal(0, 0.15))
    made["second"], made["kind"] = wood_or_any(chance), chance.integers(6)
    made["rough"], made["ring"] = chance.uniform(0.1, 0.7), chance.uniform(0.25, 0.8)
    made["width"], made["dots"] = chance.uniform(0.03, 0.16), chance.integers(3, 9)
    return made


def _checker(make: Any, x: float, y: float, layer: int = 0) -> Any:
    one = make.copy()
    one["x"], one["y"], one["low"] = x, y, layer * float(make["tall"])
    return one


def _die(chance: Generator) -> Any:
    """A die of any make with any numbers, flat at the origin."""
    die = np.zeros(1, DIE)[0]
    die["side"], die["bevel"] = 1.0, chance.uniform(0.02, 0.22)
    die["ball"] = chance.uniform(0.69, 0.86) if chance.random() < 0.4 else 1.0
    body = (
        wood_or_any(chance)
        if chance.random() < 0.7
        else np.float32(chance.choice([0.02, 0.8]) * chance.uniform(0.7, 1))
    )
    body = np.broadcast_to(body, 3)
    while True:
        pip = any_colour(chance) if chance.random() < 0.3 else np.float32(chance.choice([0.015, 0.85])) * np.ones(3)
        if np.abs(np.sqrt(pip) - np.sqrt(body)).max() > 0.25:
            break
    die["body"], die["pip"] = body, pip
    die["one"] = (0.05, 0.04, 0.55) if chance.random() < 0.1 and np.abs(body - (0.05, 0.04, 0.55)).max() > 0.3 else pip
    die["pip_radius"], die["pitch"] = chance.uniform(0.06, 0.115), chance.uniform(0.225, 0.305)
    die["one_radius"] = die["pip_radius"] * (chance.uniform(1.3, 2.2) if chance.random() < 0.15 else 1)
    die["sunk"] = chance.uniform(0.2, 1) if chance.random() < 0.6 else 0
    die["clear"] = chance.uniform(0.1, 0.6) if chance.random() < 0.2 else 0
    die["rough"] = chance.uniform(0.1, 0.6)
    number = chance.permutation([1, 2, 3])
    pairs = [(one, 7 - one) if chance.random() < 0.5 else (7 - one, one) for one in number]
    die["numbers"], die["turned"] = np.ravel(pairs), chance.integers(0, 2, 6)
    die["turn"], die["centre"] = _rotation((0, 0, 1), chance.uniform(0, 2 * np.pi)), (0, 0, 0.5)
    return die


def _rotation(axis: Any, angle: float) -> Floats:
    """Rotation matrix (3 x 3) about a unit axis by an angle in radians."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _distances(die: Any, places: Floats) -> Floats:
    """Distances of places (n x 3) from a die as a cube with sharp edges."""
    inner = np.abs((places - die["centre"]) @ die["turn"]) - float(die["side"]) * 0.49
    return np.asarray(np.linalg.norm(np.maximum(inner, 0), axis=1) + np.minimum(inner.max(axis=1), 0))


def _rim(checker: Any) -> Floats:
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x, y = (float(checker[of]) + checker["radius"] * way(turns) for of, way in (("x", np.cos), ("y", np.sin)))
    low, high = float(checker["low"]), float(checker["low"] + checker["tall"])
    return np.vstack([np.column_stack([x, y, np.full(48, z)]) for z in (low, (low + high) / 2, high)])


def _checker_beside(chance: Generator, die: Any, make: Any, radius: float) -> Any | None:
    """A checker close to a flat die."""
    for _ in range(20):
        far, turn = radius + chance.uniform(0.5, 1.0), chance.uniform(0, 2 * np.pi)
        one = _checker(make, far * np.cos(turn), far * np.sin(turn))
        if _distances(die, _rim(one)).min() > 0:
            return one
    return None


def _leaning_die(chance: Generator, die: Any, make: Any, radius: float) -> tuple[list[Any], Records]:
    """Tilt a die, and put a checker or a wall where it supports the die; in a fifth of the cases nothing."""
    towards = chance.uniform(0, 2 * np.pi)
    axis = np.array([np.sin(towards), -np.cos(towards), 0.0])
    while True:
        turn = _rotation(axis, np.radians(chance.uniform(10, 80))) @ die["turn"]
        if np.abs(turn[2]).max() < np.cos(np.radians(_LEAST_TILT)):
            break
    rounded = 0.73 * float(die["bevel"])
    die["turn"], die["centre"] = turn, (0, 0, np.abs(turn[2]).sum() / 2 - rounded * 0.5)
    kind, way = chance.random(), np.array([np.cos(towards), np.sin(towards)])
    if kind < 0.5:
        for far in np.arange(radius + 1.0, 0.5 * radius, -0.02):
            one = _checker(make, *(far * way))
            if _distances(die, _rim(one)).min() < 0:
                break
        return [one], np.zeros(0, BOX)
    if kind < 0.8:
        wall = _wall(chance, towards)
        for far in np.arange(1.2, 0.0, -0.02):
            edge = np.linspace(-1, 1, 40)[:, None] * [-way[1], way[0]] + far * way
            high = float(wall["centre"][2] + wall["half"][2])
            if _distances(die, np.column_stack([edge, np.full(40, high)])).min() < 0:
                break
        wall["centre"][:2] = (far + float(wall["half"][0])) * way
        return [], np.array([wall], BOX)
    return [], np.zeros(0, BOX)


def _wall(chance: Generator, towards: float) -> Any:
    """A wall at right angles to a direction, before it is moved to its place."""
    wall = np.zeros(1, BOX)[0]
    high = chance.uniform(0.15, 1.6)
    wall["half"] = (chance.uniform(0.4, 3), 30, high / 2)
    wall["centre"][2], wall["cosine"], wall["sine"] = high / 2, np.cos(towards), np.sin(towards)
    wall["round"], wall["colour"] = min(0.1, 0.2 * high), wood_or_any(chance)
    wall["rough"], wall["grain"] = chance.uniform(0.2, 0.8), max(0.0, chance.uniform(-0.2, 0.3))
    return wall


def _maybe_wall(chance: Generator, dice: list[Any], some: bool) -> Records:
    """A wall near the middle, or none."""
    if not some:
        return np.zeros(0, BOX)
    towards = chance.uniform(0, 2 * np.pi)
    wall = _wall(chance, towards)
    far = chance.uniform(0.75, 2.0) if dice else chance.uniform(-0.5, 1.5)
    wall["centre"][:2] = (far + float(wall["half"][0])) * np.array([np.cos(towards), np.sin(towards)])
    return np.array([wall], BOX)


def _second_die(chance: Generator, die: Any, near: bool, men: list[Any]) -> list[Any]:
    """A second die, most often of the same make; none if it would touch something."""
    other = _die(chance)
    if chance.random() < 0.7:
        numbers, turned, turn = other["numbers"].copy(), other["turned"].copy(), other["turn"].copy()
        other = die.copy()
        other["numbers"], other["turned"], other["turn"] = numbers, turned, turn
    far, way = chance.uniform(1.0, 2.0), chance.uniform(0, 2 * np.pi)
    other["centre"] = (far * np.cos(way), far * np.sin(way), 0.5)
    things = [_rim(man) for man in men] + ([_corners(die)] if near else [])
    return [other] if all(_distances(other, places).min() > 0 for places in things) else []


def _corners(die: Any) -> Floats:
    ends = np.stack(np.meshgrid(*[[-0.5, 0, 0.5]] * 3), axis=-1).reshape(-1, 3)
    return np.asarray(die["centre"] + ends @ die["turn"].T)


def _more_checkers(chance: Generator, dice: list[Any], men: list[Any], kinds: list[Any], radius: float) -> list[Any]:
    """More checkers that touch nothing, some of them two high."""
    more: list[Any] = []
    for _ in range(int(chance.integers(0, 9))):
        one = _checker(kinds[int(chance.random() < 0.3)], *chance.uniform(-4, 4, 2))
        apart = all(np.hypot(one["x"] - man["x"], one["y"] - man["y"]) > 2 * radius for man in men + more)
        if apart and all(np.hypot(one["x"] - d["centre"][0], one["y"] - d["centre"][1]) > radius + 0.9 for d in dice):
            more.append(one)
            if chance.random() < 0.15:
                more.append(_checker(one, float(one["x"]), float(one["y"]), 1))
    return more
