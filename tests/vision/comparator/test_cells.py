"""Rectified pictures of a grid's cells: their places, their patches, and equalised light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.comparator import CELL_PX, PATCH_PX, CellGrid, LearnedLight, patches_at

ROWS, COLUMNS = 3, 4
GRID = CellGrid(ROWS, COLUMNS, np.ones((ROWS, COLUMNS), bool))
CORNERS = np.array([(100.0, 400.0), (420.0, 380.0), (400.0, 160.0), (130.0, 150.0)])
"""Of a board seen from White's side: bottom left, bottom right, top right, top left."""


def board_picture():
    """A board whose cells all have their own brightness: 10 more for each cell along a row, 50 more for each row."""
    tones = 10 + 10 * np.arange(COLUMNS)[None] + 50 * np.arange(ROWS)[:, None]
    flat = np.kron(tones, np.ones((40, 40))).astype(np.uint8)
    target = np.float32([(0, 0), (160, 0), (160, 120), (0, 120)])
    warp = cv2.getPerspectiveTransform(target, CORNERS.astype(np.float32))
    return cv2.merge([cv2.warpPerspective(flat, warp, (500, 500))] * 3), tones


def test_cells_are_ordered_by_row_from_white_s_left():
    picture, tones = board_picture()
    view = GRID.rectify(picture, CORNERS)
    assert view.shape[:2] == GRID.shape_px
    seen = [int(view[round(y), round(x), 0]) for x, y in GRID.middles()]
    assert np.abs(np.array(seen) - tones.ravel()).max() <= 2


def test_a_large_picture_is_averaged_before_it_is_rectified():
    picture, tones = board_picture()
    large = cv2.resize(picture, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    noisy = np.clip(large + np.random.default_rng(1).normal(0, 40, large.shape), 0, 255).astype(np.uint8)
    view = GRID.rectify(noisy, (CORNERS + 0.5) * 6 - 0.5)
    middle = tones[1, 1:3]
    seen = [view[round(y) - 4 : round(y) + 4, round(x) - 4 : round(x) + 4].std() for x, y in GRID.middles()[5:7]]
    assert max(seen) < 20, middle


@pytest.mark.parametrize("times", [0.5, 1.0, 1.02, 1.97, 2.5, 3.05])
def test_patches_are_the_same_in_pictures_of_any_size(times):
    picture, tones = board_picture()
    edges = np.linalg.norm(CORNERS - np.roll(CORNERS, -1, axis=0), axis=1).sum() / (2 * (ROWS + COLUMNS))
    scale = times * 1.2 * CELL_PX / edges
    sized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    exact = np.array(sized.shape[1::-1]) / picture.shape[1::-1]
    view = GRID.rectify(sized, (CORNERS + 0.5) * exact - 0.5)
    seen = [int(view[round(y), round(x), 0]) for x, y in GRID.middles()]
    assert np.abs(np.array(seen) - tones.ravel()).max() <= 3
    edge = (GRID.middles()[0] + GRID.middles()[1]) / 2
    halves = [int(view[round(edge[1]), round(edge[0]) + side, 0]) for side in (-3, 3)]
    assert np.abs(np.array(halves) - tones[0, :2]).max() <= 3


def test_a_patch_is_centred_on_its_place_and_repeats_the_edge_beyond_it():
    view = np.zeros((60, 60, 3), np.uint8)
    view[29:31, 29:31] = 200
    view[0, 0] = 90
    middle, corner = patches_at(view, np.array([(29.5, 29.5), (0.0, 0.0)]))
    half = PATCH_PX // 2
    assert middle.shape == (PATCH_PX, PATCH_PX, 3)
    assert (middle[half - 1 : half + 1, half - 1 : half + 1] == 200).all()
    assert (corner[: half - 1, : half - 1] == 90).all()


def as_usual(learned: np.ndarray, light: LearnedLight) -> np.ndarray:
    """The learned picture at the usual brightness."""
    return (learned * np.float32(light.scale)).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("gain", [0.6, 1.5])
def test_light_that_changes_along_the_board_is_equalised(gain):
    chance, grid = np.random.default_rng(2), CellGrid(8, 8, np.ones((8, 8), bool))
    learned = chance.integers(40, 110, grid.shape_px)[..., None].repeat(3, 2).astype(np.uint8)
    learned = cv2.GaussianBlur(learned, (0, 0), 4)
    change = np.exp(np.linspace(-0.3, 0.3, learned.shape[1]))[None, :, None] * gain * [1.2, 1.0, 0.8]
    later = np.clip(learned * change, 0, 255).astype(np.uint8)
    light = grid.light(learned)
    left = np.log(grid.in_light(later, light) / as_usual(learned, light).astype(float))
    assert np.abs(left).mean() < np.abs(np.log(change)).mean() / 4


def test_checkers_on_a_few_cells_do_not_change_the_light():
    learned = np.full((*GRID.shape_px, 3), 120, np.uint8)
    later = learned.copy()
    for x, y in GRID.middles()[:3]:
        cv2.circle(later, (round(x), round(y)), CELL_PX // 2, (20, 20, 20), -1)
    light = LearnedLight.of(learned, GRID.middles())
    evened = light.evened(later, GRID.middles()).astype(float) / as_usual(learned, light)
    assert np.median(evened) == pytest.approx(1.0, abs=0.03)
