"""Laying one raster over another: a search over turns and shifts, then an exact fit that checkers do not disturb."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Singles = NDArray[np.float32]
    Picture = NDArray[np.uint8]

_TURNS_DEG = np.arange(-6.0, 6.1, 1.5)
_ZOOMS = np.exp(np.arange(-0.08, 0.081, 0.04))
_FINEST_LEVELS = 4.0
"""Gradients of fewer grey levels a pixel are noise, and count in proportion."""
_PEAKS = 3
"""Places kept of each turn and zoom."""
_APART_PX = 5
"""Places nearer than this are one."""
_CALM_PX = 0.7
"""Blur before edges are compared: pictures of one camera are not all equally sharp."""
_TUKEY = 2.5
"""Spreads from which on a pixel counts nothing (Tukey's biweight)."""
_LEAST_SPREAD = 0.5
_USED_SHARE = 0.25
"""Share of the pixels that the exact fit looks at: those where the raster is steepest."""
_STEPS = 12
_GAIN_MOST = 3.0
"""Contrast is taken to have changed by no more than this factor."""
_STILL_PX = 0.02
"""A step of the exact fit that moves no corner farther is the last."""


def grey(picture: Picture) -> Singles:
    """Brightness as float32."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)


def directions(light: Singles) -> Singles:
    """Gradients (height x width x 2) with their lengths brought to 1, but for those that are mere noise."""
    x, y = (cv2.Sobel(light, cv2.CV_32F, *along, ksize=3, scale=1 / 8) for along in ((1, 0), (0, 1)))
    length = np.sqrt(x * x + y * y + _FINEST_LEVELS**2)
    return np.stack([x / length, y / length], axis=-1)


def search(ground: Singles, view: Singles, most: int) -> list[Floats]:
    """Where `ground` may lie in the larger `view`, likeliest first: matrices from ground to view pixels.

    Args:
        ground: the raster sought.
        view: what to seek it in.
        most: how many places to return.
    """
    pattern, middle = directions(ground), (view.shape[1] / 2, view.shape[0] / 2)
    found: list[tuple[float, Floats]] = []
    for degrees in _TURNS_DEG:
        for zoom in _ZOOMS:
            turn = np.vstack([cv2.getRotationMatrix2D(middle, degrees, zoom), [0, 0, 1]])
            turned = cv2.warpPerspective(view, turn, view.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
            field = directions(np.asarray(turned, np.float32))
            score = sum(
                cv2.matchTemplate(
                    np.ascontiguousarray(field[..., k]), np.ascontiguousarray(pattern[..., k]), cv2.TM_CCORR
                )
                for k in (0, 1)
            )
            found += [(value, np.linalg.inv(turn) @ _shift(x, y)) for value, x, y in _peaks(np.asarray(score))]
    return _distinct(sorted(found, key=lambda one: -one[0]), ground.shape, most)


def _shift(x: float, y: float) -> Floats:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _peaks(score: Singles) -> list[tuple[float, int, int]]:
    score = score.copy()
    found = []
    for _ in range(_PEAKS):
        y, x = np.unravel_index(int(score.argmax()), score.shape)
        found.append((float(score[y, x]), int(x), int(y)))
        score[max(y - _APART_PX, 0) : y + _APART_PX + 1, max(x - _APART_PX, 0) : x + _APART_PX + 1] = -np.inf
    return found


def _distinct(found: Sequence[tuple[float, Floats]], shape: tuple[int, ...], most: int) -> list[Floats]:
    kept: list[Floats] = []
    for _, matrix in found:
        if len(kept) < most and all(distance(matrix, other, shape) > _APART_PX for other in kept):
            kept.append(matrix)
    return kept


def corners_of(shape: tuple[int, ...]) -> Floats:
    """The corners (4 x 2) of a raster of that shape."""
    height, width = shape[:2]
    return np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64)


def apply_homography(matrix: Floats, places: Floats) -> Floats:
    """Places (n x 2) under a 3 x 3 matrix."""
    moved = np.column_stack([places, np.ones(len(places))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])


def distance(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """How far apart two matrices bring the corner of a raster that they differ most at (pixels)."""
    return float(_apart(one, other, shape).max())


def mean_distance(one: Floats, other: Floats, shape: tuple[int, ...]) -> float:
    """How far apart two matrices bring a raster's corners, in the mean (pixels)."""
    return float(_apart(one, other, shape).mean())


def _apart(one: Floats, other: Floats, shape: tuple[int, ...]) -> Floats:
    corners = corners_of(shape)
    return np.asarray(np.linalg.norm(apply_homography(one, corners) - apply_homography(other, corners), axis=1))


def refine(ground: Singles, view: Singles, matrix: Floats, blur_px: float) -> Floats:
    """The exact place of `ground` in `view`, from one at most some two `blur_px` away.

    Gauss-Newton over all eight degrees of a homography, on brightness freed of slow changes; pixels that disagree
    (checkers, hands, reflections) lose their weight.
    """
    pattern = _detail(ground, blur_px)
    x, y = (cv2.Sobel(pattern, cv2.CV_32F, *along, ksize=3, scale=1 / 8) for along in ((1, 0), (0, 1)))
    steep = x * x + y * y
    v, u = np.nonzero(steep > np.quantile(steep, 1 - _USED_SHARE))
    half = np.array(ground.shape[1::-1]) / 2
    norm = np.array([[1 / half[0], 0, -1], [0, 1 / half[0], -half[1] / half[0]], [0, 0, 1]])
    a, b = u / half[0] - 1, (v - half[1]) / half[0]
    p, q = (one[v, u].astype(np.float64) * half[0] for one in (x, y))
    slope = -(p * a + q * b)
    jacobian = np.column_stack([p * a, p * b, p, q * a, q * b, q, slope * a, slope * b])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    wanted = pattern[v, u].astype(np.float64)
    smooth = _detail(view, blur_px)
    weight = np.ones(len(u))
    for _ in range(_STEPS):
        seen = cv2.warpPerspective(smooth, matrix, ground.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        values = seen[v, u].astype(np.float64)
        gain = float((weight * values * wanted).sum() / max((weight * wanted * wanted).sum(), 1e-9))
        away = values / min(max(gain, 1 / _GAIN_MOST), _GAIN_MOST) - wanted
        spread = max(1.48 * float(np.median(np.abs(away))), _LEAST_SPREAD)
        weight = np.maximum(1 - (away / (_TUKEY * spread)) ** 2, 0) ** 2
        weighted = jacobian * weight[:, None]
        step = np.linalg.solve(weighted.T @ jacobian + np.eye(8) * 1e-6 * len(u), weighted.T @ away)
        change = np.linalg.inv(norm) @ (np.append(step, 0.0).reshape(3, 3) + np.eye(3)) @ norm
        better = matrix @ np.linalg.inv(change)
        better /= better[2, 2]
        moved = distance(matrix, better, ground.shape)
        matrix = better
        if moved < _STILL_PX or moved > 20 * blur_px:
            break
    return matrix


def _detail(light: Singles, blur_px: float) -> Singles:
    return np.asarray(
        cv2.GaussianBlur(light, (0, 0), blur_px) - cv2.GaussianBlur(light, (0, 0), 5 * blur_px), np.float32
    )


def agreement(ground: Singles, view: Singles, matrix: Floats, where: Singles | None = None) -> float:
    """How well the edges of `ground` agree in direction with those at its place in `view`: 1 is alike, 0 by chance.

    `where`: what its pixels count; None: all alike.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(view, matrix, ground.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
    learned, found = directions(_calm(ground)), directions(_calm(np.asarray(seen, np.float32)))
    steep = np.hypot(learned[..., 0], learned[..., 1])
    weight = steep if where is None else steep * where
    return float((weight * (learned * found).sum(axis=-1)).sum() / max(float((weight * steep).sum()), 1e-9))


def _calm(light: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), _CALM_PX), np.float32)
