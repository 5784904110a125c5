"""From a picture of a board with two dice on it to the roll in the record: the camera's dice, all the way."""

import pytest
from desk import BLACK, WHITE, Desk
from labelled import Scene
from places import PICTURES

from companion.dice import CameraDice
from companion.events import Rolled
from companion.inbox import Saw, SetUp, Stirred
from companion.model import Dice
from companion.rules.rulesets import rules_named


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
    desk = Desk(CameraDice(), rules)
    desk.does(SetUp(rules.from_json({"points": frame.points, "bar": frame.bar, "off": [0, 0]}), side, 0.0))
    desk.does(Stirred(1.0), Saw(scene.eye.look(frame.picture), 2.0))
    return desk


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "side"), [("standard", WHITE), ("standard", BLACK), ("encyclopedia", BLACK)])
def test_a_tap_takes_the_dice_that_the_picture_shows(sheet, side, scene, ones):
    desk = sits_down(sheet, side, scene, ones)
    assert desk.snapshot.fairness.lying == (1, 1)
    assert desk.taps().dice == (1, 1)
    assert desk.events[-1] == Rolled(side, Dice((1, 1)), "camera")


@pytest.mark.slow
def test_the_encyclopedia_lets_no_dice_count_on_the_other_half(scene, ones):
    desk = sits_down("encyclopedia", WHITE, scene, ones)
    assert "Both dice must land on White's right-hand half. Throw again." in desk.taps().notice
    assert desk.session.game.dice is None
