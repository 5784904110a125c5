"""The session, headless: looks and taps go in by `handle`, snapshots come out."""

from dataclasses import replace
from itertools import count

import pytest

from companion.dice import HandDice, ScriptedDice
from companion.event_json import EventJson
from companion.events import Ended, OpeningRolled, Played, Rolled, Started
from companion.hints import RankedPlay, Ranking
from companion.inbox import (
    Button,
    CameraTrouble,
    Done,
    Hinted,
    HintsHidden,
    RolledByHand,
    Ruling,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.model import Cause, Dice, Side
from companion.observation import CellReading, Observation
from companion.record import Record, RecordError, picture_name
from companion.rules.rulesets import rules_named
from companion.session import Session
from companion.snapshot import Light, Phase

RULES = rules_named("standard")
START = RULES.start()
WHITE, BLACK = Side.WHITE, Side.BLACK
CLOCK = count(1)


def certain(position):
    """What a camera says that is sure of every cell."""
    return Observation(tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position)))


def moved(position, side, *steps):
    """The position after steps (from, to) in the mover's numbers, by hand and without rules; 25 is the bar, 0 off."""
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    sign, mine = (1, 0) if side is WHITE else (-1, 1)

    def index(point):
        return point - 1 if side is WHITE else 24 - point

    for source, target in steps:
        if source == 25:
            bar[mine] -= 1
        else:
            points[index(source)] -= sign
        if target == 0:
            off[mine] += 1
        elif points[index(target)] == -sign:
            points[index(target)] = sign
            bar[1 - mine] += 1
        else:
            points[index(target)] += sign
    return replace(position, points=tuple(points), bar=tuple(bar), off=tuple(off))


class Desk:
    """A session with its players: says what it shows, remembers what it recorded."""

    def __init__(self, dice=(), rules=RULES, **options):
        self.events, self.pictures, self.shown, self.asked = [], [], [], []
        self.codec = EventJson(rules.to_json, rules.from_json)
        source = dice if hasattr(dice, "roll") else ScriptedDice(dice)
        options = {"record": self, "publish": self.publish, "ask_hint": self.asked.append, **options}
        self.session = Session(rules, source, clock=lambda: float(next(CLOCK)), **options)

    def append(self, event, at_s, pictures=()):
        assert at_s > 0
        self.events.append(self.codec.decode(event))
        self.pictures.extend(pictures)
        return len(self.events)

    def publish(self, snapshot):
        self.shown.append((snapshot, len(self.events)))

    @property
    def snapshot(self):
        return self.shown[-1][0]

    def does(self, *items):
        for item in items:
            self.session.handle(item)
        return self.snapshot

    def sees(self, position, picture=b"jpeg"):
        return self.does(Stirred(1.0), Saw(certain(position), 2.0, picture))

    def cannot_see(self, cause):
        return self.does(Stirred(1.0), Saw(Observation((), cause), 2.0))

    def taps(self, button=Button.ROLL, player=None):
        return self.does(Tapped(button, 3.0, player))


@pytest.fixture
def desk():
    """White has won the opening roll with 6-1 and is to move; next come 5-3, then 4-4, then 2-1."""
    desk = Desk([6, 1, 5, 3, 4, 4, 2, 1])
    desk.sees(START)
    desk.taps()
    return desk


AFTER_61 = moved(START, WHITE, (13, 7), (8, 7))
ILLEGAL_61 = moved(START, WHITE, (13, 8))


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
    assert shown.verdict["finding"] == "not_moved"
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
    assert (shown.light, shown.verdict["finding"], shown.verdict["play"]) == (Light.GREEN, "legal", "13/7 8/7")
    assert desk.events == before


def test_the_tap_on_roll_accepts_the_play_and_rolls_for_the_next_player(desk):
    desk.sees(AFTER_61)
    shown = desk.taps()
    assert desk.events[-2:] == [Played(WHITE, "13/7 8/7", AFTER_61), Rolled(BLACK, Dice((5, 3)), "scripted")]
    assert (shown.on_roll, shown.dice, shown.position) == ("black", (5, 3), RULES.to_json(AFTER_61))
    assert shown.history == ({"player": "white", "dice": [6, 1], "play": "13/7 8/7", "note": ""},)


