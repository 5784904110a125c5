"""Draws boards with everything on them as a camera sees them.

Lengths are in columns or squares, x to White's right, y from White's edge, z up from the bed. Colours are B, G, R in
linear light.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.drawn_things import draw_die, draw_hand, draw_prism, fixed
from training.makes import AROUND, TEXEL, BoardMake, Men, cloud
from training.scenes import ANGLES, CIRCLE, FACETS, DrawnScene, Man, Prism

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.lighting import DrawnLight
    from vision.arrays import Floats, Picture, Singles


_FACE_PX = 44
_AXIS = (np.arange(_FACE_PX) - _FACE_PX / 2 + 0.5) / (_FACE_PX / 2 - 2)
_X, _Y = np.meshgrid(_AXIS, _AXIS)
_R = np.hypot(_X, _Y) + 1e-6


@dataclass
class PinholeView:
    """A pinhole camera: 3 x 4 projection matrix, its place (3), and the picture's size in pixels."""

    matrix: Floats
    place: Floats
    width: int
    height: int

    def project(self, points: Floats) -> Floats:
        """Pixels (n x 2) of points (n x 3)."""
        seen = np.asarray(points, float) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[..., :2] / seen[..., 2:])


def random_view(
    chance: Generator, extent: Floats, least_px: float = 14, most_px: float = 32
) -> tuple[PinholeView, Floats]:
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
    seen = PinholeView(matrix, place, 0, 0).project(corners)
    scale = chance.uniform(least_px, most_px)
    focal = scale * (width + depth) / 2 / np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1).mean()
    low, high = (seen * focal).min(axis=0) - 1.9 * scale, (seen * focal).max(axis=0) + 1.9 * scale
    lens = np.array([[focal, 0, -low[0]], [0, focal, -low[1]], [0, 0, 1]])
    width, height = (int(v) for v in high - low)
    return PinholeView(lens @ matrix, place, width, height), seen * focal - low


def face(chance: Generator, men: Men, lamp: DrawnLight, to_camera: Floats) -> Singles:
    """The lit top of a man, in the square around it (_FACE_PX x _FACE_PX x 3, B, G, R, linear)."""
    drawn = np.ones((_FACE_PX, _FACE_PX, 3), np.float32) * men.albedo
    texture = cloud(chance, _FACE_PX, 30, 2.5) if chance.random() < 0.7 else cloud(chance, _FACE_PX, 8, 8)
    drawn *= (1 + men.grain * texture)[..., None]
    slope = -2 * men.slope * _R
    for radius, width, depth, darkness in men.rings:
        groove = np.exp(-((_R - radius) ** 2) / (2 * width**2))
        slope = slope + depth * (_R - radius) / width * groove
        drawn *= (1 + darkness * groove)[..., None]
    slope = slope - 1.2 * np.clip((_R - 0.9) / 0.1, 0, 1) * (1 - men.top * 0.5)
    if men.spots is not None:
        spotted = (np.arctan2(_Y, _X) * men.spots[0] / (2 * np.pi) % 1 < 0.45) & (_R > 0.68)
        drawn[spotted] = men.spots[1]
    if men.emblem is not None:
        mask = np.zeros((_FACE_PX, _FACE_PX), np.float32)
        outline = ((men.emblem[0] * (_FACE_PX / 2 - 2) + _FACE_PX / 2 - 0.5) * 16).astype(np.int32)
        cv2.fillPoly(mask, [outline], 1.0, cv2.LINE_AA, 4)
        drawn *= (1 + (men.emblem[1] - 1) * mask)[..., None]
    turn = cv2.getRotationMatrix2D((_FACE_PX / 2 - 0.5, _FACE_PX / 2 - 0.5), chance.uniform(0, 360), 1)
    drawn = cv2.warpAffine(drawn, turn, (_FACE_PX, _FACE_PX), borderMode=cv2.BORDER_REPLICATE)
    across, along = -slope * _X / _R, -slope * _Y / _R
    if men.relief:
        fall = np.gradient(cv2.GaussianBlur(chance.standard_normal(_R.shape), (0, 0), chance.uniform(1.2, 3)))
        across, along = (one + men.relief * part * (_R < 0.85) for one, part in zip((across, along), fall, strict=True))
    length = 1 / np.sqrt(across**2 + along**2 + 1)
    lit = (
        np.maximum(0, (across * lamp.towards[0] + along * lamp.towards[1] + lamp.towards[2]) * length) / lamp.towards[2]
    )
    half = lamp.towards + to_camera
    half = half / np.linalg.norm(half)
    reflected = np.maximum(0, (across * half[0] + along * half[1] + half[2]) * length) ** men.shine
    drawn = drawn * (lamp.ambient + (1 - lamp.ambient) * np.minimum(lit, 2.2))[..., None]
    return np.asarray(drawn + (men.gloss * reflected)[..., None] * (men.albedo if men.metal else 1), np.float32)


_DISC = np.clip((1 - _R) * (_FACE_PX / 2 - 2) + 0.5, 0, 1).astype(np.float32)


def _on_bed(points: Floats) -> NDArray[np.int32]:
    """Pixels of the bed's texture in OpenCV's fixed point, with four fractional bits."""
    return np.asarray((points + AROUND) * TEXEL * 16, np.int32)


