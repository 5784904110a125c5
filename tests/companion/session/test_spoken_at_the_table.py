"""What two players hear who play at a real session and look at no screen."""

from __future__ import annotations

import pytest

from companion.interface import Button
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language


@pytest.fixture
def heard(sit_down):
    """Sits down to given dice; returns the players and the list that what is said goes to."""

    def listening(dice):
        said, announcer = [], Announcer(Language("en", Style.TERSE))
        return sit_down(dice=dice, publish=lambda now: said.extend(line.text for line in announcer.see(now))), said

    return listening


def test_a_first_turn_an_early_tap_and_the_answer_are_heard(heard):
    players, said = heard((6, 1, 5, 2))
    players.sets()
    players.taps(Button.ROLL)
    players.taps(Button.ROLL)
    players.plays("13/7 8/7")
    players.taps(Button.ROLL)
    assert said[-4:] == [
        "White begins: six and one.",
        "Not now. White: six and one. Nothing has moved.",
        "Thirteen to seven, eight to seven.",
        "Black: five and two.",
    ]
