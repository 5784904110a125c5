"""Draws boards of random makes as pictures of an ordinary camera, with what lies and moves on them.

Lengths are in columns or squares, x to White's right, y from White's edge, z up from the bed. Colours are B, G, R in
linear light.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

TEXEL = 26
"""Pixels a square of the drawn bed."""
AROUND = 2
"""Squares of table drawn around the board."""
_FACETS = 20
_ANGLES = np.arange(_FACETS) * 2 * np.pi / _FACETS
_CIRCLE = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
_FACE_PX = 44
_AXIS = (np.arange(_FACE_PX) - _FACE_PX / 2 + 0.5) / (_FACE_PX / 2 - 2)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
_R = np.hypot(_X, _Y) + 1e-6


def colour(hue: float, saturation: float, value: float) -> Singles:
    """Colour of a hue in degrees."""
    part = np.array([[[hue % 360, np.clip(saturation, 0, 1), value]]], np.float32)
    return cv2.cvtColor(part, cv2.COLOR_HSV2BGR)[0, 0]


def any_colour(chance: Generator, darkest: float = 0.03, brightest: float = 0.95) -> Singles:
    """Any colour, many of them dull."""
    return colour(chance.uniform(0, 360), chance.beta(1, 1.4), chance.uniform(darkest, brightest))


def wood(chance: Generator, darkest: float, brightest: float) -> Singles:
    """The colour of some wood: darker ones are more saturated."""
    value = chance.uniform(darkest, brightest)
    return colour(chance.uniform(12, 44), chance.uniform(0.2, 0.75) * (1.15 - 0.5 * value), value)


def cloud(chance: Generator, size: int, across: float, along: float) -> Singles:
    """Random texture with features of these widths in pixels, standard deviation about 1."""
    small = chance.standard_normal((max(2, int(size / along)), max(2, int(size / across)))).astype(np.float32)
    return cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC)


def material(chance: Generator, size: int, kind: str) -> Singles:
    """Texture of a material, standard deviation about 1."""
    if kind == "wood":
        fine = cloud(chance, size, chance.uniform(25, 90), chance.uniform(1.5, 4))
        grain = 0.6 * fine + 0.7 * cloud(chance, size, chance.uniform(60, 140), chance.uniform(5, 14))
        return grain if chance.random() < 0.5 else np.ascontiguousarray(grain.T)
    if kind == "cloth":
        weave = cv2.GaussianBlur(chance.standard_normal((size, size)).astype(np.float32), (0, 0), 0.8)
        return 1.8 * weave + 0.4 * cloud(chance, size, 20, 20)
    if kind == "stone":
        return cloud(chance, size, 18, 18) + 0.6 * cloud(chance, size, 7, 7)
    return np.zeros((size, size), np.float32)


@dataclass
class Men:
    """How the checkers of one side look.

    Attributes:
        albedo, wall: colour of the top and of the wall.
        top: radius of the top over that of the foot.
        slope: slope of the top over its radius, positive outwards.
        rings: grooves as (radius, width, depth, darkness).
        emblem: outline (n x 2, radii) and its brightness, or None.
        gloss, shine: strength and exponent of the reflection.
        grain: strength of the texture.
    """

    albedo: Singles
    wall: Singles
    top: float
    slope: float
    rings: list[tuple[float, float, float, float]]
    emblem: tuple[Floats, float] | None
    gloss: float
    shine: float
    grain: float


@dataclass
class Make:
    """A make of board and checkers.

    Attributes:
        bed: albedo of the board and of the table around it, `TEXEL` pixels a unit and `AROUND` units beside the board.
        men: how White's and Black's checkers look.
        radius, thickness: of the checkers.
        careless: standard deviation of their places.
        unequal: standard deviation of the logarithm of their brightness.
        dice, skin, sleeve: colours.
    """

    bed: Singles
    men: tuple[Men, Men]
    radius: float
    thickness: float
    careless: float
    unequal: float
    dice: Singles
    skin: Singles
    sleeve: Singles

    @property
    def extent(self) -> Floats:
        """Width and depth of the board."""
        depth, width = self.bed.shape[:2]
        return np.array([width, depth]) / TEXEL - 2 * AROUND


@dataclass
class Lamp:
    """Light on a scene.

    Attributes:
        towards: unit vector to the lamp.
        ambient: share of light from everywhere.
        soft: blur of shadows, in squares a height of one square.
        contact: darkness around the foot of a checker.
        tint, gradient, vignette: colour, and its change over the picture (natural logarithm).
        glare: reflections on the bed: (x, y), (width, height), strength, angle.
        stripes: edges of hard light and shade: outline (n x 2) on the bed and factor.
    """

    towards: Floats
    ambient: float
    soft: float
    contact: float
    tint: Singles
    gradient: Floats
    vignette: float
    glare: list[tuple[Floats, Floats, float, float]]
    stripes: list[tuple[Floats, float]]


@dataclass
class Man:
    """A checker on the board: side 0 or 1, centre, rotation in degrees, brightness, and how many high."""

    side: int
    x: float
    y: float
    turn: float
    bright: float
    high: int = 1
    shift: tuple[float, float] = (0.0, 0.0)


@dataclass
class Scene:
    """What lies on the board; hands and dice come on top."""

    men: list[Man] = field(default_factory=list)
    dice: list[tuple[float, float, float, float]] = field(default_factory=list)
    hands: list[tuple[Floats, float, bool]] = field(default_factory=list)


@dataclass
class View:
    """A pinhole camera: 3 x 4 matrix, its place, and the picture's size."""

    matrix: Floats
    place: Floats
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """Pixels (n x 2) of points (n x 3)."""
        seen = np.asarray(points, float) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[..., :2] / seen[..., 2:])


