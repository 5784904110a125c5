"""Contour check of checkers that look like the board under them: white on white points, in glare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from labelled import Labelled, Scene, scenes
from places import PICTURES

from vision.backgammon.contour_check import alike_slots
from vision.backgammon.slot_reading import read_rows
from vision.board import BLACK, EMPTY, POINTS, WHITE, Figures
from vision.imaging import Illumination, level

if TYPE_CHECKING:
    from vision.backgammon.contour_check import ContourCheck
    from vision.board import Slot


@pytest.fixture(scope="module")
def glare() -> Scene:
    """White checkers on white points that shine."""
    return next(scene for scene in scenes(PICTURES) if scene.name == "02-leather")


def looks(scene: Scene, frame: Labelled) -> tuple[ContourCheck | None, list[list[Slot]], list[list[Slot]]]:
    """The contour check of a picture, and its rows before and after."""
    learned = scene.eye.calibration
    view = learned.top.rectify(frame.picture)
    gain = learned.appearance.gain_of(view)
    exposure = learned.under(learned.appearance.saturation_gain(view, gain))
    evidence = exposure.appearance.evidence(level(view, gain, exposure.ceiling))
    rows = read_rows(Figures.of(evidence, learned.rows.diameter / 2), learned.rows, exposure.slots)
    contour_check = learned.contour_check(exposure)
    return (
        contour_check,
        rows,
        rows if contour_check is None else contour_check.read(rows, frame.picture, Illumination(gain)),
    )


def held(frame: Labelled, point: int, index: int) -> int:
    """What a slot truly holds."""
    count = frame.points[point]
    if index >= min(abs(count), 5):
        return EMPTY
    return WHITE if count > 0 else BLACK


def doubtful(scene: Scene) -> list[tuple[int, Slot, Slot]]:
    """What every slot that the contour check changes holds, and how it was read before and after."""
    found: list[tuple[int, Slot, Slot]] = []
    for frame in scene.frames:
        if not frame.hand:
            _, before, after = looks(scene, frame)
            found += [
                (held(frame, point, index), slot, after[point][index])
                for point in range(POINTS)
                for index, slot in enumerate(before[point])
                if after[point][index] != slot
            ]
    return found


def test_the_contour_check_separates_white_checkers_from_white_points(glare: Scene) -> None:
    slots = doubtful(glare)
    assert len(slots) > 10
    assert all(after.holder == truth for truth, _, after in slots)


def test_the_contour_check_is_surer_than_the_first_reading(glare: Scene) -> None:
    slots = doubtful(glare)
    assert np.median([after.margin_nats for _, _, after in slots]) > np.median([b.margin_nats for _, b, _ in slots])


def test_both_checkers_and_empty_points_are_looked_at_again(glare: Scene) -> None:
    assert {truth for truth, _, _ in doubtful(glare)} >= {WHITE, EMPTY}


def test_nothing_is_looked_at_again_on_the_bar(glare: Scene) -> None:
    learned = glare.eye.calibration
    assert not alike_slots(learned.under(np.ones(3, np.float32)).slots)[POINTS:].any()


def test_boards_unlike_their_checkers_need_no_contour_check() -> None:
    travel = next(scene for scene in scenes(PICTURES) if scene.name == "00-travel")
    learned = travel.eye.calibration
    assert learned.contour_check(learned.under(np.ones(3, np.float32))) is None


def test_a_board_found_again_in_another_place_is_looked_at_there(glare: Scene) -> None:
    learned = glare.eye.calibration
    exposure = learned.under(np.ones(3, np.float32))
    moved: Any = replace(learned, pose=learned.pose)
    assert moved.contour_check(exposure) is not learned.contour_check(exposure)


def test_a_thing_that_is_neither_checker_nor_board_stays_so(glare: Scene) -> None:
    frame = glare.frames[0]
    learned = glare.eye.calibration
    exposure = learned.under(np.ones(3, np.float32))
    contour_check = learned.contour_check(exposure)
    _, rows, _ = looks(glare, frame)
    foreign = [[replace(slot, foreign=True) for slot in row] for row in rows]
    assert contour_check is not None
    assert contour_check.read(foreign, frame.picture, Illumination(np.ones(3, np.float32))) == foreign
