"""Boards learned from positions with checkers on the bar: the bar is learned as it is without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from labelled import Labelled, Scene
from places import PICTURES
from sweeps import sampled

from vision.board import CalibrationError
from vision.registry import kind_of, learn_board

if TYPE_CHECKING:
    from vision.board import LearnedBoard

LEARNED = [("00-travel", 4), ("03-magnetic", 2), ("tiles-green-red", 2)]


def learned(scene: Scene, known: Labelled) -> LearnedBoard:
    """The board, learned from a picture of a known position."""
    board = "tiles" if scene.name.startswith("tiles") else "points"
    told = kind_of("backgammon", board).position({"points": known.points, "bar": known.bar})
    return learn_board(known.picture, "backgammon", board, scene.corners, scene.mirror, told)


@pytest.mark.parametrize(
    ("name", "number"), sampled(LEARNED, (LEARNED[0], LEARNED[2])), ids=[name for name, _ in LEARNED]
)
def test_a_bar_with_checkers_is_learned_like_an_empty_one(name: str, number: int) -> None:
    scene = Scene.load(PICTURES / name)
    known = scene.frames[number]
    assert any(known.bar)
    board = learned(scene, known)
    bars = set()
    for frame in scene.frames:
        answer = board.answer(board.look(frame.picture))
        assert frame.grade(answer) in ("right", "refused")
        if answer["unreadable"] is None and not frame.hand:
            bars.add(tuple(frame.bar))
    assert {(0, 0), tuple(known.bar)} <= bars  # both were read: bare, and with the checkers it was learned under


def test_checkers_given_on_an_empty_bar_are_reported_as_missing() -> None:
    scene = Scene.load(PICTURES / "00-travel")
    start = scene.frames[0]
    told = Labelled(start.file, [*start.points[:-1], 1], [1, 0])
    with pytest.raises(CalibrationError, match="has 1 of White's checkers on the bar, but none is visible"):
        learned(scene, told)
