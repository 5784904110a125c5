"""Whether checkers of a row carry others: by their places, the centres of their tops, and the network."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from carried_checkers import copied
from labelled import Labelled, Scene, answer, scenes
from places import PICTURES

from companion.core import BLACK_OFF, CellReading
from vision.backgammon.cell_counts import add_layers
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.slot_reading import LEAST_ROW
from vision.backgammon.stacking.count import (
    LayerModel,
    first_of,
    log_likelihoods,
    log_ratios_of_any,
    log_ratios_of_first,
)
from vision.backgammon.stacking.features import (
    ANGLES,
    MAPS,
    MEASURES,
    RADII,
    DetectedCheckers,
    LayerFeatures,
    both_ways,
    find_tops,
)
from vision.backgammon.stacking.network import EMBEDDING, MOST_NATS, LayerNet
from vision.backgammon.stacking.singles import MOST_NATS as MOST_COMPARED_NATS
from vision.backgammon.stacking.singles import SingleCheckers
from vision.board import PATCH_PX, PatchedCheckers, turned_patches
from vision.board.json_io import describe

if TYPE_CHECKING:
    from numpy.typing import NDArray

SURE = 5.0


def told_by(out: NDArray[np.float64], lift: NDArray[np.float64]) -> NDArray[np.float64]:
    """The evidence of the places of a row if the place of each top is certain; see `log_likelihoods`."""
    return log_likelihoods(out[:, None], np.ones((len(out), 1)), lift, first_of(len(out)))


def test_checkers_displaced_outwards_by_one_lift_carry_another() -> None:
    told = told_by(np.array([0.26, 0.23, 0.02, -0.03, 0.01]), np.full(5, 0.24))
    assert told.argmax() == 2
    assert told[2] - told[0] > SURE


def test_an_even_row_carries_none_wherever_it_starts() -> None:
    for start in (-0.06, 0.0, 0.06):
        told = told_by(np.array([0.02, -0.01, 0.03, 0.0, -0.02]) + start, np.full(5, 0.2))
        assert told.argmax() == 0


def test_from_straight_above_places_give_no_evidence() -> None:
    told = told_by(np.array([0.1, -0.1, 0.05, 0.0, -0.2]), np.zeros(5))
    assert told == pytest.approx(np.zeros(6))


def test_one_wrong_centre_is_not_decisive() -> None:
    told = told_by(np.array([0.3, 0.0, 0.01, -0.02, 0.02]), np.full(5, 0.1))
    assert told.max() < SURE


def test_a_top_with_two_possible_places_is_weaker_evidence() -> None:
    even, lift = np.array([0.0, 0.01, -0.01, 0.0, 0.01])[:, None], np.full(5, 0.2)
    either = np.hstack([even, even + 0.2])
    sure, rival = np.tile([1.0, 0.0], (5, 1)), np.tile([1.0, 0.0], (5, 1))
    rival[0] = 0.5
    assert log_likelihoods(either, sure, lift, first_of(5))[1] < -2
    assert -1 < log_likelihoods(either, rival, lift, first_of(5))[1] < 1


def test_a_second_layer_begins_at_the_edge_of_a_full_row() -> None:
    bare = {(5, 0): 0.0}
    assert CellReading.of(add_layers(bare, log_ratios_of_first([-4.0, -4.0, 7.0, -4.0, -4.0]))).best == (5, 0)
    assert CellReading.of(add_layers(bare, log_ratios_of_first([7.0, -4.0, -4.0, -4.0, -4.0]))).best == (6, 0)


def test_any_checker_of_a_short_row_may_carry_another() -> None:
    for place in range(3):
        seen = [-4.0] * 3
        seen[place] = 14.0
        assert CellReading.of(add_layers({(3, 0): 0.0}, log_ratios_of_any(seen))).best == (4, 0)
        assert log_ratios_of_any(seen)[0] == pytest.approx(14 - np.log(3))
    assert log_ratios_of_any([6.0, 6.0, -9.0])[1] == pytest.approx(12 - np.log(3), abs=1e-3)


def test_a_checker_that_lies_as_its_row_does_carries_none_alone() -> None:
    """Once the others carry one, the last does, too: that all four do is likelier than that three do."""
    out, lift = np.array([0.06, 0.05, 0.08, 0.06]), np.full(4, 0.27)
    alone = log_likelihoods(out[:, None], np.ones((4, 1)), lift, np.eye(5, 4, -1, dtype=bool))[1:]
    assert np.diff(told_by(out, lift))[3] > 2
    assert alone.max() < -2


def test_a_short_row_never_shows_that_there_is_no_second_layer() -> None:
    assert log_ratios_of_any([-6.0, -6.0]) == [0.0, 0.0]


@pytest.fixture
def bearing_off(monkeypatch: pytest.MonkeyPatch) -> tuple[Labelled, FramedBoardReader]:
    """A picture with both sides bearing off, and its board's reader, which does not see White's borne-off checkers."""
    scene = Scene.load(PICTURES / "14-green")
    seen = scene.looks[3].cells[BLACK_OFF]
    monkeypatch.setattr(FramedBoardReader, "_borne_off", lambda *_: (CellReading(), seen))
    return scene.frames[3], FramedBoardReader(scene.eye.calibration)


@pytest.mark.parametrize(("point", "place"), [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)])
def test_a_checker_on_a_short_row_is_doubtful_if_no_sum_decides(
    bearing_off: tuple[Labelled, FramedBoardReader], point: int, place: int
) -> None:
    frame, eye = bearing_off
    assert place < frame.points[point] < LEAST_ROW
    at = np.array(eye.calibration.layout.slot(point, place))
    more = copied(frame.picture, eye.calibration, at, at, layer=1)
    doubtful = [describe(eye.look(picture)).get("doubtful", []) for picture in (frame.picture, more)]
    assert [point + 1 in cells for cells in doubtful] == [False, True]


def test_careless_rows_are_rarely_misread_with_certainty() -> None:
    chance = np.random.default_rng(4)
    wrong = 0
    for _ in range(300):
        lift, bearing = chance.uniform(0.03, 0.3), int(chance.integers(6))
        out = chance.normal(0, 0.12, 5) + lift * (np.arange(5) < bearing)
        told = told_by(out, np.full(5, lift))
        wrong += told.max() - told[bearing] > SURE
    assert wrong == 0


def test_a_top_is_found_even_if_the_wall_below_has_its_colour() -> None:
    picture, hidden = np.full((80, 90, 3), (160, 190, 170), np.uint8), np.zeros((80, 90), np.uint8)
    for shift in range(6, -1, -1):
        cv2.circle(picture, (40 - shift, 40), 18, (30, 40, 120) if shift else (45, 60, 190), -1, cv2.LINE_AA)
        cv2.circle(hidden, (40 - shift, 40), 18, 255, -1)
    colours = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 0.8), cv2.COLOR_BGR2LAB), np.uint8)
    checker = np.where(hidden > 0, 8, -8).astype(np.float32)
    own = (checker, -checker), np.array([0])
    bare = np.full_like(colours, colours[0, 0])
    found = find_tops(colours, bare, own, np.array([[36.0, 41.0]]), np.array([[6.0, 0.0]]), 36.0)
    assert np.linalg.norm(found.centres - (40, 40)) < 1.5
    assert found.chances.sum() == pytest.approx(1)
    assert abs(36 + found.along[0, found.chances.argmax()] - 40) < 1.5


def test_the_edge_of_the_frame_is_not_taken_for_that_of_a_top() -> None:
    (scene,) = scenes(PICTURES / "high-frame")
    assert scene.frames[1].points[23] == -5
    assert scene.looks[1].cells[23].best == (0, 5)


def test_a_top_is_found_if_only_its_far_side_contrasts() -> None:
    """Glossy black domes: the wall under a stacked one is as black as its top, and the steeper edge is at its foot."""
    (scene,) = scenes(PICTURES / "domes")
    assert scene.frames[1].points[18] == -6
    assert describe(scene.looks[1])["position"]["points"] == scene.frames[1].points


def test_a_stack_of_checkers_thicker_than_measured_is_not_read_as_one() -> None:
    """A little beside its calibrated place, the top of these domes lies farther out than their estimated lift."""
    (scene,) = scenes(PICTURES / "domes")
    frame = scene.frames[2]
    assert frame.points[23] == -6
    beside = np.array([[1, 0, 2.4], [0, 1, -1.8]])
    size = frame.picture.shape[1::-1]
    moved = cv2.warpAffine(frame.picture, beside, size, borderMode=cv2.BORDER_REPLICATE)
    assert frame.grade(answer(scene.eye, moved)) != "wrong"


def test_the_evidence_of_one_checker_is_bounded() -> None:
    chance, net = np.random.default_rng(1), LayerNet.load()
    spokes = chance.integers(-127, 128, (50, MAPS, ANGLES, RADII)).astype(np.int8)
    measures = chance.uniform(-2, 2, (50, MEASURES)).astype(np.float32)
    words = net.embeddings(spokes, measures)
    said = net.ratios(words, measures, np.zeros((len(words), 1, EMBEDDING), np.float32))
    assert said.shape == (50,)
    assert np.abs(said).max() <= MOST_NATS


def test_a_row_and_its_mirror_image_give_the_same_evidence() -> None:
    chance = np.random.default_rng(3)
    spokes = chance.integers(-127, 128, (5, MAPS, ANGLES, RADII)).astype(np.int8)
    measures = chance.uniform(-2, 2, (5, MEASURES)).astype(np.float32)
    none = np.zeros(5)
    seen = LayerFeatures(spokes, measures, none[:, None], none[:, None], none, np.zeros((5, 2)))
    _, (mirrored, of_mirrored) = both_ways(seen)
    row = DetectedCheckers(none.astype(int), np.zeros((5, 2)), np.zeros((5, 2)), np.zeros((5, 2)), 1.0, 20.0)
    model = LayerModel(np.zeros((1, 1, 2)), np.zeros((2, len(LayerNet.load().layers[0][0]), EMBEDDING)), 1.0)
    one, other = (
        model.network_log_ratios(view, row) for view in (seen, replace(seen, spokes=mirrored, measures=of_mirrored))
    )
    assert np.abs(mirrored - spokes).max() > 0
    assert one == pytest.approx(other)


def any_checkers(count: int, seed: int) -> PatchedCheckers:
    chance = np.random.default_rng(seed)
    shape = (count, PATCH_PX, PATCH_PX, 3)
    patches, bare = (chance.integers(0, 256, shape).astype(np.uint8) for _ in range(2))
    lifts = chance.uniform(0, 0.5, count)
    return PatchedCheckers(patches, bare, chance.uniform(0, 12, (count, 2)), np.arange(count) % 2, lifts)


def test_the_evidence_of_a_checker_compared_with_single_ones_is_bounded() -> None:
    told = SingleCheckers(any_checkers(8, 1)).log_ratios(any_checkers(5, 2))
    assert told.shape == (5,)
    assert np.abs(told).max() <= MOST_COMPARED_NATS


def test_patches_are_turned_so_that_a_stacked_top_would_be_higher_up() -> None:
    view = np.zeros((100, 100, 3), np.uint8)
    cv2.circle(view, (60, 50), 5, (255, 255, 255), -1)
    for lift in ((10.0, 0.0), (0.1, 0.0)):
        (patch,) = turned_patches(view, np.array([[50.0, 50.0]]), np.array([lift]), 22.0)
        y, x = np.argwhere(patch.max(axis=2) > 128).mean(axis=0)
        assert (x, y) == pytest.approx(((PATCH_PX - 1) / 2, (PATCH_PX - 1) / 2 - 10), abs=1)


def test_a_second_layer_is_counted_on_a_make_that_the_network_was_not_trained_on() -> None:
    (scene,) = scenes(PICTURES / "narrow-bar")
    stacked = [
        (frame, look) for frame, look in zip(scene.frames, scene.looks, strict=True) if max(map(abs, frame.points)) > 5
    ]
    assert stacked
    assert all(frame.grade(describe(look)) == "right" for frame, look in stacked)