def random_men(chance: Generator, albedo: Singles, like: Men | None) -> Men:
    """Men of a colour, in the shape of the other side's or another one."""
    wall = np.clip(albedo * chance.uniform(0.5, 1.1), 0, 1)
    if like is not None:
        return replace(like, albedo=albedo, wall=wall)
    rings = [
        (chance.uniform(0.15, 0.95), chance.uniform(0.025, 0.09), chance.normal(0, 0.9), chance.normal(0, 0.25))
        for _ in range(int(chance.integers(0, 5)))
    ]
    emblem = None
    if chance.random() < 0.3:
        tips = int(chance.integers(2, 8))
        far = chance.uniform(0.25, 0.6)
        near = far * chance.uniform(0.3, 1)
        angle, radius = np.arange(2 * tips) * np.pi / tips, np.where(np.arange(2 * tips) % 2, near, far)
        emblem = (np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), chance.uniform(0.3, 1.8))
    slope = chance.choice([0.0, chance.uniform(0, 0.7), -chance.uniform(0, 0.4)], p=[0.4, 0.4, 0.2])
    glossy = chance.random() < 0.5
    return Men(
        albedo,
        wall,
        chance.uniform(0.72, 1) if chance.random() < 0.6 else 1.0,
        float(slope),
        rings,
        emblem,
        chance.uniform(0, 0.7) if glossy else 0.0,
        chance.uniform(6, 80),
        chance.uniform(0, 0.13),
    )


def men_colour(chance: Generator, bed: Singles, other: Singles) -> Singles:
    """A third of the men are nearly of the colour of the bed under them, some of the other colour beside it."""
    kind = chance.random()
    if kind < 0.33:
        base = bed * chance.uniform(0.5, 1.7) * (1 + chance.normal(0, 0.06, 3))
    elif kind < 0.48:
        base = other * chance.uniform(0.6, 1.15) * (1 + chance.normal(0, 0.05, 3))
    elif kind < 0.68:
        base = wood(chance, 0.1, 0.95)
    elif kind < 0.84:
        base = any_colour(chance)
    else:
        base = np.ones(3) * (chance.uniform(0.02, 0.2) if chance.random() < 0.5 else chance.uniform(0.7, 0.97))
    return np.clip(np.asarray(base, np.float32), 0.015, 1.0)


def random_men_of_both(chance: Generator, bed: Singles, other: Singles) -> tuple[Men, Men]:
    """Men of both sides, which differ as much from each other as a player would ask for."""
    while True:
        sides = men_colour(chance, bed, other), men_colour(chance, bed, other)
        apart = np.abs(np.sqrt(sides[0]) - np.sqrt(sides[1])).max()
        from_bed = min(float(np.abs(np.sqrt(one) - np.sqrt(bed)).max()) for one in sides)
        if apart > 0.2 and from_bed > 0.03:
            break
    white = random_men(chance, sides[0], None)
    return white, random_men(chance, sides[1], white if chance.random() < 0.7 else None)


