"""Traces random boards of tiles: `python -m training.tiles OUT.npz BOARDS SEED` (needs a C compiler).

It writes samples for `training.learn_slots`: turned patches of the cubes of a starting position, and of places in
later positions, of table and tiles without cubes there, and what the places hold. Lengths are in sides of a cube.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion.core import CHECKERS
from training.dice_tracing import BOX, TracedScene
from training.makes import wood_or_any
from training.sensor import Sensor
from training.tile_makes import CUBE_PX, a_box, middles, random_make
from training.writing import write_samples
from vision.board import BLACK, EMPTY, OTHER, POINTS, START, WHITE
from vision.tiles.comparison import PATCH_CUBES, cube_patches

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.tile_makes import TileMake
    from vision.arrays import Floats, Ints, Picture, Singles

    Cubes = list[tuple[int, float, float]]
    """Side, and place (x, y) of the centre, of each cube."""

MOST_IN_SPACE = 8
"""Largest number of cubes in a space of a later position."""
LOOKS, PLACES = 3, 64
"""Later pictures of each board, and places in each."""
RAYS = 4
"""Light paths per pixel."""
_EMPTY_FROM = 0.62
"""Distance from the nearest cube from which a place is empty."""
_LEAST_SHOWN = 0.35
"""Least visible share of a cube whose place is labelled."""
_SHOWN_PX, _SHOWN_SIZE = 6, (160, 460)
"""Resolution in pixels a cube, height and width of the picture in which hidden cubes are found."""
_HALO = 2.2
"""Radius around a known cube within which the table is filled in, as the product does."""


def starting_cubes(chance: Generator, make: TileMake) -> Cubes:
    """The cubes of the starting position."""
    held = {point: (WHITE, white) if white else (BLACK, black) for point, (white, black) in enumerate(START)}
    return _laid(chance, make, held)


def later_cubes(chance: Generator, make: TileMake) -> tuple[Cubes, list[Floats]]:
    """Cubes of a random later position, and the places behind the last ones of the spaces, which are empty."""
    held: dict[int, tuple[int, int]] = {}
    for side in (WHITE, BLACK):
        left = int(chance.integers(4, CHECKERS + 1))
        while left:
            point = int(chance.integers(POINTS))
            if point in held:
                continue
            held[point] = side, min(left, MOST_IN_SPACE, int(chance.geometric(0.4)))
            left -= held[point][1]
    numbers = [held.get(point, (EMPTY, 0))[1] for point in range(POINTS)]
    behind = [make.place(point, number + more) for point, number in enumerate(numbers) for more in range(3)]
    return _laid(chance, make, held), behind


def _laid(chance: Generator, make: TileMake, held: dict[int, tuple[int, int]]) -> Cubes:
    """Cubes by point: their side and number."""
    cubes: Cubes = []
    for point, (side, count) in held.items():
        for index in range(count):
            for _ in range(20):
                x, y = make.place(point, index) + chance.normal(0, make.careless, 2)
                if all(max(abs(x - u), abs(y - v)) > 1.0 for _, u, v in cubes):
                    break
            cubes.append((side, float(x), float(y)))
    return cubes


def _traced(chance: Generator, make: TileMake, cubes: Cubes, more: list[Any]) -> Singles:
    """The raster with these cubes and other boxes, in linear light."""
    boxes = []
    for side, x, y in cubes:
        box = a_box((x, y, 0.5), (0.5, 0.5), make.inks[side], make.rough, 0.0)
        turn = chance.normal(0, make.twist)
        box["cosine"], box["sine"] = np.cos(turn), np.sin(turn)
        boxes.append(box)
    scene = TracedScene(make.scene.world, list(make.scene.parts))
    scene.parts[2] = np.concatenate([make.scene.parts[2], np.array(boxes + more, BOX)])
    # a few paths of light find a small lamp by chance: single bright pixels
    return np.asarray(cv2.medianBlur(scene.picture(RAYS, int(chance.integers(1 << 31))), 3), np.float32)


def _strangers(chance: Generator, make: TileMake) -> list[Any]:
    """Things that are neither cubes nor board, beside the line."""
    found = []
    for _ in range(int(chance.integers(1, 4)) if chance.random() < 0.25 else 0):
        half = chance.uniform(0.3, 1.5), chance.uniform(0.05, 0.7)
        x = chance.uniform(-0.5, 0.5) * make.length
        y = (make.tile / 2 + chance.uniform(0.8, 5)) * chance.choice([-1, 1])
        found.append(a_box((x, y, half[1]), half, wood_or_any(chance), chance.uniform(0.2, 0.9), 0.0))
    return found


def board_samples(chance: Generator) -> dict[str, NDArray[Any]]:
    """A make of board: its known cubes, and places in later pictures."""
    make = random_make(chance)
    sensor = Sensor.random(chance)
    sensor.gamma = chance.uniform(0.4, 0.55)
    nothing, cubes = _traced(chance, make, [], []), starting_cubes(chance, make)
    sensor.exposure = chance.uniform(0.35, 1.25) / max(0.02, float(np.percentile(nothing.max(axis=2), 90)))
    start = sensor.picture(_traced(chance, make, cubes, []))
    ground = _without_cubes(make, start, sensor.picture(nothing), cubes)
    scale = 1 + chance.normal(0, 0.04)
    at = _silhouettes(make, np.array([(x, y) for _, x, y in cubes]))
    off = chance.normal(0, 0.05, (len(at), 2))
    patches, lifts = _patches(make, start, at + off, scale)
    known = {"known": patches, "known_place": _in_patches(at), "known_lift": lifts}
    known["known_side"] = np.array([side for side, *_ in cubes], np.int8)
    looks = [_later(chance, make, sensor, ground, scale) for _ in range(LOOKS)]
    return known | {name: np.concatenate([one[name] for one in looks]) for name in looks[0]}


def _later(chance: Generator, make: TileMake, sensor: Sensor, ground: Picture, scale: float) -> dict[str, NDArray[Any]]:
    """Places in a later picture."""
    cubes, behind = later_cubes(chance, make)
    others = _strangers(chance, make)
    free = [one for one in cubes if not _touches(np.array(one[1:]), others)]
    light = _traced(chance, make, free, others)
    if chance.random() < 0.35:
        light = light * _changed_light(chance, light.shape[:2])[..., None]
    seen = sensor.later(chance, 0.7 if chance.random() < 0.4 else 0.1).picture(light)
    ratio = (ground.astype(np.float32) + 1) / (seen.astype(np.float32) + 1)
    view = np.clip(seen * np.median(ratio.reshape(-1, 3)[::7], axis=0), 0, 255).astype(np.uint8)
    places, labels = _queries(chance, make, free, others, behind)
    patches, lifts = _patches(make, view, places, scale)
    bare, _ = _patches(make, ground, places, scale)
    return {"seen": patches, "bare": bare, "place": _in_patches(places), "lift": lifts, "label": labels}


def _changed_light(chance: Generator, shape: tuple[int, int]) -> Singles:
    """Factor of the light (height x width) in a wide shadow or beside a new lamp, partly followed by the product."""
    height, width = shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(height)
    turn, soft = chance.uniform(0, 2 * np.pi), np.exp(chance.uniform(np.log(0.05), np.log(2)))
    away = (x - chance.uniform(0, width / height)) * np.cos(turn) + (y - chance.uniform(0, 1)) * np.sin(turn)
    return np.asarray(1 - chance.uniform(-0.3, 0.35) / (1 + np.exp(-away / soft)), np.float32)


def _queries(
    chance: Generator, make: TileMake, cubes: Cubes, others: list[Any], behind: list[Floats]
) -> tuple[Floats, Ints]:
    """Places (silhouettes' middles) to read, and what they hold."""
    feet = np.array([(x, y) for _, x, y in cubes]).reshape(-1, 2)
    sides = np.array([side for side, *_ in cubes], int)
    order = chance.permutation(np.flatnonzero(_shown(make, feet) > _LEAST_SHOWN))[: PLACES // 2]
    shown = feet[order] + chance.normal(0, 0.08, (len(order), 2))
    places, labels = [*shown], [*sides[order]]
    while len(places) < PLACES:
        kind = chance.random()
        if kind < 0.1 and others:
            one = others[int(chance.integers(len(others)))]
            place = one["centre"][:2] + chance.uniform(-0.5, 0.5, 2) * one["half"][:2]
            labels.append(OTHER)
        else:
            if kind < 0.55:
                place = behind[int(chance.integers(len(behind)))]
            elif kind < 0.8:  # in the shadows of cubes
                turn, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.9, 1.7)
                place = feet[int(chance.integers(len(feet)))] + far * np.array([np.cos(turn), np.sin(turn)])
            else:
                x = chance.uniform(-0.5, 0.5) * make.length
                place = np.array([x, (make.tile / 2 + chance.uniform(0.6, 6)) * chance.choice([-1, 1])])
            place = place + chance.uniform(-0.35, 0.35, 2)
            away = np.linalg.norm(feet - place, axis=1).min(initial=9.0)
            if away < _EMPTY_FROM or _touches(place, others):
                continue
            labels.append(EMPTY)
        places.append(place)
    return _silhouettes(make, np.array(places)), np.array(labels)


def _touches(place: Floats, boxes: list[Any]) -> bool:
    """Whether a cube at a place would touch one of the boxes."""
    return any(np.abs(place - one["centre"][:2]).max() < one["half"][0] + 0.6 for one in boxes)


def _shown(make: TileMake, feet: Floats) -> Floats:
    """Share of each cube's silhouette that no nearer cube and no tile hides."""
    square, labels = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), np.full(_SHOWN_SIZE, -1, np.int32)

    def filled(foot: Floats, half: float, high: float) -> Picture:
        base, mask = foot + half * square, np.zeros(_SHOWN_SIZE, np.uint8)
        corners = np.vstack([base, base + make.lean(base, high)])
        at = np.rint(corners * _SHOWN_PX + np.array(_SHOWN_SIZE[::-1]) / 2).astype(np.int32)
        return np.asarray(cv2.fillConvexPoly(mask, cv2.convexHull(at), 1), np.uint8)

    whole = np.ones(len(feet))
    things = [(foot, 0.5, 1.0, index) for index, foot in enumerate(feet)]
    things += [(np.array([x, 0]), make.tile / 2, make.high, -1) for x in middles(make.tile)]
    for foot, half, high, index in sorted(things, key=lambda one: -float(np.linalg.norm(one[0] - make.eye[:2]))):
        mask = filled(foot, half, high) > 0
        labels[mask] = index
        if index >= 0:
            whole[index] = max(1, mask.sum())
    return np.array([(labels == index).sum() for index in range(len(feet))]) / whole


