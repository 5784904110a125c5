"""Finding the second die of a pair whose pips tell no square."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_dice import rotation
from labelled import Scene
from placed_dice import BLACK, die, drawn, middle
from places import PICTURES

from vision.dice import reader


@pytest.fixture(scope="module")
def board() -> Scene:
    return Scene.load(PICTURES / "00-travel")


@pytest.mark.parametrize(("value", "turn", "blur_px"), [(2, 1.3, 0.0), (4, 0.9, 1.2), (5, 0.5, 1.2)])
@pytest.mark.parametrize(("at_corners", "alike"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_die_is_found_where_its_pips_meet_the_bed_by_them_or_by_the_other_die(
    board: Scene,
    value: int,
    turn: float,
    blur_px: float,
    at_corners: bool,
    alike: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (
        die(board, x, middle(board), *one, size=0.45)
        for x, *one in ((0.2, 1, rotation(2, 0.3)), (0.33, value, rotation(2, turn)))
    )
    picture = drawn(board, first, second, look=BLACK)
    if blur_px:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    find = reader.find_faces
    if not at_corners:
        monkeypatch.setattr(reader, "find_faces", lambda *args, **_: find(*args))
    if not alike:
        monkeypatch.setattr(reader, "find_alike", lambda *_: [])
    both = [(1, True), (value, True)] if at_corners or alike else [(1, True)]
    assert [(one.value, one.flat) for one in board.eye.look(picture).lying] == both


def test_a_thing_of_a_die_s_colour_beside_it_is_no_die(board: Scene) -> None:
    """Without pips, round or square."""
    first = die(board, 0.2, middle(board), 1, rotation(2, 0.3), size=0.45)
    picture = drawn(board, first, look=BLACK)
    pose, side = board.eye.calibration.pose, first.side
    for corners in (4, 24):
        angles = 0.3 + 2 * np.pi * np.arange(corners) / corners
        outline = 0.6 * side * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles]) + (0.33, middle(board), 0)
        beside = cv2.fillConvexPoly(picture.copy(), np.rint(pose.project(outline)).astype(np.int32), BLACK.face)
        assert [one.value for one in board.eye.look(beside).lying] == [1]


def test_where_three_dice_are_certain_none_is_left_out_for_a_pair(
    board: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one of them is certain at once; the limits of faces like it would drop the third."""
    dice = [die(board, x, middle(board), value, rotation(2, 0.3)) for x, value in ((0.12, 1), (0.24, 3), (0.36, 5))]
    picture = drawn(board, *dice)
    found: list[float] = []
    find = reader.find_faces

    def kept(*args: object, **ways: bool) -> object:
        faces = find(*args, **ways)
        found[:] = sorted(face.nats for face in faces)
        return faces

    monkeypatch.setattr(reader, "find_faces", kept)
    assert len(board.eye.look(picture).lying) == 3
    monkeypatch.setattr(reader, "_LEAST", ((found[-1] + found[-2]) / 2, 0.0))
    monkeypatch.setattr(reader, "_is_no_die", lambda *_: True)
    monkeypatch.setattr(reader, "find_alike", lambda *_: pytest.fail("a further die is looked for"))
    assert board.eye.look(picture).dice is None