def test_everything_is_recorded_before_it_is_shown(desk):
    desk.sees(AFTER_61)
    desk.taps()
    for snapshot, recorded in desk.shown:
        rolls = [event for event in desk.events[:recorded] if isinstance(event, Rolled | OpeningRolled)]
        assert (snapshot.dice is None) == (not rolls)


def test_an_unfinished_play_shows_amber_and_roll_says_so(desk):
    shown = desk.sees(moved(START, WHITE, (13, 7)))
    assert (shown.light, shown.verdict["finding"]) == (Light.AMBER, "unfinished")
    assert desk.taps().notice.startswith("No roll yet.")
    assert len(desk.events) == 2


def test_an_illegal_play_shows_red_with_its_reason_and_roll_says_why(desk):
    shown = desk.sees(ILLEGAL_61)
    assert (shown.light, shown.verdict["finding"], shown.verdict["reason"]) == (Light.RED, "illegal", "wrong_distance")
    assert desk.taps().notice == f"No roll yet. {shown.verdict['message']}"
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
    assert (shown.light, shown.seen, shown.verdict["finding"]) == (light, None, "unreadable")
    assert says in desk.taps().notice
    assert len(desk.events) == 2


def test_two_readings_that_differ_give_no_roll(desk):
    shown = desk.does(Saw(doubtful_look(AFTER_61, moved(START, WHITE, (13, 7), (13, 12))), 2.0))
    assert (shown.light, shown.verdict["finding"]) == (Light.AMBER, "ambiguous")
    assert shown.doubtful
    assert "No roll yet" in desk.taps().notice


def doubtful_look(*positions):
    """A look that fits all of the positions, each a little less likely than the one before."""
    boards = list(zip(*map(RULES.visible, positions), strict=True))
    cells = []
    for contents in boards:
        distinct = list(dict.fromkeys(contents))
        cells.append(CellReading(tuple((content, -0.1 * n) for n, content in enumerate(distinct))))
    return Observation(tuple(cells))


def test_players_may_let_the_only_legal_reading_stand_where_the_camera_is_in_doubt(desk):
    shown = desk.does(Saw(doubtful_look(moved(START, WHITE, (13, 7), (8, 7)), moved(START, WHITE, (13, 7))), 2.0))
    assert shown.verdict["finding"] == "ambiguous"
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert (shown.position, shown.on_roll) == (RULES.to_json(AFTER_61), "black")


def test_of_two_legal_readings_neither_can_stand(desk):
    other = moved(START, WHITE, (24, 18), (6, 5))
    desk.does(Saw(doubtful_look(AFTER_61, other), 2.0))
    desk.taps(Button.REFEREE)
    assert desk.does(Ruling(1, "stands", 4.0)).dispute is not None


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
    assert (shown.dice, shown.verdict["finding"], shown.light) == ((6, 1), "legal", Light.GREEN)
    shown = desk.taps()
    assert desk.events[-2:] == [Played(WHITE, "", closed), Rolled(BLACK, Dice((5, 2)), "scripted")]
    assert shown.on_roll == "black"


# --- the end ---

LAST_CHECKERS = replace(START, points=(1, *[0] * 22, -1), bar=(0, 0), off=(14, 14))


def test_bearing_off_the_last_checker_ends_the_game_and_scores():
    desk = Desk([6, 1, 3, 2])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    shown = desk.sees(moved(LAST_CHECKERS, WHITE, (1, 0)))
    assert desk.events[-1] == Ended(WHITE, 1, "single")
    assert (shown.phase, shown.light, shown.score) == (Phase.OVER, Light.GREEN, {"white": 1, "black": 0})
    assert "White wins" in shown.notice
    assert "differs from the starting position" in desk.taps().notice
    assert desk.sees(START).phase is Phase.OPENING
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.score) == (Phase.TO_MOVE, "white", {"white": 1, "black": 0})
    assert shown.history == ()


def test_a_game_is_left_when_the_starting_position_stands_and_roll_is_tapped_twice(desk):
    desk.sees(AFTER_61)
    desk.taps()
    desk.sees(START)
    assert "tap Roll again to leave it" in desk.taps().notice
    assert desk.session.game.running
    shown = desk.taps()
    assert Ended(None, 0, "unfinished") in desk.events
    assert (shown.phase, shown.dice, shown.score) == (Phase.OPENING, (4, 4), {"white": 0, "black": 0})