def _silhouettes(make: TileMake, feet: Floats) -> Floats:
    """The middles of the silhouettes of cubes that stand at `feet`."""
    return feet + make.lean(feet) / 2


def _in_patches(places: Floats) -> Singles:
    return np.asarray(places / PATCH_CUBES, np.float32)


def _patches(make: TileMake, view: Picture, places: Floats, scale: float) -> tuple[Picture, Singles]:
    """Patches of places, and the lengths of the lean there; `scale`: error of the learned size of the cubes."""
    lean = make.lean(places)
    patches = cube_patches(view, make.pixels(places) - 0.5, lean * (1, -1), CUBE_PX * scale)
    return patches, np.asarray(np.linalg.norm(lean, axis=1) / PATCH_CUBES, np.float32)


def _without_cubes(make: TileMake, start: Picture, nothing: Picture, cubes: Cubes) -> Picture:
    """Table and tiles as the product learns them: the table near the known cubes is filled in, the tiles are copied."""
    feet = np.array([(x, y) for _, x, y in cubes])
    hidden = np.zeros(start.shape[:2], np.uint8)
    for place in make.pixels(np.concatenate([feet, feet + make.lean(feet)])):
        cv2.circle(hidden, np.rint(place).astype(int).tolist(), int(_HALO * CUBE_PX), 1, -1)
    lower = np.array([(0, -1), (0, 1)]) * make.tile / 2
    edges = np.stack([lower, lower + make.lean(lower, make.high)])[..., 1]
    rows = make.pixels(np.column_stack([np.zeros(2), [edges[:, 1].max() + 0.15, edges[:, 0].min() - 0.15]]))[:, 1]
    line = slice(*np.rint(rows).astype(int).tolist())
    hidden[line] = 1
    filled = np.asarray(cv2.inpaint(start, hidden, 5, cv2.INPAINT_TELEA), np.uint8)
    filled[line] = nothing[line]
    return filled


if __name__ == "__main__":
    write_samples(board_samples)
