"""Draws throws of two dice into pictures of boards; the second die lies flat, leans, or lies on a checker."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from drawn_dice import DrawnDie, LampLight, Look, distance, draw, rotation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelled import Labelled, Scene
    from numpy.typing import NDArray

    from vision.backgammon.calibration import Calibration
    from vision.cameras import Picture

    Floats = NDArray[np.float64]

FLAT, BESIDE, LEANING, PROPPED, RAISED = (
    "flat",
    "beside a checker",
    "leaning on a checker",
    "leaning on a wall",
    "on a checker",
)
WAYS = (FLAT, BESIDE, LEANING, PROPPED, RAISED)
"""How the second die of a throw lies; the first always lies flat and free."""
_COLOURS: tuple[tuple[tuple[int, int, int], tuple[int, int, int], float], ...] = (
    ((230, 240, 244), (17, 17, 17), 0.0),
    ((24, 24, 176), (245, 245, 245), 0.0),
    ((21, 21, 21), (240, 240, 240), 0.0),
    ((191, 79, 42), (255, 255, 255), 0.0),
    ((184, 224, 239), (16, 42, 90), 0.0),
    ((63, 122, 31), (192, 233, 244), 0.0),
    ((255, 255, 255), (16, 16, 192), 0.0),
    ((32, 192, 232), (16, 16, 16), 0.0),
    ((205, 190, 250), (40, 30, 60), 0.0),
    ((210, 235, 190), (30, 30, 30), 0.0),
    ((60, 50, 210), (255, 255, 255), 0.35),
    ((190, 90, 60), (255, 255, 255), 0.35),
    ((60, 160, 240), (250, 250, 250), 0.25),
)
"""Colours of face and pips (BGR) of dice on sale, and the transparency of the face from 0 to 1."""
_TRIES = 60
_STEEPEST = 80.0
"""Largest tilt in degrees; the smallest is 10. Above 45 another face is on top."""
_STACK = 5
"""Checkers of a point in the first layer; further ones lie on top of these."""


@dataclass(frozen=True, slots=True)
class DrawnThrow:
    """Two dice on a board.

    Attributes:
        way: how the second die lies, one of WAYS.
        dice: both.
        picture: BGR.
    """

    way: str
    dice: tuple[DrawnDie, DrawnDie]
    picture: Picture

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the upper faces, ascending."""
        return tuple(sorted(die.upper for die in self.dice))


