"""Random boards: checkers, beds, lamps, and rows with and without a second layer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.tabletop import EDGE, SCALE, Bed, DrawnPiece, Field, Lamp, Make, draw, grid

if TYPE_CHECKING:
    from vision.arrays import Picture, Singles


MIDDLE = 1.1
"""The x of the row, in diameters."""
BARE_SHARE = 0.38
"""Share of the rows without a second layer; in the others every number of stacked checkers is equally likely."""
MOST_SMEAR = 2.2
"""Largest standard deviation of the blur along the line of sight, in raster pixels, at 45 degrees off vertical."""
GLARE_SHARE = 0.12
"""Share of the corners that are so bright that large parts are saturated."""
RASTER = float(SCALE)
"""Raster pixels per diameter, as on the fine raster of the reader."""


def _colour(chance: np.random.Generator) -> Singles:
    """A random albedo (B, G, R): any hue, many dull, some nearly black or white."""
    value = chance.beta(1.1, 1.4) * 0.85 + 0.015
    hue = np.exp(chance.normal(0, chance.choice([0.08, 0.4, 0.9]), 3))
    return np.clip(value * hue / hue.max(), 0.008, 0.9).astype(np.float32)


def profile(chance: np.random.Generator) -> Singles:
    """A random profile of a top (32 heights over the radius): flat, domed, dished or grooved."""
    radius = np.linspace(0, 1, 32)
    top = np.ones(32)
    kind = chance.integers(4)
    if kind == 1:
        top = 1 - chance.uniform(0.05, 0.4) * np.clip((radius - chance.uniform(0.2, 0.8)) / 0.6, 0, 1) ** 2
    if kind == 2:
        top = 1 - chance.uniform(0.1, 0.35) * (radius < chance.uniform(0.5, 0.85))
    if kind == 3:
        for _ in range(chance.integers(1, 4)):
            at, wide = chance.uniform(0.15, 0.9), chance.uniform(0.04, 0.1)
            top -= chance.uniform(0.05, 0.2) * (np.abs(radius - at) < wide)
    bevel = chance.uniform(0, 0.3)
    edge = 1 - chance.uniform(0.05, 0.2)
    top = np.minimum(top, 1 - bevel * np.clip((radius - edge) / (1 - edge), 0, 1))
    return top.astype(np.float32)


def make(chance: np.random.Generator, albedo: Singles, thickness: float, shape: Singles) -> Make:
    """Random properties of the checkers of one side."""
    inlaid = chance.random() < 0.2
    glossy = chance.random() < 0.6
    return Make(
        albedo,
        np.clip(albedo * np.exp(chance.normal(0, 0.5)), 0, 0.9) if inlaid else albedo,
        chance.uniform(0.3, 0.8) if inlaid else 0.0,
        thickness,
        chance.uniform(0.02, 0.35),
        shape,
        chance.uniform(0.02, 0.12) if glossy else chance.uniform(0, 0.03),
        np.exp(chance.uniform(np.log(6), np.log(120))),
        abs(chance.normal(0, 0.08)) * (chance.random() < 0.5),
    )


def lamps(chance: np.random.Generator) -> list[Lamp]:
    """One or two lamps of random softness, and four weak ones as the light of the room."""
    found = []
    for strength in (1.0, chance.uniform(0, 0.8))[: 1 + chance.integers(2)]:
        tint = np.exp(chance.normal(0, 0.12, 3))
        rising, turn = chance.uniform(0.45, 1.5), chance.uniform(0, 6.28)
        middle = np.array([np.cos(turn) * np.cos(rising), np.sin(turn) * np.cos(rising), np.sin(rising)])
        soft, count = abs(chance.normal(0, 0.18)), 2
        for _ in range(count):
            towards = middle + chance.normal(0, soft, 3)
            towards[2] = max(towards[2], 0.25)
            found.append(_lamp(towards, strength / count * tint))
    room, count = chance.uniform(0.08, 0.9), 4
    first = chance.uniform(0, 6.28)
    for k in range(count):
        rising = chance.uniform(0.3, 1.2)
        turn = first + 6.28 * k / count
        towards = np.array([np.cos(turn) * np.cos(rising), np.sin(turn) * np.cos(rising), np.sin(rising)])
        found.append(_lamp(towards, np.full(3, room / count)))
    return found


def _lamp(towards: Singles, colour: Singles) -> Lamp:
    return Lamp((towards / np.linalg.norm(towards)).astype(np.float32), np.asarray(colour, np.float32))


def bed(chance: np.random.Generator, column: float) -> Bed:
    """A random bed: felt with points drawn on it, and the frame."""
    x, y = grid()
    felt, one, other, frame = (_colour(chance) for _ in range(4))
    albedo = np.broadcast_to(felt, (*x.shape, 3)).copy()
    long, plain = chance.uniform(3.5, 6.5), chance.random() < 0.1
    drawn = not plain
    straight = chance.random() < 0.15
    for k in (-2, -1, 0, 1, 2):
        away = np.abs(x - MIDDLE - k * column) / (column / 2)
        inside = (away < (1 if straight else 1 - (y - EDGE) / long)) & (y > EDGE) & (y < EDGE + long) & drawn
        albedo[inside] = one if k % 2 else other
    grain = chance.normal(0, 1, (x.shape[0] // 4 + 1, x.shape[1] // 4 + 1)).astype(np.float32)
    rough = cv2.resize(grain, x.shape[::-1], interpolation=cv2.INTER_CUBIC) + chance.normal(0, 0.7, x.shape)
    height = np.zeros_like(x)
    framed = y < EDGE
    albedo[framed] = frame
    height[framed] = chance.choice([0.0, 0.1, 0.3, 0.6, 1.0])
    if chance.random() < 0.15:
        beside = x > MIDDLE + column / 2 + 0.02
        albedo[beside] = frame
        height[beside] = chance.choice([0.0, 0.2, 0.5])
    albedo *= (1 + abs(chance.normal(0, 0.04)) * rough)[..., None]
    return Bed(np.clip(albedo, 0.005, 0.95).astype(np.float32), height.astype(np.float32))


@dataclass(frozen=True, slots=True)
class Row:
    """A rendered row.

    Attributes:
        picture: 8 bit, raster scale.
        owner: 0 or 1.
        bearing: number of checkers, counted from the edge, that have another one on top.
        tops: visible centres of the tops (n x 2, raster pixels).
    """

    picture: Picture
    owner: int
    bearing: int
    tops: Singles


@dataclass
class Corner:
    """One place on a random board, with its light and its line of sight; made by `of` and `elsewhere`."""

    chance: np.random.Generator
    makes: tuple[Make, Make]
    lamps: list[Lamp]
    bed: Bed
    tilt: Singles
    column: float
    edge: float
    step: float
    stray: float
    light: float
    blur: float
    noise: float
    smear: float = 0.0

    @classmethod
    def of(cls, chance: np.random.Generator) -> Corner:
        """A random board, seen from straight above and without light; `elsewhere` gives places to render."""
        thickness, shape = chance.uniform(0.17, 0.33), profile(chance)
        first, second = _colour(chance), _colour(chance)
        column = 1 / chance.uniform(0.82, 0.97)
        ground = bed(chance, column)
        if chance.random() < 0.08:
            first = np.clip(ground.albedo.reshape(-1, 3)[chance.integers(ground.height.size)] * 1.1, 0.01, 0.9)
        pair = make(chance, first, thickness, shape), make(chance, second, thickness, shape)
        return cls(
            chance,
            pair,
            lamps(chance),
            ground,
            np.zeros(2, np.float32),
            column,
            chance.uniform(0.5, 0.7),
            chance.uniform(1.0, 1.06),
            float(np.exp(chance.uniform(np.log(0.015), np.log(0.14)))),
            1.0,
            float(chance.uniform(0.45, 1.4)),
            float(chance.uniform(1.0, 5.0)),
        )

    def elsewhere(self) -> Corner:
        """The same board with a random line of sight (0 to 54 degrees off vertical) and a random brightness."""
        angle, turn = self.chance.uniform(0.0, 0.95), self.chance.uniform(0, 6.28)
        slope = np.tan(angle)
        bed_ = self.bed
        corner = replace(self, bed=bed_, tilt=np.array([np.cos(turn) * slope, np.sin(turn) * slope], np.float32))
        empty = draw(Field.of(bed_, [], self.chance), corner.tilt, self.thickness, self.lamps)
        level = self.chance.uniform(0.3, 0.6) if self.chance.random() < GLARE_SHARE else self.chance.uniform(0.12, 0.3)
        corner.smear = float(self.chance.uniform(0, MOST_SMEAR) * slope)
        corner.light = float(level / max(np.percentile(empty.mean(axis=2), 75), 0.005))
        return corner

    @property
    def thickness(self) -> float:
        """Thickness of the checkers, in diameters."""
        return self.makes[0].thickness

    def place(self, slot: int) -> Singles:
        """Nominal centre of a slot's checker (x, y in diameters)."""
        return np.array([MIDDLE, EDGE + self.edge + slot * self.step])

    def empty(self) -> Picture:
        """A picture of the empty board."""
        return self._taken([], 1.0)

    def known(self) -> tuple[Picture, list[tuple[int, Singles]]]:
        """A picture of a row of alternating checkers of both sides, and their tops (owner, raster pixels)."""
        pieces, where = [], []
        for slot in range(6):
            x, y = self.place(slot) + self.chance.normal(0, 0.03, 2)
            pieces.append(DrawnPiece(x, y, 0, self.makes[slot % 2]))
            where.append((slot % 2, np.array([x, y]) * RASTER - 0.5))
        return self._taken(pieces, 1.0), where

    def row(self, bare: int | None = None) -> Row:
        """A random row with some stacked checkers, and neighbours; `bare`: five single checkers of this owner."""
        chance = self.chance
        owner, length = int(chance.integers(2)), int(chance.choice([4, 5, 6], p=[0.12, 0.73, 0.15]))
        bearing = int(chance.integers(1, min(length, 5) + 1)) if chance.random() > BARE_SHARE else 0
        if bare is not None:
            owner, length, bearing = bare, 5, 0
        drift, pitch = chance.normal(0, (0.03, 0.05)), chance.normal(0, 0.012)
        on_top = abs(chance.normal(0, 0.07)) + 0.01
        inward = chance.choice([0.0, 0.04], p=[0.5, 0.5])
        pieces, tops = [], []
        beds: list[Singles] = []
        highs: list[Singles] = []
        for slot in range(length):
            at = self.place(slot) + drift + np.array([0, pitch * slot]) + chance.normal(0, self.stray, 2)
            at = _separated(at, beds)
            beds.append(at)
            pieces.append(DrawnPiece(*at, 0, self.makes[owner]))
            high = self.thickness
            if slot < bearing:
                if chance.random() < 0.5:
                    at = at + chance.normal(0, on_top, 2)
                else:
                    at = self.place(slot) + drift + chance.normal(0, self.stray, 2) + np.array([0, inward])
                at = _separated(at, highs)
                highs.append(at)
                pieces.append(DrawnPiece(*at, 1, self.makes[owner]))
                high *= 2
            tops.append(at + (high - self.thickness) * self.tilt)
        for side in (-1, 1):
            other = int(chance.integers(2))
            for slot in range(int(chance.integers(7)) if chance.random() < 0.6 else 0):
                at = self.place(slot) + np.array([side * self.column, 0]) + chance.normal(0, self.stray, 2)
                pieces.append(DrawnPiece(*at, 0, self.makes[other]))
                if slot < int(chance.integers(3)) and chance.random() < 0.3:
                    pieces.append(DrawnPiece(*at, 1, self.makes[other]))
        light = np.exp(chance.normal(0, 0.12))
        return Row(self._taken(pieces, light), owner, bearing, np.array(tops) * RASTER - 0.5)

    def _taken(self, pieces: list[DrawnPiece], light: float) -> Picture:
        """Render a rectified, levelled picture with the blur, noise and colour subsampling of a camera."""
        chance = self.chance
        seen = draw(Field.of(self.bed, pieces, chance), self.tilt, self.thickness, self.lamps) * self.light * light
        soft = np.hypot(self.blur, chance.uniform(0, 0.5))
        seen = cv2.GaussianBlur(seen, (0, 0), soft)
        if self.smear > 0:
            seen = cv2.filter2D(seen, -1, _smear_kernel(self.tilt, self.smear), borderType=cv2.BORDER_REPLICATE)
        shown = np.clip(seen, 0, 1) ** (1 / 2.2) * 255
        shown += cv2.GaussianBlur(chance.normal(0, self.noise, shown.shape), (0, 0), 0.6) * 1.6
        wide = cv2.cvtColor(np.clip(shown, 0, 255).astype(np.uint8), cv2.COLOR_BGR2YCrCb)
        wide[..., 1:] = cv2.GaussianBlur(wide[..., 1:], (0, 0), 1.2)
        decoded = cv2.cvtColor(wide, cv2.COLOR_YCrCb2BGR).astype(np.float32)
        return np.clip(decoded / light ** (1 / 2.2), 0, 255).astype(np.uint8)


def _smear_kernel(tilt: Singles, spread: float) -> Singles:
    """Blur kernel along the line of sight: at an oblique view the camera has fewer pixels in that direction."""
    reach = int(np.ceil(2.5 * spread))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    way = tilt / max(float(np.hypot(*tilt)), 1e-6)
    along, sideways = x * way[0] + y * way[1], x * way[1] - y * way[0]
    kernel = np.exp(-0.5 * ((along / max(spread, 0.3)) ** 2 + (sideways / 0.3) ** 2))
    return np.asarray(kernel / kernel.sum(), np.float32)


def _separated(at: Singles, before: list[Singles]) -> Singles:
    """The place (x, y in diameters), moved inwards so that it does not overlap the previous checker of its row."""
    if not before:
        return at
    sideways = at[0] - before[-1][0]
    least = before[-1][1] + np.sqrt(max(1 - sideways**2, 0))
    return np.array([at[0], max(at[1], least)])
