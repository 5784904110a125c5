"""Locating a row of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.tiles import TileBoard


@pytest.mark.parametrize("brighter", [slice(None), slice(None, None, -1)], ids=["left", "right"])
def test_a_row_is_located_where_the_light_falls_off_along_it(brighter: slice) -> None:
    """Tiles of one colour then look less alike at the row's ends than two neighbours do in even light."""
    scene = Scene.load(PICTURES / "tiles-blue-brown")
    light = (1 - 0.8 * np.linspace(0, 1, scene.start.shape[1]))[brighter]
    found = TileBoard.find((scene.start * light[:, None]).astype(np.uint8), scene.mirror)
    width = np.linalg.norm(scene.corners[1] - scene.corners[0])
    assert np.linalg.norm(found.corners - scene.corners, axis=1).max() < 0.03 * width