class BoardForDice:
    """A board with its checkers, onto which dice are drawn."""

    def __init__(self, frame: Labelled, learned: Calibration, rng: np.random.Generator) -> None:
        self.frame, self.learned, self.rng = frame, learned, rng
        layout = learned.layout
        self.radius = layout.checker / 2
        self.checkers = [
            (*layout.slot(point, index), layout.top * (1 + (index + _STACK < abs(count))))
            for point, count in enumerate(frame.points)
            for index in range(min(abs(count), _STACK))
        ]
        self.side = layout.checker * rng.uniform(0.42, 0.85)

    def throw(self, way: str) -> DrawnThrow | None:
        """Two dice of one colour; None if no place for them was found."""
        first = self._free([])
        second = None if first is None else self._lying(way, first)
        if first is None or second is None:
            return None
        rng, picture = self.rng, self.frame.picture
        face, pip, clear = _COLOURS[rng.integers(len(_COLOURS))]
        look = Look(face, pip, rng.uniform(0.05, 0.18), rng.uniform(0.235, 0.28), rng.uniform(0.07, 0.1), clear, 0.2)
        zenith, azimuth = np.radians(rng.uniform(10, 55)), rng.uniform(0, 2 * np.pi)
        towards = np.array([np.sin(zenith) * np.cos(azimuth), np.sin(zenith) * np.sin(azimuth), np.cos(zenith)])
        light = LampLight(towards, rng.uniform(0.05, 0.4), rng.uniform(0.25, 0.6), rng.uniform(0.5, 1.0))
        discs = [(x, y, self.radius, top) for x, y, top in self.checkers]
        pose = self.learned.pose
        for die in sorted((first, second), key=lambda die: -float(np.linalg.norm(die.centre - pose.centre))):
            near = [disc for disc in discs if np.hypot(*(np.array(disc[:2]) - die.centre[:2])) < 3 * self.radius]
            picture = draw(picture, pose, die, look, light, near, rng)
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
        return DrawnThrow(way, (first, second), np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8))

    def _lying(self, way: str, first: DrawnDie) -> DrawnDie | None:
        ways = {LEANING: self._leaning, PROPPED: self._propped, RAISED: self._raised, BESIDE: self._beside}
        for _ in range(_TRIES):
            die = ways[way]() if way in ways else self._free([first])
            if die is not None and np.hypot(*(die.centre - first.centre)[:2]) > 1.6 * self.side:
                return die
        return None

    def _die(self, x: float, y: float, turn: Floats, height: float = 0.0) -> DrawnDie:
        """A die with a random number on top and its lowest corner at `height`."""
        value = int(self.rng.integers(1, 7))
        front = int(self.rng.choice([n for n in range(1, 7) if n not in (value, 7 - value)]))
        right = int(self.rng.choice([n for n in range(1, 7) if n not in (value, 7 - value, front, 7 - front)]))
        die = DrawnDie(value, front, right, np.array([x, y, 0.0]), turn, self.side)
        return replace(die, centre=np.array([x, y, height - die.lowest]))

    def _yawed(self) -> Floats:
        return rotation(2, self.rng.uniform(0, 2 * np.pi))

    def _clear(self, die: DrawnDie, gap: float) -> bool:
        """Whether a die lies on the board, at least `gap` die sides away from every checker, the frame and the bar."""
        layout, reach = self.learned.layout, self.side * (0.72 + gap)
        x, y = die.centre[:2]
        if not (reach < x < 1 - reach and reach < y < layout.depth - reach and abs(x - 0.5) > layout.bar / 2 + reach):
            return False
        away = np.array([np.hypot(x - at[0], y - at[1]) for at in self.checkers]) - self.radius
        return bool((away > gap * self.side).all() and (not gap or (away > reach).all()) and not self._touches(die))

    def _touches(self, die: DrawnDie) -> bool:
        return any(self._gap(die, x, y, top) < 0 for x, y, top in self.checkers)

    def _gap(self, die: DrawnDie, x: float, y: float, top: float) -> float:
        """Distance of a die from a checker, in die sides."""
        if np.hypot(die.centre[0] - x, die.centre[1] - y) > self.radius + 1.2 * self.side:
            return 1.0
        turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        rings = [
            np.column_stack([x + r * np.cos(turns), y + r * np.sin(turns), np.full(48, height)])
            for r, height in ((self.radius, top), (self.radius, top / 2), (0.8 * self.radius, top))
        ]
        return float(distance(die.local(np.vstack(rings)), 0.08).min())

    def _free(self, others: list[DrawnDie]) -> DrawnDie | None:
        for _ in range(_TRIES):
            x, y = self.rng.uniform(0, 1), self.rng.uniform(0, self.learned.layout.depth)
            die = self._die(x, y, self._yawed())
            apart = all(np.hypot(*(die.centre - other.centre)[:2]) > 1.6 * self.side for other in others)
            if apart and self._clear(die, 0.3):
                return die
        return None

    def _beside(self) -> DrawnDie | None:
        """Flat, close to a checker without touching it."""
        x, y, _ = self.checkers[self.rng.integers(len(self.checkers))]
        away, angle = self.radius + self.side * self.rng.uniform(0.52, 0.8), self.rng.uniform(0, 2 * np.pi)
        die = self._die(x + away * np.cos(angle), y + away * np.sin(angle), self._yawed())
        return die if self._clear(die, 0.0) else None

    def _raised(self) -> DrawnDie:
        """Flat on a checker."""
        x, y, top = self.checkers[self.rng.integers(len(self.checkers))]
        off = self.rng.uniform(-0.3, 0.3, 2) * self.radius
        return self._die(x + off[0], y + off[1], self._yawed(), top)

    def _tilted(self, towards: float, height: float) -> Floats | None:
        """Tilt against an obstacle of `height` in direction `towards` (radians); None if the height does not fit."""
        least = max(float(np.degrees(np.arcsin(min(height / self.side, 1.0)))) + 3, 10.0)
        if least > _STEEPEST:
            return None
        angle = np.radians(self.rng.uniform(least, _STEEPEST))
        axis = angle * np.array([np.sin(towards), -np.cos(towards), 0.0])
        turn = np.asarray(cv2.Rodrigues(axis)[0] @ self._yawed(), np.float64)
        return turn if np.abs(turn[2]).max() < np.cos(np.radians(10)) else None

    def _leaning(self) -> DrawnDie | None:
        """One edge or corner on the board, a face against the rim of a checker."""
        x, y, top = self.checkers[self.rng.integers(len(self.checkers))]
        angle = self.rng.uniform(0, 2 * np.pi)
        turn = self._tilted(angle + np.pi, top)
        if turn is None:
            return None
        die = self._die(x, y, turn)
        for away in np.arange(self.radius + 0.9 * self.side, 0.5 * self.radius, -0.02 * self.side):
            place = np.array([x + away * np.cos(angle), y + away * np.sin(angle), die.centre[2]])
            if self._gap(replace(die, centre=place), x, y, top) < 0:
                die = replace(die, centre=place)
                break
        others = [other for other in self.checkers if other != (x, y, top)]
        layout = self.learned.layout
        inside = (
            0 < die.centre[0] < 1 and 0 < die.centre[1] < layout.depth and abs(die.centre[0] - 0.5) > layout.bar / 2
        )
        return die if inside and all(self._gap(die, *other) > 0 for other in others) else None

    def _propped(self) -> DrawnDie | None:
        """One edge or corner on the board, a face against the frame or the bar, at a random height."""
        layout = self.learned.layout
        walls = [(0.0, np.pi), (1.0, 0.0), (0.5 - layout.bar / 2, 0.0), (0.5 + layout.bar / 2, np.pi)]
        at, towards = walls[self.rng.integers(4 if layout.bar > self.side else 2)]
        height = self.side * self.rng.uniform(0.2, 0.6)
        turn = self._tilted(towards, height)
        if turn is None:
            return None
        y = self.rng.uniform(self.side, layout.depth - self.side)
        die = self._die(at, y, turn)
        edge = np.column_stack([np.full(40, at), np.linspace(-1, 1, 40) * self.side + y, np.full(40, height)])
        for away in np.arange(1.2, 0.0, -0.02) * self.side:
            die = replace(die, centre=np.array([at - away * np.cos(towards), y, die.centre[2]]))
            if distance(die.local(edge), 0.08).min() < 0:
                break
        return None if self._touches(die) else die


def throws(scene: Scene, learned: Calibration, count: int, seed: int) -> Iterator[DrawnThrow]:
    """`count` throws of each way, drawn into the pictures of a scene that show no dice."""
    rng = np.random.default_rng(seed)
    bare = [frame for frame in scene.frames if frame.dice is None and not frame.hand]
    for number in range(count):
        for way in WAYS:
            frame = bare[(number + rng.integers(len(bare))) % len(bare)]
            thrown = BoardForDice(frame, learned, rng).throw(way)
            if thrown is not None:
                yield thrown
