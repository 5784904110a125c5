"""Dice drawn into pictures of real boards: rounded cubes, lit and shadowed, lying flat, leaning or on a checker.

The dice are traced ray by ray through the camera that the board was learned with, so that where they lie, how far they
lean and what they hide is known exactly. Lengths are in board units (see `vision.geometry.pose`), colours BGR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.cameras import Picture
    from vision.geometry import CameraPose

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

_GAMMA = 2.2
_GRID = 3
"""Rays a pixel, each way."""
_MARCH = 28
"""Steps of ray marching; the distance to a rounded cube converges well before."""
_HIT = 0.004
"""Distance, in sides, at which a ray counts as a hit."""
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Look:
    """What a pair of dice looks like; lengths in sides.

    Attributes:
        face, pip: colours.
        bevel: radius of the rounded edges.
        pitch, pip_radius: of the pips' lattice.
        clear: transparency, 0 to 1.
        gloss: strength of the highlight.
    """

    face: tuple[int, int, int]
    pip: tuple[int, int, int]
    bevel: float
    pitch: float
    pip_radius: float
    clear: float
    gloss: float


@dataclass(frozen=True, slots=True)
class LampLight:
    """One lamp and ambient light.

    Attributes:
        towards: unit vector to the lamp.
        spread: angular size of the lamp as a tangent; it softens shadows.
        ambient: share of light that comes from everywhere.
        strength: grey level (0 to 1) of a white face that faces the lamp.
    """

    towards: Floats
    spread: float
    ambient: float
    strength: float


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A die: its numbers in turn (3 x 3, the columns its axes; the number `value` faces its third) and its place."""

    value: int
    front: int
    right: int
    centre: Floats
    turn: Floats
    side: float

    @property
    def lowest(self) -> float:
        """Height of its lowest corner, rounding aside."""
        return float(self.centre[2] - np.abs(self.turn[2]).sum() * self.side / 2)

    @property
    def tilt(self) -> float:
        """Tilt of its upper face, in degrees."""
        return float(np.degrees(np.arccos(min(np.abs(self.turn[2]).max(), 1.0))))

    @property
    def upper(self) -> int:
        """The number of its upper face."""
        axis = int(np.abs(self.turn[2]).argmax())
        number = (self.front, self.right, self.value)[axis]
        return number if self.turn[2, axis] > 0 else 7 - number

    def local(self, places: Floats) -> Floats:
        """Places (n x 3) in the die's own axes, in sides from its middle."""
        return np.asarray((places - self.centre) @ self.turn / self.side)


def rotation(axis: int, angle: float) -> Floats:
    """Turn by an angle (radians) about x, y or z."""
    vector = np.zeros(3)
    vector[axis] = angle
    return np.asarray(cv2.Rodrigues(vector)[0], np.float64)


def distance(local: Floats, bevel: float) -> Floats:
    """Signed distance (n) of places (n x 3, see `DrawnDie.local`) from a rounded cube, in sides; negative inside."""
    beyond = np.abs(local) - (0.5 - bevel)
    outside = np.linalg.norm(np.maximum(beyond, 0), axis=1)
    return np.asarray(outside + np.minimum(beyond.max(axis=1), 0) - bevel)


