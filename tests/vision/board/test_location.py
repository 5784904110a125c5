"""Boards of many makes are found by their starting position alone; anything else is refused.

The pictures were rendered; `boards.json` has the true corners of the playing area in pixels (bottom-left, bottom-right,
top-right, top-left as White sits).
"""

from __future__ import annotations

import json

import cv2
import numpy as np
import places
import pytest
from drawn_squares import CORNERS as DRAWN_CORNERS
from drawn_squares import SIZE as DRAWN_SIZE
from drawn_squares import drawn
from faded import hazy
from labelled import Scene, answer
from sweeps import sampled

from vision.board import CalibrationError, LocateError
from vision.cameras import load_picture
from vision.checkers.layout import START
from vision.checkers.locate import sharpen
from vision.geometry import project
from vision.registry import find_board, find_game, kind_of, learn_board

PICTURES = places.PICTURES / "locate"
BOARDS = json.loads((PICTURES / "boards.json").read_text())
BACKGAMMON = [name for name, board in BOARDS.items() if board["game"] == "backgammon"]
TILES = [name for name, board in BOARDS.items() if board["game"] == "tiles"]
QUICK = [
    "dark-on-dark-with-reflections",
    "green-blue-leaves-from-the-side",
    "hazy-dark-domes-on-dark",
    "mirrored-from-the-far-side",
]
"""The makes of a quick run, which also contains some others rotated, darkened or resized."""
CHECKERS = [name for name, board in BOARDS.items() if board["game"] == "checkers"]
TOLERANCE = 0.01
"""As a share of the board's width: the largest error with which a board can still be read."""


def locate(image, game="backgammon", mirror=False):
    """Find a starting position; "tiles" is backgammon on a board of tiles."""
    kind = kind_of("backgammon", "tiles") if game == "tiles" else kind_of(game)
    return kind.find(image, mirror)


def picture(name):
    return load_picture(PICTURES / f"{name}.jpg")


def corners_of(name):
    return np.array(BOARDS[name]["corners"])


def error(found, true):
    """The largest distance of a corner from its true place, in board widths."""
    return np.hypot(*(found - true).T).max() / np.hypot(*(true[1] - true[0]))


@pytest.mark.parametrize("name", sampled(BACKGAMMON, QUICK))
def test_every_make_of_board_is_located_within_a_hundredth_of_its_width(name):
    found = locate(picture(name), mirror=BOARDS[name]["mirror"])
    assert error(found.corners, corners_of(name)) < TOLERANCE
    assert found.confidence > 0.95


@pytest.mark.parametrize("name", CHECKERS)
def test_a_chequered_board_is_located_whichever_side_is_called_white(name):
    found = locate(picture(name), "checkers")
    true = corners_of(name)
    assert min(error(found.corners, true), error(found.corners, np.roll(true, 2, axis=0))) < TOLERANCE / 2
    assert found.confidence > 0.95


def test_squares_that_hardly_differ_are_found_in_stronger_noise():
    """Saddle points of the noise are as strong as squares' corners, and black men on black squares are hardly round."""
    contrast, noise, size, beside = 0.1, 12, 480, 80
    grey = drawn(START).mean(axis=2, keepdims=True) - 110
    board = cv2.resize(140 + contrast * grey * (0.5, -0.45, 0.7), (size, size), interpolation=cv2.INTER_AREA)
    image = cv2.copyMakeBorder(board, 0, 0, beside, beside, cv2.BORDER_CONSTANT, value=(150, 150, 150))
    image += np.random.default_rng(3).normal(0, noise, image.shape)
    found = locate(np.clip(image, 0, 255).astype(np.uint8), "checkers")
    assert error(found.corners, DRAWN_CORNERS * size / DRAWN_SIZE + (beside, 0)) < 2 * TOLERANCE


@pytest.mark.parametrize("name", ["hazy-orange-and-white-leaves", "tiles-green-brown"])
def test_a_board_is_located_through_haze_that_takes_three_fifths_of_the_contrast(name):
    board = BOARDS[name]
    found = locate(hazy(picture(name), 0.4, 120), "tiles" if name in TILES else board["game"], board["mirror"])
    assert error(found.corners, corners_of(name)) < TOLERANCE


