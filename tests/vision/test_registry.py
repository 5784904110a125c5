"""The common interface of all kinds of boards: learning, storing, reading and relocating."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from vision.backgammon import FramedBoard
from vision.board import BoardInView, CalibrationError, WrongSize, open_calibration
from vision.geometry import CameraPose
from vision.registry import KINDS, find_board, kind_of, learn_board, load_board
from vision.simulation import SimulatedTable

SCENE = Scene.load(PICTURES / "09-leather")
FULL = SCENE.frames[0].points
"""Of the starting position: all thirty on the points."""


class Ludo(BoardInView):
    """A kind of board that is not known."""

    kind = "ludo"

    def contents(self):
        return {}, {"squares": np.eye(2)}

    @classmethod
    def restored(cls, kept):
        return cls(*kept.in_view)


IN_VIEW = Ludo((640, 480), np.zeros((4, 2)), CameraPose(np.eye(3, 4), np.ones(3), 0.7, 0.9, 0.1), 1.0)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A framed board in its file."""
    path = tmp_path_factory.mktemp("kept") / "board.cal"
    FramedBoard(SCENE.eye.calibration).save(path)
    return path


def test_a_file_contains_the_kind_of_its_board(kept):
    board = load_board(kept)
    assert board.game == "backgammon"
    assert board.answer(board.look(SCENE.start))["position"]["points"] == SCENE.frames[0].points


def test_a_file_with_an_unknown_kind_is_refused_with_the_kind(tmp_path):
    path = tmp_path / "board.cal"
    IN_VIEW.save(path)
    with pytest.raises(CalibrationError, match="unknown kind 'ludo'"):
        load_board(path)


def test_additional_knowledge_is_restored_from_the_file(tmp_path):
    path = tmp_path / "board.cal"
    IN_VIEW.save(path, lens={"size": (640, 480), "bend": -0.1})
    with open_calibration(path) as kept:
        assert kept.entry("lens") == {"size": [640, 480], "bend": -0.1}
        assert kept.entry("markers") is None


@pytest.mark.parametrize(("game", "board"), [("ludo", None), ("backgammon", "stars")])
def test_an_unsupported_kind_of_board_is_refused_with_the_supported_ones(game, board):
    with pytest.raises(CalibrationError, match=r"backgammon on points"):
        kind_of(game, board)


@pytest.mark.parametrize("kind", [(game, board) for game, boards in KINDS.items() for board in boards])
def test_corners_impossible_for_any_camera_are_quoted(kind):
    crossed = np.array([[10, 10], [300, 200], [300, 10], [10, 200]], float)
    with np.errstate(all="ignore"), pytest.raises(CalibrationError, match=r"cannot lie there.*300"):
        learn_board(np.full((240, 320, 3), 90, np.uint8), *kind, corners=crossed)


@pytest.mark.parametrize("kind", [(game, board) for game, boards in KINDS.items() for board in boards])
def test_a_corner_marked_twice_is_refused(kind):
    twice = np.array([[10, 200], [300, 200], [290, 20], [290, 20]], float)
    with pytest.raises(CalibrationError, match=r"lie on one line"):
        learn_board(np.full((240, 320, 3), 90, np.uint8), *kind, corners=twice)


@pytest.mark.parametrize("kind", [("backgammon", "points"), ("backgammon", "tiles")])
def test_corners_of_a_strip_are_refused_before_large_arrays_are_made(kind):
    """Thirty times as deep as wide: the rectified picture took gigabytes."""
    strip = np.array([[652, 900], [680, 900], [677, 10], [652, 10]], float)
    with pytest.raises(CalibrationError, match=r"cannot lie there.*mark them again"):
        learn_board(SCENE.start, *kind, corners=strip)


@pytest.mark.parametrize("kind", [(game, board) for game, boards in KINDS.items() for board in boards])
@pytest.mark.parametrize(("away", "times"), [((320, 0), 1), ((0, -240), 1), ((0, 0), 1e6), ((np.nan, 0), 1)])
def test_corners_outside_the_picture_are_refused(kind, away, times):
    around = np.array([[-90, 60], [90, 60], [90, -60], [-90, -60]], float)
    with pytest.raises(CalibrationError, match=r"do not lie in the picture of 320 x 240 pixels"):
        learn_board(np.full((240, 320, 3), 90, np.uint8), *kind, corners=around * times + (160, 120) + np.array(away))


