"""Relocating a learned board after a knock: exactly, or refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from labelled import QUICK_BOARDS, Scene, answer, scenes
from places import PICTURES
from sweeps import sampled

from companion.core import Cause
from vision.backgammon.board import move_calibration, reacquire
from vision.backgammon.calibration import Calibration
from vision.backgammon.reader import FramedBoardReader
from vision.backgammon.tray import tray_raster
from vision.geometry import corner_distances, project

if TYPE_CHECKING:
    from pathlib import Path

    from labelled import Labelled

GREY = (96, 104, 110)
READ = "with the light dimmed", "nudged"
"""The knocks after which boards are read."""
EXACTLY = 3
"""Which picture of a scene is looked for exactly."""
EXACT_PX = 0.5
"""In pixels of the raster, 20 a column."""


@dataclass(frozen=True)
class Knock:
    """What happens to a camera: shift in shares of the picture's width, turn, zoom, tilt; and to the light."""

    dx: float = 0.0
    dy: float = 0.0
    degrees: float = 0.0
    zoom: float = 1.0
    tilt: float = 0.0
    light: float = 1.0

    def motion(self, size: tuple[int, int]) -> np.ndarray:
        """From the picture before to the one after (3 x 3)."""
        middle = np.array([[1, 0, size[0] / 2], [0, 1, size[1] / 2], [0, 0, 1]])
        angle = np.deg2rad(self.degrees)
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        turn[:2, :2] *= self.zoom
        turn[:2, 2] = self.dx * size[0], self.dy * size[0]
        turn[2, :2] = self.tilt / size[0], -self.tilt / size[0]
        return middle @ turn @ np.linalg.inv(middle)

    def picture(self, before: np.ndarray) -> np.ndarray:
        """The picture of the camera after the knock."""
        size = (before.shape[1], before.shape[0])
        after = cv2.warpPerspective(before, self.motion(size), size, borderValue=GREY)
        return np.clip(after * self.light, 0, 255).astype(np.uint8)


KNOCKS = {
    "a centimetre": Knock(dx=0.015, dy=-0.004, degrees=1),
    "with the light dimmed": Knock(dx=-0.03, dy=0.01, degrees=-2.5, light=0.8),
    "turned and raised": Knock(dx=0.01, dy=0.02, degrees=3.5, zoom=0.96),
    "tilted": Knock(dx=-0.01, dy=-0.02, degrees=-1, zoom=0.97, tilt=0.03),
    "nudged": Knock(dx=0.003),
}


@cache
def after_knock(folder: Path, knock: str, number: int) -> Calibration | None:
    """The board of a scene as it is found in one of its pictures after a knock."""
    scene = Scene.load(folder)
    return reacquire(scene.eye.calibration, KNOCKS[knock].picture(scene.frames[number].picture))


def misplaced_px(found: Calibration, true: Calibration) -> float:
    """The mean error of the raster's corners, in its pixels."""
    place = np.linalg.inv(true.top.to_picture) @ found.top.to_picture
    return corner_distances(place, np.eye(3), true.top.size[::-1]).mean()


def in_view(calibration: Calibration, motion: np.ndarray) -> bool:
    corners = project(motion, calibration.corners)
    return bool(((corners > 0) & (corners < np.array(calibration.size) - 1)).all())


OTHERS = [knock for knock in KNOCKS if knock not in READ]
QUICK = {board: (*READ, knock) for board, knock in zip(QUICK_BOARDS, OTHERS, strict=True)}
"""A quick run has, besides the knocks after which boards are read, one for each of its boards."""
FOUND = [
    pytest.param(board, knock, marks=[] if knock in QUICK.get(board.name, ()) else pytest.mark.slow)
    for board in scenes(PICTURES)
    for knock in KNOCKS
]
"""Every board after every knock."""


@pytest.mark.parametrize(("scene", "knock"), FOUND, ids=lambda one: getattr(one, "name", one))
def test_a_displaced_board_is_found_exactly(scene: Scene, knock: str) -> None:
    learned = scene.eye.calibration
    motion = KNOCKS[knock].motion(learned.size)
    assert in_view(learned, motion)
    found = after_knock(scene.folder, knock, EXACTLY)
    assert found is not None
    picture = KNOCKS[knock].picture(scene.frames[EXACTLY].picture)
    assert misplaced_px(found, move_calibration(learned, motion, picture)) < EXACT_PX


