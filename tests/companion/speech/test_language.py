"""Numbers, dice and plays as they are spoken."""

from __future__ import annotations

import pytest

from companion.core import Side
from companion.game import Ended
from companion.interface import result
from companion.speech import Style
from companion.speech.language import Language

PLAYS = [
    ("en", "13/8 6/5*", "thirteen to eight, six to five and hits"),
    ("en", "bar/20", "from the bar to twenty"),
    ("en", "6/off", "six off"),
    ("en", "8/4(2)", "eight to four, twice"),
    ("en", "24/18*/13", "twenty-four to eighteen and hits, on to thirteen"),
    ("en", "11-15", "eleven to fifteen"),
    ("en", "22x15", "a jump from twenty-two to fifteen"),
    ("de", "13/8 6/5*", "von dreizehn auf acht, von sechs auf fünf und schlägt"),
    ("de", "bar/20", "von der Bar auf zwanzig"),
    ("de", "8/4(4)", "von acht auf vier, viermal"),
    ("fr", "bar/21 6/off", "de la barre à vingt et un, sortie du six"),
    ("fr", "22x15x8", "un saut de vingt-deux à quinze, puis à huit"),
    ("es", "13/8 6/5*", "de trece a ocho, de seis a cinco y golpea"),
    ("es", "6/off(3)", "sacando la del seis, tres veces"),
]
BORNE_OFF = [
    ("en", "6/off 5/off", "a checker from six, one from five"),
    ("de", "6/off 5/off", "einen Stein von sechs, einen von fünf"),
    ("fr", "6/off 5/off", "un pion du six, un du cinq"),
    ("es", "5/off", "la del cinco"),
    ("en", "6/off(2)", "a checker from six, twice"),
    ("en", "6/4 5/off", ""),
    ("en", "22x15", ""),
    ("en", "", ""),
]
DICE = [
    ("en", (2, 5), "five and two"),
    ("en", (4, 4), "double four"),
    ("en", (3,), "three"),
    ("de", (2, 5), "fünf und zwei"),
    ("de", (6, 6), "sechser-Pasch"),
    ("fr", (1, 1), "double un"),
    ("es", (2, 1), "dos y uno"),
]


@pytest.mark.parametrize(("language", "play", "spoken"), PLAYS)
def test_a_play_is_spoken_in_words(language, play, spoken):
    assert Language(language, Style.TERSE).play(play) == spoken


@pytest.mark.parametrize(("language", "play", "spoken"), BORNE_OFF)
def test_a_play_that_only_bears_off_names_the_checkers(language, play, spoken):
    assert Language(language, Style.FRIENDLY).borne_off(play) == spoken


@pytest.mark.parametrize(("language", "dice", "spoken"), DICE)
def test_dice_are_spoken_the_larger_first(language, dice, spoken):
    assert Language(language, Style.TERSE).dice(dice) == spoken


@pytest.mark.parametrize(
    ("language", "one", "three"), [("en", "one point", "three points"), ("de", "einen Punkt", "drei Punkte")]
)
def test_points_are_counted_as_the_language_does(language, one, three):
    spoken = Language(language, Style.TERSE)
    won = [spoken.render(result(Ended(Side.WHITE, points, "single"))) for points in (1, 3)]
    assert [one in won[0], three in won[1]] == [True, True]


def test_a_cube_too_high_for_words_is_a_numeral():
    assert Language("fr", Style.TERSE).number(64) == "64"


def test_on_tiles_plays_are_spoken_in_spaces_counted_forward():
    language = Language("en", Style.FRIENDLY, tiles=True)
    assert language.say("spoken.play", play="bar/20* 13/7") == "from outside to five and hits, twelve to eighteen."
    assert language.borne_off("6/off 5/off") == "a cube from nineteen, one from twenty"
