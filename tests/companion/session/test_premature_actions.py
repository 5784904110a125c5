"""Rolls and doubles before the other player's turn is finished: they stand at tournaments only."""

from dataclasses import replace

import pytest
from played_table import START, PlayedTable, certain, moved
from said import keys_of, notice_of

from companion.core import Dice, Die, Half, Side, joined, message
from companion.dice import CameraDice, HandDice
from companion.game import Doubled, Phase, Played, Remedy, Rolled
from companion.interface import Agrees, Proposes, RolledByHand, Saw, Stirred
from companion.rules import rules_named
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.texts import render

WHITE, BLACK = Side.WHITE, Side.BLACK
TOO_EARLY = message("early.rolled", player=BLACK, dice=Dice((5, 3)), opponent=WHITE)


@pytest.fixture
def players(sit_down):
    """At a tournament White has 6-1 to play and has moved the 6; next come 5-3 and 4-2."""
    players = sit_down("tournament", [6, 1, 5, 3, 4, 2])
    players.sets()
    players.taps()
    players.plays("13/7")
    return players


def test_a_premature_roll_stands_and_the_opponent_finishes_the_turn_with_it_known(players):
    shown = players.taps(player=BLACK)
    assert players.events[-1] == Rolled(BLACK, Dice((5, 3)), "scripted", early=True)
    assert (shown.phase, shown.on_roll, shown.dice) == (Phase.TO_MOVE, WHITE, (6, 1))
    assert shown.notice == TOO_EARLY
    shown = players.plays("13/7 8/7")
    then = message("early.rolled.next", player=BLACK, dice=Dice((5, 3)))
    assert (shown.verdict.finding, shown.notice) == ("legal", joined((TOO_EARLY, then)))
    shown = players.taps(player=BLACK)
    assert [type(event) for event in players.events[-2:]] == [Played, Rolled]
    assert (shown.on_roll, shown.dice, shown.early) == (BLACK, (5, 3), None)
    assert sum(shown.fairness.faces) == 4


def test_a_premature_roll_is_spoken_once_and_the_present_roll_not_again(players):
    announcer = Announcer(Language("en", Style.FRIENDLY))
    announcer.see(players.snapshot)
    (said,) = announcer.see(players.taps(player=BLACK))
    assert said.text.startswith("Black has rolled five and three too early: the roll stands")
    announcer.see(players.plays("13/7 8/7"))
    assert "Black rolled five and three." in [line.text for line in announcer.see(players.taps(player=BLACK))]


def test_nobody_rolls_twice_before_the_turn_is_finished(players):
    players.taps(player=BLACK)
    count = len(players.events)
    assert notice_of(players.taps(player=BLACK)).startswith("No roll yet: ")
    assert len(players.events) == count


def test_after_a_premature_roll_the_player_cannot_double(players):
    players.taps(player=BLACK)
    shown = players.plays("13/7 8/7")
    assert "double" not in {action.kind for action in shown.actions}
    assert keys_of(players.doubles().notice) == {"cube.may_not", "cube.rolled_early"}


def test_a_premature_double_stands_and_is_answered_once_the_turn_is_finished(players):
    shown = players.doubles(BLACK)
    assert players.events[-1] == Doubled(BLACK, early=True)
    assert (shown.phase, shown.match.offered_by) == (Phase.TO_MOVE, None)
    assert shown.notice.key == "early.doubled"
    assert render(players.plays("13/7 8/7").notice).endswith(
        "Black taps Roll to accept the play; White then takes or passes."
    )
    shown = players.taps()
    assert players.events[-1] == Doubled(BLACK)
    assert (shown.match.offered_by, shown.early) == (BLACK, None)
    assert players.takes().match.cube == 2
    assert players.taps().dice == (5, 3)


