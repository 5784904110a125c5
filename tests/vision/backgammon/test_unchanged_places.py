"""Places that have not changed since the last accepted frame."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from labelled import scenes
from places import PICTURES

from companion.core import WHITE_BAR, CellReading
from vision.backgammon.reader import FramedBoardReader
from vision.board import START
from vision.imaging import level

if TYPE_CHECKING:
    from labelled import Scene

    from companion.core import Board, Observation
    from vision.cameras import Picture

ROUNDING = 1e-6
STOOD: Board = (*START, (0, 0), (0, 0), None, None)


@pytest.fixture(scope="module")
def glare() -> Scene:
    """White checkers on white points that shine."""
    return next(scene for scene in scenes(PICTURES) if scene.name == "02-leather")


def compared(scene: Scene, picture: Picture) -> tuple[Observation, Observation]:
    """A picture as it is read by itself, and after an accepted frame of the start."""
    alone = FramedBoardReader(scene.eye.calibration)
    after = FramedBoardReader(scene.eye.calibration, alone.sure_of(scene.start, STOOD))
    assert after.sure is not None
    return alone.look(picture), after.look(picture)


def lead(observation: Observation, cell: int, content: tuple[int, int]) -> float:
    """How much likelier a content is than the next likeliest."""
    others = [nats for other, nats in observation.cells[cell].likelihoods if other != content]
    return observation.cells[cell].log_likelihood(content) - max(others, default=-25.0)


def test_what_has_not_changed_is_likelier_than_before(glare: Scene) -> None:
    alone, after = compared(glare, glare.start)
    for point, content in enumerate(START):
        assert lead(after, point, content) >= lead(alone, point, content) - ROUNDING
    assert any(lead(after, point, held) > lead(alone, point, held) + 1 for point, held in enumerate(START))


@pytest.mark.parametrize("gain", [0.85, 1.1])
def test_another_brightness_is_no_change(glare: Scene, gain: float) -> None:
    brighter = np.clip(glare.start * gain, 0, 255).astype(np.uint8)
    alone, after = compared(glare, brighter)
    worse = [p for p, held in enumerate(START) if lead(after, p, held) < lead(alone, p, held) - 0.01]
    assert len(worse) <= 2, worse


def test_where_a_checker_came_the_old_content_is_less_likely(glare: Scene) -> None:
    learned = glare.eye.calibration
    sure = glare.eye.sure_of(glare.start, STOOD)
    assert sure is not None
    doubtful = CellReading((((0, 0), 0.0), ((0, 1), -6.0)))
    seen, moved, rows = glare.eye.look(glare.start), sure.known.view.copy(), learned.rows
    seen = replace(seen, cells=(*seen.cells[:10], doubtful, *seen.cells[11:]))
    reach = round(rows.diameter * 0.45)
    offsets = np.mgrid[-reach : reach + 1, -reach : reach + 1].reshape(2, -1)
    offsets = offsets[:, np.hypot(*offsets) <= reach]
    (to_x, to_y), (x, y) = (np.rint(rows.place(point, 0)).astype(int) for point in (10, 11))
    checker = moved[y + offsets[0], x + offsets[1]]
    moved[to_y + offsets[0], to_x + offsets[1]] = checker
    weighed = sure.weigh(seen, moved, sure.known.ceiling, rows)
    assert lead(weighed, 10, (0, 0)) < lead(seen, 10, (0, 0)) - 1
    assert lead(weighed, 0, (0, 2)) > lead(seen, 0, (0, 2))


def test_it_never_decides_alone(glare: Scene) -> None:
    for frame in glare.frames:
        if not frame.hand:
            alone, after = compared(glare, frame.picture)
            for before, now in zip(alone.cells[:WHITE_BAR], after.cells, strict=False):
                if before.margin_nats > 4:
                    assert now.best == before.best


def test_a_picture_that_does_not_show_the_board_is_none_to_compare_with(glare: Scene) -> None:
    frame = next(frame for frame in glare.frames[1:] if not frame.hand)
    assert FramedBoardReader(glare.eye.calibration).sure_of(frame.picture, STOOD) is None


def test_a_hand_over_the_board_is_none_to_compare_with() -> None:
    scene = next(scene for scene in scenes(PICTURES) if any(frame.hand for frame in scene.frames))
    hand = next(frame for frame in scene.frames if frame.hand)
    assert scene.eye.sure_of(hand.picture, STOOD) is None


def test_washed_out_looks_are_compared_below_what_washes_out(glare: Scene) -> None:
    learned = glare.eye.calibration
    sure = glare.eye.sure_of(glare.start, STOOD)
    assert sure is not None
    ceiling = np.full(3, 180, np.float32)
    seen = glare.eye.look(glare.start)
    cut = level(learned.top.rectify(glare.start), np.ones(3, np.float32), ceiling)
    weighed = sure.weigh(seen, cut, ceiling, learned.rows)
    assert all(lead(weighed, p, held) >= lead(seen, p, held) for p, held in enumerate(START))


@pytest.mark.slow
def test_what_a_picture_shows_does_not_depend_on_what_was_looked_at_before(glare: Scene) -> None:
    """Of two readers one has seen the darker pictures before, the other a slightly brighter one."""
    picture, look = glare.frames[-1].picture, glare.looks[-1]
    used = FramedBoardReader(replace(glare.eye.calibration))
    used.look(np.clip(picture * 1.06, 0, 255).astype(np.uint8))
    for one, other in zip(used.look(picture).cells, look.cells, strict=True):
        assert dict(one.likelihoods) == pytest.approx(dict(other.likelihoods), abs=1e-3)
