"""Locating a row of tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.tiles import TileBoard


def corners_off(scene: Scene, picture: np.ndarray) -> float:
    """Largest distance of the corners located in a picture from the scene's labelled ones, in lengths of the line."""
    found = TileBoard.find(picture, scene.mirror).corners
    width = np.linalg.norm(scene.corners[1] - scene.corners[0])
    return float(np.linalg.norm(found - scene.corners, axis=1).max() / width)


@pytest.mark.parametrize("brighter", [slice(None), slice(None, None, -1)], ids=["left", "right"])
def test_a_row_is_located_where_the_light_falls_off_along_it(brighter: slice) -> None:
    """Tiles of one colour then look less alike at the row's ends than two neighbours do in even light."""
    scene = Scene.load(PICTURES / "tiles-blue-brown")
    light = (1 - 0.8 * np.linspace(0, 1, scene.start.shape[1]))[brighter]
    assert corners_off(scene, (scene.start * light[:, None]).astype(np.uint8)) < 0.03


@pytest.mark.parametrize("name", ["tiles-blue-brown", "tiles-blue-white", "tiles-green-red", "tiles-white-black"])
def test_a_row_is_located_beside_twelve_coins_in_a_line(name: str) -> None:
    """Coins are a longer chain of like patches than tiles, of which a few are seldom seen."""
    scene = Scene.load(PICTURES / name)
    area = np.array([[0, 0], [12, 0], [12, 5], [0, 5]], np.float32)
    onto = cv2.getPerspectiveTransform(area, scene.corners.astype(np.float32))
    beside = np.array([[[column + 0.5, -0.3]] for column in range(12)], np.float32)
    coins = cv2.perspectiveTransform(beside, onto)[:, 0]
    radius = 0.42 * np.linalg.norm(coins[1] - coins[0])
    picture = scene.start.copy()
    for coin in np.rint(coins).astype(int).tolist():
        cv2.circle(picture, coin, round(radius), (40, 160, 200), -1, cv2.LINE_AA)
    assert corners_off(scene, picture) < 0.03
