"""The set's own dice: read by the camera or entered by hand, with the sheet's rules for throwing."""

from dataclasses import replace

import pytest
from memory_secrets import MemorySecrets
from played_table import AFTER_61, BLACK, RULES, START, WHITE, PlayedTable, certain, moved
from said import keys_of, notice_of

from companion.core import Dice, Die, Half, message
from companion.dice import CameraDice, FairDice, HandDice
from companion.game import OpeningRolled, Phase, Played, Rolled, RollVoided
from companion.interface import DiceToEnter, RolledByHand, Saw, Stirred
from companion.rules import rules_named

ENCYCLOPEDIA = rules_named("encyclopedia")
PLACES = {Half.RIGHT: 0.8, Half.LEFT: 0.2}


def die(value, half=Half.RIGHT, *, flat=True, x=None, y=0.3):
    return Die(value, half, flat, PLACES.get(half, 0.5) if x is None else x, y, 0.03)


def pair(*values, half=Half.RIGHT, y=0.3, **how):
    """Two dice beside each other on one half."""
    return tuple(die(value, half, y=y + 0.1 * n, **how) for n, value in enumerate(values))


OPENING = (die(1, Half.LEFT), die(6, Half.RIGHT))


class OwnDice(PlayedTable):
    """A table whose camera sees dice too."""

    def __init__(self, rules=RULES, **options):
        super().__init__(CameraDice(), rules, **options)

    def sees(self, position, lying=(), picture=b"jpeg"):
        return self.does(Stirred(1.0), Saw(replace(certain(position), lying=tuple(lying)), 2.0, picture))

    def opens(self):
        """White 6, Black 1."""
        self.sees(START, OPENING)
        return self.taps()


@pytest.fixture
def table():
    return OwnDice()


def test_with_the_sets_own_dice_the_message_for_the_start_does_not_say_to_tap_roll(table):
    assert keys_of(table.sees(START).notice) == {"dice.begin.camera"}
    by_hand = PlayedTable(HandDice())
    assert keys_of(by_hand.sees(START).notice) == {"dice.begin.hand"}
    tie = by_hand.does(RolledByHand(None, Dice((4, 4)), 3.0))
    assert notice_of(tie) == "Both rolled 4. For the start each player throws one die: enter both on the page."


@pytest.fixture
def mannered():
    """A game with rules for throwing, in which White has played 6-1 and Black is to throw."""
    table = OwnDice(ENCYCLOPEDIA)
    table.opens()
    table.sees(AFTER_61)
    return table


# --- without manners ---


def test_at_the_start_each_players_die_is_on_their_right(table):
    shown = table.opens()
    assert table.events[-1] == OpeningRolled(6, 1)
    assert (shown.on_roll, shown.dice) == ("white", (6, 1))


@pytest.mark.parametrize("lying", [pair(6, 1), pair(6, 1, half=Half.LEFT), (die(6), die(1, None)), (die(6),)])
def test_at_the_start_ambiguous_dice_are_refused(table, lying):
    table.sees(START, lying)
    assert table.taps().notice.key == "dice.start"
    assert table.events == []


def test_with_a_legal_play_and_two_dice_on_the_board_roll_takes_these_dice(table):
    table.opens()
    table.sees(AFTER_61, pair(4, 3, half=Half.LEFT))
    shown = table.taps()
    assert table.events[-2:] == [Played(WHITE, "13/7 8/7", AFTER_61), Rolled(BLACK, Dice((4, 3)), "camera")]
    assert (shown.on_roll, shown.dice) == ("black", (4, 3))


def test_without_readable_dice_roll_is_refused_with_the_reason(table):
    table.opens()
    table.sees(AFTER_61)
    count = len(table.events)
    assert table.taps().notice.key == "dice.unseen"
    table.sees(AFTER_61, (*pair(4, 3), *pair(6, 1, y=0.6)))
    assert table.taps().notice == message("dice.too_many", count=4)
    table.sees(AFTER_61, (die(4), die(3, flat=False)))
    assert "dice.not_flat" in keys_of(table.taps().notice)
    assert len(table.events) == count


