"""Draws backgammon boards of random makes: `python -m training.points OUT.npz BOARDS SEED`.

It writes samples for `training.comparator`: patches of all slots in a learned look, and patches of checkers and empty
slots in later ones, with labels. Lengths are in columns (see `training.drawing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core import FULL_ROW as ROW
from training.cameras import ErringCamera, leaning, random_setting, taken
from training.drawing import render
from training.lighting import DrawnLight, later_light
from training.makes import AROUND, TEXEL, BoardMake, any_colour, any_skin, material, random_men_of_both, wood
from training.scenes import DrawnScene, Man, add_strangers
from training.sensor import scaled
from training.writing import cover, write_samples
from vision.board import POINTS
from vision.board import START as STARTING_POINTS
from vision.comparator import CELL_PX, EMPTY, OTHER, WHITE, LearnedLight, patches_at

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.sensor import Sensor
    from vision.arrays import Floats, Ints, Singles


START = {point: content for point, content in enumerate(STARTING_POINTS) if any(content)}
"""Checkers (White's, Black's) on each occupied point of the starting position."""
LOOKS, PLACES = 3, 56
"""Later pictures of each board, and places read in each."""


@dataclass
class Board:
    """A make of backgammon board.

    Attributes:
        make: colours and checkers.
        bar: width of the bar.
        pitch: distance of checkers in a row.
        gaps: largest usual gap between checkers, as a share of the diameter.
    """

    make: BoardMake
    bar: float
    pitch: float
    gaps: float

    def slot(self, point: int, slot: float) -> tuple[float, float]:
        """Centre (x, y) of a slot, which is counted (also in fractions) from the board's edge."""
        column = point - 12 if point >= 12 else 11 - point
        x = column + 0.5 + (self.bar if column >= 6 else 0)
        away = self.make.radius + slot * self.pitch
        return x, float(self.make.extent[1]) - away if point >= 12 else away


def random_board(chance: Generator) -> Board:
    """A random make of board."""
    if chance.random() < 0.5:
        field, light, dark = wood(chance, 0.1, 0.95), wood(chance, 0.4, 1), wood(chance, 0.08, 0.6)
    else:
        field, light, dark = any_colour(chance), any_colour(chance, 0.35), any_colour(chance, 0.03, 0.6)
    diameter = chance.uniform(0.7, 0.97)
    depth = max(chance.uniform(9, 13), 10.6 * diameter)
    bar = chance.uniform(0.6, 1.4) if chance.random() < 0.8 else chance.uniform(0, 0.3)
    extent = np.array([12 + bar, depth])
    under = (field, light, dark)[chance.integers(3)]
    men = random_men_of_both(chance, under, (field, light, dark)[chance.integers(3)])
    thick = chance.uniform(0.12, 0.45) if chance.random() < 0.85 else chance.uniform(0.04, 0.12)
    make = BoardMake(
        draw_bed(chance, extent, bar, (field, light, dark)),
        men,
        diameter / 2,
        thick * diameter,
        chance.uniform(0.01, 0.05) if chance.random() < 0.6 else chance.uniform(0.05, 0.1),
        chance.uniform(0, 0.1),
        any_colour(chance, 0.5) if chance.random() < 0.7 else any_colour(chance),
        any_skin(chance),
        any_colour(chance),
    )
    gaps = chance.uniform(0, 0.1) if chance.random() < 0.7 else chance.uniform(0.1, 0.4)
    return Board(make, bar, diameter * chance.uniform(1.0, 1.04), gaps)


