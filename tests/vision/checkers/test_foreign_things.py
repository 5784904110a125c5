"""An object on a square that is no man of this set makes the square doubtful, so that the referee asks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled_checkers import scenes

from vision.board import CERTAIN_NATS
from vision.checkers.layout import SIDE

BOARDS = {one.name: one for one in scenes()}
SQUARES = ((3, 1), (4, 6))
"""Empty squares of the starting position: row and column."""
OTHERS = {"White's": (1, 3), "Black's": (6, 4)}
"""Squares with a man of either side."""
RADIUS = 0.42
"""Of the disc that is copied, in squares: a little more than a man's."""
COINS = {"copper": (60, 110, 190), "brass": (70, 160, 200)}
"""Colours (B, G, R) that neither side's men have."""


def middle(square):
    return np.array([square[1], square[0]]) + 0.5


def squares_to_picture(scene):
    corners = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    return cv2.getPerspectiveTransform(corners, scene.corners.astype(np.float32)).astype(np.float64)


def disc(scene, at, radius):
    """Soft mask (0 to 1) of a disc on the board; lengths in squares."""
    angle = np.linspace(0, 2 * np.pi, 60)
    rim = np.column_stack([np.cos(angle), np.sin(angle)]) * radius + at
    outline = cv2.perspectiveTransform(rim[None], squares_to_picture(scene))
    mask = np.zeros(scene.start.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255


def with_man(scene, square, other, source):
    """The start with a man of another board's start, or of its own, copied to a square."""
    dx, dy = middle(square) - middle(source)
    shift = np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])
    warp = squares_to_picture(scene) @ shift @ np.linalg.inv(squares_to_picture(other))
    height, width = scene.start.shape[:2]
    moved = cv2.warpPerspective(other.start, warp, (width, height), flags=cv2.INTER_CUBIC)
    mask = disc(scene, middle(square), RADIUS)
    return (scene.start * (1 - mask) + moved * mask).astype(np.uint8)


def with_coin(scene, square, colour):
    """The start with a coin that has a darker rim on a square."""
    picture = scene.start.astype(float)
    for radius, share in ((0.3, 0.6), (0.28, 1.0), (0.2, 1.12)):
        mask = disc(scene, middle(square), radius)
        picture = picture * (1 - mask) + np.array(colour) * share * mask
    return np.clip(picture, 0, 255).astype(np.uint8)


def man_for_certain(scene, picture, square):
    """Whether a man is read there for certain."""
    seen = scene.board.look(picture)
    if seen.unreadable is not None:
        return False
    cell = seen.cells[square[0] * SIDE + square[1]]
    return cell.best != (0, 0) and cell.margin_nats >= CERTAIN_NATS


@pytest.mark.parametrize(
    ("name", "other"), [("checkers-club", "checkers-travel"), ("checkers-travel", "checkers-club")]
)
def test_men_of_another_set_are_not_taken_for_men_of_this_set(name, other):
    scene = BOARDS[name]
    taken = [
        (square, side)
        for square in SQUARES
        for side, source in OTHERS.items()
        if man_for_certain(scene, with_man(scene, square, BOARDS[other], source), square)
    ]
    assert taken == []


@pytest.mark.parametrize("name", ["checkers-club", "checkers-travel"])
def test_a_coin_is_not_taken_for_a_man(name):
    scene = BOARDS[name]
    taken = [
        (square, metal)
        for square in SQUARES
        for metal, colour in COINS.items()
        if man_for_certain(scene, with_coin(scene, square, colour), square)
    ]
    assert taken == []


@pytest.mark.parametrize("name", ["checkers-club", "checkers-travel"])
def test_a_copied_man_of_the_same_set_is_read(name):
    scene = BOARDS[name]
    for square in SQUARES:
        for source in OTHERS.values():
            assert man_for_certain(scene, with_man(scene, square, scene, source), square)