def test_the_dice_of_the_last_roll_are_not_used_twice(table):
    table.opens()
    table.sees(AFTER_61, OPENING)
    assert table.taps().notice.key == "dice.old"
    nudged = tuple(replace(d, x=d.x + 0.01) for d in OPENING)
    table.sees(AFTER_61, nudged)
    assert table.taps().notice.key == "dice.old"
    elsewhere = tuple(replace(d, y=0.7) for d in OPENING)
    table.sees(AFTER_61, elsewhere)
    assert table.taps().on_roll == "black"


def test_the_dice_of_the_last_roll_are_not_used_twice_after_a_restart(table):
    table.opens()
    again = OwnDice(resume=table.events)
    again.sees(START, OPENING)
    again.sees(AFTER_61, OPENING)
    assert again.taps().notice.key == "dice.old"


def test_during_motion_over_the_board_no_dice_are_taken(table):
    table.opens()
    table.sees(AFTER_61, pair(4, 3))
    table.does(Stirred(9.0))
    assert notice_of(table.taps()).startswith("No roll yet")
    assert table.session.game.on_roll is WHITE


def test_dice_the_camera_cannot_read_may_be_entered_by_hand(table):
    table.opens()
    table.sees(AFTER_61)
    shown = table.does(RolledByHand(BLACK, Dice((5, 5)), 3.0))
    assert table.events[-1] == Rolled(BLACK, Dice((5, 5)), "by hand")
    assert shown.dice == (5, 5)


def test_without_dice_rules_dice_may_land_anywhere_and_be_moved(table):
    table.opens()
    table.sees(moved(START, WHITE, (24, 18)), pair(6, 1, y=0.6))
    table.sees(AFTER_61, (die(2, None), die(5, Half.RIGHT)))
    assert table.taps().dice == (5, 2)


# --- with the manners of the encyclopedia ---


def test_both_dice_must_land_on_the_rollers_right_hand_half(mannered):
    for lying in (
        pair(4, 3, half=Half.RIGHT),
        (die(4, Half.LEFT), die(3, Half.RIGHT)),
        (die(4, Half.LEFT), die(3, None)),
    ):
        mannered.sees(AFTER_61, lying)
        assert mannered.taps().notice == message("dice.again", fault=message("dice.half", player=BLACK))
    assert mannered.session.game.on_roll is WHITE
    mannered.sees(AFTER_61, pair(4, 3, half=Half.LEFT))
    assert mannered.taps().dice == (4, 3)


def test_dice_that_lay_there_before_the_play_was_complete_are_thrown_again():
    table = OwnDice(ENCYCLOPEDIA)
    table.opens()
    early = pair(4, 3, half=Half.LEFT)
    table.sees(moved(START, WHITE, (24, 18)), early)
    table.sees(AFTER_61, early)
    assert table.taps().notice == message("dice.again", fault=message("dice.early", player=BLACK))
    table.sees(AFTER_61, pair(2, 2, half=Half.LEFT, y=0.7))
    assert table.taps().dice == (2, 2)


def test_an_incomplete_turn_stands_after_the_next_players_throw():
    table = OwnDice(ENCYCLOPEDIA)
    table.opens()
    part = moved(START, WHITE, (13, 7))
    table.sees(part)
    assert table.sees(part, pair(4, 3, half=Half.LEFT)).verdict.finding == "unfinished"
    assert table.taps().dice == (4, 3)
    assert table.events[-2].condoned == "could_play_more"


def test_while_the_dice_of_the_turn_are_on_the_board_another_throw_is_too_early():
    table = OwnDice(ENCYCLOPEDIA)
    table.opens()
    table.sees(moved(START, WHITE, (13, 7)), (*OPENING, *pair(4, 3, half=Half.LEFT, y=0.6)))
    assert table.taps().notice == message("dice.too_many", count=4)
    assert table.session.game.on_roll is WHITE


def test_an_illegal_play_allowed_by_the_sheet_is_condoned_by_throw_and_tap():
    table = OwnDice(ENCYCLOPEDIA)
    table.opens()
    illegal = moved(START, WHITE, (13, 6), (8, 7))
    assert table.sees(illegal, pair(4, 3, half=Half.LEFT)).verdict.finding == "illegal"
    assert table.taps().dice == (4, 3)
    assert table.events[-2].condoned is not None


