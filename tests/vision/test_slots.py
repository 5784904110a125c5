"""The figures of a checker: averages over its zones, wherever on a raster it is taken to lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance import Evidence
from vision.slots import FEATURES, HALO, INNER, MAPS, RIM, ZONES, Figures

RADIUS_PX = 9.3
"""Of a checker on the rasters of these tests."""


def evidence(*maps: np.ndarray) -> Evidence:
    """Four maps as what a raster says."""
    blank = np.zeros((*maps[0].shape, 3), np.uint8)
    return Evidence(*maps, maps[0], blank, blank)


@pytest.fixture(scope="module")
def restless() -> Figures:
    """Maps in which no two places are alike."""
    chance = np.random.default_rng(3)
    maps = (cv2.GaussianBlur(chance.normal(0, 9, (120, 140)).astype(np.float32), (0, 0), 2) for _ in range(MAPS))
    return Figures.of(evidence(*maps), RADIUS_PX)


@pytest.mark.parametrize("zone", [INNER, RIM, HALO])
@pytest.mark.parametrize("index", range(MAPS))
def test_figures_of_one_place_are_those_that_every_place_has(restless: Figures, index: int, zone: int) -> None:
    y, x = (each.ravel() for each in np.mgrid[20:100:7, 20:120:9])
    everywhere = restless.everywhere(index, zone)
    assert restless.at(y, x)[:, ZONES * index + zone] == pytest.approx(everywhere[y, x], abs=1e-4)


def test_a_checker_is_found_where_its_disc_lies() -> None:
    disc = cv2.circle(np.full((120, 140), -3.0, np.float32), (70, 50), round(RADIUS_PX), 5.0, -1)
    for maps in ((disc, -abs(disc)), (-abs(disc), disc)):
        y, x = np.unravel_index(Figures.of(evidence(*maps, disc, disc), RADIUS_PX).score.argmax(), disc.shape)
        assert abs(y - 50) <= 1
        assert abs(x - 70) <= 1


def test_figures_at_the_corner_of_a_raster_are_those_of_what_lies_next_to_it() -> None:
    flat = np.full((120, 140), 2.0, np.float32)
    corner = Figures.of(evidence(flat, flat, flat, flat), RADIUS_PX).at(np.array([0, 119]), np.array([0, 139]))
    assert corner == pytest.approx(np.full((2, FEATURES), 2.0), abs=1e-5)
