"""Turns: what the table shows, speaks and records, and when Roll is refused."""

from dataclasses import replace

import pytest
from played_table import (
    AFTER_61,
    BLACK,
    ILLEGAL_61,
    LAST_CHECKERS,
    RULES,
    START,
    WHITE,
    PlayedTable,
    doubtful_look,
    first_turn,
    moved,
)
from said import keys_of, notice_of

from companion.core import Cause, Dice, message
from companion.game import FalseMove, OpeningRolled, Phase, Played, Remedy, Rolled, Started
from companion.interface import Button, Light, Proposes, Ruling, Saw, SetUp, Stirred
from companion.rules import rules_named


@pytest.fixture
def table():
    return first_turn()


# --- the start ---


def test_the_table_waits_for_the_starting_position_and_names_the_differences():
    table = PlayedTable()
    shown = table.sees(moved(START, WHITE, (24, 20)))
    assert (shown.phase, shown.light) == (Phase.WAITING, Light.AMBER)
    assert "Set up the starting position" in notice_of(shown)
    assert "points 20, 24" in notice_of(shown)


def test_roll_has_no_effect_before_the_starting_position_is_on_the_board():
    table = PlayedTable([6, 1])
    table.sees(moved(START, WHITE, (24, 20)))
    assert "differs from the starting position" in notice_of(table.taps())
    assert table.events == []


def test_with_the_starting_position_roll_begins_a_game_with_one_die_each():
    table = PlayedTable([2, 5])
    assert table.sees(START).phase is Phase.OPENING
    shown = table.taps()
    assert table.events == [Started("backgammon", "standard", START), OpeningRolled(2, 5)]
    assert (shown.phase, shown.on_roll, shown.dice) == (Phase.TO_MOVE, "black", (2, 5))
    assert shown.verdict.finding == "not_moved"
    assert shown.light is Light.AMBER


def test_a_tie_is_shown_and_the_next_tap_rolls_again():
    table = PlayedTable([4, 4, 6, 1])
    table.sees(START)
    shown = table.taps()
    assert (shown.phase, shown.dice, shown.light) == (Phase.OPENING, (4, 4), Light.BLUE)
    assert shown.notice == message("opening.tie", number=4)
    assert table.taps().on_roll == "white"


def test_if_the_sheet_says_so_the_starter_rolls_again(tmp_path):
    sheet = tmp_path / "again.toml"
    sheet.write_text('base = "standard"\nopening_roll = "rolled_again"\nnext_game_starter = "previous_winner"\n')
    table = PlayedTable([6, 1, 2, 2], rules=rules_named(str(sheet)))
    table.sees(START)
    shown = table.taps()
    assert (shown.phase, shown.on_roll) == (Phase.TO_ROLL, "white")
    assert table.taps().dice == (2, 2)


def test_far_from_the_starting_position_the_places_are_not_listed():
    table = PlayedTable([6, 1])
    table.sees(LAST_CHECKERS)
    assert notice_of(table.taps()) == "No roll yet. Set up the starting position, then tap Roll."


# --- a turn ---


def test_a_complete_legal_play_shows_green_and_is_not_yet_recorded(table):
    before = list(table.events)
    shown = table.sees(AFTER_61)
    assert (shown.light, shown.verdict.finding, shown.verdict.play) == (Light.GREEN, "legal", "13/7 8/7")
    assert table.events == before


def test_the_tap_on_roll_accepts_the_play_and_rolls_for_the_next_player(table):
    table.sees(AFTER_61)
    shown = table.taps()
    assert table.events[-2:] == [Played(WHITE, "13/7 8/7", AFTER_61), Rolled(BLACK, Dice((5, 3)), "scripted")]
    assert (shown.on_roll, shown.dice, shown.position) == ("black", (5, 3), RULES.to_json(AFTER_61))
    assert [(turn.side, turn.dice, turn.play, turn.note) for turn in shown.history] == [
        (WHITE, Dice((6, 1)), "13/7 8/7", "")
    ]


def test_everything_is_recorded_before_it_is_shown(table):
    table.sees(AFTER_61)
    table.taps()
    for snapshot, recorded in table.shown:
        rolls = [event for event in table.events[:recorded] if isinstance(event, Rolled | OpeningRolled)]
        assert (snapshot.dice is None) == (not rolls)
    assert any(snapshot.dice is not None for snapshot, _ in table.shown)


