"""Doubtful slots are compared with known checkers and the empty board: white on white points, in glare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from labelled import Labelled, Scene, scenes
from places import PICTURES

from vision.backgammon.layout import finer
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.slot_reading import read_rows
from vision.board import BLACK, EMPTY, POINTS, SURE_NATS, WHITE, Figures

if TYPE_CHECKING:
    from vision.board import Slot
    from vision.cameras import Picture


@pytest.fixture(scope="module")
def glare() -> Scene:
    """White checkers on white points that shine."""
    return next(scene for scene in scenes(PICTURES) if scene.name == "02-leather")


def first_reading(scene: Scene, frame: Labelled) -> tuple[Picture, list[list[Slot]]]:
    """The levelled picture on the finer raster, and its rows by their features alone."""
    learned = scene.eye.calibration
    lit = FramedBoardReader(learned).light_of(learned.top.rectify(frame.picture))
    view = lit.light.level(learned.fine_labelled.top.rectify(frame.picture), lit.exposure.ceiling)
    return view, read_rows(Figures.of(lit.evidence, learned.rows.diameter / 2), learned.rows, lit.exposure.slots)


def held(frame: Labelled, point: int, index: int) -> int:
    """What a slot truly holds."""
    count = frame.points[point]
    if index >= min(abs(count), 5):
        return EMPTY
    return WHITE if count > 0 else BLACK


def doubtful(scene: Scene) -> list[tuple[int, Slot, Slot]]:
    """What every slot that is compared holds, and how it was read before and after."""
    found: list[tuple[int, Slot, Slot]] = []
    for frame in scene.frames:
        if not frame.hand:
            view, before = first_reading(scene, frame)
            after = scene.eye.calibration.slot_comparison.read(before, lambda view=view: view)
            found += [
                (held(frame, point, index), slot, after[point][index])
                for point in range(POINTS)
                for index, slot in enumerate(before[point])
                if after[point][index] != slot
            ]
    return found


def test_comparing_separates_white_checkers_from_white_points(glare: Scene) -> None:
    slots = doubtful(glare)
    assert len(slots) > 10
    assert all(after.holder == truth for truth, _, after in slots if after.margin_nats > 1)


def test_comparison_is_more_certain_than_the_first_reading_of_uncertain_slots(glare: Scene) -> None:
    slots = [(before, after) for _, before, after in doubtful(glare) if before.margin_nats < 3]
    assert np.median([after.margin_nats for _, after in slots]) > np.median([b.margin_nats for b, _ in slots])


def test_both_checkers_and_empty_points_are_compared(glare: Scene) -> None:
    assert {truth for truth, _, _ in doubtful(glare)} >= {WHITE, EMPTY}


def test_slots_read_with_certainty_are_not_compared(glare: Scene) -> None:
    _, rows = first_reading(glare, glare.frames[0])
    certain = [[replace(slot, nats=(0.0, -30.0, -30.0)) for slot in row] for row in rows]
    assert glare.eye.calibration.slot_comparison.read(certain, lambda: pytest.fail("no picture is needed")) == certain


@pytest.mark.parametrize("missed_by", [13.0, 16.0, 20.0])
def test_checkers_that_features_missed_are_in_doubt(glare: Scene, missed_by: float) -> None:
    """By as much as they do where checkers have the colours of their points, also in dim light."""
    frame = glare.frames[0]
    view, rows = first_reading(glare, frame)
    missed = [[replace(slot, nats=(-missed_by, -40.0, 0.0)) for slot in row] for row in rows]
    again = glare.eye.calibration.slot_comparison.read(missed, lambda: view)
    white = [(point, index) for point in range(POINTS) for index in range(5) if held(frame, point, index) == WHITE]
    assert len(white) == 15
    in_doubt = [again[point][index].margin_nats < SURE_NATS / 2 for point, index in white]
    assert sum(in_doubt) == 15


def test_colours_of_neither_checker_nor_board_do_not_count(glare: Scene) -> None:
    """In another light a checker may look foreign by its colours."""
    frame = glare.frames[0]
    view, rows = first_reading(glare, frame)
    odd = [[replace(slot, nats=(-2.0, -2.0, 0.0), foreign=True) for slot in row] for row in rows]
    again = glare.eye.calibration.slot_comparison.read(odd, lambda: view)
    told = [again[point][index] for point in range(POINTS) for index in range(5) if held(frame, point, index) == BLACK]
    assert len(told) == 15
    assert sum(slot.holder == BLACK and slot.margin_nats > 4 for slot in told) > 12


def test_what_is_kept_of_the_empty_board_changes_no_reading(glare: Scene) -> None:
    """More places are compared than are kept, and then the first ones again."""
    compared = glare.eye.calibration.slot_comparison
    view, _ = first_reading(glare, glare.frames[0])
    places = [(x, y) for x in range(30, 270, 10) for y in range(20, 220, 15)]
    at_once = compared.on_bed(view, places)
    assert len(places) > 250
    one_by_one = np.vstack([compared.on_bed(view, [place]) for place in places[:20]])
    assert np.allclose(one_by_one, at_once[:20], atol=1e-3)
    assert np.allclose(compared.on_bed(view, places), at_once, atol=1e-3)


def test_known_single_checkers_look_like_one_checker_and_empty_slots_do_not(glare: Scene) -> None:
    learned = glare.eye.calibration
    view, rows = first_reading(glare, glare.frames[0])
    slots = [(row, index, slot) for row in range(POINTS) for index, slot in enumerate(rows[row][:4])]
    places = np.array([(finer(slot.x), finer(slot.y)) for _, _, slot in slots])
    lifts = np.array([learned.layers.lift[row, index] for row, index, _ in slots])
    nats = learned.slot_comparison.log_likelihoods(view, places, lifts)
    assert nats.shape == (len(slots), 3)
    assert nats.argmax(axis=1).tolist() == [held(glare.frames[0], row, index) for row, index, _ in slots]


def test_an_unknown_object_leaves_all_three_contents_possible(glare: Scene) -> None:
    learned = glare.eye.calibration
    view, _ = first_reading(glare, glare.frames[0])
    x, y = learned.fine_labelled.rows.place(2, 0)
    noise = np.random.default_rng(3).integers(0, 255, view.shape).astype(np.uint8)
    nats = learned.slot_comparison.log_likelihoods(noise, np.array([[x, y]]), learned.layers.lift[2, :1])
    assert np.sort(nats[0])[-1] - np.sort(nats[0])[-2] < 5
