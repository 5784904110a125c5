"""Lost cameras, full disks, power cuts: no event is lost, and the players get a message."""

import pytest
from played_table import (
    AFTER_61,
    BLACK,
    LAST_CHECKERS,
    START,
    WHITE,
    PlayedTable,
    fill_after_one,
    fill_disk,
    first_turn,
    moved,
)
from said import keys_of, notice_of, words_of

from companion.core import Dice, verbatim
from companion.game import Doubled, Ended, Match, Phase, Remedy, Rolled
from companion.interface import Button, CameraTrouble, CubeActed, CubeAction, Light, RolledByHand, Ruling, SetUp
from companion.record import Record


@pytest.fixture
def table():
    return first_turn()


def test_a_lost_camera_shows_red_until_it_returns(table):
    table.sees(AFTER_61)
    shown = table.does(CameraTrouble("USB camera 0 is gone: plug it in again.", 4.0))
    assert (shown.light, words_of(shown.camera)) == (Light.RED, "USB camera 0 is gone: plug it in again.")
    assert "plug it in again" in notice_of(table.taps())
    table.does(CameraTrouble(None, 5.0))
    assert table.sees(AFTER_61).light is Light.GREEN


def test_an_action_that_cannot_be_recorded_is_refused_with_the_reason(table):
    table.sees(AFTER_61)
    appended = fill_disk(table, "cannot write to the record: the disk is full. Free some space.")
    shown = table.taps()
    assert (shown.on_roll, shown.dice) == ("white", (6, 1))
    assert "disk is full" in notice_of(shown)
    table.append_all = appended
    assert table.taps().on_roll == "black"


def test_if_the_disk_fills_between_play_and_roll_the_roll_can_be_repeated(table):
    table.sees(AFTER_61)
    appended = fill_after_one(table)
    shown = table.taps()
    assert (shown.phase, shown.on_roll, shown.dice, shown.light) == (Phase.TO_ROLL, "black", None, Light.RED)
    assert words_of(shown.storage) == "the disk is full"
    table.append_all = appended
    shown = table.taps()
    assert (shown.dice, shown.storage, shown.light) == ((4, 4), None, Light.AMBER)


@pytest.mark.parametrize("action", [RolledByHand(BLACK, Dice((4, 4)), 3.0), CubeActed(CubeAction.DOUBLE, 3.0, BLACK)])
def test_if_the_disk_fills_between_play_and_own_dice_or_cube_these_can_be_repeated(action):
    table = PlayedTable([6, 1], terms=Match(5))
    table.sees(START)
    table.taps()
    table.sees(AFTER_61)
    appended = fill_after_one(table)
    shown = table.does(action)
    assert (shown.phase, shown.on_roll, words_of(shown.storage)) == (Phase.TO_ROLL, "black", "the disk is full")
    assert shown.verdict is None
    table.append_all = appended
    assert table.does(action).storage is None
    assert isinstance(table.events[-1], Rolled | Doubled)


def test_after_a_power_cut_between_the_last_play_and_the_end_the_game_is_scored():
    table = PlayedTable([6, 1])
    table.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    table.sees(LAST_CHECKERS)
    table.taps()
    won = moved(LAST_CHECKERS, WHITE, (1, 0))
    table.sees(won)
    assert isinstance(table.events[-1], Ended)
    again = PlayedTable(resume=table.events[:-1])
    assert again.sees(won).score == (1, 0)


def test_a_game_won_during_a_dispute_ends_when_the_dispute_is_settled():
    table = PlayedTable([6, 1])
    table.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    table.sees(LAST_CHECKERS)
    table.taps()
    table.taps(Button.REFEREE)
    assert table.sees(moved(LAST_CHECKERS, WHITE, (1, 0))).phase is Phase.TO_MOVE
    assert table.does(Ruling(1, Remedy.CORRECTED, 4.0)).phase is Phase.OVER


def test_a_restart_resumes_the_game_with_a_message(table):
    table.sees(AFTER_61)
    table.taps()
    again = PlayedTable([4, 4], resume=table.events)
    assert again.session.game == table.session.game
    shown = again.sees(AFTER_61)
    assert "The game goes on where it stopped. Black has 5-3 to play." in notice_of(shown)
    assert (shown.position, shown.score) == (table.snapshot.position, table.snapshot.score)
    after_53 = moved(AFTER_61, BLACK, (8, 3), (6, 3))
    assert again.sees(after_53).light is Light.GREEN
    assert "where it stood" not in notice_of(again.taps())


def test_after_a_restart_differences_of_the_board_are_named_until_corrected(table):
    again = PlayedTable(resume=table.events)
    shown = again.sees(moved(START, WHITE, (24, 10)))
    assert {"resumed", "then.has", "differs.turn"} <= keys_of(shown.notice)
    assert "on points 10, 24" in notice_of(shown)
    assert notice_of(again.taps()).startswith("No roll yet: ")
    shown = again.sees(START)
    assert keys_of(shown.notice) == {"both", "resumed", "sentence", "then.has"}


def test_a_session_is_restored_from_a_real_record(tmp_path):
    record = Record.open(tmp_path / "record.db")
    table = PlayedTable([6, 1, 5, 3], record=record)
    table.sees(START)
    table.taps()
    table.sees(AFTER_61)
    table.taps(Button.REFEREE)
    table.taps(Button.REFEREE)
    table.taps()
    entries = record.entries()
    record.close()
    again = PlayedTable(resume=[table.codec.decode(entry.event) for entry in entries])
    assert again.session.game == table.session.game


def test_the_greeting_is_shown_until_the_first_roll():
    table = PlayedTable([6, 1], greeting=verbatim("The record was damaged."))
    assert notice_of(table.sees(START)).startswith("The record was damaged. ")
    assert "damaged" not in notice_of(table.taps())
