"""The page's state of a snapshot: words, marks and numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from played_table import AFTER_61, PlayedTable
from scripted_table import FAIR, START, WHITE_TO_MOVE
from verdicts import verdict
from whole_page import page_state

from companion.core import BoardLayout, Cause, Dice, Finding, Side, message, verbatim
from companion.dice import DiceName
from companion.game import Disputed, DisputeEvidence, Ended, Match, Phase, Turn
from companion.hints import RankedPlay, Ranking
from companion.interface import Light, ReadingView
from companion.rules.reasons import BACKGAMMON_REASONS, CHECKERS_REASONS
from companion.texts import CAUSES, REASONS, render
from web.page_state.board import board_words
from web.texts import ENGLISH_TEXTS, TEXTS

TURN = replace(WHITE_TO_MOVE, version=7)


def state(**changes: Any) -> dict[str, Any]:
    return page_state(replace(TURN, **changes))


def test_every_finding_cause_light_and_reason_has_words() -> None:
    assert {f"finding.{finding}" for finding in Finding} <= set(TEXTS)
    assert {f"light.{light}" for light in Light} <= set(TEXTS)
    assert {ENGLISH_TEXTS.cause(cause) for cause in Cause} == set(CAUSES.values())
    codes = {*BACKGAMMON_REASONS, *CHECKERS_REASONS}
    assert {ENGLISH_TEXTS.reason(code) for code in codes} == set(REASONS.values())


@pytest.mark.parametrize(
    ("changes", "headline"),
    [
        ({"phase": Phase.WAITING, "position": None, "seen": None, "dice": None}, "Waiting for the board"),
        ({"phase": Phase.OPENING, "on_roll": None, "dice": None}, "Ready for the first roll"),
        ({"phase": Phase.TO_ROLL, "on_roll": Side.BLACK, "dice": None}, "Black to roll"),
        ({}, "White to play 3-1"),
        ({"phase": Phase.OVER, "ended": Ended(Side.WHITE, 1, "single")}, "White has won"),
        ({"phase": Phase.OVER, "ended": Ended(Side.BLACK, 2, "gammon, resigned")}, "Black has won"),
        ({"phase": Phase.OVER, "ended": Ended(None, 0, "drawn: agreement")}, "The game is drawn"),
        ({"phase": Phase.OVER, "ended": Ended(None, 0, "unfinished")}, "The game was left unfinished"),
        ({"phase": Phase.OVER, "ended": None}, "The game is over"),
    ],
)
def test_the_headline_describes_the_present_state(changes: dict[str, Any], headline: str) -> None:
    assert state(**changes)["headline"] == headline


def test_whose_roll_it_is_is_shown_once() -> None:
    rolls = message("sentence", what=message("then.rolls", player=Side.BLACK))
    shown = replace(WHITE_TO_MOVE, phase=Phase.TO_ROLL, on_roll=Side.BLACK, dice=None, verdict=None, notice=rolls)
    state = page_state(shown)
    assert (state["headline"], state["notice"], state["advice"]) == ("Black to roll", None, "")


def test_while_the_table_waits_for_its_disk_nobody_is_asked_to_set_up_the_board() -> None:
    waits = {"phase": Phase.WAITING, "position": None, "seen": None, "dice": None, "storage": verbatim("full")}
    assert state(light=Light.RED, **waits)["advice"] == ""


def test_outside_of_a_turn_the_notice_says_what_to_do() -> None:
    table = PlayedTable([4, 4, 6, 1, 5, 3], terms=Match(5))
    shown = [table.sees(AFTER_61), table.sets(), table.taps(), table.taps(), table.sees(AFTER_61), table.doubles()]
    shown += [table.takes(), table.resigns(Side.BLACK), table.sets()]
    assert {one.phase for one in shown} == set(Phase)
    assert [one.phase for one in shown if one.notice is None] == [Phase.TO_MOVE]


def test_a_legal_play_is_accepted_by_the_opponents_roll() -> None:
    shown = state(light=Light.GREEN, verdict=verdict("legal", play="8/5 6/5"))
    assert shown["advice"] == "Black taps Roll to accept and roll."
    assert shown["verdict"]["detail"] == "8/5 6/5"


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        (DiceName.CAMERA, "Black throws the dice, then taps Roll to accept."),
        (DiceName.BY_HAND, "Black taps Roll to accept, then throws the dice and enters them."),
    ],
)
def test_players_with_their_own_dice_are_told_when_to_roll(source: DiceName, advice: str) -> None:
    legal = verdict("legal", play="8/5 6/5")
    assert state(light=Light.GREEN, verdict=legal, fairness=replace(FAIR, source=source))["advice"] == advice


def test_points_are_numbered_for_the_player_on_roll() -> None:
    assert state(on_roll=Side.WHITE)["board"]["labels"][:3] == [1, 2, 3]
    assert state(on_roll=Side.BLACK)["board"]["labels"][:3] == [24, 23, 22]
    assert state(on_roll=Side.BLACK)["board"]["labels"][23] == 1


def test_on_tiles_spaces_are_counted_forward_and_there_is_no_bar() -> None:
    shown = state(
        layout=BoardLayout(tiles=True),
        seen={**START, "bar": [1, 0]},
        verdict=verdict("illegal", reason="bar_first", plays=["bar/22* 13/7", "8/off(2)"]),
        history=(Turn(Side.WHITE, Dice((3, 1)), "8/5 6/5"),),
    )
    assert shown["board"]["labels"][:3] == [24, 23, 22]
    assert shown["board"]["words"].startswith("White: 2 on 1, 5 on 12, 3 on 17, 5 on 19, 1 waiting outside.")
    assert shown["verdict"]["plays"] == ["in/3* 12/18", "17/off(2)"]
    assert shown["verdict"]["detail"] == "A cube that waits outside must come in first"
    assert shown["history"][0]["play"] == "17/20 19/20"


def test_a_point_may_hold_both_colours() -> None:
    seen = {**START, "points": [[1, 2], *START["points"][1:]]}
    assert state(seen=seen)["board"]["points"][:6] == [[1, 2], [0, 0], [0, 0], [0, 0], [0, 0], [5, 0]]


def test_while_the_board_is_unreadable_the_start_of_the_turn_is_shown_with_a_note() -> None:
    board = state(seen=None, doubtful=(3,))["board"]
    assert board["doubtful"] == []
    assert board["points"][5] == [5, 0]
    assert not board["live"]
    assert "cannot be read" in board["caption"]


def test_before_the_first_game_there_is_no_board() -> None:
    assert state(position=None, seen=None)["board"] is None


def test_doubtful_places_become_cells() -> None:
    assert state(doubtful=(1, 24, "bar", "off"))["board"]["doubtful"] == [0, 23, 24, 25, 26, 27]
    assert "not certain" in state(doubtful=(3,))["board"]["caption"]


def test_the_verdicts_cells_are_highlighted() -> None:
    assert state(verdict=verdict("illegal", reason="bar_first", cells=[24, 5]))["board"]["highlighted"] == [24, 5]


def test_an_illegal_play_names_its_reason_and_further_faults() -> None:
    shown = state(verdict=verdict("illegal", reason="stack_limit", also=["bar_first"], plays=["8/5 6/5"]))["verdict"]
    assert shown["detail"] == "A full point takes no more checkers"
    assert shown["also"] == ["A checker on the bar must come in first"]
    assert (shown["plays_title"], shown["plays"]) == ("Legal plays", ["8/5 6/5"])


def test_readings_that_are_offered_are_not_called_legal() -> None:
    assert state(verdict=verdict("ambiguous", plays=["8/5", "8/4"]))["verdict"]["plays_title"] == "It could be"


def test_a_board_that_could_be_two_plays_is_not_called_an_unfinished_turn() -> None:
    assert state(light=Light.AMBER, verdict=verdict("ambiguous"))["light"]["words"] == "Not sure what is on the board"


@pytest.mark.parametrize(
    ("light", "changes", "words"),
    [
        (Light.AMBER, {}, "Turn not finished"),
        (Light.AMBER, {"phase": Phase.WAITING}, "The starting position is not set up yet"),
        (Light.AMBER, {"phase": Phase.TO_ROLL, "seen": None}, "Waiting for a clear view of the board"),
        (Light.AMBER, {"phase": Phase.WAITING, "seen": None}, "Waiting for a clear view of the board"),
        (Light.RED, {"phase": Phase.TO_ROLL, "lost": (4,)}, "The board differs from the game"),
        (Light.RED, {"phase": Phase.TO_ROLL, "seen": None}, "The board cannot be read"),
        (Light.RED, {"phase": Phase.WAITING, "seen": None}, "The board cannot be read"),
        (Light.RED, {"verdict": verdict("illegal", reason="bar_first")}, "Not a legal play"),
    ],
)
def test_the_light_names_a_play_or_a_turn_only_if_there_is_one(light, changes, words) -> None:
    assert state(light=light, **changes)["light"]["words"] == words


def test_readings_are_buttons_and_a_broken_rule_is_shown_below() -> None:
    too_far = message("reading.illegal", play="13/4", reason=message("reason.wrong_distance"))
    readings = (ReadingView("a", message("reading.hit", play="13/10*")), ReadingView("b", too_far, agreed=True))
    shown = state(readings=readings)["readings"]
    assert shown["title"].startswith("As both players say")
    assert [(one["label"], one["note"], one["agreed"]) for one in shown["choices"]] == [
        ("13/10* (hit)", "", False),
        ("13/4", render(message("sentence", what=message("reason.wrong_distance"))).rstrip("."), True),
    ]


def test_an_unreadable_board_shows_its_cause() -> None:
    shown = state(light=Light.AMBER, seen=None, verdict=verdict("unreadable", cause="hand"))
    assert shown["verdict"]["detail"] == "Something is over the board"
    assert state(verdict=verdict("unreadable", cause="dark", message="Light, please."))["verdict"]["detail"] == ""
    assert shown["light"] == {"colour": "amber", "words": "Something is over the board"}


def test_a_red_light_names_the_play_the_reading_or_the_camera_as_its_cause() -> None:
    blamed = [
        state(light=Light.RED, verdict=verdict("illegal", reason="too_far")),
        state(light=Light.RED, verdict=verdict("unreadable", cause="dark")),
        state(light=Light.RED, camera=verbatim("no picture")),
    ]
    words = [shown["light"]["words"] for shown in blamed]
    assert words == ["Not a legal play", "The board cannot be read", "The camera does not see the board"]


def test_an_opening_roll_shows_whose_die_is_whose() -> None:
    shown = state(phase=Phase.OPENING, on_roll=None, dice=(2, 2), opening=(2, 2))
    assert shown["dice"] == [{"number": 2, "player": "white"}, {"number": 2, "player": "black"}]


def test_dice_have_one_order_everywhere_and_each_die_of_an_opening_has_its_player() -> None:
    shown = state(dice=(3, 5), opening=(3, 5), history=(Turn(Side.WHITE, Dice((1, 2)), "8/5"),))
    assert "5-3" in shown["headline"]
    assert shown["dice"] == [{"number": 5, "player": "black"}, {"number": 3, "player": "white"}]
    assert shown["history"][0]["dice"] == "2-1"


def test_a_single_die_is_shown_alone() -> None:
    assert state(dice=(4,))["dice"] == [{"number": 4, "player": "white"}]


def test_hints_are_rounded_and_signed() -> None:
    why = (message("why.makes", point=5), message("why.shots.none"))
    hints = Ranking((RankedPlay("8/5 6/5", None, 0.1594, why=why), RankedPlay("24/20", None, -0.2)), "gnubg")
    rows = state(hints=hints)["hints"]["rows"]
    arrows = [(7, 4), (5, 4)]
    because = "Makes the 5 point; no roll of the opponent’s hits"
    assert rows[0] == {
        "play": "8/5 6/5",
        "arrows": arrows,
        "equity": "+0.159",
        "gives_away": "0.000",
        "why": because,
    }
    assert rows[1]["equity"] == "−0.200"
    assert state()["hints"] is None


def test_the_engine_of_hints_is_named_with_its_measured_strength() -> None:
    assert state(hints=Ranking(engine="gnubg"))["hints"]["by"] == "by gnubg"
    assert "0.0025 points" in state(hints=Ranking(engine="built-in", loss=0.0025))["hints"]["by"]
    assert "0.04 men" in state(hints=Ranking(engine="built-in", loss=0.04), game="checkers")["hints"]["by"]


def test_a_dispute_names_its_pictures_player_and_dice() -> None:
    evidence = DisputeEvidence(dice=Dice((6, 1)))
    dispute = Disputed(3, Side.BLACK, None, None, "a", None, evidence=evidence)
    shown = state(dispute=dispute)["dispute"]
    assert (shown["before"], shown["after"]) == ("/evidence/a", None)
    assert (shown["player"], shown["dice"]) == ("Black", [6, 1])


def test_a_turn_without_a_play_is_listed_as_such() -> None:
    turn = Turn(Side.BLACK, Dice((6, 6)), "")
    assert state(history=(turn,))["history"][0]["play"] == "no play"


def test_a_position_is_described_in_each_players_own_numbers() -> None:
    words = board_words([[2, 0], *[[0, 0]] * 22, [0, 3]], (1, 0), (0, 4), ENGLISH_TEXTS)
    assert words == "White: 2 on 1, 1 on the bar. Black: 3 on 1, 4 borne off."


def test_the_picture_is_versioned_and_absent_before_the_first() -> None:
    assert state(picture=12)["picture"] == "/picture/12.jpg"
    assert state(picture=0)["picture"] is None
