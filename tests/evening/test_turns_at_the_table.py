"""Turns as players meet them: what the table shows and says, what it records, and when Roll does nothing."""

from dataclasses import replace

import pytest
from desk import AFTER_61, BLACK, ILLEGAL_61, RULES, START, WHITE, Desk, doubtful_look, first_turn, moved

from companion.agreement import Remedy
from companion.events import OpeningRolled, Played, Rolled, Started
from companion.inbox import Button, Ruling, Saw, SetUp, Stirred
from companion.model import Cause, Dice
from companion.phase import Phase
from companion.rules.rulesets import rules_named
from companion.snapshot import Light
from companion.texts import render


@pytest.fixture
def desk():
    return first_turn()


# --- the start ---


def test_the_table_waits_for_the_starting_position_and_says_what_is_not_right_yet():
    desk = Desk()
    shown = desk.sees(moved(START, WHITE, (24, 20)))
    assert (shown.phase, shown.light) == (Phase.WAITING, Light.AMBER)
    assert "Set up the starting position" in shown.notice
    assert "points 20, 24" in shown.notice


def test_roll_does_nothing_before_the_starting_position_stands():
    desk = Desk([6, 1])
    desk.sees(moved(START, WHITE, (24, 20)))
    assert "differs from the starting position" in desk.taps().notice
    assert desk.events == []


def test_with_the_starting_position_seen_roll_begins_a_game_with_one_die_each():
    desk = Desk([2, 5])
    assert desk.sees(START).phase is Phase.OPENING
    shown = desk.taps()
    assert desk.events == [Started("backgammon", "standard", START), OpeningRolled(2, 5)]
    assert (shown.phase, shown.on_roll, shown.dice) == (Phase.TO_MOVE, "black", (2, 5))
    assert shown.verdict.finding == "not_moved"
    assert shown.light is Light.AMBER


def test_a_tie_is_shown_and_the_next_tap_rolls_again():
    desk = Desk([4, 4, 6, 1])
    desk.sees(START)
    shown = desk.taps()
    assert (shown.phase, shown.dice, shown.light) == (Phase.OPENING, (4, 4), Light.BLUE)
    assert "tie" in shown.notice
    assert desk.taps().on_roll == "white"


def test_under_a_sheet_that_says_so_the_starter_rolls_again(tmp_path):
    sheet = tmp_path / "again.toml"
    sheet.write_text('base = "standard"\nopening_roll = "rolled_again"\nnext_game_starter = "previous_winner"\n')
    desk = Desk([6, 1, 2, 2], rules=rules_named(str(sheet)))
    desk.sees(START)
    shown = desk.taps()
    assert (shown.phase, shown.on_roll) == (Phase.TO_ROLL, "white")
    assert desk.taps().dice == (2, 2)


# --- a turn ---


def test_a_complete_legal_play_shows_green_and_is_not_yet_recorded(desk):
    before = list(desk.events)
    shown = desk.sees(AFTER_61)
    assert (shown.light, shown.verdict.finding, shown.verdict.play) == (Light.GREEN, "legal", "13/7 8/7")
    assert desk.events == before


def test_the_tap_on_roll_accepts_the_play_and_rolls_for_the_next_player(desk):
    desk.sees(AFTER_61)
    shown = desk.taps()
    assert desk.events[-2:] == [Played(WHITE, "13/7 8/7", AFTER_61), Rolled(BLACK, Dice((5, 3)), "scripted")]
    assert (shown.on_roll, shown.dice, shown.position) == ("black", (5, 3), RULES.to_json(AFTER_61))
    assert [(turn.side, turn.dice, turn.play, turn.note) for turn in shown.history] == [
        (WHITE, Dice((6, 1)), "13/7 8/7", "")
    ]