def draw_bed(chance: Generator, extent: Floats, bar: float, colours: tuple[Singles, Singles, Singles]) -> Singles:
    """Albedo of the board and of the table around it; colours: field, and the points' two."""
    across, down = (round((length + 2 * AROUND) * TEXEL) for length in extent)
    kind = str(chance.choice(["wood", "wood", "plain", "cloth", "stone"]))
    strength, size = chance.uniform(0.01, 0.15), max(across, down)

    def filled(base: Singles, much: float, of: str) -> Singles:
        return base * (1 + much * material(chance, size, of)[:down, :across, None])

    frame = wood(chance, 0.08, 0.8) if chance.random() < 0.5 else any_colour(chance)
    bed = filled(any_colour(chance), chance.uniform(0, 0.15), str(chance.choice(["wood", "cloth", "stone"])))
    rim, wood_of_frame = chance.uniform(0.05, 1.3), filled(frame, strength, kind)

    def box(left: float, low: float, right: float, high: float) -> tuple[slice, slice]:
        x0, x1 = (max(0, round((v + AROUND) * TEXEL)) for v in (left, right))
        y0, y1 = (max(0, round((v + AROUND) * TEXEL)) for v in (low, high))
        return slice(y0, y1), slice(x0, x1)

    width, depth = extent
    outer, inner = box(-rim, -rim, width + rim, depth + rim), box(0, 0, width, depth)
    bed[outer] = wood_of_frame[outer]
    bed[inner] = filled(colours[0], strength, kind)[inner]
    length = chance.uniform(0.36, 0.47) * depth
    shape = chance.choice(["tip", "tip", "tip", "blunt", "none"])
    tip = {"tip": 0.0, "blunt": chance.uniform(0.2, 0.9), "none": 1.0}[str(shape)]
    foot = chance.uniform(0.85, 1.0)
    inks = [filled(one, strength * chance.uniform(0.4, 1.2), kind) for one in colours[1:]]
    outlined = chance.random() < 0.3
    for column in range(12):
        x = column + 0.5 + (bar if column >= 6 else 0)
        for top in (False, True):
            base, end = (depth, depth - length) if top else (0.0, length)
            outline = np.array(
                [[x - foot / 2, base], [x + foot / 2, base], [x + tip * foot / 2, end], [x - tip * foot / 2, end]]
            )
            pixels = np.asarray(np.rint((outline + AROUND) * TEXEL * 16), np.int32)
            mask = np.zeros((down, across), np.float32)
            cv2.fillConvexPoly(mask, pixels, 1.0, cv2.LINE_AA, 4)
            bed += (inks[(column + top) % 2] - bed) * mask[..., None]
            if outlined:
                cv2.polylines(bed, [pixels], True, tuple(float(v) for v in frame), 1, cv2.LINE_AA, 4)
    middle = box(6, 0, 6 + bar, depth)
    bed[middle] = wood_of_frame[middle] if chance.random() < 0.8 else bed[middle]
    return np.clip(bed, 0.0, 1.2).astype(np.float32)


@dataclass
class DrawnRow:
    """The checkers of one point: their owner, and the first layer's men from the edge."""

    side: int
    men: list[Man]


def laid(chance: Generator, board: Board, counts: dict[int, tuple[int, int]], careless: bool) -> dict[int, DrawnRow]:
    """Checkers on the points; some are stacked before the row is full if `careless`."""
    rows, diameter = {}, 2 * board.make.radius
    gaps = board.gaps if chance.random() < 0.8 else board.gaps * 2
    for point, (white, black) in counts.items():
        side, count = (0, white) if white else (1, black)
        first = min(count, ROW)
        if careless and count >= 2 and chance.random() < 0.12:
            first = max(1, min(first, count - 1))
        heights = np.full(first, 1)
        for extra in range(count - first):
            heights[extra % first if count > ROW else chance.integers(first)] += 1
        away, men = 0.0, []
        for height in heights:
            x, y = board.slot(point, away)
            shift = chance.normal(0, board.make.careless, 2)
            stacked = tuple(float(v) for v in chance.normal(0, 0.06, 2) * diameter)
            bright = float(np.exp(chance.normal(0, board.make.unequal)))
            men.append(
                Man(side, x + shift[0], y + shift[1] * 0.3, chance.uniform(0, 360), bright, int(height), stacked)
            )
            away += 1 + chance.uniform(0, gaps)
        rows[point] = DrawnRow(side, men)
    return rows


def random_counts(chance: Generator) -> dict[int, tuple[int, int]]:
    """Checkers on each point in a random position, often with full rows."""
    free, counts = list(chance.permutation(POINTS)), {}
    for side in (0, 1):
        points = [int(free.pop()) for _ in range(int(chance.integers(2, 9)))]
        total = int(chance.integers(8, 16))
        share = chance.dirichlet(np.full(len(points), chance.uniform(0.5, 3)))
        for point, count in zip(points, chance.multinomial(total, share), strict=True):
            if count:
                counts[point] = (int(count), 0) if side == 0 else (0, int(count))
    return counts


def board_samples(chance: Generator) -> dict[str, NDArray]:
    """A make of board: its learned look and later ones."""
    board = random_board(chance)
    camera, lamp, sensor = random_setting(chance, board.make, 13, 34)
    rows = laid(chance, board, START if chance.random() < 0.8 else random_counts(chance), careless=False)
    men = [man for row in rows.values() for man in row.men]
    lit, _ = render(chance, board.make, camera.view, DrawnScene(men + extra(chance, board)), lamp)
    learned = camera.rectified(sensor.picture(lit), board.make, np.zeros((4, 2)))
    centres = np.array([board.slot(point, slot) for point in range(POINTS) for slot in range(ROW)])
    held = np.zeros(POINTS * ROW, np.intp)
    for point, row in rows.items():
        for slot, man in enumerate(row.men):
            held[point * ROW + slot] = OTHER if man.high > 1 else WHITE + row.side
            centres[point * ROW + slot] = (man.x, man.y)
    middles = learned.pixels(centres + chance.normal(0, 0.04, centres.shape))
    light = LearnedLight.of(learned.view, middles)
    result = {
        "reference": patches_at(scaled(learned.view, np.float32(light.scale)), middles),
        "held": held,
        "places": learned.pixels(centres) / CELL_PX,
    }
    looks = [_later(chance, board, camera, (lamp, sensor), rows, light, middles) for _ in range(LOOKS)]
    return result | {name: np.array([one[name] for one in looks]) for name in looks[0]}


