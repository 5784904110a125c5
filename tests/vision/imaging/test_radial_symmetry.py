"""Radial symmetry of edges around a place, independent of the light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.imaging import RoundEdges, rim_reach, roundness_maps, to_lab

SIZE, RADIUS = 120, 20
MIDDLE = SIZE // 2


def roundness(picture, radius=RADIUS):
    noisy = picture + np.random.default_rng(3).normal(0, 1.0, picture.shape)
    return RoundEdges.of(noisy.clip(0, 255).astype(np.uint8), np.ones((SIZE, SIZE), np.float32)).about(radius)


def flat(level=30):
    return np.full((SIZE, SIZE, 3), level, np.float32)


def disc(level, ground=30):
    picture = flat(ground)
    cv2.circle(picture, (MIDDLE, MIDDLE), RADIUS, (level,) * 3, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("level", [15, 40, 200])
def test_a_disc_is_round_at_any_contrast_darker_or_brighter(level):
    found = roundness(disc(level))
    v, u = np.unravel_index(found.argmax(), found.shape)
    assert np.hypot(v - MIDDLE, u - MIDDLE) < 2
    assert found.max() > 0.6


def test_a_disc_half_on_a_light_square_and_half_on_a_dark_one_is_round():
    picture = flat()
    picture[:, MIDDLE:] = 200
    cv2.circle(picture, (MIDDLE, MIDDLE), RADIUS, (110,) * 3, -1, cv2.LINE_AA)
    assert roundness(picture)[MIDDLE, MIDDLE] > 0.6


def test_a_shadow_s_edge_and_a_corner_of_squares_are_not_round():
    edge, corner = flat(), flat()
    edge[:, MIDDLE - RADIUS :] = 90
    corner[:MIDDLE, :MIDDLE] = corner[MIDDLE:, MIDDLE:] = 200
    assert roundness(edge).max() < 0.45
    assert roundness(corner)[MIDDLE, MIDDLE] < 0.1


def test_noise_is_not_round():
    assert np.abs(roundness(flat())).max() < 0.35


def test_a_disc_of_another_size_is_not_round_at_this_one():
    assert roundness(disc(200), RADIUS * 0.6)[MIDDLE, MIDDLE] < 0.2


def test_masked_pixels_are_ignored():
    looked_at = np.zeros((SIZE, SIZE), np.float32)
    found = RoundEdges.of(disc(200).astype(np.uint8), looked_at).about(RADIUS)
    assert np.abs(found).max() < 1e-6


def test_edges_out_of_reach_of_a_place_are_ignored():
    chance = np.random.default_rng(5)
    picture = chance.normal(90, 3, (3 * SIZE, 3 * SIZE, 3))
    for x, y in chance.integers(RADIUS, 3 * SIZE - RADIUS, (25, 2)).tolist():
        cv2.circle(picture, (x, y), RADIUS, chance.uniform(0, 255, 3).tolist(), -1, cv2.LINE_AA)
    lab, radii = to_lab(picture.clip(0, 255).astype(np.uint8)), (RADIUS - 3.0, float(RADIUS))
    near = np.zeros(lab.shape[:2], np.uint8)
    cv2.circle(near, (SIZE, SIZE), int(np.ceil(rim_reach(RADIUS))), 1, -1)
    everywhere, only_near = roundness_maps(lab, radii), roundness_maps(lab, radii, near > 0)
    assert only_near[:, SIZE, SIZE] == pytest.approx(everywhere[:, SIZE, SIZE], abs=1e-5)
    assert np.abs(only_near - everywhere).max() > 0.1
