"""Reading pictures of boards learned from one picture of their starting position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from gleams import added
from labelled import answer
from sweeps import part

from companion.core import BACKGAMMON_CELLS, WHITE_OFF
from vision.backgammon import FramedBoard
from vision.backgammon.doubts import with_drawing
from vision.backgammon.learning import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.board import BLACK, EMPTY, POINTS, START, SURE_NATS, WHITE, Figures, Slot, WrongSize
from vision.board.json_io import describe
from vision.imaging import DrawingSeen
from vision.simulation import SimulatedTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelled import Scene

    from vision.arrays import Picture
    from vision.backgammon.reader import LitView


def test_no_picture_is_misread(scene: Scene) -> None:
    assert "wrong" not in scene.grades


def test_most_pictures_of_every_board_are_read(scene: Scene) -> None:
    assert scene.grades.count("right") > len(scene.frames) / 2


def test_the_position_used_for_learning_is_read(scene: Scene) -> None:
    told = describe(scene.looks[0])
    assert told["unreadable"] is None
    assert told["position"] == {"points": [white - black for white, black in START], "bar": [0, 0], "off": [0, 0]}


def test_a_reading_has_every_cell_with_the_most_likely_content_first(scene: Scene) -> None:
    cells = scene.looks[0].cells
    assert len(cells) == BACKGAMMON_CELLS
    for cell in cells:
        nats = [value for _, value in cell.likelihoods]
        assert nats == sorted(nats, reverse=True)
        assert nats[:1] in ([], [0.0])
    assert all(cell.seen for cell in cells[:26])


def test_reading_twice_gives_the_same(scene: Scene) -> None:
    assert scene.eye.look(scene.frames[1].picture) == scene.looks[1]


def test_other_sensor_noise_causes_no_misreading(scene: Scene) -> None:
    frame = scene.frames[-1]
    noise = np.random.default_rng(2).normal(0, 4, frame.picture.shape)
    noisy = np.clip(frame.picture + noise, 0, 255).astype(np.uint8)
    assert frame.grade(answer(scene.eye, noisy)) != "wrong"


def test_a_noisy_picture_is_smoothed_and_read_with_its_dice(scene: Scene) -> None:
    frame = scene.frames[1]
    noise = np.random.default_rng(2).normal(0, 12, frame.picture.shape)
    noisy = scene.eye.look(np.clip(frame.picture + noise, 0, 255).astype(np.uint8))
    assert tuple(sorted(noisy.dice or ())) == (frame.dice or ())
    assert frame.grade(describe(noisy)) == "right"


def test_a_board_is_learned_and_read_in_noise(scene: Scene) -> None:
    """As a camera sees it in an evening's light (20 grey levels)."""
    chance = np.random.default_rng(5)

    def noisy(picture: Picture) -> Picture:
        return np.clip(picture + chance.normal(0, 20, picture.shape), 0, 255).astype(np.uint8)

    board = FramedBoard.learn(noisy(scene.start), scene.corners, scene.mirror, None)
    frames = [frame for frame in scene.frames[1:] if not frame.hand]
    grades = [frame.grade(board.answer(board.look(noisy(frame.picture)))) for frame in frames]
    assert "wrong" not in grades
    assert grades.count("right") >= 0.75 * len(grades)


def in_light(scene: Scene, light: np.ndarray) -> tuple[list[str], list[str | None]]:
    """Grades and causes of the scene's pictures without a hand, times `light` (height x width)."""
    return graded(scene, lambda picture: (picture * light[..., None]).astype(np.uint8))


def graded(scene: Scene, changed: Callable[[Picture], Picture]) -> tuple[list[str], list[str | None]]:
    """Grades and causes of the scene's pictures without a hand, each `changed`."""
    frames = [frame for frame in scene.frames[1:] if not frame.hand]
    told = [answer(scene.eye, changed(frame.picture)) for frame in frames]
    grades = [frame.grade(one) for frame, one in zip(frames, told, strict=True)]
    return grades, [one["unreadable"] for one in told]


def rows_in(picture: Picture, lit: LitView, eye: FramedBoardReader) -> list[list[Slot]]:
    """The slots of each row in a picture with that light."""
    figures = Figures.of(lit.evidence, eye.calibration.rows.diameter / 2)
    return eye.rows(lit, figures, eye.finer_view(picture, lit))


def sun_on_half(scene: Scene) -> np.ndarray:
    """Sun through a window, as factors (height x width): its edge is sharp, and the shade has half of its light."""
    x, y = places_in(scene)
    return 1 - 0.5 / (1 + np.exp(60 * (1.6 * x + 1.2 * y - 1.5)))


