"""The chess clock: the time of a turn, and whose time runs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_table import PlayedTable
from verdicts import verdict

from companion.clock import ClockController, ClockError, ClockSetting, NoClockError
from companion.clock.chess_clock import ChessClock
from companion.clock.clock_controller import waits_for
from companion.core import Side, verbatim
from companion.game import Disputed, Match, Phase, Remedy, Turn
from companion.interface import ClockView, Light, ProposalView, Proposes, Snapshot

WHITE, BLACK = Side
TWO_MINUTES = ClockSetting(2.0, 12.0)
TO_MOVE = Snapshot(1, Phase.TO_MOVE, Light.AMBER, "backgammon", "standard", on_roll=Side.WHITE, dice=(3, 1))
LEGAL = replace(TO_MOVE, light=Light.GREEN, verdict=verdict("legal"))
TO_ROLL = replace(TO_MOVE, phase=Phase.TO_ROLL, dice=None, on_roll=Side.BLACK, history=(Turn(WHITE, None, "8/5 6/5"),))
OVER = replace(TO_MOVE, phase=Phase.OVER, dice=None)
NEXT = replace(TO_MOVE, number=TO_MOVE.number + 1)


def running(side=WHITE, setting=TWO_MINUTES):
    return ChessClock.fresh(setting, 0.0).run(side, 1, 0.0)


def test_the_delay_costs_nothing():
    assert running().at(12.0).reserve_s == (120.0, 120.0)


def test_time_beyond_the_delay_is_taken_from_the_reserve():
    assert running().at(20.0).reserve_s == (112.0, 120.0)


def test_an_unused_delay_is_lost():
    clock = running().run(BLACK, 2, 5.0).run(WHITE, 3, 10.0)
    assert clock.at(30.0).reserve_s == (112.0, 120.0)


def test_a_clock_that_runs_again_within_a_turn_has_no_new_delay():
    """Moving checkers back and forth must not gain time."""
    clock = running().run(BLACK, 1, 10.0).run(WHITE, 1, 15.0)
    assert clock.at(20.0).reserve_s == (117.0, 120.0)
    assert clock.at(20.0).delay_s == (0.0, 7.0)


def test_without_a_delay_every_second_counts():
    assert running(setting=ClockSetting(1)).at(7.0).reserve_s == (53.0, 60.0)


def test_a_paused_clock_stands_still_until_it_is_started():
    clock = running().pause(20.0, paused=True).run(WHITE, 1, 30.0)
    assert (clock.at(500.0).reserve_s, clock.running) == ((112.0, 120.0), None)
    clock = clock.pause(500.0, paused=False).run(WHITE, 1, 500.0)
    assert clock.at(510.0).reserve_s == (102.0, 120.0)


def test_the_flag_falls_when_delay_and_reserve_are_gone():
    clock = running()
    assert clock.falls_s == 132.0
    assert clock.at(131.9).fallen == ()
    fallen = clock.at(132.0)
    assert (fallen.fallen, fallen.falls_s) == ((WHITE,), None)
    assert fallen.run(BLACK, 2, 140.0).at(300.0).fallen == (WHITE, BLACK)


def test_a_time_that_runs_backwards_uses_no_reserve():
    assert running().run(WHITE, 1, 50.0).at(40.0).reserve_s == (82.0, 120.0)


@given(st.lists(st.tuples(st.sampled_from([WHITE, BLACK, None]), st.floats(0, 60)), max_size=30))
def test_both_players_together_never_lose_more_than_the_time_that_passed(steps):
    clock, at_s = ChessClock.fresh(TWO_MINUTES, 0.0), 0.0
    for turn, (side, for_s) in enumerate(steps):
        clock = clock.run(side, turn, at_s)
        at_s += for_s
    spent_s = sum(120.0 - left for left in clock.at(at_s).reserve_s)
    assert -1e-6 <= spent_s <= at_s + 1e-6


@pytest.mark.parametrize(
    ("text", "setting"), [("14+12", ClockSetting(14, 12)), ("20", ClockSetting(20)), ("2.5+10", ClockSetting(2.5, 10))]
)
def test_a_clock_is_written_as_minutes_and_seconds_of_delay(text, setting):
    assert ClockSetting.parse(text) == setting


@pytest.mark.parametrize("text", ["", "ten", "5+x", "0", "-3", "1000", "5+-1", "nan", "5+nan"])
def test_an_impossible_clock_is_refused(text):
    with pytest.raises(ClockError, match=r"clock|delay"):
        ClockSetting.parse(text)


@pytest.mark.parametrize(
    ("snapshot", "side"),
    [
        (TO_MOVE, WHITE),
        (LEGAL, BLACK),
        (replace(LEGAL, verdict=verdict("illegal")), WHITE),
        (TO_ROLL, BLACK),
        (replace(TO_ROLL, match=Match(offered_by=BLACK)), WHITE),
        (replace(TO_MOVE, dispute=Disputed(1, WHITE, None, None, None, None)), None),
        (replace(TO_MOVE, proposal=ProposalView(1, Remedy.STANDS, words=verbatim(""))), None),
        (replace(TO_MOVE, camera=verbatim("no picture")), None),
        (replace(TO_MOVE, phase=Phase.OPENING, on_roll=None), None),
        (OVER, None),
        (replace(LEGAL, opponent=BLACK), WHITE),  # it accepts nothing: White taps Done
        (replace(TO_MOVE, opponent=WHITE), WHITE),
        (replace(TO_MOVE, opponent=WHITE, announced="8/5 6/5"), BLACK),
        (replace(LEGAL, opponent=WHITE, announced="8/5 6/5"), BLACK),
    ],
)
def test_the_time_of_the_player_the_table_waits_for_runs(snapshot, side):
    assert waits_for(snapshot) is side


def test_a_turn_on_the_clock_from_dice_to_dice():
    controller = ClockController(TWO_MINUTES)
    controller.see(TO_MOVE, 0.0)
    controller.see(LEGAL, 22.0)
    controller.see(TO_ROLL, 25.0)
    shown = controller.shown(30.0)
    assert shown == ClockView((110.0, 120.0), (12.0, 7.0), BLACK, paused=False, fallen=())


def test_each_game_has_its_time_and_the_games_of_a_match_share_theirs():
    for score, left_s in (((0, 0), 120.0), ((2, 0), 90.0)):
        controller = ClockController(TWO_MINUTES)
        for snapshot, at_s in ((TO_MOVE, 0.0), (OVER, 42.0), (NEXT, 50.0)):
            controller.see(replace(snapshot, match=Match(5, score)), at_s)
        assert controller.shown(50.0).reserve_s[0] == left_s
    controller = ClockController(TWO_MINUTES)
    for snapshot, at_s in ((TO_MOVE, 0.0), (OVER, 42.0), (NEXT, 50.0)):
        controller.see(replace(snapshot, match=Match(0, (9, 0))), at_s)
    assert controller.shown(50.0).reserve_s[0] == 120.0


def test_a_game_begun_by_the_tap_that_abandons_another_has_a_new_clock():
    controller = ClockController(TWO_MINUTES)
    for number, at_s in ((1, 0.0), (1, 42.0), (2, 50.0)):
        controller.see(replace(TO_MOVE, match=Match(), number=number), at_s)
    assert controller.shown(50.0).reserve_s == (120.0, 120.0)


def test_an_end_taken_back_before_a_turn_leaves_both_clocks_unchanged():
    table, controller = PlayedTable([6, 1, 3, 1]), ClockController(TWO_MINUTES)
    table.sets()
    controller.see(table.taps(), 0.0)
    controller.see(table.resigns(BLACK), 42.0)
    table.does(Proposes(Remedy.TAKEBACK, 3.0, WHITE))
    controller.see(table.accepts(BLACK), 50.0)
    assert controller.shown(50.0) == ClockView((90.0, 120.0), (0.0, 12.0), WHITE, paused=False, fallen=())
    controller.see(table.resigns(BLACK), 50.0)
    controller.see(table.taps(), 60.0)
    assert controller.shown(60.0).reserve_s == (120.0, 120.0), "the next game has a time of its own"


def test_players_who_change_colours_keep_their_time():
    controller = ClockController(TWO_MINUTES)
    match = Match(5, (2, 0))
    controller.see(replace(TO_MOVE, match=match), 0.0)
    controller.see(replace(OVER, match=match), 42.0)
    assert controller.shown(50.0).reserve_s == (90.0, 120.0)
    controller.see(replace(TO_MOVE, match=replace(match, score=(0, 2), colours_changed=True)), 50.0)
    assert controller.shown(50.0).reserve_s == (120.0, 90.0)
    assert controller.shown(72.0).reserve_s == (110.0, 90.0)


def test_pausing_stops_the_clock_and_pausing_again_starts_it():
    controller = ClockController(TWO_MINUTES)
    controller.see(TO_MOVE, 0.0)
    controller.pause(20.0)
    controller.see(TO_MOVE, 30.0)
    assert controller.shown(90.0).paused
    controller.pause(100.0)
    assert controller.shown(110.0).reserve_s[0] == 102.0
    assert controller.falls_s() == 212.0


def test_a_table_without_a_clock_shows_none_and_has_none_to_pause():
    controller = ClockController(None)
    controller.see(TO_MOVE, 0.0)
    assert (controller.shown(1.0), controller.falls_s()) == (None, None)
    with pytest.raises(NoClockError, match="--clock"):
        controller.pause(1.0)