def any_skin(chance: Generator) -> Singles:
    """The colour of somebody's hand."""
    return np.float32([0.32, 0.5, 0.8]) * np.float32(chance.uniform(0.25, 1.1)) * np.exp(chance.normal(0, 0.1, 3))


def random_lamp(chance: Generator, extent: Floats) -> Lamp:
    """Light of a room: soft or hard, from any side, sometimes with glare, or with the edge of a shadow on the board."""
    up, around = np.radians(chance.uniform(22, 82)), chance.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
    glare = [
        (
            (chance.uniform(-0.1, 1.1, 2) * extent),
            chance.uniform(0.4, 3, 2),
            chance.uniform(0.05, 0.7),
            chance.uniform(0, 180),
        )
        for _ in range(int(chance.integers(1, 4)) if chance.random() < 0.25 else 0)
    ]
    stripes = []
    for _ in range(int(chance.integers(1, 4)) if chance.random() < 0.25 else 0):
        angle = chance.uniform(0, np.pi)
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        middle, wide = (chance.uniform(-0.1, 1.1, 2) * extent), chance.uniform(0.15, 3)
        edge = np.array(
            [
                -12 * along - wide * across,
                12 * along - wide * across,
                12 * along + wide * across,
                -12 * along + wide * across,
            ]
        )
        stripes.append((middle + edge, float(np.exp(chance.normal(0, 0.45)))))
    strength = 0.05 if chance.random() < 0.6 else 0.13
    return Lamp(
        towards,
        chance.uniform(0.3, 0.9),
        chance.uniform(0.02, 0.35),
        chance.uniform(0, 0.5),
        np.exp(chance.normal(0, 0.06, 3)).astype(np.float32),
        chance.normal(0, strength, 2),
        chance.uniform(0, 0.15),
        glare,
        stripes,
    )


def between(first: Lamp, second: Lamp, share: float) -> Lamp:
    """The first light, changed by a share towards the second."""
    towards = first.towards * (1 - share) + second.towards * share
    return replace(
        first,
        towards=towards / np.linalg.norm(towards),
        ambient=first.ambient * (1 - share) + second.ambient * share,
        tint=first.tint * np.float32(1 - share) + second.tint * np.float32(share),
        gradient=first.gradient * (1 - share) + second.gradient * share,
        stripes=second.stripes if share > 0.25 else first.stripes,
    )


def random_view(chance: Generator, extent: Floats, least_px: float = 14, most_px: float = 32) -> tuple[View, Floats]:
    """A camera above or beside the board, near or far; and the pixels of the board's corners."""
    up = np.radians(chance.uniform(22, 90) if chance.random() < 0.7 else chance.uniform(50, 89))
    around = chance.uniform(0, 2 * np.pi)
    if chance.random() < 0.4:
        around = chance.integers(0, 4) * np.pi / 2 + chance.normal(0, 0.15)
    far = chance.uniform(1.5, 5) * extent.mean()
    at = np.array([*(extent / 2 + chance.normal(0, 0.07, 2) * extent), 0])
    place = at + far * np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
    ahead = (at - place) / far
    right = np.cross(ahead, [0, 0, 1.0])
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-3 else np.array([1.0, 0, 0])
    down = np.cross(ahead, right)
    roll = chance.normal(0, 0.06)
    right, down = right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll)
    turn = np.stack([right, down, ahead])
    matrix = np.hstack([turn, (-turn @ place)[:, None]])
    width, depth = extent
    corners = np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], float)
    seen = View(matrix, place, 0, 0).project(corners)
    scale = chance.uniform(least_px, most_px)
    focal = scale * (width + depth) / 2 / np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1).mean()
    low, high = (seen * focal).min(axis=0) - 1.9 * scale, (seen * focal).max(axis=0) + 1.9 * scale
    lens = np.array([[focal, 0, -low[0]], [0, focal, -low[1]], [0, 0, 1]])
    width, height = (int(v) for v in high - low)
    return View(lens @ matrix, place, width, height), seen * focal - low