def places_in(scene: Scene) -> list[np.ndarray]:
    """x and y of each pixel of a scene's pictures, from 0 to 1."""
    height, width = scene.start.shape[:2]
    return list(np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height)))


def test_a_players_shadow_is_not_taken_for_a_hand(scene: Scene) -> None:
    """A head between the lamp and the board removes two fifths of the light from a part of the board."""
    x, y = places_in(scene)
    away = np.hypot((x - 0.35) / 0.25, (y - 0.3) / 0.35)
    grades, _ = in_light(scene, 1 - 0.4 / (1 + np.exp(8 * (away - 1))))
    assert "wrong" not in grades
    assert grades.count("right") >= 0.5 * len(grades)


def test_sunlight_on_half_of_the_board_is_not_taken_for_a_hand(scene: Scene) -> None:
    grades, causes = in_light(scene, sun_on_half(scene))
    assert "wrong" not in grades
    assert causes.count("hand") <= 0.25 * len(causes)


def test_hard_stripes_of_shadow_are_no_hand(scene: Scene) -> None:
    """Blinds take two fifths of the light."""
    x, y = places_in(scene)
    grades, causes = in_light(scene, 1 - 0.4 / (1 + np.exp(-15 * np.sin((0.3 * x + y) * 10 * np.pi))))
    assert "wrong" not in grades
    assert causes.count("hand") <= 0.5 * len(causes)


def test_a_reflection_is_no_hand(scene: Scene) -> None:
    """A lamp is reflected by the board."""
    x, y = places_in(scene)
    gleam = 120 * np.exp(-(((x - 0.6) / 0.06) ** 2) - ((y - 0.45) / 0.08) ** 2)
    grades, causes = graded(scene, partial(added, light=gleam))
    assert "wrong" not in grades
    assert "hand" not in causes


def test_a_reflection_where_nothing_is_drawn_is_no_hand(scene: Scene) -> None:
    """A lamp is reflected by the felt between the points' tips, in either half of the board; its grain is seen."""
    read = [graded(scene, partial(added, light=gleam)) for gleam in gleams_between_tips(scene)]
    grades, causes = (list(chain(*each)) for each in zip(*read, strict=True))
    assert "wrong" not in grades
    assert causes.count("hand") <= 0.25 * len(causes)


def test_a_hand_in_a_reflection_is_still_a_hand(scene: Scene) -> None:
    hands = [frame for frame in scene.frames[1:] if frame.hand]
    told = [answer(scene.eye, added(frame.picture, gleam)) for gleam in gleams_between_tips(scene) for frame in hands]
    assert {one["unreadable"] for one in told} <= {"hand"}


def gleams_between_tips(scene: Scene) -> list[np.ndarray]:
    """A gleam (height x width, grey levels) in the middle of each half of the board."""
    height, width = scene.start.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    left_low, right_low, right_high, left_high = scene.corners
    board = float(np.linalg.norm(right_low - left_low))
    gleams = []
    for share in (0.25, 0.75):
        u, v = ((1 - share) * (left_low + left_high) + share * (right_low + right_high)) / 2
        gleams.append(100 * np.exp(-(((x - u) / (0.12 * board)) ** 2) - ((y - v) / (0.08 * board)) ** 2))
    return gleams


def test_only_the_drawing_makes_a_slot_certain_where_sun_and_shade_meet(oblique: Scene) -> None:
    light = sun_on_half(oblique)[..., None]
    eye, picture = oblique.eye, (oblique.frames[1].picture * light).astype(np.uint8)
    lit = eye.light_of(eye.calibration.top.rectify(picture))
    diameter = eye.calibration.rows.diameter
    rows = eye.with_doubt(lit, rows_in(picture, lit, eye))
    slots = [slot for row in rows for slot in row]
    met = [slot for slot in slots if lit.light.changes_near(slot.x, slot.y, diameter / 2)]
    unclear = [slot for slot in met if slot.bare is None]
    shown = [slot for slot in met if slot.bare is not None]
    assert min(len(unclear), len(shown)) > 5
    assert max(slot.margin_nats for slot in unclear) < SURE_NATS / 2 + 1
    assert all(slot.bare is (slot.holder == EMPTY) for slot in shown if slot.margin_nats > SURE_NATS / 2 + 1)
    assert np.median([slot.margin_nats for slot in slots if slot not in met]) > SURE_NATS


