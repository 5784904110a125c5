"""Training pictures of dice show the faces of their labels."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from training.dice_faces import squares_of
from training.dice_scenes import FLAT, PIXELS, random_scene

SCENES = 40
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def test_a_flat_die_shows_its_upper_number() -> None:
    flat = [
        scene for scene in (random_scene(np.random.default_rng([3, n])) for n in range(SCENES)) if scene.how == FLAT
    ]
    assert flat
    for scene in flat:
        square = squares_of(scene)[0]
        assert square[4:].tolist() == [float(scene.dice[0]["numbers"][4]), 1.0]
        assert np.abs(square[:2] - PIXELS / 2).max() < 2


def test_the_same_seed_draws_the_same() -> None:
    one, other = (random_scene(np.random.default_rng(5)).traced.picture(1, 7) for _ in range(2))
    assert np.array_equal(one, other)
    assert one.max() > 0