def face(chance: Generator, men: Men, lamp: Lamp, to_camera: Floats) -> Singles:
    """The lit top of a man, in the square around it."""
    drawn = np.ones((_FACE_PX, _FACE_PX, 3), np.float32) * men.albedo
    texture = cloud(chance, _FACE_PX, 30, 2.5) if chance.random() < 0.7 else cloud(chance, _FACE_PX, 8, 8)
    drawn *= (1 + men.grain * texture)[..., None]
    slope = -2 * men.slope * _R
    for radius, width, depth, darkness in men.rings:
        groove = np.exp(-((_R - radius) ** 2) / (2 * width**2))
        slope = slope + depth * (_R - radius) / width * groove
        drawn *= (1 + darkness * groove)[..., None]
    slope = slope - 1.2 * np.clip((_R - 0.9) / 0.1, 0, 1) * (1 - men.top * 0.5)
    if men.emblem is not None:
        mask = np.zeros((_FACE_PX, _FACE_PX), np.float32)
        outline = ((men.emblem[0] * (_FACE_PX / 2 - 2) + _FACE_PX / 2 - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(mask, [outline], 1.0, cv2.LINE_AA, 4)
        drawn *= (1 + (men.emblem[1] - 1) * mask)[..., None]
    turn = cv2.getRotationMatrix2D((_FACE_PX / 2 - 0.5, _FACE_PX / 2 - 0.5), chance.uniform(0, 360), 1)
    drawn = cv2.warpAffine(drawn, turn, (_FACE_PX, _FACE_PX), borderMode=cv2.BORDER_REPLICATE)
    across, along = -slope * _X / _R, -slope * _Y / _R
    length = 1 / np.sqrt(across**2 + along**2 + 1)
    lit = (
        np.maximum(0, (across * lamp.towards[0] + along * lamp.towards[1] + lamp.towards[2]) * length) / lamp.towards[2]
    )
    half = lamp.towards + to_camera
    half = half / np.linalg.norm(half)
    reflected = np.maximum(0, (across * half[0] + along * half[1] + half[2]) * length) ** men.shine
    drawn = drawn * (lamp.ambient + (1 - lamp.ambient) * np.minimum(lit, 2.2))[..., None]
    return np.asarray(drawn + (men.gloss * reflected)[..., None], np.float32)


_DISC = np.clip((1 - _R) * (_FACE_PX / 2 - 2) + 0.5, 0, 1).astype(np.float32)


def _on_bed(points: Floats) -> NDArray[np.int32]:
    """Pixels of the bed's texture for OpenCV's drawing, with four bits below the point."""
    return np.asarray((points + AROUND) * TEXEL * 16, np.int32)


def _shadows(make: Make, scene: Scene, lamp: Lamp) -> tuple[Singles, Singles]:
    """Shadows on the bed, and how near each of its pixels is to the foot of a checker (0 to 1)."""
    size = make.bed.shape[:2]
    shade, contact = np.zeros(size, np.float32), np.zeros(size, np.float32)
    slide = -lamp.towards[:2] / lamp.towards[2]
    for man in scene.men:
        foot = _CIRCLE * make.radius + (man.x, man.y)
        shadow = np.concatenate([foot, foot + slide * make.thickness * man.high])
        cv2.fillConvexPoly(shade, cv2.convexHull(_on_bed(shadow)), 1.0, cv2.LINE_AA, 4)
        rim = (np.array([man.x, man.y]), make.radius * 1.05 + 0.03)
        cv2.circle(contact, tuple(_on_bed(rim[0]).tolist()), int(rim[1] * TEXEL * 16), 1.0, -1, cv2.LINE_AA, 4)
    for x, y, edge, _ in scene.dice:
        shadow = _CIRCLE * edge * 0.6 + (x, y)
        shadow = np.concatenate([shadow, shadow + slide * edge])
        cv2.fillConvexPoly(shade, cv2.convexHull(_on_bed(shadow)), 1.0, cv2.LINE_AA, 4)
    shade = cv2.GaussianBlur(shade, (0, 0), max(0.5, lamp.soft * TEXEL * (make.thickness + 0.1) * 2))
    arm = np.zeros(size, np.float32)
    for limbs, high, _ in scene.hands:
        for limb in limbs:
            cv2.fillConvexPoly(arm, cv2.convexHull(_on_bed(limb + slide * high)), 1.0, cv2.LINE_AA, 4)
    if scene.hands:
        shade = np.maximum(shade, cv2.GaussianBlur(arm, (0, 0), TEXEL * (0.15 + lamp.soft)))
    return shade, contact


def _lit_bed(make: Make, scene: Scene, lamp: Lamp) -> Singles:
    """The bed in the light of the scene."""
    size = make.bed.shape[:2]
    shade, contact = _shadows(make, scene, lamp)
    light = 1 - (1 - lamp.ambient) * shade
    light *= 1 - lamp.contact * 0.6 * cv2.GaussianBlur(contact, (0, 0), TEXEL * 0.1)
    for outline, factor in lamp.stripes:
        stripe = np.zeros(size, np.float32)
        cv2.fillConvexPoly(stripe, _on_bed(outline), 1.0, cv2.LINE_AA, 4)
        light *= 1 + (factor - 1) * cv2.GaussianBlur(stripe, (0, 0), 0.5 + lamp.soft * TEXEL)
    bed = make.bed * light[..., None]
    for at, wide, strength, angle in lamp.glare:
        quarter = np.zeros((size[0] // 4, size[1] // 4), np.float32)
        centre = tuple(int(v) for v in (at + AROUND) * TEXEL / 4)
        axes = tuple(max(1, int(v * TEXEL / 4)) for v in wide)
        cv2.ellipse(quarter, centre, axes, angle, 0, 360, strength, -1)
        quarter = cv2.GaussianBlur(quarter, (0, 0), TEXEL / 4 * wide.min() * 0.6)
        bed = bed + cv2.resize(quarter, size[::-1])[..., None]
    return np.asarray(bed, np.float32)


def render(chance: Generator, make: Make, view: View, scene: Scene, lamp: Lamp) -> tuple[Singles, Singles]:
    """The scene in linear light, and how much of each pixel a hand or a die hides (0 to 1)."""
    bed = _lit_bed(make, scene, lamp)
    texel = np.array([[1 / TEXEL, 0, 0.5 / TEXEL - AROUND], [0, 1 / TEXEL, 0.5 / TEXEL - AROUND], [0, 0, 0], [0, 0, 1]])
    picture = cv2.warpPerspective(bed, view.matrix @ texel, (view.width, view.height), borderMode=cv2.BORDER_REPLICATE)
    towards = view.place - (*(make.extent / 2), 0)
    towards = towards / np.linalg.norm(towards)
    faces: dict[tuple[int, int], Singles] = {}
    for man in sorted(scene.men, key=lambda one: -float(np.hypot(one.x - view.place[0], one.y - view.place[1]))):
        key = (man.side, int(man.turn) % 3)
        if key not in faces:
            faces[key] = face(chance, make.men[man.side], lamp, towards)
        _draw_man(picture, make, view, man, lamp, faces[key])
    hidden = np.zeros(picture.shape[:2], np.float32)
    for x, y, edge, turn in scene.dice:
        _draw_die(picture, hidden, make, view, lamp, (x, y, edge, turn))
    for limbs, high, sleeved in scene.hands:
        _draw_hand(picture, hidden, make, view, lamp, limbs, high, sleeved)
    y, x = np.mgrid[-1 : 1 : view.height * 1j, -1 : 1 : view.width * 1j].astype(np.float32)
    fall = np.exp(
        np.float32(2 * lamp.gradient[0]) * x
        + np.float32(2 * lamp.gradient[1]) * y
        - np.float32(lamp.vignette) * (x * x + y * y)
    )
    return picture * fall[..., None] * lamp.tint, hidden


def _fixed(points: Floats) -> NDArray[np.int32]:
    """Pixels for OpenCV's drawing with four bits below the point."""
    return np.asarray(np.rint(points * 16), np.int32)


def _draw_man(picture: Singles, make: Make, view: View, man: Man, lamp: Lamp, top: Singles) -> None:
    men, radius = make.men[man.side], make.radius
    for layer in range(man.high):
        x, y = man.x + man.shift[0] * layer, man.y + man.shift[1] * layer
        low, high = layer * make.thickness, (layer + 1) * make.thickness
        foot = view.project(np.column_stack([_CIRCLE * radius + (x, y), np.full(_FACETS, low)]))
        rim = view.project(np.column_stack([_CIRCLE * radius * men.top + (x, y), np.full(_FACETS, high)]))
        wall = men.wall * man.bright
        hull = cv2.convexHull(_fixed(np.concatenate([foot, rim])))
        cv2.fillConvexPoly(picture, hull, tuple(float(v) for v in wall * lamp.ambient), cv2.LINE_AA, 4)
        middle = _ANGLES + np.pi / _FACETS
        outward = np.column_stack([np.cos(middle), np.sin(middle)])
        seen = outward @ (view.place[:2] - (x, y))
        lit = lamp.ambient + (1 - lamp.ambient) * np.maximum(0, outward @ lamp.towards[:2]) * 1.2
        for facet in np.flatnonzero(seen > 0):
            after = (facet + 1) % _FACETS
            quad = _fixed(np.stack([foot[facet], foot[after], rim[after], rim[facet]]))
            cv2.fillConvexPoly(picture, quad, tuple(float(v) for v in wall * lit[facet]), cv2.LINE_AA, 4)
        level = view.project(np.array([[x, y, high], [x + radius * men.top, y, high], [x, y + radius * men.top, high]]))
        left, upper = np.maximum(np.floor(rim.min(axis=0) - 2), 0).astype(int)
        right, lower = np.minimum(np.ceil(rim.max(axis=0) + 3), (view.width, view.height)).astype(int)
        if right <= left or lower <= upper:
            continue
        reach = _FACE_PX / 2 - 2
        source = np.float32([[0, 0], [reach, 0], [0, reach]]) + np.float32(_FACE_PX / 2 - 0.5)
        warp = cv2.getAffineTransform(source, (level - (left, upper)).astype(np.float32))
        size = (int(right - left), int(lower - upper))
        seen_top = cv2.warpAffine(top, warp, size, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(_DISC, warp, size)[..., None]
        part = picture[upper:lower, left:right]
        part += (seen_top * np.float32(man.bright) - part) * cover


def _draw_die(
    picture: Singles, hidden: Singles, make: Make, view: View, lamp: Lamp, die: tuple[float, float, float, float]
) -> None:
    x, y, edge, turn = die
    angle = turn + np.arange(4) * np.pi / 2
    square = np.column_stack([np.cos(angle), np.sin(angle)]) * edge / np.sqrt(2) + (x, y)
    foot, top = (view.project(np.column_stack([square, np.full(4, z)])) for z in (0.0, edge))
    hull = cv2.convexHull(_fixed(np.concatenate([foot, top])))
    cv2.fillConvexPoly(picture, hull, tuple(float(v) for v in make.dice * 0.6 * lamp.ambient), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, _fixed(top), tuple(float(v) for v in make.dice), cv2.LINE_AA, 4)
    dot = tuple(float(v) for v in (1 - make.dice) * 0.8)
    for across, along in ((-0.5, -0.5), (0.5, 0.5), (0, 0))[: 1 + int(turn * 7) % 3]:
        at = (top[1] - top[0]) * (0.5 + across / 2) + (top[3] - top[0]) * (0.5 + along / 2) + top[0]
        cv2.circle(
            picture,
            tuple(_fixed(at).tolist()),
            int(16 * 0.09 * np.linalg.norm(top[1] - top[0])),
            dot,
            -1,
            cv2.LINE_AA,
            4,
        )
    cv2.fillConvexPoly(hidden, hull, 1.0, cv2.LINE_AA, 4)


def _draw_hand(
    picture: Singles, hidden: Singles, make: Make, view: View, lamp: Lamp, limbs: Floats, high: float, sleeved: bool
) -> None:
    for number, limb in enumerate(limbs):
        skin = make.sleeve if sleeved and number == len(limbs) - 1 else make.skin
        middle = limb.mean(axis=0)
        for shrink, shade in ((1.0, 0.65), (0.75, 0.85), (0.45, 1.0)):
            outline = view.project(
                np.column_stack([(limb - middle) * (shrink, shrink) + middle, np.full(len(limb), high)])
            )
            lit = skin * shade * (lamp.ambient + (1 - lamp.ambient) * 0.8)
            cv2.fillConvexPoly(picture, cv2.convexHull(_fixed(outline)), tuple(float(v) for v in lit), cv2.LINE_AA, 4)
            if shrink == 1.0:
                cv2.fillConvexPoly(hidden, cv2.convexHull(_fixed(outline)), 1.0, cv2.LINE_AA, 4)


def random_hand(chance: Generator, extent: Floats) -> tuple[Floats, float, bool]:
    """A hand with its arm from one edge: outlines of fingers, palm and arm, its height, and whether it has a sleeve."""
    tip = chance.uniform(0, 1, 2) * extent
    away = chance.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(away), np.sin(away)]), np.array([-np.sin(away), np.cos(away)])

    def limb(start: Floats, end: Floats, thin: float, thick: float) -> Floats:
        return np.concatenate([_CIRCLE * thin + start, _CIRCLE * thick + end])

    parts = []
    for place in (-0.45, -0.15, 0.15, 0.45)[: int(chance.integers(1, 5))]:
        end = tip + across * place + along * chance.uniform(0, 0.5)
        parts.append(limb(end, tip + across * place * 0.8 + along * 1.8, 0.17, 0.24))
    parts.append(limb(tip + along * 1.8, tip + along * 2.8, 0.55, 0.6))
    parts.append(limb(tip + along * 2.6, tip + along * 20, 0.5, 0.8))
    return np.array(parts), chance.uniform(0.3, 1.5), bool(chance.random() < 0.7)


@dataclass
class Sensor:
    """What camera and file do to the light."""

    exposure: float
    balance: Singles
    haze: float
    haze_colour: Singles
    gamma: float
    coarse: float
    blur: float
    noise: float
    blotchy: bool
    quality: int

    @classmethod
    def random(cls, chance: Generator) -> Sensor:
        """Any camera: half of them fair, the others small, hazy, noisy or badly focused."""
        poor = chance.random() < 0.5
        haze = chance.uniform(0, 0.35) if poor and chance.random() < 0.6 else 0.0
        coarse = chance.uniform(1, 2.0) if poor and chance.random() < 0.6 else 1.0
        return cls(
            float(np.exp(chance.normal(0, 0.18))),
            np.exp(chance.normal(0, 0.07, 3)).astype(np.float32),
            haze,
            chance.uniform(0.4, 1, 3).astype(np.float32),
            chance.uniform(0.45, 1.3),
            coarse,
            chance.uniform(0, 1.3 if poor else 0.8),
            chance.uniform(3, 14) if poor and chance.random() < 0.4 else chance.uniform(0, 4),
            bool(chance.random() < 0.5),
            int(chance.uniform(45 if poor else 75, 98)),
        )

    def later(self, chance: Generator, much: float) -> Sensor:
        """The same camera some time later."""
        return replace(
            self,
            exposure=self.exposure * 2 ** (chance.uniform(-1, 1) * much),
            balance=self.balance * np.exp(chance.normal(0, 0.1 * much, 3)).astype(np.float32),
            haze=float(np.clip(self.haze + chance.normal(0, 0.08) * much, 0, 0.4)),
            gamma=self.gamma * float(np.exp(chance.normal(0, 0.1) * much)),
            blur=max(0.0, self.blur + chance.normal(0, 0.3)),
            quality=int(np.clip(self.quality + chance.normal(0, 6), 40, 98)),
        )

    def picture(self, light: Singles) -> Picture:
        """The picture (BGR) of a scene in linear light."""
        seen = (
            light * np.float32(self.exposure * (1 - self.haze)) * self.balance
            + np.float32(self.haze) * self.haze_colour
        )
        seen = cv2.pow(np.clip(seen, 0, 1), self.gamma)
        height, width = seen.shape[:2]
        if self.coarse > 1.05:
            less = cv2.resize(seen, (int(width / self.coarse), int(height / self.coarse)), interpolation=cv2.INTER_AREA)
            seen = cv2.resize(less, (width, height), interpolation=cv2.INTER_LINEAR)
        if self.blur > 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), self.blur)
        noise = np.empty(seen.shape, np.float32)
        cv2.randn(noise, 0, self.noise)
        if self.blotchy:
            noise = 2 * cv2.GaussianBlur(noise, (0, 0), 0.8)
        taken = np.clip(seen * 255 + noise, 0, 255).astype(np.uint8)
        return cv2.imdecode(cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], cv2.IMREAD_COLOR)
