"""The next action is one button, whose label depends on the moment and on the player of the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_table import FAIR, WHITE_TO_MOVE
from verdicts import verdict
from whole_page import page_state

from companion.core import Finding, Side, verbatim
from companion.game import Disputed, Ended, Match, Phase, Remedy
from companion.interface import ActionKind, DiceToEnter, Light, PossibleAction, ProposalView

TO_ROLL = {"phase": Phase.TO_ROLL, "dice": None, "light": Light.BLUE}
OPENING = {"phase": Phase.OPENING, "dice": None, "on_roll": None, "light": Light.BLUE}
WON = Ended(Side.WHITE, 2, "gammon")
OVER = {"phase": Phase.OVER, "dice": None, "on_roll": None, "light": Light.GREEN, "ended": WON}
CHECKERS = {"game": "checkers", "sheet": "acf", "dice": None, "position": None, "seen": None}
ANSWERS = tuple(PossibleAction(kind, Side.WHITE) for kind in (ActionKind.TAKE, ActionKind.BEAVER, ActionKind.PASS))
TAKEBACK = ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that."))
OFFER = ProposalView(3, Remedy.RESIGNATION, by=Side.WHITE, words=verbatim("White resigns."), offer=verbatim("single"))


def state(**changes):
    return page_state(replace(WHITE_TO_MOVE, **changes))


def labels(**changes):
    return [one["label"] for one in state(**changes)["next"]]


@pytest.mark.parametrize(
    ("moment", "label"),
    [
        (OPENING, "Roll"),
        (TO_ROLL, "Roll"),
        ({}, "Roll"),
        (OVER, "Next game"),
        ({**OPENING, "ended": WON}, "Next game"),
        ({**OVER, "match": Match(3, score=(3, 1))}, "Next match"),
        ({**OPENING, **CHECKERS}, "Begin"),
        (CHECKERS, "Done"),
        ({**OVER, **CHECKERS}, "Next game"),
    ],
)
def test_the_label_of_roll_says_what_it_does(moment, label):
    (button,) = state(**moment)["next"]
    assert (button["label"], button["path"]) == (label, "/tap/roll")


@pytest.mark.parametrize("moment", [OVER, {**OVER, **CHECKERS}])
def test_next_game_is_not_the_main_button_before_the_starting_position_is_set_up(moment):
    assert state(**moment)["next"][0]["main"] is False
    assert state(**{**moment, **OPENING, "ended": WON})["next"][0]["main"] is True


def test_a_button_shows_the_name_of_the_panel_button_that_does_the_same():
    def taps(**changes):
        return [one["tap"] for one in state(**changes)["next"]]

    assert taps() == [None]  # it is called Roll
    assert taps(**OVER) == taps(**CHECKERS) == ["Roll"]
    assert taps(proposal=TAKEBACK) == ["Roll", "Roll", "Hint"]
    assert taps(proposal=OFFER) == ["Roll", "Hint", None]
    assert taps(**TO_ROLL, match=Match(0).doubled(Side.BLACK), actions=ANSWERS) == ["Roll", None, "Hint"]


def test_a_pending_double_is_taken_or_passed_and_nobody_rolls():
    shown = state(**TO_ROLL, match=Match(0, beavers=True).doubled(Side.BLACK), actions=ANSWERS)
    assert [(one["label"], one["own"], one["player"]) for one in shown["next"]] == [
        ("White takes at 2", "Take at 2", Side.WHITE),
        ("White beavers to 4", "Beaver to 4", Side.WHITE),
        ("White passes", "Pass", Side.WHITE),
    ]
    assert shown["deeds"] == []


def test_each_player_agrees_to_a_proposal_and_the_buttons_of_those_who_have_are_disabled():
    agreed = state(proposal=replace(TAKEBACK, agreed=(Side.WHITE,)))["next"]
    assert [(one["label"], one["own"], one.get("done", False)) for one in agreed] == [
        ("White agrees", "I agree", True),
        ("Black agrees", "I agree", False),
        ("No", "No", False),
    ]
    assert agreed[1]["fields"] == {"proposal": 2, "player": Side.BLACK}


def test_an_offer_is_accepted_or_refused_by_the_other_player():
    assert [(one["label"], one["player"]) for one in state(proposal=OFFER)["next"]] == [
        ("Black accepts", Side.BLACK),
        ("Black refuses", Side.BLACK),
        ("White withdraws the offer", Side.WHITE),
    ]


def test_in_a_dispute_the_rulings_are_the_only_choices():
    assert labels(dispute=Disputed(1, Side.WHITE, None, None, None, None, Side.BLACK)) == []


def test_a_possible_double_is_a_button_beside_roll():
    shown = state(**TO_ROLL, match=Match(7), actions=(PossibleAction(ActionKind.DOUBLE, Side.WHITE),))
    assert [one["label"] for one in shown["next"]] == ["Roll"]
    assert [one["label"] for one in shown["deeds"]] == ["White doubles to 2"]


def test_roll_belongs_to_the_next_player_and_is_the_main_button_only_if_it_has_an_effect():
    waiting, legal = state()["next"][0], state(light=Light.GREEN, verdict=verdict("legal", play="8/5 6/5"))["next"][0]
    assert (waiting["player"], waiting["main"]) == (Side.BLACK, False)
    assert (legal["player"], legal["main"]) == (Side.BLACK, True)
    assert state(**TO_ROLL)["next"][0]["player"] is Side.WHITE


def test_a_game_that_is_over_has_its_result_in_words_once():
    over = state(**OVER, match=Match(7, score=(4, 4)), notice=verbatim("White wins a gammon, 2 points. Set it up."))
    assert over["result"] == {"words": "White wins a gammon, 2 points.", "score": "White 4 : 4 Black"}
    assert over["notice"] == "Set it up."
    assert state()["result"] is None


def test_each_player_has_a_pip_count_and_the_points_still_needed():
    white, black = state(match=Match(7, score=(2, 6)))["players"]
    assert (white["left"], white["away"], white["points"]) == ("167 pips", "5 away", 2)
    assert (black["left"], black["away"]) == ("167 pips", "1 away")


def test_against_boardside_the_button_is_done_and_boardside_rolls_itself():
    (done,) = state(opponent=Side.BLACK)["next"]
    assert (done["label"], done["player"]) == ("Done", Side.WHITE)
    assert labels(**TO_ROLL, on_roll=Side.BLACK, opponent=Side.BLACK) == []
    (roll,) = state(on_roll=Side.BLACK, opponent=Side.BLACK)["next"]
    assert (roll["label"], roll["player"]) == ("Roll", Side.WHITE)


def test_the_set_s_dice_are_thrown_for_boardside_by_the_person():
    thrown = replace(FAIR, source="camera")
    (roll,) = state(**TO_ROLL, on_roll=Side.BLACK, opponent=Side.BLACK, fairness=thrown)["next"]
    assert (roll["label"], roll["player"]) == ("Roll", Side.WHITE)
    entered = replace(FAIR, source="by hand", enter=DiceToEnter(Side.BLACK))
    shown = state(**TO_ROLL, on_roll=Side.BLACK, opponent=Side.BLACK, fairness=entered)["fairness"]["enter"]
    assert (shown["player"], shown["by"]) == (Side.BLACK, Side.WHITE)


def test_answers_for_boardside_are_refused():
    assert labels(proposal=TAKEBACK, opponent=Side.BLACK) == ["White agrees", "No"]
    resigns = tuple(PossibleAction(ActionKind.RESIGN, side, ("single",)) for side in Side)
    deeds = state(actions=resigns, opponent=Side.BLACK)["deeds"]
    assert [one["label"] for one in deeds] == ["White offers to resign"]


def test_the_play_of_boardside_is_in_the_headline_and_an_arrow():
    on_roll = {"on_roll": Side.BLACK, "opponent": Side.BLACK, "verdict": verdict(Finding.NOT_MOVED, plays=("8/7",))}
    assert state(**on_roll)["headline"] == "Black is thinking"
    shown = state(**on_roll, announced="8/7")
    assert shown["headline"] == "Black plays 8/7"
    assert shown["arrows"]["play"] == [(16, 17)]
