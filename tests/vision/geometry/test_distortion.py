"""Lens distortion: estimated from edges that should be straight, removed before a board is located, learned or read."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES
from sweeps import sampled

from vision import registry
from vision.board import CalibrationError, LocateError, TrackedBoard
from vision.cameras import load_picture
from vision.geometry import LensDistortion, find_lens
from vision.registry import find_board, find_game, is_of_kind, kind_of, learn_board, load_board

SIZE = (640, 480)
BARREL, PINCUSHION = -0.14, 0.14
"""OpenCV's k1 of -0.1 and 0.1 at a usual focal length (0.85 picture widths)."""
SCENE = Scene.load(PICTURES / "00-travel")


@cache
def sources(size: tuple[int, int], bend: float) -> tuple[np.ndarray, np.ndarray]:
    """The undistorted place (x, y) of each pixel of a lens with that distortion."""
    lens = LensDistortion(size, bend)
    middle = (np.array(size) - 1) / 2
    away = np.linspace(0, np.hypot(*middle) + 1, 4000)
    drawn = lens.undistort(middle + np.column_stack([away, np.zeros_like(away)]))[:, 0] - middle[0]
    x, y = np.meshgrid(np.arange(float(size[0])) - middle[0], np.arange(float(size[1])) - middle[1])
    share = np.interp(np.hypot(x, y), away[1:], drawn[1:] / away[1:])  # a lens is alike in all directions
    x, y = ((one * share + half).astype(np.float32) for one, half in zip((x, y), middle, strict=True))
    return x, y


def bent(picture: np.ndarray, bend: float) -> np.ndarray:
    """The picture as taken by a lens with that distortion."""
    return cv2.remap(picture, *sources(picture.shape[1::-1], bend), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)


