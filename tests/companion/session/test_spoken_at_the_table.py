"""The spoken messages of a real session."""

from __future__ import annotations

import pytest

from companion.core import Side
from companion.game import Remedy
from companion.interface import Button, Proposes
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


def test_the_first_turn_an_early_tap_and_the_answer_are_spoken(heard):
    players, said = heard((6, 1, 5, 2))
    players.sets()
    players.taps(Button.ROLL)
    players.taps(Button.ROLL)
    players.plays("13/7 8/7")
    players.taps(Button.ROLL)
    assert said[-4:] == [
        "White six, Black one: White begins.",
        "Not now. White: six and one. No play has been made yet.",
        "Thirteen to seven, eight to seven.",
        "Black: five and two.",
    ]


def test_after_a_takeback_the_voice_says_how_to_restore_the_board_and_blames_nobody(heard):
    players, said = heard((6, 1, 5, 3))
    players.sets()
    players.taps(Button.ROLL)
    players.plays("13/7 8/7")
    players.taps(Button.ROLL)
    players.plays("8/3 6/3")
    del said[:]
    players.does(Proposes(Remedy.TAKEBACK, 10.0, Side.WHITE))
    players.accepts(Side.BLACK)
    put_back = "The turn is taken back: put the board back as it was before that turn. Still to put back: points "
    assert said[1:3] == ["Agreed: the last turn is taken back.", "White: six and one."]
    assert said[3].startswith(put_back)
    players.taps(Button.ROLL)
    assert said[4].startswith(f"Not now. White: six and one. {put_back}")
    assert len(said) == 5
