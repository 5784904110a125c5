"""Draws dice for the network that judges their faces: `python -m training.dice_faces OUT.npz SCENES SEED`.

Of each scene it writes a picture that is rectified parallel to the bed, and the squares in it: of upper faces with
their numbers and whether the die lies flat on the bed, and of the other visible faces.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from training.dice_scenes import FLAT, LEANING, PIXELS, SIDE_PX, random_scene
from training.sensor import Sensor

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.dice_scenes import DiceScene
    from vision.arrays import Floats, Picture


RAYS = 8
"""Light paths per pixel."""
SQUARES, FIELDS = 8, 6
"""Squares kept of a scene, those of upper faces first, and numbers of each: x, y, turn, side (pixels, radians), number
(0: the side of a die; -1: none), and 1 if the die lies flat on the bed, 0 if it leans, -1 if it lies on a checker."""
_LEAST_SIDE_AREA = 0.15
"""Least visible area of a side, relative to the face's area, for its square to be kept."""


def squares_of(scene: DiceScene) -> Floats:
    """Squares (SQUARES x FIELDS) of the faces that are seen."""
    upper, sides = [], []
    eye = np.array(scene.traced.world["eye"], np.float64)
    for index, die in enumerate(scene.dice):
        flat = 1.0 if index > 0 or scene.how == FLAT else 0.0 if scene.how == LEANING else -1.0
        turn = np.array(die["turn"], np.float64)
        normals = [turn[:, axis] * sign for axis in range(3) for sign in (1, -1)]
        top = int(np.argmax([normal[2] for normal in normals]))
        for face, normal in enumerate(normals):
            middle = np.array(die["centre"]) + normal * float(die["side"]) / 2
            axes = [turn[:, axis] * float(die["side"]) for axis in range(3) if axis != face // 2]
            square, seen = _square(eye, middle, axes, normal)
            if face == top:
                upper.append([*square, float(die["numbers"][face]), flat])
            elif seen > _LEAST_SIDE_AREA and normals[top][2] > np.cos(np.radians(35)):
                sides.append([*square, 0.0, flat])
    kept = np.full((SQUARES, FIELDS), -1.0)
    found = (upper + sides)[:SQUARES]
    if found:
        kept[: len(found)] = found
    return kept


def _square(eye: Floats, middle: Floats, axes: list[Floats], normal: Floats) -> tuple[list[float], float]:
    """The square (x, y, turn, side) in the picture that fits a face best, and the face's visible share of its area."""

    def seen(place: Floats) -> Floats:
        at = eye[:2] + (place[:2] - eye[:2]) * (eye[2] - 1.0) / (eye[2] - place[2])
        return np.array([at[0], -at[1]]) * SIDE_PX + PIXELS / 2 - 0.5

    one, other = (seen(middle + axis / 2) - seen(middle - axis / 2) for axis in axes)
    area = float(one[0] * other[1] - one[1] * other[0])
    quarter = np.array([other[1], -other[0]]) * np.sign(area)
    along = one + quarter
    facing = float(normal @ (eye - middle)) > 0
    place = seen(middle)
    side = np.sqrt(abs(area))
    return [*place, float(np.arctan2(along[1], along[0])), float(side)], abs(area) / SIDE_PX**2 if facing else 0.0


def drawn(chance: Generator) -> tuple[Picture, Floats, Floats]:
    """A picture (BGR), its squares (SQUARES x FIELDS), and the shift (x, y) of a point per height over the plane."""
    scene = random_scene(chance)
    light = scene.traced.picture(RAYS, int(chance.integers(1 << 31)))
    light = cv2.GaussianBlur(light, (0, 0), 0.5)
    sensor = Sensor.random(chance)
    sensor.haze, sensor.noise = sensor.haze / 2, min(sensor.noise, 7.0)
    sensor.gamma = chance.uniform(0.4, 0.55)
    sensor.exposure = chance.uniform(0.3, 1.1) / max(0.02, float(np.percentile(light.max(axis=2), 80)))
    eye = scene.traced.world["eye"]
    return sensor.picture(light), squares_of(scene), np.array([-eye[0], eye[1]]) / (eye[2] - 1)


def main() -> None:
    """Draw the scenes of a seed."""
    out, scenes, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    cv2.setNumThreads(1)
    drawings: list[Any] = [drawn(np.random.default_rng([seed, number])) for number in range(scenes)]
    seen, squares, drift = (np.stack(one) for one in zip(*drawings, strict=True))
    np.savez(out, seen=seen, squares=squares.astype(np.float32), drift=drift.astype(np.float32))


if __name__ == "__main__":
    main()