@pytest.mark.parametrize("kind", [(game, board) for game, boards in KINDS.items() for board in boards])
@pytest.mark.parametrize("size", [(8, 8), (3, 6000), (6000, 3), (32, 70_000)])
def test_pictures_too_small_for_a_board_are_refused(kind, size):
    picture = np.random.default_rng(0).integers(0, 256, (*size, 3), np.uint8)
    for find in (find_board, learn_board):
        with pytest.raises(CalibrationError, match=f"no board can be seen in {size[1]} x {size[0]} pixels"):
            find(picture, *kind)


@pytest.mark.parametrize(
    "corners",
    [[[1041, 876], [776, 700], [52, 16], [815, 259]], [[181, 643], [1102, 237], [1185, 718], [855, 920]]],
)
def test_corners_of_no_board_are_refused_also_if_a_fit_succeeds(corners):
    """A fit from them diverged to a board of arbitrary size."""
    with pytest.raises(CalibrationError, match=r"not visible inside these corners|cannot lie there"):
        learn_board(SimulatedTable(seed=1).render(), corners=np.array(corners, float))


def test_a_board_that_cannot_be_learned_from_marked_corners_is_located_near_them():
    scene = Scene.load(PICTURES / "00-travel")
    corners = scene.eye.calibration.corners
    edge = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()
    askew = corners + 0.045 * edge * np.array([[1, 0], [-1, 0], [1, 0], [-1, 0]])
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        FramedBoard.learn(scene.start, askew, mirror=False, position=None)
    found = learn_board(scene.start, corners=askew)
    assert np.linalg.norm(found.corners - corners, axis=1).max() < 0.01 * edge
    with pytest.raises(CalibrationError, match="not visible inside these corners"):
        learn_board(scene.start, corners=corners + np.array([0.2 * edge, 0.0]))


@pytest.mark.parametrize("shape", [(960, 1280), (960, 1280, 4)])
def test_a_picture_without_three_colour_channels_is_refused(kept, shape):
    with pytest.raises(WrongSize, match="in BGR order"):
        load_board(kept).look(np.full(shape, 90, np.uint8))


def test_the_kind_of_board_follows_from_the_sheet_and_the_first_is_the_default():
    for game, kinds in KINDS.items():
        assert kind_of(game) is kind_of(game, next(iter(kinds)))
        for board, named in kinds.items():
            room, _, name = named.rpartition(".")
            assert kind_of(game, board) is getattr(import_module(room), name)


@pytest.mark.parametrize(
    ("told", "cause"),
    [
        ({"points": [*FULL[:-1], 1]}, "has 14 of White's and 15 of Black's 15 checkers on the points"),
        ({"points": FULL, "bar": [1, 0]}, "no more than 15 a side"),
        ({"points": [*FULL[:-1], 1], "bar": 1}, 'has 1 as its bar.*"bar": .White.s, Black.s.'),
        ({"points": [*FULL[:-1], 1], "bar": [1.0, 0]}, r"has \[1.0, 0\] as its bar"),
        ({"points": [*FULL[:-1], 1], "bar": [-1, 0]}, r"has \[-1, 0\] as its bar"),
    ],
)
@pytest.mark.parametrize("board", ["points", "tiles"])
def test_checkers_on_the_bar_must_be_given_and_possible(told, cause, board):
    with pytest.raises(CalibrationError, match=cause):
        kind_of("backgammon", board).position(told)


@pytest.mark.parametrize("told", [{"points": FULL}, {"points": [*FULL[:-1], 1], "bar": [0, 0]}])
def test_a_board_is_learned_also_with_checkers_borne_off(told):
    assert kind_of("backgammon").position(told)[len(FULL) :] == ((0, 0), (0, 0))


def test_the_known_position_includes_checkers_on_the_bar():
    told = kind_of("backgammon").position({"points": [*FULL[:-1], 1], "bar": [1, 0]})
    assert told[len(FULL) :] == ((1, 0), (0, 0))
