"""A turn on a board of tiles under its sheet, from the camera to the verdict."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from labelled import Scene
from places import PICTURES

from companion.app.board_tracker import BoardTracker, ExpectedBoard
from companion.core import Side
from companion.game import Phase
from companion.interface import Light, Saw, Stirred
from companion.rules import kind_of_board, load_sheet
from vision.registry import learn_board
from vision.tiles.layout import outlines

SCENE = Scene.load(PICTURES / "tiles-blue-white")
SHEET = "green-box"


@pytest.fixture(scope="module")
def sight():
    """The camera over the tiles, which has found them at the starting position."""
    sight = BoardTracker(None, ExpectedBoard(kind=kind_of_board(load_sheet(SHEET)), corners=SCENE.corners))
    sight.learn(SCENE.start)
    return sight


@pytest.fixture(scope="module")
def measures():
    """The places of cubes in the picture, and the colour of the empty table."""
    return learn_board(SCENE.start, "backgammon", "tiles", SCENE.corners).calibration


def moved(picture, measures, source, target):
    """The picture with a cube moved from one place (point, index) to another."""
    layout, pose, bed = measures.layout, measures.pose, measures.bed
    table = cv2.warpPerspective(measures.ground, bed.to_picture, picture.shape[1::-1])

    def mask(place, size):
        around = outlines(layout, pose, np.array([layout.slot(*place)]), size)[0]
        seen = cv2.convexHull(pose.project(np.column_stack([around, np.zeros(len(around))])).astype(np.float32))
        return cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.rint(seen).astype(np.int32), 1) > 0

    after = picture.copy()
    colour = np.median(picture[mask(source, 0.6)], axis=0)
    gone = mask(source, 1.8)
    after[gone] = table[gone]
    after[mask(target, 1.0)] = colour
    return after


def test_a_play_with_cubes_is_read_and_judged(sit_down, sight, measures):
    players = sit_down(SHEET, [6, 1, 3, 2])

    def shows(picture):
        return players.does(Stirred(1.0), Saw(sight.look(picture), 2.0, b"jpeg"))

    shows(SCENE.start)
    players.taps()
    assert players.snapshot.phase is Phase.TO_MOVE
    assert players.game.on_roll is Side.WHITE
    from_eight = moved(SCENE.start, measures, (7, 2), (6, 0))
    assert shows(from_eight).light is Light.AMBER
    from_thirteen = moved(from_eight, measures, (12, 4), (6, 1))
    assert shows(from_thirteen).light is Light.GREEN
    wrong = moved(from_eight, measures, (12, 4), (3, 0))
    players.taps()
    assert players.game.on_roll is Side.BLACK
    assert shows(wrong).light is not Light.GREEN


def test_the_page_draws_the_reading_over_the_picture(sight):
    plain = sight.jpeg(SCENE.start, None)
    assert sight.jpeg(SCENE.start, sight.look(SCENE.start)) != plain