@pytest.mark.parametrize("pictures", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("knock", READ)
def test_after_a_knock_boards_are_read_as_before_or_refused(scene: Scene, knock: str, pictures: int) -> None:
    clear = [number for number, grade in enumerate(scene.grades) if grade == "right" and number > 0]
    grades = []
    for number in sorted(clear, key=lambda number: number != EXACTLY)[:pictures]:
        frame, found = scene.frames[number], after_knock(scene.folder, knock, number)
        picture = KNOCKS[knock].picture(frame.picture)
        grades.append(frame.grade(answer(FramedBoardReader(found), picture)) if found is not None else "not found")
    assert "wrong" not in grades
    assert grades.count("right") >= len(grades) / 2, grades


def test_a_board_that_did_not_move_keeps_its_place(scene: Scene) -> None:
    assert [reacquire(scene.eye.calibration, frame.picture) for frame in scene.frames if not frame.hand] == [
        None
    ] * sum(not frame.hand for frame in scene.frames)


@pytest.mark.parametrize("columns", sampled((-2, -1, 1, 2), (-1, 2)))
def test_similar_points_are_not_confused(oblique: Scene, columns: int) -> None:
    """Shifts along the board by whole columns, after which points coincide with points."""
    learned = oblique.eye.calibration
    top = learned.top
    step = np.array([[1.0, 0, columns * learned.layout.column * top.scale], [0, 1, 0], [0, 0, 1]])
    shrink = np.array([[0.8, 0, 128], [0, 0.8, 96], [0, 0, 1]])  # room to move in
    small = cv2.warpPerspective(oblique.frames[1].picture, shrink, learned.size, borderValue=GREY)
    there = move_calibration(learned, shrink, small)
    motion = there.top.to_picture @ step @ np.linalg.inv(there.top.to_picture)
    picture = cv2.warpPerspective(small, motion, learned.size, borderValue=GREY)
    found = reacquire(there, picture)
    assert found is not None
    assert misplaced_px(found, move_calibration(there, motion, picture)) < 1  # a column is 20


def test_a_board_outside_the_picture_is_not_found(scene: Scene) -> None:
    learned = scene.eye.calibration
    room = learned.size[0] - float(learned.corners[:, 0].max())
    knock = Knock(dx=(room + 25) / learned.size[0])
    assert reacquire(learned, knock.picture(scene.frames[1].picture)) is None


def test_in_a_picture_without_the_board_it_is_not_found(oblique: Scene) -> None:
    noise = np.random.default_rng(4).normal(120, 40, (96, 128, 3)).clip(0, 255).astype(np.uint8)
    table = cv2.resize(noise, oblique.eye.calibration.size, interpolation=cv2.INTER_CUBIC)
    assert reacquire(oblique.eye.calibration, table) is None
    assert reacquire(oblique.eye.calibration, np.zeros_like(table)) is None


def test_another_board_is_not_taken_for_it(scene: Scene, oblique: Scene) -> None:
    if scene.name != oblique.name:
        assert reacquire(scene.eye.calibration, oblique.start) is None


def test_in_a_picture_of_another_size_the_board_is_not_found(oblique: Scene) -> None:
    assert reacquire(oblique.eye.calibration, cv2.resize(oblique.start, (640, 480))) is None


def test_a_hand_over_a_displaced_board_is_reported(oblique: Scene, hand: Labelled) -> None:
    picture = Knock(dx=0.02, degrees=1.5).picture(hand.picture)
    found = reacquire(oblique.eye.calibration, picture)
    assert found is None or FramedBoardReader(found).look(picture).unreadable is Cause.HAND


def test_repeated_knocks_do_not_add_up_errors(oblique: Scene) -> None:
    learned = calibration = oblique.eye.calibration
    motion, picture = np.eye(3), oblique.frames[1].picture
    for knock in (Knock(dx=0.02, degrees=-2), Knock(dx=-0.015, dy=0.01, degrees=3), Knock(dy=-0.01, zoom=0.97)):
        motion = knock.motion(learned.size) @ motion
        picture = cv2.warpPerspective(oblique.frames[1].picture, motion, learned.size, borderValue=GREY)
        found = reacquire(calibration, picture)
        assert found is not None
        calibration = found
    assert misplaced_px(calibration, move_calibration(learned, motion, picture)) < EXACT_PX


def test_a_place_found_again_is_stored_with_the_board(oblique: Scene, tmp_path: Path) -> None:
    knock = Knock(dx=0.02, degrees=1.5)
    picture = knock.picture(oblique.frames[1].picture)
    found = reacquire(oblique.eye.calibration, picture)
    assert found is not None
    found.save(tmp_path / "board.cal")
    kept = Calibration.load(tmp_path / "board.cal")
    assert misplaced_px(kept, found) < 1e-6
    assert oblique.frames[1].grade(answer(FramedBoardReader(kept), picture)) == "right"


def test_a_relocated_board_keeps_what_it_learned_and_shares_no_mutable_state(oblique: Scene) -> None:
    learned = replace(oblique.eye.calibration)  # with no models yet
    plain, dark = np.ones(3, np.float32), np.full(3, 1.3, np.float32)
    before = learned.under(plain)
    found = move_calibration(learned, np.eye(3), oblique.frames[0].picture)
    assert found.under(plain) is before
    assert found.under(dark) is not learned.under(dark)


@pytest.mark.parametrize("light", [0.6, 1.0])
def test_newly_visible_table_is_learned_in_the_light_of_the_calibration(light: float) -> None:
    """In dim light it was darker than the rest: levelled pictures seemed to show checkers there."""
    scene = Scene.load(PICTURES / "09-leather")
    learned, size = scene.eye.calibration, scene.eye.calibration.size
    out, back = np.eye(3), np.eye(3)
    back[0, 2] = learned.corners[:, 0].min()
    out[0, 2] = -back[0, 2]
    cut = move_calibration(learned, out, cv2.warpPerspective(scene.start, out, size, borderValue=GREY))
    again = move_calibration(cut, back, (scene.start * light).astype(np.uint8))
    known, seen = (tray_raster(one.top, one.layout).in_view(size) for one in (learned, cut))
    new = known & ~seen
    assert new.mean() > 0.05
    assert np.median(np.abs(again.table.astype(float) - learned.table)[new]) < 4
