"""Reading pictures of chequered boards learned from one picture of their starting position."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled_checkers import SquaresScene, answer, from_across, scenes
from sweeps import part, sampled

from companion.core import CHECKERS_CELLS, Cause
from vision.board import CERTAIN_NATS, CalibrationError, WrongSize
from vision.checkers.layout import START
from vision.registry import learn_board, load_board

SCENES = scenes()
BY_NAME = {scene.name: scene for scene in SCENES}
NEXT = 5
QUICK = (BY_NAME["checkers-club"], BY_NAME["checkers-travel"])


@pytest.fixture(scope="module", params=sampled(SCENES, QUICK), ids=[scene.name for scene in SCENES])
def scene(request):
    return request.param


@pytest.fixture(scope="module")
def club() -> SquaresScene:
    return BY_NAME["checkers-club"]


@pytest.fixture(scope="module")
def travel() -> SquaresScene:
    return BY_NAME["checkers-travel"]


def test_every_picture_is_read_correctly(scene):
    assert set(scene.grades) == {"right"}


def test_the_pictures_include_kings_a_change_of_light_and_a_hand():
    frames = [frame for one in SCENES for frame in one.frames]
    assert sum(len(frame.kings) for frame in frames) > 2
    assert any(frame.hand for frame in frames)
    assert any(frame.drift and not frame.hand for frame in frames)


def test_a_king_is_read_with_its_colour(club):
    frame, look = max(zip(club.frames, club.looks, strict=True), key=lambda one: len(one[0].kings))
    told = club.board.answer(look)["squares"]
    assert {name: told[name] for name in frame.kings} == {name: frame.squares[name] for name in frame.kings}


def test_a_reading_has_all_squares_with_the_most_likely_content_first(club):
    cells = club.looks[0].cells
    assert len(cells) == CHECKERS_CELLS
    for cell in cells:
        nats = [value for _, value in cell.likelihoods]
        assert nats == sorted(nats, reverse=True)
        assert nats[0] == 0.0


def test_a_hand_over_the_board_is_the_reported_cause(travel):
    assert [look.unreadable for frame, look in zip(travel.frames, travel.looks, strict=True) if frame.hand] == [
        Cause.HAND
    ]


def noisy(picture: np.ndarray, levels: float) -> np.ndarray:
    noise = np.random.default_rng(1).normal(0, levels, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_darkness_and_blur_are_the_reported_causes(club):
    assert club.board.look((club.start * 0.06).astype(np.uint8)).unreadable is Cause.DARK
    assert club.board.look(cv2.GaussianBlur(club.start, (0, 0), 9)).unreadable is Cause.BLUR


@pytest.mark.parametrize("levels", sampled((12, 25, 40, 60), (25, 60)))
def test_camera_noise_in_the_dark_causes_no_misreading(scene, levels):
    for frame in scene.frames:
        assert frame.grade(answer(scene.board, noisy(frame.picture, levels))) != "wrong"


def test_moderate_noise_changes_no_reading(club):
    assert answer(club.board, noisy(club.start, 12))["squares"] == club.frames[0].squares


@part(slice(2))
def test_on_a_rotated_board_the_sides_are_exchanged(club, part):
    across = learn_board(club.start, "checkers", corners=np.roll(club.corners, 2, axis=0))
    for frame, look in zip(club.frames[part], club.looks[part], strict=True):
        here, there = (club.board.answer(look)["squares"], answer(across, frame.picture)["squares"])
        assert there == from_across(here)


def test_a_stored_board_reads_the_same(club, tmp_path):
    club.board.save(tmp_path / "board.cal")
    kept = load_board(tmp_path / "board.cal")
    assert kept.game == "checkers"
    frame = club.frames[1]
    assert answer(kept, frame.picture) == club.board.answer(club.looks[1])


@pytest.mark.slow
def test_without_corners_the_board_is_found(travel):
    found = learn_board(travel.start, "checkers")
    off = [np.abs(np.roll(found.corners, turns, axis=0) - travel.corners).max() for turns in range(4)]
    assert min(off) < 0.01 * travel.start.shape[1]


def test_badly_marked_corners_are_corrected(club):
    width = np.linalg.norm(club.corners[1] - club.corners[0])
    marked = club.corners + 0.03 * width * np.array([[0.7, 0.7], [-0.7, 0.7], [-0.7, -0.7], [0.7, 0.7]])
    board = learn_board(club.start, "checkers", corners=marked)
    assert np.abs(board.corners - club.corners).max() < NEXT
    assert club.frames[1].grade(answer(board, club.frames[1].picture)) == "right"


@part(slice(2))
def test_a_board_is_learned_from_any_position_that_is_known(club, part):
    frame = max(club.frames, key=lambda one: len(one.squares) if not one.drift and one is not club.frames[0] else 0)
    position = type(club.board).position(frame.position)
    board = learn_board(frame.picture, "checkers", corners=club.corners, position=position)
    for other in club.frames[part]:
        assert other.grade(answer(board, other.picture)) != "wrong"
    assert club.frames[0].grade(answer(board, club.start)) == "right"


def test_a_position_that_is_not_on_the_board_is_not_learned(club):
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        learn_board(club.frames[1].picture, "checkers", corners=club.corners)
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        learn_board(club.start, "checkers", corners=np.roll(club.corners, 1, axis=0))
    exchanged = [(black, white) for white, black in START]
    board = learn_board(club.start, "checkers", corners=club.corners, position=exchanged)
    assert set(answer(board, club.start)["squares"].values()) == {"w", "b"}


def test_a_position_with_one_man_of_a_colour_is_too_few(club):
    lonely = [(1, 0) if cell == 0 else (0, content[1]) for cell, content in enumerate(START)]
    with pytest.raises(CalibrationError, match=r"fewer than two men of one colour.*White's: 1\)"):
        learn_board(club.start, "checkers", corners=club.corners, position=lonely)


@pytest.mark.parametrize("value", [{"points": []}, {"squares": {"8,0": "w"}}, {"squares": {"0,0": "x"}}, [], None])
def test_an_invalid_position_is_quoted(club, value):
    with pytest.raises(CalibrationError, match=r"squares.*row 0 at White's edge"):
        type(club.board).position(value)


def test_a_picture_of_another_size_is_refused(club):
    with pytest.raises(WrongSize, match="640 x 480"):
        club.board.look(cv2.resize(club.start, (640, 480)))


def knocked(picture, degrees, shift_px):
    size = (picture.shape[1], picture.shape[0])
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), degrees, 0.98)
    turn[:, 2] += shift_px
    return cv2.warpAffine(picture, turn, size, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(("degrees", "shift_px"), [(0.6, (5, -4)), (2.0, (24, -10)), (-2.5, (-30, 20))])
def test_a_knocked_board_is_found_again_and_read(travel, degrees, shift_px):
    frame = travel.frames[2]
    picture = knocked(frame.picture, degrees, shift_px)
    again = travel.board.reacquire(picture)
    assert again is not None
    assert frame.grade(answer(again, picture)) == "right"


def test_a_board_that_did_not_move_is_not_relocated(travel):
    assert travel.board.reacquire(travel.frames[2].picture) is None


def moved_checker(scene, rows, columns=0.0):
    """The starting position with the man of square 2,2 pushed by a number of squares."""
    learned = scene.board.calibration
    size = (scene.start.shape[1], scene.start.shape[0])
    side, height = 1 / 8, learned.squares.top / 2

    def seen(column, row):
        outline = np.array([[0, 0], [1, 0], [1, 1.1], [0, 1.1]]) * side + np.array([column, row]) * side
        return learned.pose.project(np.column_stack([outline, np.full(4, height)])).astype(np.float32)

    def pasted(picture, source, target, outline):
        moved = cv2.warpPerspective(scene.start, cv2.getPerspectiveTransform(source, target), size)
        mask = cv2.fillConvexPoly(np.zeros(size[::-1], np.uint8), np.rint(outline).astype(np.int32), 255) > 0
        return np.where(mask[..., None], moved, picture)

    turn = np.linspace(0, 2 * np.pi, 40)
    radius = learned.squares.checker / 2 * 1.05
    disc = (
        (2.5 + columns) * side + radius * np.cos(turn),
        (2.5 + rows) * side + radius * np.sin(turn),
        np.full(40, height),
    )
    emptied = pasted(scene.start, seen(3, 3), seen(2, 2), seen(2, 2))
    return pasted(emptied, seen(2, 2), seen(2 + columns, 2 + rows), learned.pose.project(np.column_stack(disc)))


def test_a_checker_between_two_squares_is_doubtful_on_both(club):
    told = answer(club.board, moved_checker(club, 0.5))
    assert told["unreadable"] == "unknown"
    assert {"2,2", "3,2"} & set(told["doubtful"])


@pytest.mark.parametrize(("column", "pair"), [(2, ["3,1", "4,2"]), (3, ["3,3", "4,2"]), (4, ["3,3", "4,4"])])
def test_a_man_on_the_corner_of_four_squares_lies_between_the_dark_ones(column, pair):
    """No square shows more than a quarter of it, and all 64 look certain."""
    scene = BY_NAME["checkers-far-king"]
    told = answer(scene.board, moved_checker(scene, 1.5, column - 2.5))
    assert told["unreadable"] == "unknown"
    assert told["between"] == [pair]
    assert set(told["doubtful"]) == set(pair)


def test_no_man_is_found_between_squares_if_none_lies_there(scene):
    assert all(look.between == () for look in scene.looks)


def test_a_carelessly_placed_checker_belongs_to_its_square(club):
    told = answer(club.board, moved_checker(club, 0.15))
    assert told["squares"] == club.frames[0].squares


def test_every_square_is_certain_by_the_referee_s_threshold(club):
    assert all(cell.margin_nats >= CERTAIN_NATS for cell in club.looks[0].cells)


def shaded(picture, share):
    """With a soft-edged shadow over its left half."""
    edge = 1 / (1 + np.exp(-(np.arange(picture.shape[1]) - picture.shape[1] * 0.48) / 12))
    return (picture * (1 - share * (1 - edge))[None, :, None]).astype(np.uint8)


def test_a_board_half_in_shadow_is_read(club):
    for frame in club.frames:
        assert frame.grade(answer(club.board, shaded(frame.picture, 0.25))) == "right"


@pytest.mark.parametrize("stops", sampled((-1.0, -0.5, 0.5, 1.0), (-1.0, 1.0)))
def test_another_exposure_changes_no_reading(club, stops):
    curve = (255 * np.clip((np.arange(256) / 255) ** 2.2 * 2**stops, 0, 1) ** (1 / 2.2)).round().astype(np.uint8)
    frame = club.frames[1]
    assert frame.grade(answer(club.board, cv2.LUT(frame.picture, curve))) == "right"


@pytest.mark.parametrize(("off", "to"), [(16, 25), (41, 32), (63, 31)])
def test_a_single_man_given_on_another_square_is_reported_as_missing(club, off, to):
    told = list(START)
    told[to], told[off] = told[off], told[to]
    with pytest.raises(CalibrationError, match="not visible inside these corners") as refused:
        learn_board(club.start, "checkers", corners=club.corners, position=told)
    assert f"(not on {' '.join(f'{cell // 8},{cell % 8}' for cell in sorted((off, to)))})" in str(refused.value)


def test_a_board_seen_through_haze_is_learned_and_read(club):
    hazy = lambda picture: cv2.addWeighted(picture, 0.35, np.full_like(picture, 190), 0.65, 0)  # noqa: E731
    board = learn_board(hazy(club.start), "checkers", corners=club.corners)
    frame = next(one for one in club.frames[1:] if not one.hand and not one.drift)
    assert frame.grade(answer(board, hazy(frame.picture))) == "right"


def test_a_board_under_a_hand_is_not_learned(travel):
    frame = next(one for one in travel.frames if one.hand)
    position = type(travel.board).position(frame.position)
    with pytest.raises(CalibrationError, match=r"cannot be read \(hand\)|not visible inside these corners"):
        learn_board(frame.picture, "checkers", corners=travel.corners, position=position)