def test_dice_touched_before_the_move_is_made_are_rolled_again(mannered):
    rolled = pair(4, 3, half=Half.LEFT)
    mannered.sees(AFTER_61, rolled)
    mannered.taps()
    mannered.sees(AFTER_61, rolled)
    assert mannered.session.game.phase is Phase.TO_MOVE
    shown = mannered.sees(AFTER_61, pair(4, 6, half=Half.LEFT))
    assert mannered.events[-1] == RollVoided(BLACK, "The dice were not left alone until the move was made.")
    assert (shown.phase, shown.on_roll, shown.dice) == (Phase.TO_ROLL, "black", None)
    assert shown.notice.key == "dice.repeated"
    assert mannered.taps().notice.key == "dice.old"
    mannered.sees(AFTER_61, pair(1, 1, half=Half.LEFT, y=0.7))
    assert mannered.taps().dice == (1, 1)


def test_hidden_or_picked_up_dice_do_not_void_the_roll(mannered):
    mannered.sees(AFTER_61, pair(4, 3, half=Half.LEFT))
    mannered.taps()
    for lying in ((), (die(4, Half.LEFT),)):
        assert mannered.sees(AFTER_61, lying).phase is Phase.TO_MOVE
    assert not any(isinstance(event, RollVoided) for event in mannered.events)


def test_once_the_move_is_made_the_dice_may_be_picked_up(mannered):
    mannered.sees(AFTER_61, pair(4, 3, half=Half.LEFT))
    mannered.taps()
    after = moved(AFTER_61, BLACK, (24, 20), (13, 10))
    mannered.sees(after, pair(6, 6, half=Half.RIGHT))
    assert mannered.taps().dice == (6, 6)


# --- by hand ---


def test_two_entered_dice_open_the_game():
    table = PlayedTable(HandDice())
    table.sees(START)
    shown = table.does(RolledByHand(None, Dice((2, 5)), 1.0))
    assert table.events[-1] == OpeningRolled(2, 5)
    assert (shown.on_roll, shown.dice) == ("black", (2, 5))
    assert table.does(RolledByHand(None, Dice((2, 5)), 1.0)).notice.key == "dice.whose"


def test_entered_dice_have_the_number_that_the_sheet_requires():
    table = PlayedTable(HandDice())
    table.sees(START)
    table.does(RolledByHand(None, Dice((6, 1)), 1.0))
    table.sees(AFTER_61)
    assert table.does(RolledByHand(BLACK, Dice((3,)), 1.0)).notice.key == "dice.turn.two"
    assert table.does(RolledByHand(BLACK, Dice((3, 1)), 1.0)).dice == (3, 1)


def test_a_game_does_not_begin_with_the_wrong_number_of_dice():
    table = PlayedTable(HandDice())
    table.sees(START)
    assert table.does(RolledByHand(WHITE, Dice((3,)), 1.0)).notice.key == "dice.turn.two"
    assert table.events == []


def test_if_the_winner_begins_the_next_game_dice_of_the_other_player_are_refused():
    table = PlayedTable(HandDice(), rules_named("no-doubling"))
    table.sees(START)
    table.does(RolledByHand(WHITE, Dice((6, 1)), 1.0))
    table.resigns(WHITE)
    table.sees(START)
    assert table.does(RolledByHand(WHITE, Dice((4, 3)), 1.0)).notice.key == "other_rolls"
    assert table.game.number == 1
    assert table.does(RolledByHand(BLACK, Dice((4, 3)), 1.0)).on_roll == "black"


def test_if_boardside_rolls_entered_dice_are_refused():
    table = PlayedTable(FairDice(MemorySecrets()))
    table.sees(START)
    assert table.does(RolledByHand(WHITE, Dice((6, 6)), 1.0)).notice.key == "dice.fair"
    assert table.session.game.number == 0


def test_the_snapshot_contains_whose_dice_may_be_entered():
    table = PlayedTable(HandDice())
    assert table.sees(START).fairness.enter == DiceToEnter(None)
    table.does(RolledByHand(None, Dice((6, 1)), 1.0))
    assert table.snapshot.fairness.enter == DiceToEnter(BLACK)
    assert table.snapshot.fairness.faces == (1, 0, 0, 0, 0, 1)
    assert PlayedTable(FairDice(MemorySecrets())).sees(START).fairness.enter is None


def test_the_snapshot_contains_the_dice_that_the_camera_reads(table):
    assert table.sees(START, OPENING).fairness.lying == (1, 6)
    assert table.does(Stirred(3.0)).fairness.lying is None
    assert PlayedTable(HandDice()).sees(START).fairness.lying is None