def test_before_any_move_a_roll_is_premature_but_not_an_accidental_second_tap(sit_down):
    players = sit_down("tournament", [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.sets()
    assert notice_of(players.taps()).startswith("No roll yet: ")
    assert players.taps(player=WHITE).notice.key == "other_rolls"
    assert players.taps(player=BLACK).notice == TOO_EARLY


def test_with_an_uncertain_board_a_roll_is_not_premature(players):
    players.cannot_see("hand")
    assert notice_of(players.taps(player=BLACK)).startswith("No roll yet. ")
    assert players.game.early is None


def test_a_roll_accepts_an_illegal_play_and_is_not_premature(players):
    players.plays("13/8")
    shown = players.taps(player=BLACK)
    assert players.events[-2].condoned == "wrong_distance"
    assert shown.dice == (5, 3)


def test_a_double_also_accepts_an_illegal_play(players):
    shown = players.plays("13/8")
    assert ("double", BLACK) in {(action.kind, action.player) for action in shown.actions}
    assert players.doubles().match.offered_by is BLACK
    assert players.events[-2].condoned == "wrong_distance"


def test_a_premature_roll_is_kept_after_a_restart(sit_down, players):
    players.taps(player=BLACK)
    again = sit_down("tournament", [2, 2], resume=players.events)
    assert again.game == players.game
    assert TOO_EARLY.key in keys_of(again.plays("13/7 8/7").notice)
    assert again.taps().dice == (5, 3)


def test_a_premature_roll_is_kept_after_a_takeback(players):
    players.plays("13/7 8/7")
    players.taps()
    players.taps(player=WHITE)
    early = players.game.early
    assert (early.side, early.dice) == (WHITE, Dice((4, 2)))
    players.does(Proposes(Remedy.TAKEBACK, 9.0, BLACK))
    players.does(Agrees(players.game.proposal.number, 10.0, WHITE))
    players.sets(START)
    players.plays("24/18 24/23")
    assert players.taps().dice == (5, 3)
    players.plays_anything()
    assert players.taps().dice == (4, 2)


@pytest.mark.parametrize("sheet", ["standard", "encyclopedia"])
def test_under_other_sheets_a_premature_roll_has_no_effect(sit_down, sheet):
    players = sit_down(sheet, [6, 1, 5, 3])
    players.sets()
    players.taps()
    players.sets()
    assert notice_of(players.taps(player=BLACK)).startswith("No roll yet: ")
    assert not [event for event in players.events if isinstance(event, Rolled)]


# --- the players' own dice ---


def dice_on(half, *values):
    x = 0.8 if half is Half.RIGHT else 0.2
    return tuple(Die(value, half, True, x, 0.3 + 0.1 * place, 0.03) for place, value in enumerate(values))


def own_dice(sheet):
    """White has 6-1 to play and has moved the 6."""
    table = PlayedTable(CameraDice(), rules_named(sheet))
    look(table, START, *OPENING)
    table.taps()
    return table


def look(table, position, *lying):
    return table.does(Stirred(1.0), Saw(replace(certain(position), lying=lying), 2.0, b"jpeg"))


OPENING = (*dice_on(Half.LEFT, 1), *dice_on(Half.RIGHT, 6))
PART = moved(START, WHITE, (13, 7))
WHOLE = moved(START, WHITE, (13, 7), (8, 7))


def test_dice_thrown_beside_those_of_the_turn_count_after_it():
    table = own_dice("tournament")
    look(table, PART, *OPENING, *dice_on(Half.LEFT, 5, 3))
    assert table.taps(player=BLACK).notice == message("dice.too_many", count=4)
    look(table, WHOLE, *dice_on(Half.LEFT, 5, 3))
    assert table.taps().dice == (5, 3)
    assert table.events[-2].condoned is None


def test_picking_up_the_dice_with_a_die_left_ends_the_turn():
    table = own_dice("tournament")
    look(table, PART)
    look(table, PART, *dice_on(Half.LEFT, 5, 3))
    assert table.taps(player=BLACK).dice == (5, 3)
    assert table.events[-2].condoned == "could_play_more"


def test_dice_thrown_too_early_count_as_well():
    table = own_dice("tournament")
    look(table, PART, *dice_on(Half.LEFT, 5, 3))
    look(table, WHOLE, *dice_on(Half.LEFT, 5, 3))
    assert table.taps().dice == (5, 3)


def test_dice_must_land_on_the_right_hand_half_or_if_the_sheet_allows_on_either(tmp_path):
    table = own_dice("tournament")
    look(table, WHOLE, *dice_on(Half.RIGHT, 5, 3))
    assert "dice.half" in keys_of(table.taps().notice)
    mine = tmp_path / "either.toml"
    mine.write_text('base = "tournament"\ndice_half = "either"\n')
    table = own_dice(str(mine))
    look(table, WHOLE, *dice_on(Half.RIGHT, 5, 3))
    assert table.taps().dice == (5, 3)


def test_dice_entered_too_early_are_premature_and_cannot_be_replaced(sit_down):
    players = sit_down("tournament", HandDice())
    players.sets()
    players.does(RolledByHand(None, Dice((6, 1)), 3.0))
    players.plays("13/7")
    assert players.does(RolledByHand(BLACK, Dice((5, 3)), 4.0)).notice == TOO_EARLY
    players.plays("13/7 8/7")
    assert players.does(RolledByHand(BLACK, Dice((6, 6)), 5.0)).notice == TOO_EARLY
    assert players.does(RolledByHand(BLACK, Dice((3, 5)), 6.0)).dice == (5, 3)


# --- a game that ends before the turn is finished ---


def test_a_premature_double_before_the_end_of_a_game_does_not_block_the_next(players):
    players.doubles(BLACK)
    shown = players.resigns(WHITE)
    assert (shown.phase, shown.early) == (Phase.OVER, None)
    players.sets()
    shown = players.taps()
    assert (shown.phase, shown.dice, players.game.number) == (Phase.TO_MOVE, (5, 3), 2)
    assert shown.match.offered_by is None


def test_a_premature_roll_before_the_end_of_a_game_is_not_used_in_the_next(sit_down):
    players = sit_down("tournament", HandDice())
    players.sets()
    players.does(RolledByHand(None, Dice((6, 1)), 3.0))
    players.plays("13/7")
    players.does(RolledByHand(BLACK, Dice((5, 3)), 3.0))
    players.resigns(WHITE)
    players.sets()
    shown = players.does(RolledByHand(None, Dice((2, 1)), 3.0))
    assert (shown.phase, shown.dice) == (Phase.TO_MOVE, (2, 1))


@pytest.mark.parametrize("acts", [PlayedTable.taps, PlayedTable.doubles])
def test_premature_actions_stand_again_after_the_end_is_taken_back(players, acts):
    acts(players, player=BLACK)
    before = players.game
    players.resigns(WHITE)
    assert not players.game.pending_rolls
    players.does(Proposes(Remedy.TAKEBACK, 5.0, WHITE))
    players.accepts(BLACK)
    assert players.game.running
    assert (players.game.early, players.game.pending_rolls) == (before.early, before.pending_rolls)
