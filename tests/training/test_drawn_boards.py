"""Training boards of the comparing network are reproducible, and unseen boards are read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training import chequered, points, slots, stacks, tiles
from vision.backgammon.stacking.singles import SingleCheckers
from vision.board import OTHER as THING
from vision.board import KnownCheckers, PatchedCheckers
from vision.checkers.layout import PLACES
from vision.comparator import BLACK, EMPTY, OTHER, WHITE, ReferenceLook, load_weights

pytestmark = pytest.mark.slow

SURE_NATS = 5.0
"""Below this a reading is refused."""
SEED = 990_001
BOARDS = 4


def chance():
    cv2.setRNGSeed(SEED)
    return np.random.default_rng(SEED)


@pytest.fixture(scope="module")
def squares():
    generator = chance()
    return [chequered.board(generator) for _ in range(BOARDS)]


@pytest.fixture(scope="module")
def point_slots():
    generator = chance()
    return [points.board_samples(generator) for _ in range(BOARDS)]


def test_a_seed_draws_the_same_boards_again(squares, point_slots):
    again = chequered.board(chance()), points.board_samples(chance())
    for first, second in zip((squares[0], point_slots[0]), again, strict=True):
        assert first.keys() == second.keys()
        assert all(np.array_equal(first[name], second[name]) for name in first)


def graded(reference: ReferenceLook, patches, places, labels, things=(False, True)):
    """Numbers of places that are read right, wrong, and wrong for certain; `things`: whether something hides them."""
    logs = reference.compared(patches, places)
    known = (labels[:, :4].max(axis=1) > 0.9) & np.isin(labels[:, OTHER] > 0.9, things)
    ordered = np.sort(logs, axis=1)
    wrong = known & (logs.argmax(axis=1) != labels[:, :4].argmax(axis=1))
    return np.array(
        [(known & ~wrong).sum(), wrong.sum(), (wrong & (ordered[:, -1] - ordered[:, -2] > SURE_NATS)).sum()]
    )


def graded_squares(squares, things):
    """See `graded`."""
    total = np.zeros(3, int)
    for one in squares:
        first = one["labels"][0]
        held = np.where(first[:, :4].max(axis=1) > 0.9, first[:, :4].argmax(axis=1), OTHER)
        look = ReferenceLook(one["patches"][0], PLACES, chequered.DARK.ravel().astype(int), held)
        for patches, labels in zip(one["patches"][1:], one["labels"][1:], strict=True):
            total += graded(look, patches, np.arange(64), labels, things)
    return total


def test_squares_of_unseen_makes_are_read(squares):
    right, wrong, sure = graded_squares(squares, (False,))
    assert right > 30 * wrong
    assert sure <= 0.003 * right


def test_things_on_squares_of_unseen_makes_are_detected(squares):
    right, wrong, sure = graded_squares(squares, (True,))
    assert right > wrong
    assert sure <= 0.02 * (right + wrong)


def test_slots_of_unseen_makes_are_read(point_slots):
    total = np.zeros(3, int)
    for one in point_slots:
        look = ReferenceLook(one["reference"], one["places"], points.kinds(), one["held"])
        for patches, places, labels in zip(one["seen"], one["slots"], one["labels"], strict=True):
            total += graded(look, patches, places, labels)
    right, wrong, sure = total
    assert right > 20 * wrong
    assert sure <= 0.005 * right


def test_stacks_of_unseen_makes_are_distinguished_from_single_checkers():
    generator, seen, stacked = chance(), [], []
    for one in (stacks.board_samples(generator) for _ in range(BOARDS)):
        parts = (one[name] for name in ("known", "known", "places", "sides", "lifts"))
        singles = SingleCheckers(PatchedCheckers(*parts))
        for look in range(stacks.LOOKS):
            ends, high = one["ends"][look], one["high"][look]
            for end in np.unique(ends):
                row = np.flatnonzero(ends == end)[::-1]  # samples have the innermost checker first
                parts = (one[name][look][row] for name in ("seen", "empty", "seen_places", "seen_sides", "seen_lifts"))
                told = PatchedCheckers(*parts)
                oblique = told.lifts > 0.1
                seen += singles.log_ratios(told)[oblique].tolist()
                stacked += high[row][oblique].tolist()
    ratios, high = np.array(seen), np.array(stacked)
    above = ratios[high][:, None] > ratios[~high][None]
    assert min(high.sum(), (~high).sum()) > 20
    assert above.mean() > 0.8


def leads(weights, samples):
    """Leads (nats) of the true contents of places, by the network with those weights; things of other sets left out."""
    nats, labels = [], []
    for one in samples:
        known = PatchedCheckers(one["known"], one["known"], one["known_place"], one["known_side"], one["known_lift"])
        compared = KnownCheckers(known, load_weights(*weights))
        nats.append(compared.log_likelihoods(*(one[name] for name in ("seen", "bare", "place", "lift"))))
        labels.append(one["label"])
    told, truth = np.concatenate(nats), np.concatenate(labels)
    there = truth != THING
    told, truth = told[there], truth[there]
    own = told[np.arange(len(truth)), truth]
    told[np.arange(len(truth)), truth] = -np.inf
    return own - told.max(axis=1)


def test_places_of_unseen_framed_boards_are_distinguished_from_empty_ones():
    generator = chance()
    drawn = [slots.board_samples(generator) for _ in range(2 * BOARDS)]
    lead = leads(("vision.backgammon", "slot_comparison.npz"), drawn)
    assert len(lead) > 1000
    assert (lead < 0).mean() < 0.02
    assert (lead < -SURE_NATS).mean() < 0.001


def test_cubes_beside_tiles_of_unseen_makes_are_distinguished_from_the_table():
    generator = chance()
    lead = leads(("vision.tiles", "cube_comparison.npz"), [tiles.board_samples(generator) for _ in range(BOARDS)])
    assert len(lead) > 600
    assert (lead < 0).mean() < 0.02
    assert (lead < -SURE_NATS).mean() < 0.001


def test_labels_name_the_content_of_a_slot(squares, point_slots):
    for labels in (squares[0]["labels"], point_slots[0]["labels"]):
        classes = labels[..., :4]
        total = classes.sum(axis=-1)
        assert ((np.abs(total - 1) < 1e-5) | (total == 0)).all()
        assert all((classes[..., label] > 0.9).any() for label in (EMPTY, WHITE, BLACK))