# --- the referee ---


def test_the_referee_button_freezes_the_evidence(desk):
    desk.sees(ILLEGAL_61, b"after")
    dispute = desk.taps(Button.REFEREE).dispute
    assert dispute["dice"] == [6, 1]
    assert dispute["player"] == "white"
    assert (dispute["before"], dispute["after"]) == (picture_name(b"jpeg"), picture_name(b"after"))
    assert dispute["verdict"]["reason"] == "wrong_distance"
    assert "13/7 8/7" in dispute["plays"]
    assert desk.pictures == [b"jpeg", b"after"]


def test_a_play_put_right_leaves_the_dice_and_the_turn(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "corrected", 4.0))
    assert (shown.dispute, shown.dice, shown.on_roll) == (None, (6, 1), "white")
    assert desk.sees(AFTER_61).light is Light.GREEN
    assert desk.taps().on_roll == "black"


def test_a_play_that_stands_counts_and_is_recorded_as_such(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert (shown.phase, shown.on_roll, shown.position) == (Phase.TO_ROLL, "black", RULES.to_json(ILLEGAL_61))
    assert shown.history[-1]["note"] == "stands: wrong_distance"
    assert desk.taps(player=BLACK).dice == (5, 3)


def test_the_evidence_stands_as_it_was_when_the_referee_was_called(desk):
    desk.sees(ILLEGAL_61)
    desk.taps(Button.REFEREE)
    desk.sees(START)
    assert desk.does(Ruling(1, "stands", 4.0)).position == RULES.to_json(ILLEGAL_61)


def test_no_roll_while_the_referee_view_is_open_and_a_second_tap_closes_it(desk):
    desk.sees(AFTER_61)
    desk.taps(Button.REFEREE)
    assert "Referee view is open" in desk.taps().notice
    assert desk.taps(Button.REFEREE).dispute is None
    assert desk.taps().on_roll == "black"


def test_what_was_not_certain_cannot_stand(desk):
    desk.cannot_see(Cause.DARK)
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert "not certain" in shown.notice
    assert shown.dispute is not None


def test_a_ruling_on_another_dispute_does_nothing(desk):
    desk.taps(Button.REFEREE)
    assert "settled already" in desk.does(Ruling(7, "stands", 4.0)).notice


def test_before_the_first_turn_there_is_nothing_to_rule_on():
    assert "nothing to rule on" in Desk().taps(Button.REFEREE).notice


def test_a_board_that_differs_before_a_roll_can_be_let_stand():
    desk = Desk([3, 1])
    desk.does(SetUp(START, BLACK, 0.0))
    shown = desk.sees(AFTER_61)
    assert shown.light is Light.RED
    assert "points 7, 8, 13" in shown.notice
    assert "differs from the game" in desk.taps().notice
    desk.taps(Button.REFEREE)
    shown = desk.does(Ruling(1, "stands", 4.0))
    assert (shown.position, shown.on_roll, shown.light) == (RULES.to_json(AFTER_61), "black", Light.BLUE)
    assert desk.taps().dice == (3, 1)


# --- hints ---

RANKING = Ranking((RankedPlay("13/7 8/7", AFTER_61, 0.1), RankedPlay("24/18 13/12", AFTER_61, -0.05)), "an engine")


def test_hints_are_asked_for_and_shown_with_what_the_others_give_away(desk):
    shown = desk.taps(Button.HINT)
    (request,) = desk.asked
    assert (request.position, request.side, request.dice) == (START, WHITE, Dice((6, 1)))
    assert shown.hints is None
    shown = desk.does(Hinted(RANKING, request.turn, 4.0))
    assert shown.hint_engine == "an engine"
    assert [(h["play"], round(h["gives_away"], 6)) for h in shown.hints] == [("13/7 8/7", 0.0), ("24/18 13/12", 0.15)]


def test_hints_are_put_away_by_a_second_tap_by_the_page_and_by_the_next_roll(desk):
    for put_away in (Tapped(Button.HINT, 5.0), HintsHidden(5.0)):
        desk.taps(Button.HINT)
        desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0))
        assert desk.does(put_away).hints is None
    desk.taps(Button.HINT)
    desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0))
    desk.sees(AFTER_61)
    assert desk.taps().hints is None