def draw(
    picture: Picture,
    pose: CameraPose,
    die: DrawnDie,
    look: Look,
    light: LampLight,
    checkers: Sequence[tuple[float, float, float, float]],
    rng: np.random.Generator,
) -> Picture:
    """The picture with one more die in it.

    Args:
        picture: BGR.
        pose: the camera.
        die: the die.
        look: its look.
        light: the light.
        checkers: those near it: x, y, radius and height of the top of each.
        rng: for noise, and for points on the lamp.
    """
    eye, box = pose.centre, _reach(pose, die, light, picture.shape)
    left, top, right, bottom = box
    if right - left < 8 or bottom - top < 8:
        return picture
    fine = _rays(pose, box, _GRID)
    hit, depth = _march(die, look, eye, fine)
    ground = _surface(eye, _rays(pose, box, 1), checkers)
    before = _depth(eye, np.repeat(np.repeat(ground.reshape(bottom - top, right - left, 3), _GRID, 0), _GRID, 1))
    hit &= depth < before.ravel() + 0.02 * die.side
    linear = (picture[top:bottom, left:right].astype(np.float64) / 255) ** _GAMMA
    lit = light.ambient + (1 - light.ambient) * _lit(ground, die, look, light, rng).reshape(linear.shape[:2])
    corner = np.linalg.norm(np.maximum(np.abs(die.local(ground)) - 0.5, 0), axis=1).reshape(linear.shape[:2])
    linear *= (lit * (1 - 0.4 * np.exp(-corner / 0.12)))[..., None]
    colour = np.zeros((len(fine), 3))
    colour[hit] = _colours(eye + depth[hit, None] * fine[hit], fine[hit], die, look, light)
    if look.clear:
        through = np.repeat(np.repeat(linear, _GRID, 0), _GRID, 1).reshape(-1, 3)
        colour[hit] = (1 - look.clear) * colour[hit] + look.clear * np.sqrt(through[hit] * colour[hit])
    size = right - left, bottom - top
    layer = np.dstack([colour.reshape(size[1] * _GRID, size[0] * _GRID, 3), hit.reshape(size[1] * _GRID, -1)])
    layer = cv2.resize(layer, size, interpolation=cv2.INTER_AREA)
    layer = cv2.GaussianBlur(layer, (0, 0), rng.uniform(0.4, 0.9))
    mixed = layer[..., :3] + (1 - layer[..., 3:]) * linear
    seen = 255 * np.clip(mixed, 0, 1) ** (1 / _GAMMA)
    seen += layer[..., 3:] * rng.normal(0, rng.uniform(1, 3), seen.shape)
    drawn = picture.copy()
    drawn[top:bottom, left:right] = np.clip(np.rint(seen), 0, 255)
    return drawn


