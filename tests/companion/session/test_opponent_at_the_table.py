"""Boardside plays one side: it rolls, announces and decides about the cube, and people move its checkers."""

from dataclasses import replace

import pytest
from played_table import AFTER_61, BLACK, LAST_CHECKERS, RULES, START, WHITE, PlayedTable, certain, fill_disk, moved
from said import keys_of, notice_of, words_of

from companion.core import Dice, Die, Finding, Half
from companion.dice import CameraDice, HandDice
from companion.game import Announced, Doubled, MatchBegan, Passed, Played, Remedy, Rolled, Taken, match_begun
from companion.hints import CubeQuestion, EngineError, Player, PlayerDecision
from companion.interface import (
    Button,
    CubeActed,
    CubeAction,
    Decided,
    Proposes,
    RecordRetry,
    Resigns,
    RolledByHand,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.rules import rules_named


class OpponentTable(PlayedTable):
    """Black is Boardside; `asked_for` are the questions that its engine got."""

    def __init__(self, dice, **options):
        self.asked_for = []
        super().__init__(dice, ask_decision=self.asked_for.append, opponent=BLACK, **options)

    def decides(self, play="", *, yes=False, note=None):
        return self.does(Decided(PlayerDecision(play, yes, note), self.asked_for[-1].turn, 5.0))


class Broken:
    """An engine that never answers."""

    name = "broken"

    def rank(self, *_):
        raise EngineError("has died")

    weigh = cube = rank


@pytest.fixture
def table():
    """White has begun with 6-1 and played it; the tap that ended the turn comes next."""
    table = OpponentTable([6, 1, 5, 3, 4, 4, 2, 1, 6, 5])
    table.sets()
    table.taps()
    table.sees(AFTER_61)
    return table


@pytest.fixture
def announced(table):
    """Boardside has rolled 5-3 and says that it plays 8/3 6/3."""
    doubles_not(table)
    table.decides("8/3 6/3")
    return table


def doubles_not(table):
    table.taps()
    return table.decides(yes=False)


AFTER_53 = moved(AFTER_61, BLACK, (8, 3), (6, 3))


def kinds(table):
    return [type(event) for event in table.events]


def test_the_persons_tap_ends_their_turn_and_boardside_rolls_after_the_cube_decision(table):
    shown = table.taps()
    assert isinstance(table.events[-1], Played)
    assert shown.dice is None
    (request,) = table.asked_for
    assert isinstance(request.cube, CubeQuestion)
    assert request.cube.side is BLACK
    shown = table.decides(yes=False)
    assert kinds(table)[-1] is Rolled
    assert (shown.on_roll, shown.dice) == (BLACK, (5, 3))


def test_its_play_is_announced_and_recorded_before_anybody_moves(announced):
    assert announced.events[-1] == Announced(BLACK, "8/3 6/3")
    assert announced.snapshot.announced == "8/3 6/3"
    assert announced.sets(AFTER_61).verdict.finding is Finding.NOT_MOVED


def test_the_announced_play_is_legal_and_the_persons_roll_accepts_it(announced):
    assert announced.sees(AFTER_53).verdict.finding is Finding.LEGAL
    shown = announced.taps()
    assert announced.events[-2] == replace(announced.events[-2], side=BLACK, play="8/3 6/3", after=AFTER_53)
    assert (shown.on_roll, shown.dice, shown.announced) == (WHITE, (4, 4), None)


@pytest.mark.parametrize("slip", [((13, 8), (6, 3)), ((8, 3), (8, 4)), ((8, 3),)])
def test_a_play_other_than_the_announced_one_is_corrected_without_blame(announced, slip):
    shown = announced.sees(moved(AFTER_61, BLACK, *slip))
    assert shown.verdict.finding is Finding.UNFINISHED
    assert shown.verdict.message.facts["play"] == "8/3 6/3"
    before = len(announced.events)
    assert announced.taps().dice == (5, 3)
    assert len(announced.events) == before
    assert announced.sees(AFTER_53).verdict.finding is Finding.LEGAL


def test_if_its_play_is_made_wrongly_the_differences_are_named(announced):
    shown = announced.sees(moved(AFTER_61, BLACK, (13, 8), (6, 3)))
    assert shown.verdict.message.key == "announced.other"
    assert shown.verdict.cells == (11, 16, 21)  # Black's 13, 8 and 3 points


def test_before_it_has_chosen_a_play_rolls_are_refused(table):
    doubles_not(table)
    table.sees(AFTER_53)
    assert notice_of(table.taps()) == "Black is thinking."
    assert table.game.on_roll is BLACK


def test_taps_do_not_interrupt_its_thinking(table):
    table.taps()
    for at_s in (4.0, 5.0):
        assert notice_of(table.does(Tapped(Button.ROLL, at_s))) == "Black is thinking."
    assert len(table.asked_for) == 1
    table.decides(yes=False)
    table.taps()
    table.doubles(WHITE)
    assert len(table.asked_for) == 2
    assert table.decides("8/3 6/3").announced == "8/3 6/3"
    table.taps()
    table.taps()
    assert len(table.asked_for) == 2


def test_before_it_has_chosen_a_double_cannot_accept_a_play_for_it(table):
    doubles_not(table)
    table.sees(moved(AFTER_61, BLACK, (13, 8), (6, 3)))
    assert notice_of(table.doubles(WHITE)) == "Black is thinking."
    assert table.game.on_roll is BLACK


def test_a_decision_made_during_a_dispute_is_asked_again(table):
    table.taps()
    table.taps(Button.REFEREE)
    assert table.decides(yes=True).offered_by is None
    asked = len(table.asked_for)
    table.does(Proposes(Remedy.CORRECTED, 6.0, WHITE))
    assert len(table.asked_for) == asked + 1
    assert table.decides(yes=True).offered_by is BLACK


def test_it_does_not_roll_if_one_tap_would_abandon_the_game(table):
    table.taps()
    table.sees(START)
    table.taps()
    table.decides(yes=False)
    assert (table.game.number, table.game.ended) == (1, None)
    table.sees(AFTER_61)
    assert table.game.dice is not None


def test_a_refused_tap_does_not_count_for_abandoning_a_game(announced):
    announced.sees(AFTER_53)
    announced.does(CubeActed(CubeAction.DOUBLE, 4.0))
    announced.sees(START)
    announced.taps()
    announced.decides(yes=True)
    announced.taps()
    assert announced.game.number == 1
    announced.does(Tapped(Button.ROLL, 4.0))
    assert announced.game.number == 2


@pytest.mark.parametrize("player", [None, WHITE])
def test_two_quick_taps_do_not_abandon_a_game_and_two_separate_ones_do(announced, player):
    announced.sees(START)
    for pressed_s in (10.0, 10.2, 10.5, 11.1):
        shown = announced.does(Tapped(Button.ROLL, pressed_s, player))
        assert shown.notice.key == "ending.leave.alone"
        assert announced.game.number == 1
    announced.does(Tapped(Button.ROLL, 12.0, player))
    assert announced.game.number == 2


def test_a_first_tap_for_abandoning_a_game_lapses_when_the_turn_is_finished(announced):
    announced.sees(AFTER_53)
    announced.taps()
    announced.sees(START)
    assert announced.taps().notice.key == "ending.leave.alone"
    announced.sees(moved(AFTER_53, WHITE, (24, 20), (24, 20), (13, 9), (13, 9)))
    assert announced.taps().on_roll is BLACK
    announced.sees(START)
    announced.does(Tapped(Button.ROLL, 9.0))
    assert announced.game.number == 1


def test_the_person_throws_the_sets_dice_for_it():
    def lying(*dice):
        return tuple(Die(value, half, flat=True, x=x, y=0.3, side=0.03) for value, half, x in dice)

    def sees(position, *dice):
        table.does(Stirred(1.0), Saw(replace(certain(position), lying=lying(*dice)), 2.0))

    opening = ((1, Half.LEFT, 0.2), (6, Half.RIGHT, 0.8))
    table = OpponentTable(CameraDice())
    sees(START, *opening)
    table.taps()
    sees(AFTER_61, *opening)
    table.taps()
    sees(AFTER_61, (5, Half.RIGHT, 0.6), (3, Half.RIGHT, 0.8))
    assert notice_of(table.taps()) == "Black is thinking."  # about the cube
    table.decides(yes=False)
    assert table.taps().dice == (5, 3)
    assert table.game.on_roll is BLACK


def test_entered_dice_accept_neither_an_illegal_nor_an_unannounced_play():
    table = OpponentTable(HandDice(), rules=rules_named("encyclopedia"))
    table.sets()
    table.does(RolledByHand(WHITE, Dice((6, 1)), 1.0))
    table.sees(moved(START, WHITE, (13, 8), (6, 5)))
    assert table.does(RolledByHand(BLACK, Dice((5, 3)), 1.0)).on_roll is WHITE
    table.sees(AFTER_61)
    assert table.does(RolledByHand(BLACK, Dice((5, 3)), 1.0)).dice == (5, 3)
    table.sees(moved(AFTER_61, BLACK, (13, 8), (6, 3)))
    assert notice_of(table.does(RolledByHand(WHITE, Dice((4, 4)), 1.0))) == "Black is thinking."
    table.decides("8/3 6/3")
    assert table.does(RolledByHand(WHITE, Dice((4, 4)), 1.0)).on_roll is BLACK
    table.sees(AFTER_53)
    shown = table.does(RolledByHand(WHITE, Dice((4, 4)), 1.0))
    assert (shown.on_roll, shown.dice) == (WHITE, (4, 4))


def test_a_decision_that_comes_too_late_is_dropped(table):
    doubles_not(table)
    late = table.asked_for[0]
    shown = table.does(Decided(PlayerDecision("13/8 13/10"), late.turn, 6.0))
    assert shown.announced is None


def test_nobody_else_acts_for_its_side(announced):
    for item in (
        Tapped(Button.ROLL, 6.0, BLACK),
        CubeActed(CubeAction.DOUBLE, 6.0, BLACK),
        Resigns(BLACK, "single", 6.0),
        Proposes(Remedy.TAKEBACK, 6.0, BLACK),
    ):
        before = len(announced.events)
        assert notice_of(announced.does(item)) == ("Black is played by Boardside: nobody else decides for that side.")
        assert len(announced.events) == before


def test_a_ruling_cannot_give_it_another_play(announced):
    announced.sees(moved(AFTER_61, BLACK, (13, 8), (6, 3)))
    announced.taps(Button.REFEREE)
    shown = announced.does(Proposes(Remedy.STANDS, 6.0, WHITE))
    assert notice_of(shown) == "Black is played by Boardside: nobody else decides for that side."
    assert announced.game.on_roll is BLACK
    announced.does(Proposes(Remedy.CORRECTED, 6.0, WHITE))
    assert announced.game.dispute is None


def test_if_the_camera_is_uncertain_the_person_confirms_its_play(announced):
    other = moved(AFTER_61, BLACK, (13, 8), (6, 3))
    for position, mover in ((other, BLACK), (AFTER_53, WHITE)):
        said = RULES.to_json(position)
        announced.does(Proposes(Remedy.POSITION, 6.0, WHITE, position=said, turn_over=True))
        assert announced.game.on_roll is mover
    assert announced.game.position == AFTER_53


def test_it_accepts_no_illegal_play():
    table = OpponentTable([6, 1, 5, 3], rules=rules_named("encyclopedia"))
    table.sets()
    table.taps()
    table.sees(moved(START, WHITE, (13, 8), (6, 5)))
    assert table.taps().on_roll is WHITE
    table.sees(AFTER_61)
    assert table.taps().on_roll is BLACK


def test_it_doubles_on_the_engines_decision_and_the_person_answers(table):
    table.taps()
    shown = table.decides(yes=True)
    assert table.events[-1] == Doubled(BLACK)
    assert shown.offered_by is BLACK
    shown = table.takes(WHITE)
    assert shown.dice == (5, 3)  # it may not double again, so that it rolls at once
    assert shown.match.owner is WHITE


def test_the_person_takes_its_double_on_the_panel(table):
    table.taps()
    shown = table.decides(yes=True)
    assert "cube.answer" in keys_of(shown.notice)
    shown = table.does(Tapped(Button.ROLL, 30.0))
    assert (shown.match.owner, shown.dice) == (WHITE, (5, 3))


def test_the_person_cannot_answer_a_double_that_it_has_to_decide(announced):
    announced.sees(AFTER_53)
    shown = announced.doubles(WHITE)
    assert "cube.answer" not in keys_of(shown.notice)
    assert "It is Black who takes or passes" in notice_of(announced.does(Tapped(Button.ROLL, 30.0)))
    assert announced.game.match.offered_by is WHITE


def test_it_takes_or_passes_the_persons_double(announced):
    announced.sees(AFTER_53)
    announced.doubles(WHITE)
    assert announced.asked_for[-1].cube.side is WHITE
    announced.decides(yes=True)
    assert announced.events[-1] == Taken(BLACK)
    assert announced.game.on_roll is WHITE


def test_a_double_that_the_engine_rejects_is_passed(announced):
    announced.sees(AFTER_53)
    announced.doubles()  # on the shared screen: only the person can mean it
    announced.decides(yes=False)
    assert Passed in kinds(announced)
    assert announced.game.ended.winner is WHITE


def test_it_agrees_to_a_takeback_and_plays_the_same_dice_again(announced):
    announced.sees(AFTER_53)
    announced.taps()
    announced.does(Proposes(Remedy.TAKEBACK, 6.0, WHITE))
    assert announced.game.on_roll is BLACK
    assert announced.snapshot.announced is None
    assert announced.asked_for[-1].dice.values == (5, 3)
    assert announced.asked_for[-1].seed == announced.asked_for[1].seed


def test_it_accepts_a_resignation_unless_the_level_is_too_low():
    table = OpponentTable([6, 1])
    table.does(SetUp(replace(START, points=(*[0] * 10, 15, *[0] * 12, -1), off=(0, 14)), WHITE, 1.0))
    shown = table.does(Resigns(WHITE, "single", 2.0))
    assert table.game.ended is None
    assert notice_of(shown) == "Black plays on."
    table.does(Resigns(WHITE, "gammon", 2.0))
    assert table.game.ended.points == 2


def test_after_a_power_cut_the_announced_play_is_kept(announced):
    again = OpponentTable([1, 2], resume=tuple(announced.events))
    assert again.sees(AFTER_61).announced == "8/3 6/3"
    assert again.asked_for == []
    assert again.sees(AFTER_53).verdict.finding is Finding.LEGAL


def test_after_a_power_cut_before_its_choice_the_engine_is_asked_again(table):
    doubles_not(table)
    again = OpponentTable([1, 2], resume=tuple(table.events))
    again.sees(AFTER_61)
    assert again.asked_for[-1].seed == table.asked_for[-1].seed


def test_if_it_has_no_legal_play_the_person_rolls():
    table = OpponentTable([2, 1, 6, 6])
    closed = replace(START, points=(2, 2, 2, 2, 2, 2, 3, *[0] * 17), bar=(0, 1), off=(0, 14))
    table.does(SetUp(closed, BLACK, 1.0))
    table.sees(closed)
    table.decides(yes=False)
    assert table.snapshot.dice == (2, 1)
    assert table.taps().on_roll is WHITE
    assert [request.cube is None for request in table.asked_for] == [False]


def test_the_game_ends_with_its_last_checker():
    table = OpponentTable([6, 5])
    table.does(SetUp(LAST_CHECKERS, BLACK, 1.0))
    table.sees(LAST_CHECKERS)
    table.decides(yes=False)
    table.decides("1/off")
    table.plays("1/off")
    assert table.game.ended.winner is BLACK


def test_a_failed_engine_is_reported_and_the_game_continues(table):
    doubles_not(table)
    shown = table.decides("8/3 6/3", note="gnubg has died")
    assert notice_of(shown) == "The chosen engine does not answer: the built-in one plays in its place."
    assert shown.announced == "8/3 6/3"


def test_on_a_full_disk_its_announcement_waits_for_space(table):
    doubles_not(table)
    appended = fill_disk(table)
    shown = table.decides("8/3 6/3")
    table.does(Stirred(6.0), RecordRetry(7.0))
    assert (words_of(shown.storage), shown.announced) == ("the disk is full", None)
    assert len(table.asked_for) == 2
    table.append_all = appended
    shown = table.does(RecordRetry(8.0))
    assert (shown.storage, shown.notice, shown.announced) == (None, None, "8/3 6/3")
    assert len(table.asked_for) == 2


def test_on_a_full_disk_its_cube_decision_waits_for_space(announced):
    announced.sees(AFTER_53)
    announced.doubles(WHITE)
    asked, appended = len(announced.asked_for), fill_disk(announced)
    assert announced.decides(yes=True).match.owner is None
    announced.append_all = appended
    assert announced.does(RecordRetry(8.0)).match.owner is BLACK
    assert len(announced.asked_for) == asked


def test_a_decision_made_on_a_full_disk_is_asked_again_after_a_dispute(table):
    doubles_not(table)
    appended = fill_disk(table)
    table.decides("8/3 6/3")
    table.append_all = appended
    table.taps(Button.REFEREE)
    asked = len(table.asked_for)
    assert table.does(Proposes(Remedy.CORRECTED, 8.0, WHITE)).announced is None
    assert len(table.asked_for) == asked + 1


def test_if_no_engine_answers_a_double_the_game_continues_with_a_message(announced):
    announced.sees(AFTER_53)
    announced.doubles(WHITE)
    broken = Player(RULES, Broken(), Broken())
    shown = announced.does(Decided(broken.decide(announced.asked_for[-1]), announced.asked_for[-1].turn, 5.0))
    assert shown.notice.key == "opponent.blind"
    assert shown.match.owner is BLACK
    assert announced.game.running


def test_it_plays_checkers():
    table = OpponentTable([], rules=rules_named("acf"))
    table.sets()
    table.taps()
    assert table.asked_for[-1].dice is None
    table.decides("11-15")
    table.plays("12-16")
    assert table.snapshot.verdict.message.key == "announced.other"
    table.plays("11-15")
    assert table.taps().on_roll is WHITE
    table.plays("22-18")
    assert table.taps().on_roll is BLACK
    table.decides("15x22")
    assert table.snapshot.announced == "15x22"


def test_if_the_players_change_colours_it_changes_too():
    terms = match_begun(MatchBegan(3, change_colours=True))
    table = OpponentTable([], rules=rules_named("acf"), terms=terms)
    table.sets()
    table.taps()
    assert table.snapshot.opponent is BLACK
    table.does(Resigns(WHITE, "win", 3.0))
    table.sets()
    table.taps()
    assert table.snapshot.opponent is WHITE