def with_uneven_squares(image, to_pixels, chance):
    """A picture in which the lines between squares, not the edges, are off by 0.035 squares (standard deviation).

    `to_pixels`: homography of the squares (0 to 8 each way) to its pixels.
    """
    height, width = image.shape[:2]
    down, across = np.mgrid[:height, :width]
    places = project(np.linalg.inv(to_pixels), np.column_stack([across.ravel(), down.ravel()]))
    off = np.pad(chance.normal(0, 0.035, (2, 7)), ((0, 0), (1, 1)))
    moved = np.column_stack([np.interp(places[:, axis], np.arange(9), off[axis]) for axis in (0, 1)])
    source = project(to_pixels, places - moved).reshape(height, width, 2).astype(np.float32)
    return cv2.remap(image, source, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.parametrize("name", CHECKERS)
def test_a_chequered_board_of_uneven_squares_is_placed_by_most_of_its_corners(name, seed):
    true, outline = corners_of(name), np.float32([[0, 0], [8, 0], [8, 8], [0, 8]])
    to_pixels = np.float64(cv2.getPerspectiveTransform(outline, true.astype(np.float32)))
    uneven = with_uneven_squares(picture(name), to_pixels, np.random.default_rng(seed))
    assert error(project(sharpen(uneven, to_pixels), outline), true) < 1.25 * TOLERANCE


@pytest.mark.parametrize("name", sampled(TILES, TILES[1:2]))
def test_a_row_of_tiles_is_located_with_the_spaces_on_both_sides(name):
    found = locate(picture(name), "tiles")
    assert error(found.corners, corners_of(name)) < TOLERANCE
    assert found.confidence > 0.9


def test_a_row_of_tiles_of_which_a_lamp_outshines_some_is_located_at_its_whole_length():
    corners = np.array([(235.88, 679.15), (1068.12, 602.78), (999.78, 295.82), (245.58, 360.33)])
    found = locate(picture("brown-tiles-beside-a-lamp"), "tiles")
    assert error(found.corners, corners) < TOLERANCE


def in_blinds(image):
    """The picture with two fifths of the light gone in stripes."""
    height, width = image.shape[:2]
    down, across = np.mgrid[:height, :width] / np.array([height, width])[:, None, None]
    dark = np.clip(2.5 * np.sin((0.8 * across + 0.6 * down) * 10 * np.pi) + 0.5, 0, 1)
    return (image * (1 - 0.4 * dark)[..., None] ** (1 / 2.2)).astype(np.uint8)


def nearly_grey(image):
    """The picture with a fifth of its colours left."""
    grey = image.mean(axis=2, keepdims=True)
    return (grey + 0.2 * (image - grey)).astype(np.uint8)


@pytest.mark.parametrize("changed", [in_blinds, nearly_grey], ids=["in blinds", "nearly grey"])
def test_cubes_are_compared_with_the_table_beside_their_own_tile(changed):
    """Tiles cast shadows on the table, which have the tone of dark cubes."""
    scene = Scene.load(places.PICTURES / "tiles-blue-brown")
    board = learn_board(changed(scene.start), "backgammon", "tiles", mirror=scene.mirror)
    assert scene.frames[1].grade(answer(board, changed(scene.frames[1].picture))) == "right"


def test_cubes_of_a_game_under_way_are_not_taken_for_a_starting_position():
    with pytest.raises(LocateError, match="thirty cubes beside the twelve tiles"):
        locate(picture("tiles-half-way"), "tiles")


@pytest.mark.parametrize("turns", sampled((1, 2), (1,)))
def test_white_s_side_follows_from_the_position_not_from_the_camera(turns):
    image, corners = picture("wooden-ringed-checkers"), corners_of("wooden-ringed-checkers")
    for _ in range(turns):
        corners = np.stack([corners[:, 1], image.shape[1] - corners[:, 0]], axis=1)
        image = np.ascontiguousarray(np.rot90(image))
    assert error(locate(image).corners, corners) < TOLERANCE


def test_with_the_other_layout_white_is_at_the_opposite_edge():
    """A half turn with exchanged colours converts one layout into the other: only the flag distinguishes them."""
    image, true = picture("roll-up-without-frame"), corners_of("roll-up-without-frame")
    assert error(locate(image, mirror=True).corners, np.roll(true, 2, axis=0)) < TOLERANCE


@pytest.mark.parametrize("width", sampled((640, 1920), (640,)))
def test_a_board_is_located_in_pictures_of_any_size(width):
    image, true = picture("grey-leather-askew"), corners_of("grey-leather-askew")
    scale = width / image.shape[1]
    resized = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    assert error(locate(resized).corners, true * scale) < TOLERANCE


def test_a_board_is_located_in_a_dark_picture():
    dark = (picture("wooden-ringed-checkers") * 0.4).astype(np.uint8)
    assert error(locate(dark).corners, corners_of("wooden-ringed-checkers")) < TOLERANCE


def test_a_game_under_way_is_not_taken_for_a_starting_position():
    with pytest.raises(LocateError, match="set up all thirty checkers"):
        locate(picture("a-few-plays-on"))


@pytest.mark.parametrize("game", ["backgammon", "checkers", "tiles"])
def test_in_an_empty_picture_no_board_is_found(game):
    with pytest.raises(LocateError, match=f"no starting position of {game}"):
        locate(np.full((480, 640, 3), 90, np.uint8), game)


def test_one_game_is_not_taken_for_the_other():
    with pytest.raises(LocateError):
        locate(picture("checkers-club"), "backgammon")
    with pytest.raises(LocateError):
        locate(picture("wood-on-wood"), "checkers")


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("checkers-small", "checkers"),
        ("mirrored-from-the-far-side", "backgammon"),
        pytest.param("half-way", None, marks=pytest.mark.slow),
    ],
)
def test_the_pieces_determine_the_game(name, game):
    assert find_game(picture(name), lens=None) == game


def test_an_unknown_game_is_quoted():
    with pytest.raises(CalibrationError, match="no board for 'chess' can be learned: expected one of backgammon"):
        find_board(picture("half-way"), "chess")