def test_everything_is_recorded_before_it_is_shown(desk):
    desk.sees(AFTER_61)
    desk.taps()
    for snapshot, recorded in desk.shown:
        rolls = [event for event in desk.events[:recorded] if isinstance(event, Rolled | OpeningRolled)]
        assert (snapshot.dice is None) == (not rolls)


def test_an_unfinished_play_shows_amber_and_roll_says_so(desk):
    shown = desk.sees(moved(START, WHITE, (13, 7)))
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "unfinished")
    assert desk.taps().notice.startswith("No roll yet.")
    assert len(desk.events) == 2


def test_an_illegal_play_shows_red_with_its_reason_and_roll_says_why(desk):
    shown = desk.sees(ILLEGAL_61)
    assert (shown.light, shown.verdict.finding, shown.verdict.reason) == (Light.RED, "illegal", "wrong_distance")
    assert desk.taps().notice == f"No roll yet. {render(shown.verdict.message)}"
    assert len(desk.events) == 2


def test_nothing_moved_gives_no_roll(desk):
    assert desk.taps().notice.startswith("No roll yet.")
    assert len(desk.events) == 2


def test_while_something_moves_there_is_no_verdict_and_no_roll(desk):
    desk.sees(AFTER_61)
    shown = desk.does(Stirred(5.0))
    assert (shown.light, shown.verdict, shown.seen) == (Light.AMBER, None, None)
    assert "does not lie still" in desk.taps().notice


@pytest.mark.parametrize(
    ("cause", "light", "says"),
    [
        (Cause.HAND, Light.AMBER, "take"),
        (Cause.DARK, Light.RED, "light"),
        (Cause.MOVED_CAMERA, Light.RED, "camera"),
    ],
)
def test_a_board_that_cannot_be_read_gives_no_roll_and_the_mend(desk, cause, light, says):
    shown = desk.cannot_see(cause)
    assert (shown.light, shown.seen, shown.verdict.finding) == (light, None, "unreadable")
    assert says in desk.taps().notice
    assert len(desk.events) == 2


def test_two_readings_that_differ_give_no_roll(desk):
    shown = desk.does(Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7), (13, 12))), 2.0))
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "ambiguous")
    assert shown.doubtful
    assert "No roll yet" in desk.taps().notice


def test_players_may_let_the_only_legal_reading_stand_where_the_camera_is_in_doubt(desk):
    shown = desk.does(Saw(doubtful_look(moved(START, WHITE, (13, 7), (8, 7)), moved(START, WHITE, (13, 7))), 2.0))
    assert shown.verdict.finding == "ambiguous"
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, Remedy.STANDS, 4.0))
    assert (shown.position, shown.on_roll) == (RULES.to_json(AFTER_61), "black")


def test_of_two_legal_readings_neither_can_stand(desk):
    other = moved(START, WHITE, (24, 18), (6, 5))
    desk.does(Saw(doubtful_look(AFTER_61, other), 2.0))
    desk.taps(Button.REFEREE)
    assert desk.does(Ruling(1, Remedy.STANDS, 4.0)).dispute is not None


def test_where_each_player_has_a_button_the_mover_cannot_roll_for_the_other(desk):
    desk.sees(AFTER_61)
    assert desk.taps(player=WHITE).notice == "It is Black who rolls next, not White."
    assert desk.taps(player=BLACK).dice == (5, 3)


def test_a_roll_without_a_legal_play_passes_with_the_next_tap():
    closed = replace(START, points=(2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), bar=(1, 0), off=(2, 3))
    desk = Desk([6, 1, 5, 2])
    desk.does(SetUp(closed, WHITE, 0.0))
    desk.sees(closed)
    shown = desk.taps()
    assert (shown.dice, shown.verdict.finding, shown.light) == ((6, 1), "legal", Light.GREEN)
    shown = desk.taps()
    assert desk.events[-2:] == [Played(WHITE, "", closed), Rolled(BLACK, Dice((5, 2)), "scripted")]
    assert shown.on_roll == "black"
