"""Distribution of a slot's features by class."""

import numpy as np
import pytest

from vision.backgammon.layout import ROWS, SLOTS
from vision.backgammon.slot_model import CLASSES, summarise
from vision.backgammon.synthesis import Canvas
from vision.board import BESIDE, BLACK, BLACK_LAST, EMPTY, FEATURES, POINTS, WHITE, WHITE_LAST


def test_the_last_of_a_row_is_a_class_of_its_own():
    """Nothing leans on it from within: no shade, and none of the next one's wall."""
    canvas = Canvas.of(np.zeros((4, 4, 3), np.uint8))
    canvas.owners[0, :3] = WHITE
    canvas.owners[1, :1] = BLACK
    canvas.owners[2, :] = BLACK
    classes = canvas.classes
    assert classes[0].tolist() == [WHITE, WHITE, WHITE_LAST, BESIDE, EMPTY, EMPTY, EMPTY]
    assert classes[1].tolist() == [BLACK_LAST, BESIDE, *[EMPTY] * 5]
    assert classes[2].tolist() == [*[BLACK] * 6, BLACK_LAST]
    assert (classes[3:] == EMPTY).all()


def model_of(spread_of):
    """Learned from chance samples; `spread_of(row, slot)` is how far a slot's figures spread."""
    chance = np.random.default_rng(3)
    samples = [
        (row, slot, kind, (10 * kind + chance.normal(0, spread_of(row, slot), FEATURES)).astype(np.float32))
        for row in range(ROWS)
        for slot in range(SLOTS)
        for kind in range(CLASSES)
        for _ in range(4)
    ]
    return summarise(samples)


def test_features_with_larger_variance_have_less_weight():
    """All points of White's edge share what a frame before them does to their first checkers."""
    model = model_of(lambda row, slot: 3.0 if row < POINTS // 2 and slot == 0 else 1.0)
    assert (model.stretch[: POINTS // 2, 0] > 4).all()
    assert np.delete(model.stretch, 0, axis=1).max() < 1.5
    assert model.stretch[POINTS // 2 :, 0].max() < 1.5


@pytest.mark.parametrize("kind", range(CLASSES))
def test_figures_like_those_of_a_class_are_likeliest_of_it(kind):
    model = model_of(lambda _row, _slot: 1.0)
    figures = np.full((1, FEATURES), 10.0 * kind + 0.3, np.float32)
    nats, distance = model.log_likelihoods(2, np.array([5]), figures, np.ones(1))
    assert int(nats[0].argmax()) == kind
    assert distance[0] < FEATURES
