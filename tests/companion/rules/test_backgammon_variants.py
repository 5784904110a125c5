"""Backgammon under sheets that differ, one test a field."""

from __future__ import annotations

import pytest

from companion.core import Dice, Finding, Side
from companion.notation import parse_play
from companion.rules import BackgammonPosition, Outcome, Score, load_sheet, rules_named
from companion.rules.backgammon.position import START
from companion.rules.backgammon.rules import move_checkers
from companion.rules.registry import ruleset_for
from companion.rules.ruleset import RulesError

HOME = BackgammonPosition((*[0] * 3, 2, 1, 0, *[0] * 15, -2, 0, 0), off=(12, 13))


@pytest.fixture
def under(tmp_path):
    """Rules under `standard` with one line of difference."""

    def build(line: str):
        path = tmp_path / "house.toml"
        path.write_text(f'base = "standard"\n{line}\n', encoding="utf-8")
        return ruleset_for(load_sheet(str(path)))

    return build


def plays(rules, where: BackgammonPosition, *dice: int) -> set[str]:
    return {rules.write_play(s.play) for s in rules.successors(where, Side.WHITE, Dice(dice))}


def judged(rules, where: BackgammonPosition, dice: tuple[int, ...], play: str):
    return rules.explain(where, Side.WHITE, Dice(dice), move_checkers(where, Side.WHITE, parse_play(play)), done=True)


def test_one_die_is_rolled_once_all_are_home_if_the_sheet_says_so(under):
    rules = under('bear_off_dice = "one"')
    assert (rules.dice_count(START, Side.WHITE), rules.dice_count(HOME, Side.WHITE)) == (2, 1)
    assert plays(rules, HOME, 4) == {"4/off", "5/1"}
    assert judged(rules, HOME, (6,), "5/off").finding is Finding.LEGAL
    with pytest.raises(RulesError, match=r"\[6, 1\].*rolled with 1"):
        plays(rules, HOME, 6, 1)


def test_dice_may_be_left_unplayed_if_the_sheet_says_so(under):
    rules = under("use_as_many_dice_as_possible = false")
    assert judged(rules, START, (5, 2), "13/8").finding is Finding.LEGAL
    assert {"13/8", "13/8 24/22"} & plays(rules, START, 5, 2) == {"13/8"}
    assert judged(rules, START, (5, 2), "").finding is Finding.ILLEGAL  # one die must be played


def test_the_smaller_die_may_be_chosen_if_the_sheet_says_so(under):
    where = BackgammonPosition((*[0] * 13, -2, *[0] * 9, 1), off=(14, 13))
    assert plays(rules_named("standard"), where, 6, 4) == {"24/18"}
    assert plays(under("larger_die_if_only_one = false"), where, 6, 4) == {"24/18", "24/20"}


def test_a_full_point_is_closed_to_its_owner():
    five = rules_named("encyclopedia")
    assert not {play for play in plays(five, START, 5, 2) if "8/6" in play or "13/6" in play}
    assert judged(five, START, (5, 2), "13/6").reason == "stack_limit"


def test_a_full_point_opens_when_one_of_its_checkers_has_left():
    five = rules_named("encyclopedia")
    assert judged(five, START, (4, 2), "6/2 8/6").finding is Finding.LEGAL


def test_bearing_off_needs_the_exact_number_if_the_sheet_says_so():
    own_number = rules_named("encyclopedia")
    where = BackgammonPosition((0, 3, *[0] * 19, -2, 0, 0), off=(12, 13))
    assert plays(own_number, where, 6, 2) == {"2/off"}
    assert plays(own_number, where, 6, 5) == set()
    assert judged(own_number, where, (6, 5), "").finding is Finding.LEGAL
    assert judged(own_number, where, (6, 5), "2/off").reason == "wrong_distance"


@pytest.mark.parametrize(
    ("sheet", "kind", "stakes", "score"),
    [
        ("standard", "backgammon", False, Score(6, "backgammon")),
        ("travel-set", "backgammon", False, Score(1, "single")),
        ("travel-set", "backgammon", True, Score(3, "backgammon")),
        ("travel-set", "gammon", True, Score(2, "gammon")),
    ],
)
def test_levels_count_always_or_for_stakes_and_the_cube_counts_if_there_is_one(sheet, kind, stakes, score):
    assert rules_named(sheet).score(Outcome(Side.WHITE, kind), cube=2, for_stakes=stakes) == score


@pytest.mark.parametrize(
    ("sheet", "loser", "off", "kind"),
    [
        ("standard", {24: 1, 1: 14}, 0, "backgammon"),
        ("standard", {24: 1, 1: 13}, 1, "single"),
        ("standard", {18: 1, 1: 14}, 0, "gammon"),
        ("travel-set", {24: 1, 1: 13}, 1, "backgammon"),
        ("travel-set", {7: 1, 1: 13}, 1, "gammon"),
        ("travel-set", {6: 1, 1: 13}, 1, "single"),
        ("travel-set", {6: 1, 1: 14}, 0, "gammon"),
        ("encyclopedia", {24: 1, 1: 14}, 0, "backgammon"),
        ("no-doubling", {24: 1, 1: 14}, 0, "gammon"),
        ("no-doubling", {24: 1, 1: 13}, 1, "single"),
        ("clockwise", {24: 1, 1: 14}, 0, "single"),
        ("green-box", {24: 1, 1: 14}, 0, "single"),
    ],
)
def test_the_level_of_a_loss(sheet, loser, off, kind):
    """`loser` is Black, by Black's own numbers."""
    points = tuple(-loser.get(25 - p, 0) for p in range(1, 25))
    over = BackgammonPosition(points, off=(15, off))
    assert rules_named(sheet).outcome(over) == Outcome(Side.WHITE, kind)


def test_a_loser_on_the_bar_loses_three():
    over = BackgammonPosition((*[0] * 23, -14), bar=(0, 1), off=(15, 0))
    assert rules_named("standard").outcome(over) == Outcome(Side.WHITE, "backgammon")


def test_a_full_point_blocks_nobody_if_no_rolled_number_leads_over_it():
    assert judged(rules_named("encyclopedia"), START, (5, 1), "8/5").reason == "wrong_distance"
