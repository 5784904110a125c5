"""Draws objects other than men into a picture: prisms, dice, hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.drawing import PinholeView
    from training.lighting import DrawnLight
    from training.makes import BoardMake
    from training.scenes import Prism
    from vision.arrays import Floats, Singles


def fixed(points: Floats) -> NDArray[np.int32]:
    """Pixels in OpenCV's fixed point, with four fractional bits."""
    return np.asarray(np.rint(points * 16), np.int32)


def draw_prism(picture: Singles, hidden: Singles, view: PinholeView, lamp: DrawnLight, prism: Prism) -> None:
    """Draw a prism into `picture`, and its mask (1) into `hidden`."""
    count = len(prism.outline)
    foot, top = (view.project(np.column_stack([prism.outline, np.full(count, z)])) for z in (0.0, prism.high))
    hull = cv2.convexHull(fixed(np.concatenate([foot, top])))
    cv2.fillConvexPoly(hidden, hull, 1.0, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, hull, tuple(float(v) for v in prism.wall * lamp.ambient), cv2.LINE_AA, 4)
    middle = prism.middle
    for one in range(count):
        ends = prism.outline[[one, (one + 1) % count]]
        outward = ends.mean(axis=0) - middle
        outward /= np.linalg.norm(outward) + 1e-9
        if outward @ (view.place[:2] - middle) > 0:
            lit = lamp.ambient + (1 - lamp.ambient) * max(0, float(outward @ lamp.towards[:2])) * 1.2
            quad = fixed(np.concatenate([foot[[one, (one + 1) % count]], top[[(one + 1) % count, one]]]))
            cv2.fillConvexPoly(picture, quad, tuple(float(v) for v in prism.wall * lit), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, fixed(top), tuple(float(v) for v in prism.top), cv2.LINE_AA, 4)
    for mark, ink in prism.marks:
        seen = view.project(np.column_stack([mark, np.full(len(mark), prism.high)]))
        cv2.fillPoly(picture, [fixed(seen)], tuple(float(v) for v in ink), cv2.LINE_AA, 4)


def draw_die(
    picture: Singles,
    hidden: Singles,
    make: BoardMake,
    view: PinholeView,
    lamp: DrawnLight,
    die: tuple[float, float, float, float],
) -> None:
    """Draw a die (x, y, edge, turn) into `picture`, and its mask (1) into `hidden`."""
    x, y, edge, turn = die
    angle = turn + np.arange(4) * np.pi / 2
    square = np.column_stack([np.cos(angle), np.sin(angle)]) * edge / np.sqrt(2) + (x, y)
    foot, top = (view.project(np.column_stack([square, np.full(4, z)])) for z in (0.0, edge))
    hull = cv2.convexHull(fixed(np.concatenate([foot, top])))
    cv2.fillConvexPoly(picture, hull, tuple(float(v) for v in make.dice * 0.6 * lamp.ambient), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(picture, fixed(top), tuple(float(v) for v in make.dice), cv2.LINE_AA, 4)
    dot = tuple(float(v) for v in (1 - make.dice) * 0.8)
    for across, along in ((-0.5, -0.5), (0.5, 0.5), (0, 0))[: 1 + int(turn * 7) % 3]:
        at = (top[1] - top[0]) * (0.5 + across / 2) + (top[3] - top[0]) * (0.5 + along / 2) + top[0]
        cv2.circle(
            picture,
            tuple(fixed(at).tolist()),
            int(16 * 0.09 * np.linalg.norm(top[1] - top[0])),
            dot,
            -1,
            cv2.LINE_AA,
            4,
        )
    cv2.fillConvexPoly(hidden, hull, 1.0, cv2.LINE_AA, 4)


def draw_hand(
    picture: Singles,
    hidden: Singles,
    make: BoardMake,
    view: PinholeView,
    lamp: DrawnLight,
    limbs: Floats,
    high: float,
    sleeved: bool,
) -> None:
    """Draw a hand into `picture`, and its mask (1) into `hidden`."""
    for number, limb in enumerate(limbs):
        skin = make.sleeve if sleeved and number == len(limbs) - 1 else make.skin
        middle = limb.mean(axis=0)
        for shrink, shade in ((1.0, 0.65), (0.75, 0.85), (0.45, 1.0)):
            outline = view.project(
                np.column_stack([(limb - middle) * (shrink, shrink) + middle, np.full(len(limb), high)])
            )
            lit = skin * shade * (lamp.ambient + (1 - lamp.ambient) * 0.8)
            cv2.fillConvexPoly(picture, cv2.convexHull(fixed(outline)), tuple(float(v) for v in lit), cv2.LINE_AA, 4)
            if shrink == 1.0:
                cv2.fillConvexPoly(hidden, cv2.convexHull(fixed(outline)), 1.0, cv2.LINE_AA, 4)
