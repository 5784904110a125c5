from dataclasses import replace

from companion.core import Dice, Side
from companion.hints.plain import PlainEngine, evaluate
from companion.rules import BackgammonPosition, rules_named

RULES = rules_named("standard")
ENGINE = PlainEngine(RULES)


def best(position, side, *dice):
    return ENGINE.rank(position, side, Dice(dice), 1).plays[0].play


def test_it_makes_its_five_point_with_three_one_and_its_bar_point_with_six_one():
    assert best(RULES.start(), Side.WHITE, 3, 1) == "8/5 6/5"
    assert best(RULES.start(), Side.BLACK, 6, 1) == "13/7 8/7"


def test_it_says_that_it_is_weak():
    assert "weak" in ENGINE.rank(RULES.start(), Side.WHITE, Dice((3, 1)), 3).engine


def test_plays_come_best_first_and_no_more_than_asked_for():
    plays = ENGINE.rank(RULES.start(), Side.WHITE, Dice((6, 4)), 4).plays
    assert len(plays) == 4
    assert [play.equity for play in plays] == sorted((play.equity for play in plays), reverse=True)


def test_in_a_race_it_bears_off_rather_than_moves_down():
    home = BackgammonPosition((3, 3, 3, 2, 2, 2, *[0] * 12, *[-3] * 5, 0))
    assert best(home, Side.WHITE, 2, 1) == "2/off 1/off"


def test_a_position_is_as_good_for_one_as_it_is_for_the_other_when_turned_over():
    position = replace(RULES.start(), points=(*RULES.start().points[:5], 4, 1, *RULES.start().points[7:]))
    turned = replace(position, points=tuple(-count for count in reversed(position.points)))
    assert evaluate(position, Side.WHITE) == evaluate(turned, Side.BLACK)


def test_without_a_legal_play_there_is_none_to_rank():
    closed = BackgammonPosition((2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), (1, 0), (2, 3))
    assert ENGINE.rank(closed, Side.WHITE, Dice((6, 1)), 5).plays == ()
