"""Haze over a board of tiles is measured in any light, or not at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene, tile_board
from places import PICTURES

from vision.tiles.haze import TileTones
from vision.tiles.layout import TILE

SCENE = Scene.load(PICTURES / "tiles-blue-white")
WITHIN = 3.0
"""Most error, in grey levels."""


@pytest.fixture(scope="module")
def learned():
    return tile_board(SCENE).calibration


@pytest.fixture(scope="module")
def ground(learned):
    """Table and tiles without cubes, as taken."""
    return learned.contrast.undone(learned.ground)


@pytest.fixture(scope="module")
def tones(learned, ground):
    return TileTones(ground, learned.layout, learned.bed)


def along(raster):
    """The column of each pixel of a raster (height x width x 1), 0 to 1."""
    return np.broadcast_to(np.linspace(0, 1, raster.shape[1])[:, None], (*raster.shape[:2], 1))


def seen(raster, light, haze=0.0):
    return np.clip(raster * light + haze, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("haze", [0.0, 15.0, 60.0])
@pytest.mark.parametrize(
    "light",
    [lambda _: 0.6, lambda _: 1.2, lambda x: 0.7 + 0.4 * x, lambda x: np.where(x < 0.4, 0.5, 1.0)],
    ids=["dim", "bright", "slope", "shadow"],
)
def test_haze_is_measured_in_any_light(tones, ground, light, haze):
    assert tones.haze(seen(ground, light(along(ground)), haze)) == pytest.approx(haze, abs=WITHIN)


def test_more_contrast_than_before_is_no_haze(tones, ground):
    assert tones.haze(seen(ground, 1.2, -20.0)) == 0.0


def test_lost_colours_are_no_haze(learned):
    coloured = learned.ground.copy()
    middle = round(float(learned.bed.pixels(np.array([0.0, learned.layout.axis]))[1]))
    half = round(0.5 * TILE * learned.bed.scale)
    for column in range(12):
        x = round(float(learned.bed.pixels(np.array([learned.layout.column_x(column), 0.0]))[0]))
        coloured[middle - half : middle + half, x - half : x + half] = (60, 140, 90) if column % 2 else (40, 60, 160)
    tones = TileTones(coloured, learned.layout, learned.bed)
    grey = cv2.cvtColor(cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    assert tones.haze(coloured) == pytest.approx(0.0, abs=WITHIN)
    assert tones.haze(cv2.addWeighted(coloured, 0.5, grey, 0.5, 0)) is None


def test_tiles_under_a_hand_do_not_tell(tones, ground):
    covered = ground.copy()
    rng = np.random.default_rng(1)
    for left in range(0, ground.shape[1] // 2, 12):
        covered[:, left : left + 12] = rng.integers(60, 180, 3)
    assert tones.haze(covered) is None


def test_tiles_that_are_all_alike_do_not_tell(learned, ground):
    alike = np.full_like(ground, 120)
    assert TileTones(alike, learned.layout, learned.bed).haze(alike) is None


def test_saturated_tiles_do_not_count(tones, ground):
    assert tones.haze(seen(ground, 3.0)) is None