def _shadows(make: BoardMake, scene: DrawnScene, lamp: DrawnLight) -> tuple[Singles, Singles]:
    """Shadows on the bed (0 to 1), and contact shadows at the foot of checkers (0 to 1)."""
    size = make.bed.shape[:2]
    shade, contact = np.zeros(size, np.float32), np.zeros(size, np.float32)
    slide = -lamp.towards[:2] / lamp.towards[2]
    for prism in scene.prisms:
        shadow = np.concatenate([prism.outline, prism.outline + slide * prism.high])
        cv2.fillConvexPoly(shade, cv2.convexHull(_on_bed(shadow)), 1.0, cv2.LINE_AA, 4)
    for man in scene.men:
        of = man.of or make
        foot = CIRCLE * of.radius + (man.x, man.y)
        shadow = np.concatenate([foot, foot + slide * of.thickness * man.high])
        cv2.fillConvexPoly(shade, cv2.convexHull(_on_bed(shadow)), 1.0, cv2.LINE_AA, 4)
        rim = (np.array([man.x, man.y]), of.radius * 1.05 + 0.03)
        cv2.circle(contact, tuple(_on_bed(rim[0]).tolist()), int(rim[1] * TEXEL * 16), 1.0, -1, cv2.LINE_AA, 4)
    for x, y, edge, _ in scene.dice:
        shadow = CIRCLE * edge * 0.6 + (x, y)
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


def _lit_bed(make: BoardMake, scene: DrawnScene, lamp: DrawnLight) -> Singles:
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


def render(
    chance: Generator, make: BoardMake, view: PinholeView, scene: DrawnScene, lamp: DrawnLight
) -> tuple[Singles, Picture]:
    """The scene in linear light, and how much of each pixel foreign objects, dice and hands hide (0 to 255)."""
    bed = _lit_bed(make, scene, lamp)
    texel = np.array([[1 / TEXEL, 0, 0.5 / TEXEL - AROUND], [0, 1 / TEXEL, 0.5 / TEXEL - AROUND], [0, 0, 0], [0, 0, 1]])
    picture = cv2.warpPerspective(bed, view.matrix @ texel, (view.width, view.height), borderMode=cv2.BORDER_REPLICATE)
    towards = view.place - (*(make.extent / 2), 0)
    towards = towards / np.linalg.norm(towards)
    hidden = np.zeros(picture.shape[:2], np.float32)
    faces: dict[tuple[int, int, int], Singles] = {}
    for one in sorted([*scene.men, *scene.prisms], key=lambda one: -_distance_from_camera(one, view)):
        if isinstance(one, Prism):
            draw_prism(picture, hidden, view, lamp, one)
            continue
        of = one.of or make
        key = (id(of), one.side, int(one.turn) % 3)
        if key not in faces:
            faces[key] = face(chance, of.men[one.side], lamp, towards)
        _draw_man(picture, hidden, of, view, one, lamp, faces[key])
    for x, y, edge, turn in scene.dice:
        draw_die(picture, hidden, make, view, lamp, (x, y, edge, turn))
    for limbs, high, sleeved in scene.hands:
        draw_hand(picture, hidden, make, view, lamp, limbs, high, sleeved)
    y, x = np.mgrid[-1 : 1 : view.height * 1j, -1 : 1 : view.width * 1j].astype(np.float32)
    fall = np.exp(
        np.float32(2 * lamp.gradient[0]) * x
        + np.float32(2 * lamp.gradient[1]) * y
        - np.float32(lamp.vignette) * (x * x + y * y)
    )
    return picture * fall[..., None] * lamp.tint, np.rint(hidden * 255).astype(np.uint8)


def _distance_from_camera(piece: Man | Prism, view: PinholeView) -> float:
    """Distance of a piece from the point below the camera."""
    return float(np.hypot(*(piece.middle - view.place[:2])))


def _draw_man(
    picture: Singles,
    hidden: Singles,
    make: BoardMake,
    view: PinholeView,
    man: Man,
    lamp: DrawnLight,
    top: Singles,
) -> None:
    men, radius = make.men[man.side], make.radius
    for layer in range(man.high):
        x, y = man.x + man.shift[0] * layer, man.y + man.shift[1] * layer
        low, high = layer * make.thickness, (layer + 1) * make.thickness
        foot = view.project(np.column_stack([CIRCLE * radius + (x, y), np.full(FACETS, low)]))
        rim = view.project(np.column_stack([CIRCLE * radius * men.top + (x, y), np.full(FACETS, high)]))
        wall = men.wall * man.bright
        hull = cv2.convexHull(fixed(np.concatenate([foot, rim])))
        cv2.fillConvexPoly(picture, hull, tuple(float(v) for v in wall * lamp.ambient), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(hidden, hull, float(man.foreign), cv2.LINE_AA, 4)
        middle = ANGLES + np.pi / FACETS
        outward = np.column_stack([np.cos(middle), np.sin(middle)])
        seen = outward @ (view.place[:2] - (x, y))
        lit = lamp.ambient + (1 - lamp.ambient) * np.maximum(0, outward @ lamp.towards[:2]) * 1.2
        for facet in np.flatnonzero(seen > 0):
            after = (facet + 1) % FACETS
            quad = fixed(np.stack([foot[facet], foot[after], rim[after], rim[facet]]))
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
