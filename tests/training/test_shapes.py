"""The trained networks have the shapes of the shipped ones."""

from __future__ import annotations

import pytest

from training.shapes import MAPS, shapes
from vision.board import OTHER, SEEN_PX
from vision.board import PATCH_PX as TOP_PX
from vision.comparator import CLASSES, PATCH_PX, load_weights
from vision.dice.judging import PATCH_PX as FACE_PX

SHIPPED = {
    ("vision.comparator", "comparator.npz"): shapes(PATCH_PX, 3, 8 * MAPS + 3, CLASSES, 64),
    ("vision.backgammon.stacking", "singles.npz"): shapes(TOP_PX, 4, 6 * MAPS + 2, 1),
    ("vision.backgammon", "slot_comparison.npz"): shapes(SEEN_PX, 4, 7 * MAPS + 1, OTHER + 1),
    ("vision.tiles", "cube_comparison.npz"): shapes(SEEN_PX, 4, 7 * MAPS + 1, OTHER + 1),
    ("vision.dice", "faces.npz"): shapes(FACE_PX, 4, MAPS, 8, 28),
}


@pytest.mark.parametrize(("package", "file"), SHIPPED)
def test_shipped_weights_have_the_shapes_that_are_trained(package: str, file: str) -> None:
    expected = SHIPPED[package, file]
    biases = {f"{name}_bias": shape[-1:] for name, shape in expected.items()}
    assert {name: one.shape for name, one in load_weights(package, file).items()} == expected | biases
