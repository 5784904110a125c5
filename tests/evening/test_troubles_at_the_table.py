"""Cameras that are lost, disks that are full, power that is cut: nothing is lost, and the table says so."""

import pytest
from desk import AFTER_61, BLACK, LAST_CHECKERS, START, WHITE, Desk, first_turn, moved

from companion.agreement import Remedy
from companion.events import Doubled, Ended, Rolled
from companion.inbox import Button, CameraTrouble, Cube, CubeDeed, RolledByHand, Ruling, SetUp
from companion.match import Match
from companion.model import Dice
from companion.phase import Phase
from companion.record import Record, RecordError
from companion.snapshot import Light


@pytest.fixture
def desk():
    return first_turn()


def test_a_camera_that_is_lost_shows_red_until_it_is_back(desk):
    desk.sees(AFTER_61)
    shown = desk.does(CameraTrouble("USB camera 0 is gone: plug it in again.", 4.0))
    assert (shown.light, shown.camera) == (Light.RED, "USB camera 0 is gone: plug it in again.")
    assert "plug it in again" in desk.taps().notice
    desk.does(CameraTrouble(None, 5.0))
    assert desk.sees(AFTER_61).light is Light.GREEN


def test_what_cannot_be_recorded_does_not_happen_and_is_said(desk):
    def full(*_):
        raise RecordError("cannot write to the record: the disk is full. Free some space.")

    desk.sees(AFTER_61)
    appended, desk.append = desk.append, full
    shown = desk.taps()
    assert (shown.on_roll, shown.dice) == ("white", (6, 1))
    assert "disk is full" in shown.notice
    desk.append = appended
    assert desk.taps().on_roll == "black"


def fill_after_one(desk):
    """Let the disk fill when one more event is recorded; returns what recorded until then."""
    appended = desk.append

    def full(*_):
        raise RecordError("the disk is full")

    def full_after_one(*event):
        desk.append = full
        return appended(*event)

    desk.append = full_after_one
    return appended


def test_a_disk_that_fills_between_play_and_roll_leaves_the_roll_to_be_made(desk):
    desk.sees(AFTER_61)
    appended = fill_after_one(desk)
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.dice, shown.light) == (Phase.TO_ROLL, "black", None, Light.RED)
    assert shown.storage == "the disk is full"
    desk.append = appended
    shown = desk.taps()
    assert (shown.dice, shown.storage, shown.light) == ((4, 4), None, Light.AMBER)


@pytest.mark.parametrize("deed", [RolledByHand(BLACK, Dice((4, 4)), 3.0), Cube(CubeDeed.DOUBLE, 3.0, BLACK)])
def test_a_disk_that_fills_between_play_and_own_dice_or_cube_leaves_those_to_be_told_again(deed):
    desk = Desk([6, 1], terms=Match(5))
    desk.sees(START)
    desk.taps()
    desk.sees(AFTER_61)
    appended = fill_after_one(desk)
    shown = desk.does(deed)
    assert (shown.phase, shown.on_roll, shown.storage) == (Phase.TO_ROLL, "black", "the disk is full")
    assert shown.verdict is None
    desk.append = appended
    assert desk.does(deed).storage is None
    assert isinstance(desk.events[-1], Rolled | Doubled)


def test_a_power_cut_between_the_last_play_and_the_end_of_the_game_loses_no_point():
    desk = Desk([6, 1])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    won = moved(LAST_CHECKERS, WHITE, (1, 0))
    desk.sees(won)
    assert isinstance(desk.events[-1], Ended)
    again = Desk(resume=desk.events[:-1])
    assert again.sees(won).score == (1, 0)


def test_a_game_won_during_a_dispute_ends_when_that_is_settled():
    desk = Desk([6, 1])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    desk.taps(Button.REFEREE)
    assert desk.sees(moved(LAST_CHECKERS, WHITE, (1, 0))).phase is Phase.TO_MOVE
    assert desk.does(Ruling(1, Remedy.CORRECTED, 4.0)).phase is Phase.OVER


def test_a_restart_takes_the_game_up_where_it_stood_and_says_so(desk):
    desk.sees(AFTER_61)
    desk.taps()
    again = Desk([4, 4], resume=desk.events)
    assert again.session.game == desk.session.game
    shown = again.sees(AFTER_61)
    assert "The game stands where it stood: Black to play 5-3." in shown.notice
    assert (shown.position, shown.score) == (desk.snapshot.position, desk.snapshot.score)
    after_53 = moved(AFTER_61, BLACK, (8, 3), (6, 3))
    assert again.sees(after_53).light is Light.GREEN
    assert "where it stood" not in (again.taps().notice or "")


def test_after_a_restart_a_board_that_differs_is_named_and_waited_for(desk):
    again = Desk(resume=desk.events)
    shown = again.sees(moved(START, WHITE, (24, 10)))
    assert "where it stood: White to play 6-1. The board differs" in shown.notice
    assert "on points 10, 24" in shown.notice
    assert again.taps().notice.startswith("No roll yet.")
    shown = again.sees(START)
    assert shown.notice == "The game stands where it stood: White to play 6-1."


def test_a_session_on_a_real_record_comes_back_from_the_file(tmp_path):
    record = Record.open(tmp_path / "record.db")
    desk = Desk([6, 1, 5, 3], record=record)
    desk.sees(START)
    desk.taps()
    desk.sees(AFTER_61)
    desk.taps(Button.REFEREE)
    desk.taps(Button.REFEREE)
    desk.taps()
    entries = record.entries()
    record.close()
    again = Desk(resume=[desk.codec.decode(entry.event) for entry in entries])
    assert again.session.game == desk.session.game


def test_a_greeting_is_said_until_somebody_rolls():
    desk = Desk([6, 1], greeting="The record was damaged.")
    assert desk.sees(START).notice.startswith("The record was damaged. ")
    assert "damaged" not in (desk.taps().notice or "")