def extra(chance: Generator, board: Board) -> list[Man]:
    """Checkers on the bar and beside the board."""
    width, depth = board.make.extent
    men = []
    for _ in range(int(chance.integers(0, 5)) if chance.random() < 0.4 else 0):
        x, y = 6 + board.bar / 2, chance.uniform(0.3, 0.7) * depth
        if chance.random() < 0.5:
            x, y = width + chance.uniform(0.6, 1.6), chance.uniform(0, 1) * depth
        men.append(Man(int(chance.integers(2)), x, y, chance.uniform(0, 360), 1.0))
    return men


def _later(
    chance: Generator,
    board: Board,
    camera: ErringCamera,
    first: tuple[DrawnLight, Sensor],
    before: dict[int, DrawnRow],
    light: LearnedLight,
    middles: Floats,
) -> dict[str, NDArray]:
    lamp, sensor = first
    lamp = later_light(chance, lamp, board.make.extent, other=0.2, changed=0.3)
    later = sensor.later(chance, 1.0 if chance.random() < 0.5 else 0.2)
    rows = laid(chance, board, random_counts(chance), careless=True)
    if chance.random() < 0.5:  # Some rows stay exactly as they were.
        for point, row in before.items():
            if chance.random() < 0.7:
                rows[point] = row
    men = [man for row in rows.values() for man in row.men]
    scene = DrawnScene(men + extra(chance, board))
    diameter = 2 * board.make.radius
    add_strangers(chance, scene, board.make.extent, hand=0.15, dice=0.25, edges=(0.4 * diameter, 0.8 * diameter))
    seen, over = taken(chance, board.make, camera, (lamp, later), scene)
    view = light.evened(seen.view, middles)
    places, slots, labels = _queries(chance, board, camera, rows)
    at = seen.pixels(places)
    for label, (x, y) in zip(labels, np.rint(at).astype(int), strict=True):
        cover(label, over.view[max(0, y - 6) : y + 7, max(0, x - 6) : x + 7])
    return {"seen": patches_at(view, at), "slots": slots, "labels": labels}


def _queries(
    chance: Generator, board: Board, camera: ErringCamera, rows: dict[int, DrawnRow]
) -> tuple[Floats, Ints, Singles]:
    """Places to read: the checkers, and empty slots; their slots, and labels (see `training.chequered.labels`)."""
    diameter = 2 * board.make.radius
    places, slots, labels = [], [], []
    for point, row in rows.items():
        for number, man in enumerate(row.men):
            off = chance.normal(0, 0.07, 2) * diameter
            # The search for checkers may settle on the top of a stack, which appears farther from the camera.
            off += chance.uniform(0, 1) * (man.high - 1) * leaning(camera, board.make, man)
            places.append((man.x + off[0], man.y + off[1]))
            slots.append(point * ROW + number)
            label = np.zeros(4, np.float32)
            label[WHITE + row.side] = 1
            labels.append(label)
    order = chance.permutation(len(places))[: PLACES - 16]
    places, slots, labels = ([one[k] for k in order] for one in (places, slots, labels))
    while len(places) < PLACES:
        point, slot = int(chance.integers(POINTS)), int(chance.integers(ROW))
        x, y = board.slot(point, slot + chance.uniform(-0.25, 0.25))
        x += chance.normal(0, 0.06)
        men = rows[point].men if point in rows else []
        near = min((float(np.hypot(man.x - x, man.y - y)) for man in men), default=np.inf)
        label = np.zeros(4, np.float32)
        label[EMPTY] = near > 0.75 * diameter
        places.append((x, y))
        slots.append(point * ROW + slot)
        labels.append(label)
    return np.array(places), np.array(slots), np.array(labels)


def kinds() -> Ints:
    """Kind of bed of each slot: colour of the point, distance from the edge, and half of the board."""
    return np.array(
        [(point % 2, slot, point // 12) @ np.array([1, 2, 10]) for point in range(POINTS) for slot in range(ROW)]
    )


if __name__ == "__main__":
    write_samples(board_samples)