def test_under_a_strong_reflection_only_the_drawing_makes_a_slot_certain(oblique: Scene) -> None:
    x, y = places_in(oblique)
    gleam = 120 * np.exp(-(((x - 0.6) / 0.15) ** 2) - ((y - 0.45) / 0.2) ** 2)[..., None]
    picture = np.clip(oblique.frames[1].picture + gleam, 0, 255).astype(np.uint8)
    eye, veiled, elsewhere = oblique.eye, [], []
    lit = eye.light_of(eye.calibration.top.rectify(picture))
    for row in eye.with_doubt(lit, rows_in(picture, lit, eye)):
        for slot in row:
            (veiled if lit.veils(slot) else elsewhere).append(slot)
    assert {slot.bare for slot in veiled} == {None, True, False}
    certain = [slot for slot in veiled if slot.margin_nats > SURE_NATS]
    assert certain
    assert all(slot.bare and slot.holder == EMPTY for slot in certain)
    assert np.median([slot.margin_nats for slot in elsewhere]) > SURE_NATS


def test_fifteen_pale_checkers_side_by_side_are_no_veil() -> None:
    """Hardly an edge of the drawing is left between them."""
    table = SimulatedTable(seed=34)
    board = FramedBoard.learn(table.render(), np.array(table.corners()), False, None)
    crowded = [*[(3, 0)] * 5, *[(0, 0)] * 14, *[(0, 3)] * 5, *[(0, 0)] * 4]
    table.set_up(tuple(crowded))
    seen = board.look(table.render())
    assert [cell.best for cell in seen.cells[:WHITE_OFF]] == crowded[:WHITE_OFF]
    assert describe(seen)["unreadable"] is None


def test_colours_are_no_evidence_of_a_checker_where_the_drawing_is_seen() -> None:
    places = [(0, 0), (2, 0)]
    slots = [Slot(x, y, (0.0, -30.0, -20.0), foreign=False) for x, y in places]
    bare = np.array([[True, False]])
    drawn, covered = with_drawing([slots], DrawingSeen(bare, ~bare, np.zeros_like(bare)), lambda _: ())[0]
    assert (drawn.holder, covered.holder) == (EMPTY, WHITE)
    assert drawn.margin_nats > SURE_NATS


def test_checkers_are_read_where_they_repeat_the_drawing_under_them(scene: Scene) -> None:
    """As those in the colour of their point may; here the drawing seems to be seen everywhere."""
    eye, picture = scene.eye, scene.start
    lit = eye.light_of(eye.calibration.top.rectify(picture))
    bare = np.ones_like(lit.drawing.bare)
    lit = replace(lit, drawing=DrawingSeen(bare, ~bare, ~bare))
    rows = rows_in(picture, lit, eye)
    read = np.array([[sum(slot.holder == side for slot in row) for side in (WHITE, BLACK)] for row in rows[:POINTS]])
    assert (read <= START).all()
    assert read.sum() >= 27


def test_either_player_may_be_called_white(oblique: Scene) -> None:
    """Seen from the opposite side, home is on the other side, and every point is the other player's."""
    across = FramedBoardReader(calibrate(oblique.start, np.roll(oblique.corners, 2, axis=0), mirror=True))
    both_read = 0
    for frame, look in zip(oblique.frames[:4], oblique.looks, strict=False):
        here, there = describe(look), answer(across, frame.picture)
        if here["unreadable"] is None and there["unreadable"] is None:
            both_read += 1
            assert there["position"] == turned(here["position"])
        else:
            assert frame.grade(here) == "refused" or there["unreadable"] is not None
    assert both_read >= 2


def turned(position: dict[str, Any]) -> dict[str, Any]:
    return {
        "points": [-count for count in reversed(position["points"])],
        "bar": position["bar"][::-1],
        "off": position["off"][::-1],
    }


@part(slice(3))
def test_a_board_with_home_on_the_left_is_read_like_its_mirror_image(oblique: Scene, part: slice) -> None:
    width = oblique.start.shape[1]
    right_to_left = oblique.corners[[1, 0, 3, 2]] * [-1, 1] + [width - 1, 0]
    eye = FramedBoardReader(calibrate(cv2.flip(oblique.start, 1), right_to_left, mirror=True))
    grades = [frame.grade(answer(eye, cv2.flip(frame.picture, 1))) for frame in oblique.frames[part]]
    assert "wrong" not in grades
    assert grades.count("right") > len(grades) / 2


@pytest.mark.parametrize("size", [(640, 480), (960, 1280), (1281, 960)])
def test_a_picture_of_another_size_is_refused_with_both_sizes(oblique: Scene, size: tuple[int, int]) -> None:
    other = cv2.resize(oblique.start, size)
    with pytest.raises(WrongSize, match=f"{size[0]} x {size[1]}, but the board was calibrated at 1280 x 960"):
        oblique.eye.look(other)
