"""The names of the two players: colours of the sheet, or chosen names."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.core import (
    WHITE_AND_BLACK,
    Colour,
    Dice,
    PlayerNameError,
    Side,
    message,
    player_names,
    with_colours_changed,
)
from companion.core.names import PlayerName
from companion.rules import load_sheet, names_on_record, names_under, shipped_sheets
from companion.speech import Style
from companion.speech.language import Language
from companion.texts import COLOURS, LANGUAGES, render

RED_AND_BLUE = player_names(["Anna (red)", "(blue)"], ("white", "black"))
TO_ROLL = message("sentence", what=message("then.rolls", player=Side.BLACK))


def test_every_colour_has_a_word_in_every_language():
    assert set(COLOURS) == set(get_args(Colour))


def test_a_player_is_called_by_name_else_by_the_colour():
    assert (PlayerName("red", "Anna"), PlayerName("blue")) == RED_AND_BLUE
    assert player_names(["Anna", ""], ("blue", "green")) == (PlayerName("blue", "Anna"), PlayerName("green"))
    assert player_names([], ("white", "black")) == WHITE_AND_BLACK


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (["Anna (crimson)", "Ben"], "'crimson' is not known; known are white, black, red"),
        (["Anna (red)", "Ben (red)"], "both players' checkers are red"),
        (["Anna (black)", "Ben"], "both players' checkers are black"),
        (["Anna", "Anna"], "both players are called 'Anna'"),
        (["Anna (red", "Ben"], 'expected "NAME"'),
        (["{what}", "Ben"], 'expected "NAME"'),
        (["A" * 25, "Ben"], "at most 24 letters"),
        (["An\nna", "Ben"], 'expected "NAME"'),
    ],
)
def test_names_that_cannot_be_used_are_refused_with_what_is_expected(asked, complaint):
    with pytest.raises(PlayerNameError, match=complaint.replace("(", r"\(")):
        player_names(asked, ("white", "black"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Blue is to roll."),
        ("de", "Blau ist mit Würfeln dran."),
        ("fr", "C'est à Bleu de lancer."),
        ("es", "Le toca tirar a Azul."),
    ],
)
def test_a_colour_is_translated(language, said):
    assert render(TO_ROLL, language, RED_AND_BLUE) == said
    assert Language(language, Style.FRIENDLY, RED_AND_BLUE).render(TO_ROLL) == said


def test_a_chosen_name_is_the_same_in_every_language():
    has_dice = message("then.has", player=Side.WHITE, dice=Dice((3, 1)))
    assert all("Anna" in render(has_dice, language, RED_AND_BLUE) for language in LANGUAGES)


def test_in_french_de_is_shortened_before_a_name_that_begins_with_a_vowel():
    moved = message("backgammon.wrong_player_moved", mover=Side.BLACK, other=Side.WHITE)
    assert "d'Anna" in render(moved, "fr", RED_AND_BLUE)


@pytest.mark.parametrize(
    ("sheet", "colours"),
    [
        ("standard", ("white", "black")),
        ("travel-set", ("blue", "green")),
        ("travel-set-checkers", ("blue", "green")),
        ("clockwise", ("white", "red")),
    ],
)
def test_a_sheet_contains_the_colours_of_its_set(sheet, colours):
    assert tuple(one.colour for one in names_under(load_sheet(sheet), ())) == colours


def test_if_players_change_colours_names_move_and_colours_of_checkers_stay():
    anna, ben = player_names(["Anna (red)", "Ben (blue)"], ("white", "black"))
    assert with_colours_changed((anna, ben)) == (PlayerName("red", "Ben"), PlayerName("blue", "Anna"))


def test_every_sheet_has_two_colours():
    assert all(len(names_under(load_sheet(name), ())) == 2 for name in shipped_sheets())


def test_unusable_names_of_another_program_are_left_out():
    assert names_on_record(load_sheet("travel-set"), ("Joe (USA)", "x" * 80)) == names_under(
        load_sheet("travel-set"), ()
    )
