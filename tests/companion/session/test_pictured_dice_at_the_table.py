"""The camera's dice, from a picture with two dice to the roll in the record."""

import pytest
from labelled import Scene
from places import PICTURES
from played_table import BLACK, WHITE, PlayedTable
from said import notice_of

from companion.core import Dice
from companion.dice import CameraDice
from companion.game import Rolled
from companion.interface import Saw, SetUp, Stirred
from companion.rules import rules_named


@pytest.fixture(scope="module")
def scene():
    return Scene.load(PICTURES / "08-classic")


@pytest.fixture(scope="module")
def ones(scene):
    """A picture of the middle of a game, with a double one on Black's right-hand half."""
    return next(frame for frame in scene.frames if frame.dice == (1, 1))


def sits_down(sheet, side, scene, frame):
    """Players in the position of the picture, `side` to roll, and the camera looks."""
    rules = rules_named(sheet)
    table = PlayedTable(CameraDice(), rules)
    table.does(SetUp(rules.from_json({"points": frame.points, "bar": frame.bar, "off": [0, 0]}), side, 0.0))
    table.does(Stirred(1.0), Saw(scene.eye.look(frame.picture), 2.0))
    return table


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "side"), [("standard", WHITE), ("standard", BLACK), ("encyclopedia", BLACK)])
def test_a_tap_takes_the_dice_that_the_picture_shows(sheet, side, scene, ones):
    table = sits_down(sheet, side, scene, ones)
    assert table.snapshot.fairness.lying == (1, 1)
    assert table.taps().dice == (1, 1)
    assert table.events[-1] == Rolled(side, Dice((1, 1)), "camera")


@pytest.mark.slow
def test_under_the_encyclopedia_dice_on_the_other_half_do_not_count(scene, ones):
    table = sits_down("encyclopedia", WHITE, scene, ones)
    assert "Both dice must land on White's right-hand half. Throw again." in notice_of(table.taps())
    assert table.session.game.dice is None