def test_hints_that_come_too_late_are_dropped(desk):
    desk.taps(Button.HINT)
    desk.sees(AFTER_61)
    desk.taps()
    assert desk.does(Hinted(RANKING, desk.asked[-1].turn, 4.0)).hints is None


def test_an_engine_that_failed_is_named(desk):
    desk.taps(Button.HINT)
    shown = desk.does(Hinted(replace(RANKING, note="gnubg has died"), desk.asked[-1].turn, 4.0))
    assert shown.notice == "gnubg has died"


def test_without_dice_there_are_no_hints():
    assert Desk().taps(Button.HINT).notice == "Hints come when dice lie on the table."


# --- the camera, the record ---


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


def test_a_disk_that_fills_between_play_and_roll_leaves_the_roll_to_be_made(desk):
    desk.sees(AFTER_61)
    appended = desk.append

    def full_after_one(*event):
        desk.append = full
        return appended(*event)

    def full(*_):
        raise RecordError("the disk is full")

    desk.append = full_after_one
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.dice, shown.light) == (Phase.TO_ROLL, "black", None, Light.BLUE)
    desk.append = appended
    assert desk.taps().dice == (4, 4)


def test_a_power_cut_between_the_last_play_and_the_end_of_the_game_loses_no_point():
    desk = Desk([6, 1])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    won = moved(LAST_CHECKERS, WHITE, (1, 0))
    desk.sees(won)
    assert isinstance(desk.events[-1], Ended)
    again = Desk(resume=desk.events[:-1])
    assert again.sees(won).score == {"white": 1, "black": 0}


def test_a_game_won_during_a_dispute_ends_when_that_is_settled():
    desk = Desk([6, 1])
    desk.does(SetUp(LAST_CHECKERS, WHITE, 0.0))
    desk.sees(LAST_CHECKERS)
    desk.taps()
    desk.taps(Button.REFEREE)
    assert desk.sees(moved(LAST_CHECKERS, WHITE, (1, 0))).phase is Phase.TO_MOVE
    assert desk.does(Ruling(1, "corrected", 4.0)).phase is Phase.OVER


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


# --- scripts: set up, rolled by hand, done ---


def test_a_filmed_game_goes_the_same_way():
    film = Desk()
    film.does(SetUp(START, None, 0.0))
    film.sees(START)
    shown = film.does(RolledByHand(BLACK, Dice((3, 1)), 2.0))
    assert (shown.on_roll, shown.dice) == ("black", (3, 1))
    half = moved(START, BLACK, (8, 5))
    assert film.sees(half).verdict["finding"] == "unfinished"
    assert film.does(Done(BLACK, 3.0)).verdict["reason"] == "could_play_more"
    whole = moved(START, BLACK, (8, 5), (6, 5))
    film.sees(whole)
    shown = film.does(Done(BLACK, 4.0), RolledByHand(WHITE, Dice((6, 5)), 4.0))
    assert shown.history == ({"player": "black", "dice": [3, 1], "play": "8/5 6/5", "note": ""},)
    assert (shown.on_roll, shown.dice, shown.position) == ("white", (6, 5), RULES.to_json(whole))


def test_dice_rolled_by_hand_do_not_accept_an_illegal_play(desk):
    desk.sees(ILLEGAL_61)
    assert desk.does(RolledByHand(BLACK, Dice((2, 2)), 4.0)).on_roll == "white"


def test_with_the_sets_own_dice_roll_accepts_and_asks_for_the_numbers():
    desk = Desk(HandDice())
    desk.does(SetUp(START, WHITE, 0.0))
    desk.sees(START)
    desk.does(RolledByHand(WHITE, Dice((6, 1)), 1.0))
    desk.sees(AFTER_61)
    shown = desk.taps()
    assert (shown.phase, shown.on_roll, shown.light) == (Phase.TO_ROLL, "black", Light.BLUE)
    assert "enter the numbers" in shown.notice
    assert shown.seen == RULES.to_json(AFTER_61)
    assert desk.does(RolledByHand(BLACK, Dice((4, 2)), 2.0)).dice == (4, 2)


def test_a_set_up_in_mid_game_puts_the_record_right(desk):
    shown = desk.does(SetUp(AFTER_61, BLACK, 4.0))
    assert (shown.phase, shown.position, shown.on_roll) == (Phase.TO_ROLL, RULES.to_json(AFTER_61), "black")