def _reach(pose: CameraPose, die: DrawnDie, light: LampLight, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The box of pixels that the die and its shadow may touch: left, top, right, bottom."""
    signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
    corners = die.centre + signs @ die.turn.T * die.side / 2
    shadow = corners - light.towards * (np.minimum(corners[:, 2] / light.towards[2], 2.5 * die.side))[:, None]
    seen = pose.project(np.vstack([corners, shadow, corners * [1, 1, 0]]))
    low, high = np.floor(seen.min(axis=0)).astype(int) - 4, np.ceil(seen.max(axis=0)).astype(int) + 5
    return max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), shape[1]), min(int(high[1]), shape[0])


def _rays(pose: CameraPose, box: tuple[int, int, int, int], grid: int) -> Floats:
    """Unit vectors of the rays of a box of pixels, row by row, `grid` each way a pixel."""
    left, top, right, bottom = box
    off = (np.arange(grid) + 0.5) / grid - 0.5
    u = (np.arange(left, right)[:, None] + off).ravel()
    v = (np.arange(top, bottom)[:, None] + off).ravel()
    across, down = np.meshgrid(u, v)
    pixels = np.column_stack([across.ravel(), down.ravel(), np.ones(across.size)])
    rays = pixels @ np.linalg.inv(pose.matrix[:, :3]).T
    rays /= np.linalg.norm(rays, axis=1)[:, None]
    return np.asarray(rays * np.where(rays[:, 2] > 0, -1, 1)[:, None])


def _march(die: DrawnDie, look: Look, start: Floats, rays: Floats) -> tuple[Bools, Floats]:
    """Mask of the rays that hit the die, and the distances (n) along them."""
    along = (die.centre - start) @ rays.T if start.ndim == 1 else ((die.centre - start) * rays).sum(axis=1)
    nearest = np.linalg.norm(start + along[:, None] * rays - die.centre, axis=1)
    near = np.flatnonzero((nearest < 0.87 * die.side) & (along > 0))
    depth = np.full(len(rays), np.inf)
    hit = np.zeros(len(rays), bool)
    if not len(near):
        return hit, depth
    origin = start if start.ndim == 1 else start[near]
    far = np.maximum(along[near] - 0.9 * die.side, 0)
    for _ in range(_MARCH):
        away = distance(die.local(origin + far[:, None] * rays[near]), look.bevel)
        far = far + np.maximum(away, 0) * die.side
    hit[near] = away < _HIT
    depth[near] = far
    return hit, depth


def _surface(eye: Floats, rays: Floats, checkers: Sequence[tuple[float, float, float, float]]) -> Floats:
    """Where rays meet the bed or the checkers on it (n x 3)."""
    depth = -eye[2] / rays[:, 2]
    for x, y, radius, top in checkers:
        for height in np.linspace(top, 0.05 * top, 6):
            far = (height - eye[2]) / rays[:, 2]
            place = eye + far[:, None] * rays
            on = np.hypot(place[:, 0] - x, place[:, 1] - y) < radius
            depth = np.where(on & (far < depth), far, depth)
    return np.asarray(eye + depth[:, None] * rays)


def _depth(eye: Floats, places: Floats) -> Floats:
    return np.asarray(np.linalg.norm(places - eye, axis=-1))


def _lit(places: Floats, die: DrawnDie, look: Look, light: LampLight, rng: np.random.Generator) -> Floats:
    """Share (n) of the lamp's light that reaches each place past the die."""
    samples = 8
    total = np.zeros(len(places))
    lifted = places + np.array([0, 0, 0.01 * die.side])
    for _ in range(samples):
        towards = light.towards + rng.normal(0, light.spread, 3)
        towards /= np.linalg.norm(towards)
        total += ~_march(die, look, lifted, np.broadcast_to(towards, places.shape))[0]
    return np.asarray(total / samples + (1 - total / samples) * 0.6 * look.clear)


def _colours(places: Floats, rays: Floats, die: DrawnDie, look: Look, light: LampLight) -> Floats:
    """Linear colours (n x 3) of places on the die."""
    local = die.local(places)
    step = 0.01
    slope = [
        distance(local + step * axis, look.bevel) - distance(local - step * axis, look.bevel) for axis in np.eye(3)
    ]
    normal = np.column_stack(slope)
    normal /= np.linalg.norm(normal, axis=1)[:, None] + 1e-9
    normal = normal @ die.turn.T
    plain, pip = ((np.array(colour) / 255) ** _GAMMA for colour in (look.face, look.pip))
    albedo = np.where(_on_pip(local, die, look)[:, None], pip, plain)
    diffuse = np.maximum(normal @ light.towards, 0)
    shade = light.ambient * (0.65 + 0.35 * normal[:, 2]) + (1 - light.ambient) * diffuse
    half = light.towards - rays
    half /= np.linalg.norm(half, axis=1)[:, None]
    shine = look.gloss * np.maximum((normal * half).sum(axis=1), 0) ** 60
    return np.asarray(light.strength * (albedo * shade[:, None] + shine[:, None]))


def _on_pip(local: Floats, die: DrawnDie, look: Look) -> Bools:
    """Mask of the places on the die (n x 3 in its axes) that lie on pips."""
    axis = np.abs(local).argmax(axis=1)
    positive = local[np.arange(len(local)), axis] > 0
    on = np.zeros(len(local), bool)
    for number, which, sign in (
        (die.value, 2, True),
        (7 - die.value, 2, False),
        (die.front, 0, True),
        (7 - die.front, 0, False),
        (die.right, 1, True),
        (7 - die.right, 1, False),
    ):
        face = (axis == which) & (positive == sign)
        u, v = local[:, (which + 1) % 3], local[:, (which + 2) % 3]
        for across, down in _PIPS[number]:
            on |= face & (np.hypot(u - across * look.pitch, v - down * look.pitch) < look.pip_radius)
    return on
