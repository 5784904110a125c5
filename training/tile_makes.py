"""Random makes of boards of tiles, with their camera and light, for path tracing. Lengths are in sides of a cube."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from training.dice_tracing import BOX, LAMP, TracedScene, a_world
from training.makes import wood_or_any
from vision.geometry import COLUMNS
from vision.tiles.layout import TileLayout

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from vision.arrays import Floats, Singles

    Records = NDArray[np.void]

CUBE_PX = 9.0
"""Resolution of the raster in pixels a cube, as the product has it."""
_BEYOND = 1.0, 6.8
"""Length of table on the raster beyond the ends of the line, and beside it."""


@dataclass
class TileMake:
    """A make of board, its camera and light: `scene` has its tiles, lamps and table, and no cubes.

    Attributes:
        tile, high: side and height of a tile.
        layout: of the cubes, about the middle of the line.
        inks: colours of White's cubes and of Black's; `rough`: of both.
        careless: standard deviation of a cube's offset; `twist`: that of its turn, in radians.
    """

    scene: TracedScene
    tile: float
    high: float
    layout: TileLayout
    inks: tuple[Singles, Singles]
    rough: float
    careless: float
    twist: float

    @property
    def length(self) -> float:
        """Length of the line of tiles."""
        return COLUMNS * self.tile

    @property
    def eye(self) -> Floats:
        """Place (x, y, z) of the camera."""
        return np.array(self.scene.world["eye"], np.float64)

    def place(self, point: int, index: int) -> Floats:
        """Centre (x, y) of a space's cube number `index`; the line's middle is the origin."""
        x, y = self.layout.slot(point, index)
        return np.array([x - 0.5, y]) * self.length

    def pixels(self, places: Floats) -> Floats:
        """Distances (n x 2, in pixels) of places from the raster's upper left corner."""
        return (places - np.array(self.scene.world["corner"], np.float64)) * (1, -1) * CUBE_PX

    def lean(self, places: Floats, high: float = 1.0) -> Floats:
        """Displacement (n x 2), on the table's plane, of the tops of things that stand at places; cubes are 1 high."""
        return (places - self.eye[:2]) * high / (self.eye[2] - high)


def middles(tile: float) -> Floats:
    """The x of the middle of each tile."""
    return (np.arange(COLUMNS) + 0.5 - COLUMNS / 2) * tile


def random_make(chance: Generator) -> TileMake:
    """A random make; in some, cubes have nearly the colour of the table or of a tile."""
    world, tile = a_world(), chance.uniform(3.3, 5.4)
    scene, high = TracedScene(world), tile * chance.uniform(0.04, 0.25)
    table, inks = wood_or_any(chance), (wood_or_any(chance), wood_or_any(chance))
    while np.abs(np.sqrt(inks[0]) - np.sqrt(inks[1])).max() < 0.2:
        inks = (wood_or_any(chance), wood_or_any(chance))
    near = chance.random()
    if near < 0.2:
        inks = (table * np.exp(chance.normal(0, 0.3, 3)).astype(np.float32), inks[1])
    world["ground"], world["rough"] = table, chance.uniform(0.15, 0.95)
    world["grain"] = chance.choice([0.0, chance.uniform(0, 0.3)])
    world["scale"] = np.exp(chance.uniform(np.log(0.2), np.log(4), 2))
    turn = chance.uniform(0, 2 * np.pi)
    world["cosine"], world["sine"] = np.cos(turn), np.sin(turn)
    _camera(chance, world, tile)
    scene.parts[4] = _lamps(chance, world, COLUMNS * tile)
    pair = wood_or_any(chance), inks[1] if near > 0.9 else wood_or_any(chance)
    gap, rough, grain = chance.uniform(0, 0.04), chance.uniform(0.2, 0.9), max(0.0, chance.uniform(-0.2, 0.3))
    half = tile * (0.5 - gap), high / 2
    line = [a_box((x, 0, half[1]), half, pair[column % 2], rough, grain) for column, x in enumerate(middles(tile))]
    scene.parts[2] = np.array(line, BOX)
    files, edge, step = chance.uniform(0.54, 0.8), chance.uniform(0.65, 1.3), chance.uniform(1.04, 1.4)
    return TileMake(
        scene,
        tile,
        high,
        TileLayout(0.0, 1 / tile, files=files, edge=edge, step=step),
        inks,
        chance.uniform(0.08, 0.7),
        chance.uniform(0.01, 0.14),
        chance.choice([0.05, 0.2, 0.8]),
    )


def a_box(
    centre: tuple[float, float, float], half: tuple[float, float], colour: Any, rough: float, grain: float
) -> Any:
    """A box with a square base; `half`: of its side, and of its height."""
    box = np.zeros(1, BOX)[0]
    box["centre"], box["half"], box["cosine"] = centre, (half[0], half[0], half[1]), 1
    box["round"], box["colour"], box["rough"], box["grain"] = min(0.06, half[1] / 2), colour, rough, grain
    return box


def _camera(chance: Generator, world: Any, tile: float) -> None:
    length = COLUMNS * tile
    tilt, turn = np.radians(chance.uniform(0, 52)), chance.uniform(0, 2 * np.pi)
    far = length * chance.uniform(0.9, 1.6)
    world["eye"] = far * np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    along, across = length / 2 + _BEYOND[0], tile / 2 + _BEYOND[1]
    world["plane"], world["width"], world["height"] = 0.0, int(2 * along * CUBE_PX), int(2 * across * CUBE_PX)
    world["corner"] = (-along, across)
    world["right"], world["down"] = (1 / CUBE_PX, 0), (0, -1 / CUBE_PX)
    world["foot"] = chance.uniform(0.5, 1.1)


def _lamps(chance: Generator, world: Any, length: float) -> Records:
    """One to three lamps; often one is mirrored in the board."""
    world["sky"] = np.exp(chance.normal(0, 0.1, 3)) * chance.uniform(0.05, 0.55)
    lamps = np.zeros(int(chance.integers(1, 4)), LAMP)
    for number, lamp in enumerate(lamps):
        turn, up, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.35, 1.5), length * chance.uniform(0.6, 3)
        towards = np.array([np.cos(turn) * np.cos(up), np.sin(turn) * np.cos(up), np.sin(up)])
        lamp["place"] = far * towards
        if number == 0 and chance.random() < 0.45:
            point = np.array([chance.uniform(-0.5, 0.5) * length, chance.uniform(-0.15, 0.15) * length, 0])
            way = (point - world["eye"]) * (1, 1, -1)
            lamp["place"] = point + far * way / np.linalg.norm(way)
        lamp["radius"] = far * np.exp(chance.uniform(np.log(0.03), np.log(0.3)))
        lamp["light"] = np.exp(chance.normal(0, 0.1, 3)) * chance.uniform(0.25, 0.9)
    return lamps