def boxes() -> np.ndarray:
    """Nested boxes, slightly rotated: forty straight edges."""
    picture = np.full((SIZE[1], SIZE[0], 3), 70, np.uint8)
    for number in range(10):
        box = cv2.boxPoints(((320, 240), (600 - 55 * number, 440 - 40 * number), 3.0))
        cv2.fillPoly(picture, [np.rint(box * 16).astype(np.int32)], (90 + 60 * (number % 2),) * 3, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("bend", [-0.3, BARREL, -0.05, 0.05, PINCUSHION])
def test_lens_distortion_is_corrected(bend):
    lens = LensDistortion(SIZE, bend)
    places = np.random.default_rng(1).uniform(0, SIZE, (50, 2))
    assert np.allclose(lens.undistort(lens.distort(places)), places, atol=1e-3)


def test_the_centre_of_a_picture_does_not_move():
    middle = (np.array(SIZE) - 1) / 2
    assert np.allclose(LensDistortion(SIZE, BARREL).distort(middle), middle)


def test_barrel_distortion_moves_corners_towards_the_centre():
    assert (LensDistortion(SIZE, BARREL).distort(np.zeros(2)) > 12).all()


def test_an_undistorted_picture_equals_the_original():
    picture = cv2.GaussianBlur(boxes(), (0, 0), 1.5)
    again = LensDistortion(SIZE, BARREL).undistort_picture(bent(picture, BARREL))
    assert np.abs(again[40:-40, 40:-40].astype(int) - picture[40:-40, 40:-40]).mean() < 1.0


def test_a_picture_of_another_size_is_not_changed():
    picture = np.zeros((100, 100, 3), np.uint8)
    assert LensDistortion(SIZE, BARREL).undistort_picture(picture) is picture


@pytest.mark.parametrize("bend", sampled((-0.3, -0.07, PINCUSHION, 0.07), (-0.3, 0.07)))
def test_the_lens_is_estimated_from_edges_that_should_be_straight(bend):
    found = find_lens(bent(boxes(), bend))
    assert found is not None
    assert found.size == SIZE
    assert found.bend == pytest.approx(bend, abs=0.02)


def test_straight_edges_give_no_lens():
    assert find_lens(boxes()) is None


def test_a_picture_without_edges_gives_no_lens():
    assert find_lens(np.full((480, 640, 3), 90, np.uint8)) is None


def test_round_tables_give_no_lens():
    picture = np.full((480, 640, 3), 70, np.uint8)
    for number in range(6):
        cv2.circle(
            picture, (150 + 70 * number, 240 + 60 * (-1) ** number), 260, (100 + 20 * number,) * 3, 3, cv2.LINE_AA
        )
    assert find_lens(picture) is None


def test_the_labelled_pictures_have_no_distortion(scene):
    assert find_lens(scene.start) is None


@pytest.mark.slow
def test_a_board_behind_a_lens_is_found():
    true = LensDistortion((SCENE.start.shape[1], SCENE.start.shape[0]), PINCUSHION).distort(SCENE.corners)
    found = find_board(bent(SCENE.start, PINCUSHION)).corners
    assert np.linalg.norm(found - true, axis=1).max() < 0.01 * np.linalg.norm(true[1] - true[0])


def test_guessed_corners_behind_a_lens_are_in_distorted_coordinates(monkeypatch):
    picture = bent(SCENE.start, BARREL)
    lens = LensDistortion((picture.shape[1], picture.shape[0]), BARREL)
    monkeypatch.setattr(registry, "find_lens", lambda _: lens)

    def only_guesses(straight, mirror):
        raise LocateError("no starting position", SCENE.corners + straight.mean() + mirror)

    monkeypatch.setattr(kind_of("backgammon"), "find", only_guesses)
    guess = SCENE.corners + lens.undistort_picture(picture).mean()
    for look in (find_board, learn_board):
        with pytest.raises(LocateError) as told:
            look(picture)
        assert np.allclose(told.value.guess, lens.distort(guess))
        assert told.value.lens == lens


def test_the_game_on_a_board_behind_a_lens_is_detected():
    chequered = bent(load_picture(PICTURES / "checkers-club" / "00.jpg"), BARREL)
    assert find_game(chequered, find_lens(chequered)) == "checkers"


@pytest.fixture(scope="module")
def behind_a_barrel(tmp_path_factory):
    """A board learned behind a lens from marked corners, and the file that it was kept in."""
    path = tmp_path_factory.mktemp("bent") / "board.cal"
    marked = LensDistortion((SCENE.start.shape[1], SCENE.start.shape[0]), BARREL).distort(SCENE.corners)
    board = learn_board(bent(SCENE.start, BARREL), corners=marked)
    board.save(path)
    return board, path, marked


def test_corners_of_a_board_behind_a_lens_are_in_distorted_coordinates(behind_a_barrel):
    board, _, marked = behind_a_barrel
    assert np.abs(board.corners - marked).max() < 0.01 * np.linalg.norm(marked[1] - marked[0])
    assert board.summary["lens"] == pytest.approx(BARREL, abs=0.02)


def test_a_board_behind_a_lens_is_read_and_stored_with_its_lens(behind_a_barrel):
    _, path, _ = behind_a_barrel
    kept = load_board(path)
    assert is_of_kind(kept, "backgammon")
    assert not is_of_kind(kept, "checkers")
    frame = SCENE.frames[1]
    picture = bent(frame.picture, BARREL)
    assert frame.grade(kept.answer(kept.look(picture))) == "right"
    assert kept.reacquire(picture) is None


def test_lens_and_markers_are_stored_together(behind_a_barrel, tmp_path):
    board, _, _ = behind_a_barrel
    corners = np.array([[1, 2], [5, 2], [5, 6], [1, 6]], float)
    TrackedBoard(board.inner, board.lens, {7: corners}).save(tmp_path / "board.cal")
    kept = load_board(tmp_path / "board.cal")
    assert [file.name for file in tmp_path.iterdir()] == ["board.cal"]
    assert kept.summary == {**board.summary, "markers": [7]}
    assert (kept.markers[7] == corners).all()


def test_a_failure_to_write_a_board_with_a_lens_is_reported(behind_a_barrel, tmp_path):
    board, _, _ = behind_a_barrel
    with pytest.raises(CalibrationError, match="cannot write"):
        board.save(tmp_path / "nowhere" / "board.cal")