def test_an_unfinished_play_shows_amber_and_roll_is_refused_with_that_reason(table):
    shown = table.sees(moved(START, WHITE, (13, 7)))
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "unfinished")
    assert notice_of(table.taps()) == "No roll yet: the turn is not finished."
    assert len(table.events) == 2


def test_an_illegal_play_shows_red_with_its_reason_and_roll_is_refused_with_it(table):
    shown = table.sees(ILLEGAL_61)
    assert (shown.light, shown.verdict.finding, shown.verdict.reason) == (Light.RED, "illegal", "wrong_distance")
    assert notice_of(table.taps()) == "No roll yet: the move does not fit the dice."
    assert [type(event) for event in table.events] == [Started, OpeningRolled, FalseMove]


def test_without_a_move_roll_is_refused(table):
    assert notice_of(table.taps()) == "No roll yet: no play has been made."
    assert len(table.events) == 2


def test_during_motion_there_is_no_verdict_and_roll_is_refused(table):
    table.sees(AFTER_61)
    shown = table.does(Stirred(5.0))
    assert (shown.light, shown.verdict, shown.seen) == (Light.AMBER, None, None)
    assert keys_of(table.taps().notice) == {"not_yet", "no_roll", "not_still"}


@pytest.mark.parametrize(
    ("cause", "light", "says"),
    [
        (Cause.HAND, Light.AMBER, "take"),
        (Cause.DARK, Light.RED, "light"),
        (Cause.MOVED_CAMERA, Light.RED, "camera"),
    ],
)
def test_on_an_unreadable_board_roll_is_refused_with_advice(table, cause, light, says):
    shown = table.cannot_see(cause)
    assert (shown.light, shown.seen, shown.verdict.finding) == (light, None, "unreadable")
    assert says in notice_of(table.taps())
    assert len(table.events) == 2


def test_with_two_different_readings_roll_is_refused(table):
    shown = table.does(Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7), (13, 12))), 2.0))
    assert (shown.light, shown.verdict.finding) == (Light.AMBER, "ambiguous")
    assert shown.doubtful
    assert "No roll yet" in notice_of(table.taps())


def test_the_only_legal_reading_counts_only_after_the_players_confirm_it(table):
    shown = table.does(Saw(doubtful_look(moved(START, WHITE, (13, 7), (8, 7)), moved(START, WHITE, (13, 7))), 2.0))
    assert shown.verdict.finding == "ambiguous"
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(1, Remedy.STANDS, 4.0))
    assert {"ruling.not_possible", "unsure.places"} <= keys_of(shown.notice)
    table.does(Ruling(1, Remedy.CORRECTED, 5.0))
    (legal,) = (one for one in table.snapshot.readings if one.words.facts.get("play") == "13/7 8/7")
    table.does(Proposes(Remedy.READING, 6.0, WHITE, reading=legal.reading))
    table.accepts(BLACK)
    table.taps(Button.REFEREE)
    shown = table.does(Ruling(2, Remedy.STANDS, 7.0))
    assert (shown.position, shown.on_roll) == (RULES.to_json(AFTER_61), "black")


def test_of_two_legal_readings_neither_counts(table):
    other = moved(START, WHITE, (24, 18), (6, 5))
    table.does(Saw(doubtful_look(AFTER_61, other), 2.0))
    table.taps(Button.REFEREE)
    assert table.does(Ruling(1, Remedy.STANDS, 4.0)).dispute is not None


def test_with_a_button_for_each_player_the_mover_cannot_roll_for_the_other(table):
    table.sees(AFTER_61)
    assert table.taps(player=WHITE).notice == message("other_rolls", player=BLACK, other=WHITE)
    assert table.taps(player=BLACK).dice == (5, 3)


def test_a_roll_without_a_legal_play_passes_with_the_next_tap():
    closed = replace(START, points=(2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), bar=(1, 0), off=(2, 3))
    table = PlayedTable([6, 1, 5, 2])
    table.does(SetUp(closed, WHITE, 0.0))
    table.sees(closed)
    shown = table.taps()
    assert (shown.dice, shown.verdict.finding, shown.light) == ((6, 1), "legal", Light.GREEN)
    shown = table.taps()
    assert table.events[-2:] == [Played(WHITE, "", closed), Rolled(BLACK, Dice((5, 2)), "scripted")]
    assert shown.on_roll == "black"
