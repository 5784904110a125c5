"""Comparison of places with a reference picture: weights of references, and readings."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from drawn_squares import CORNERS, drawn

from vision.checkers.layout import CELLS, START
from vision.checkers.reader import GRID, SquaresReader, classes_of
from vision.comparator import BLACK, EMPTY, OTHER, WHITE, ReferenceLook
from vision.comparator.network import _convolve, nearby

PLACES = np.array([(x, 0.0) for x in range(6)])
KINDS = np.array([0, 1, 0, 1, 0, 1])
HELD = np.array([EMPTY, EMPTY, WHITE, WHITE, OTHER, EMPTY])


def test_nearer_references_of_a_class_have_more_weight():
    near = nearby(PLACES, KINDS, HELD)
    assert near.shape == (3, 6, 6)
    assert near[WHITE].sum(axis=1) == pytest.approx(1)
    assert (near[WHITE][:, HELD != WHITE] == 0).all()
    assert near[WHITE][0, 2] > near[WHITE][0, 3] > 0


def test_empty_references_have_the_same_kind_of_bed():
    near = nearby(PLACES, KINDS, HELD)
    assert near[EMPTY][2].nonzero()[0].tolist() == [0]
    assert set(near[EMPTY][3].nonzero()[0]) == {1, 5}


def test_a_place_can_be_excluded_from_its_own_references():
    near = nearby(PLACES, KINDS, HELD, own=False)
    assert (near[:, np.arange(6), np.arange(6)] == 0).all()
    assert near[WHITE][2, 3] == pytest.approx(1)


def test_a_class_without_references_has_no_weight():
    assert (nearby(PLACES, KINDS, HELD)[BLACK] == 0).all()
    patches = np.zeros((6, 36, 36, 3), np.uint8)
    assert not ReferenceLook(patches, PLACES, KINDS, HELD).complete


def test_a_man_in_dim_light_has_gone_even_if_bare_places_are_brighter_there():
    """A dark man on a dark bed: its contrast is small with its bed, not with empty places."""
    held = np.array([EMPTY, EMPTY, WHITE, WHITE, BLACK, BLACK])
    bed, man = np.array([160, 160, 60, 60, 60, 60]), np.array([160, 160, 200, 200, 68, 68])
    patches = np.broadcast_to(bed[:, None, None, None], (6, 36, 36, 3)).astype(np.uint8)
    y, x = np.mgrid[:36, :36] - 17.5
    look = patches.copy()
    look[:, np.hypot(x, y) < 8] = man[:, None, None]
    known = ReferenceLook(look, PLACES, np.zeros(6, int), held)
    noise = np.random.default_rng(1).integers(-6, 7, look.shape)
    assert known.unchanged((look + noise // 6).astype(np.uint8)).all()
    later = look.copy()
    later[5] = patches[5]
    assert not known.unchanged((later + noise).astype(np.uint8))[5]


@pytest.fixture(scope="module")
def reader():
    return SquaresReader(GRID.rectify(drawn(START), CORNERS), classes_of(START))


def later_look(reader, seed):
    view = GRID.rectify(drawn(START, seed), CORNERS)
    return GRID.patches(GRID.in_light(view, GRID.light(reader.learned)))


def test_probabilities_sum_to_one_and_turned_images_agree(reader):
    look, cells = reader.references[0], np.arange(CELLS)
    logs = look.compared(later_look(reader, 3), cells)
    turned = look.compared(later_look(reader, 3), cells, turns=8)
    assert np.exp(logs).sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert (logs.argmax(axis=1) == turned.argmax(axis=1)).all()


@pytest.mark.parametrize(("size", "stride"), [(4, 2), (3, 1), (3, 2)])
def test_neighbourhoods_equal_those_that_an_array_library_computes(size, stride):
    maps = np.random.default_rng(2).normal(size=(3, 10, 10, 5)).astype(np.float32)
    weights = {"one": np.eye(size * size * 5, dtype=np.float32).reshape(size, size, 5, -1), "one_bias": np.float32(0)}
    other = SimpleNamespace(pad=np.pad, concatenate=np.concatenate)
    assert (_convolve(np, weights, "one", maps, stride) == _convolve(other, weights, "one", maps, stride)).all()
