"""Small path-traced pictures of dice and things near them, in C (`dice.c`), compiled on demand.

Lengths are in sides of the die that is looked at, colours are shares of linear light (B, G, R).
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from training.compiling import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.arrays import Singles

    Records = NDArray[np.void]

_SOURCE = Path(__file__).with_name("dice.c")


def _record(fields: str, *more: tuple[str, str]) -> np.dtype[np.void]:
    """Fields of single numbers, or of rows of them, as `name:3` or `name:3x3`; then fields of other kinds."""
    parts = [one.partition(":") for one in fields.split()]
    single = [(name, "f4", tuple(int(n) for n in size.split("x")) if size else ()) for name, _, size in parts]
    return np.dtype([*single, *((name, kind, (5,) if name == "counts" else ()) for name, kind in more)])


DIE = _record(
    "centre:3 turn:3x3 side bevel ball body:3 pip:3 one:3 pip_radius one_radius pitch sunk clear rough "
    "numbers:6 turned:6"
)
"""A die; numbers on the faces +x, -x, +y, -y, +z, -z in its own axes, the columns of `turn`."""
CHECKER = _record("x y low radius tall colour:3 second:3 kind rough ring width dots")
"""A checker; kinds: 0 flat, 1 raised rim, 2 grooves, 3 dome, 4 inlaid disc, 5 dots."""
BOX = _record("centre:3 half:3 cosine sine round colour:3 rough grain")
"""A box, turned about the vertical."""
TRIANGLE = _record("x:3 y:3 colour:3")
"""A point of the board."""
LAMP = _record("place:3 radius light:3")
"""A round lamp; `light`: radiance (B, G, R) of a white surface at the origin that faces it."""
_WORLD = _record(
    "ground:3 grain scale:2 cosine sine rough sky:3 eye:3 plane corner:2 right:2 down:2 foot",
    ("counts", "i4"),
    ("rays", "i4"),
    ("width", "i4"),
    ("height", "i4"),
    ("seed", "u4"),
)


@dataclass
class TracedScene:
    """A scene to trace.

    Attributes:
        world: bed, sky and camera, of the dtype of `a_world`.
        parts: dice, checkers, boxes, triangles and lamps.
    """

    world: Any
    parts: list[Records] = field(default_factory=lambda: [np.zeros(0, k) for k in (DIE, CHECKER, BOX, TRIANGLE, LAMP)])

    def picture(self, rays: int, seed: int) -> Singles:
        """The picture in linear light (height x width x 3, B, G, R); `rays`: light paths per pixel."""
        world, parts = self.world, [np.ascontiguousarray(one) for one in self.parts]
        world["counts"], world["rays"], world["seed"] = [len(one) for one in parts], rays, seed
        out = np.zeros((int(world["height"]), int(world["width"]), 3), np.float32)
        _library().trace(*(one.ctypes.data_as(ctypes.c_void_p) for one in (np.atleast_1d(world), *parts, out)))
        return out


def a_world() -> Any:
    """An empty world."""
    return np.zeros(1, _WORLD)[0]


@cache
def _library() -> ctypes.CDLL:
    return compiled(_SOURCE, ctypes.CDLL)
