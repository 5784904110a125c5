"""Distribution of a slot's features by class."""

import numpy as np
import pytest

from vision.backgammon.layout import ROWS, SLOTS
from vision.backgammon.slot_model import CLASSES, fit_slot_model
from vision.backgammon.synthesis import Canvas
from vision.board import BLACK, BLACK_LAST, EMPTY, FEATURES, WHITE, WHITE_LAST


def test_the_last_checker_of_a_row_is_a_separate_class():
    """No checker follows it inwards, so that no wall of a next one is visible."""
    canvas = Canvas.of(np.zeros((4, 4, 3), np.uint8))
    canvas.owners[0, :3] = WHITE
    canvas.owners[1, :1] = BLACK
    canvas.owners[2, :] = BLACK
    classes = canvas.classes
    assert classes[0].tolist() == [WHITE, WHITE, WHITE_LAST, *[EMPTY] * 4]
    assert classes[1].tolist() == [BLACK_LAST, *[EMPTY] * 6]
    assert classes[2].tolist() == [*[BLACK] * 6, BLACK_LAST]
    assert (classes[3:] == EMPTY).all()


def learned_from_chance():
    """Learned from random samples."""
    chance = np.random.default_rng(3)
    samples = [
        (row, slot, kind, (10 * kind + chance.normal(0, 1, FEATURES)).astype(np.float32))
        for row in range(ROWS)
        for slot in range(SLOTS)
        for kind in range(CLASSES)
        for _ in range(4)
    ]
    return fit_slot_model(samples)


@pytest.mark.parametrize("kind", range(CLASSES))
def test_features_typical_of_a_class_make_it_the_most_likely(kind):
    model = learned_from_chance()
    figures = np.full((1, FEATURES), 10.0 * kind + 0.3, np.float32)
    nats, distance = model.log_likelihoods(2, np.array([5]), figures)
    assert int(nats[0].argmax()) == kind
    assert distance[0] < FEATURES
