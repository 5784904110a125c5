"""Why a play is good or bad: facts of the position, which a reader can count on the board."""

from itertools import product

import pytest

from companion.core import Dice, Side
from companion.hints import explained
from companion.hints.network import NetworkEngine
from companion.hints.why import better_because
from companion.hints.why.backgammon import shots
from companion.hints.why.explained import facts_of
from companion.rules import BackgammonPosition, rules_named
from companion.texts import LANGUAGES, phrase

RULES, CHECKERS = rules_named("standard"), rules_named("acf")
START = RULES.start()
WHITE, BLACK = Side.WHITE, Side.BLACK


def why(play, *dice, position=START, side=WHITE, rules=RULES):
    after = rules.find_play(position, side, Dice(dice) if dice else None, play).after
    return [phrase(fact) for fact in facts_of(rules, position, after, side)]


def white(*, against=(), bar=(0, 0), **points):
    """A position of {point: White's checkers}, and Black's by White's points; the rest is off."""
    counts = [0] * 24
    for point, count in points.items():
        counts[int(point[1:]) - 1] = count
    for point, count in dict(against).items():
        counts[point - 1] = -count
    mine, theirs = sum(c for c in counts if c > 0) + bar[0], -sum(c for c in counts if c < 0) + bar[1]
    return BackgammonPosition(tuple(counts), bar, (15 - mine, 15 - theirs))


def test_the_best_opening_play_makes_a_point_and_leaves_no_shot():
    assert why("8/5 6/5", 3, 1) == ["makes the 5 point", "no roll of the opponent’s hits"]


def test_shots_are_counted_by_the_rules_with_combinations_and_blocks():
    assert why("13/11 6/5", 2, 1)[0] == "15 of the opponent’s 36 rolls hit"
    open_board = white(p10=1, p24=2, against={4: 1, 19: 2})
    assert shots(RULES, open_board, WHITE) == (17, 36)  # 11 sixes, 5-1, 4-2, 3-3 and 2-2
    blocked = white(p10=1, p24=2, p8=2, p6=2, against={4: 1, 19: 2})
    assert shots(RULES, blocked, WHITE) == (14, 36)  # of 4-2 and 2-2, which are blocked, none


def every_throw(position, side):
    """Throws of the opponent's that hit, with nothing left out beforehand."""
    other, bar = side.opponent, "wb".index(side.value[0])
    return sum(
        any(s.after.bar[bar] > position.bar[bar] for s in RULES.successors(position, other, Dice(roll)))
        for roll in product(range(1, 7), repeat=2)
    )


@pytest.mark.parametrize("dice", [(6, 4), (5, 5), (2, 1)])
def test_no_shot_is_overlooked(dice):
    for successor in RULES.successors(START, BLACK, Dice(dice))[::3]:
        assert shots(RULES, successor.after, BLACK)[0] == every_throw(successor.after, BLACK)
    on_bar = white(p6=1, p3=1, p20=2, against={1: 1, 12: 3, 19: 2}, bar=(0, 1))
    assert shots(RULES, on_bar, WHITE)[0] == every_throw(on_bar, WHITE)


def test_reasons_name_a_hit_and_a_prime_and_checkers_on_the_bar():
    position = white(p9=2, p7=2, p6=2, p5=2, p13=2, against={8: 1, 20: 3})
    facts = why("13/8* 9/8", 5, 1, position=position)
    assert facts == ["hits on 8", "makes the 8 point", "4 of the opponent’s 36 rolls hit", "a prime of 4 from 5 to 8"]


def test_no_checker_enters_against_a_closed_board():
    closed = white(p8=1, p6=2, p5=2, p4=2, p3=2, p2=2, p1=1, against={20: 2}, bar=(0, 1))
    facts = why("8/1", 6, 1, position=closed)
    assert "36 of the opponent’s 36 rolls do not come in" in facts
    assert "a prime of 6 from 1 to 6" in facts


def test_reasons_name_an_anchor_and_an_escape():
    assert why("24/20(2) 13/9(2)", 4, 4)[:3] == [
        "makes the 9 point",
        "makes an anchor on 20",
        "no roll of the opponent’s hits",
    ]
    assert "brings a checker out of Black’s home board" in why("24/13", 6, 5)


def test_reasons_name_pips_and_borne_off_checkers_in_a_race():
    race = white(p6=2, p5=2, p4=2, against={19: 3, 20: 3})
    assert why("6/off 5/off", 6, 5, position=race) == ["bears 2 off", "leads the race, 19 pips to 33"]


def test_a_lesson_compares_the_better_play_with_the_one_made():
    def after(play):
        return RULES.find_play(START, WHITE, Dice((6, 4)), play).after

    facts = better_because(RULES, START, after("8/2 6/2"), after("24/18 13/9"), WHITE)
    assert [phrase(fact) for fact in facts] == ["makes the 2 point", "no roll of the opponent’s hits"]
    facts = better_because(RULES, START, after("24/14"), after("24/18 13/9"), WHITE)
    assert (
        phrase(facts[0]) == "29 of the opponent’s 36 rolls hit, not 36"
    )  # all but 3-1, 6-3, 6-4 and 1-1, which is blocked
    assert "why.shots" not in [f.key for f in better_because(RULES, START, after("24/18 13/9"), after("24/14"), WHITE)]


def test_on_tiles_spaces_are_counted_forward():
    rules = rules_named("green-box")
    after = rules.find_play(START, WHITE, Dice((3, 1)), "8/5 6/5").after
    assert phrase(facts_of(rules, START, after, WHITE)[0], tiles=True) == "makes space 20"


def move(fen, play):
    position = CHECKERS.from_json(fen)
    return why(play, position=position, side=position.to_move, rules=CHECKERS)


def test_a_piece_lost_by_force_is_a_reason():
    assert "loses a piece by force" in move("W:W21,22,28:B8,15", "22-18")


def test_an_exchange_of_captures_is_counted_to_its_end():
    position = "W:W13,17,19,21,24,26,28:B3,6,8,9,10,12,14,27"
    assert move(position, "19-15")[0] == "takes 2 and loses 1 by force"  # 10x19, and then 17x10x1
    assert move("W:W19,24,28:B10,11,12", "19-16")[0] == "loses 2 pieces by force"  # 11x20x27


def test_reasons_name_a_king_and_the_last_move():
    assert "crowns a man" in move("W:W6,21:B9,12", "6-2")
    assert move("W:W7,10,12,K11:B3", "11-8") == ["leaves Black no move"]


def test_a_capture_is_a_reason_and_the_forced_answer_is_not():
    assert move("W:W22,32:B3,18", "22x15") == ["takes a piece", "leaves Black 2 moves", "goes to the centre"]
    assert move("W:W22,32:B8,11,18", "22x15") == ["takes 1 and loses 1 by force", "goes to the centre"]


def test_every_play_of_a_ranking_carries_its_facts_in_every_language():
    ranking = explained(NetworkEngine(RULES, 0).rank(START, WHITE, Dice((6, 1)), 5), RULES, START, WHITE)
    assert [phrase(fact) for fact in ranking.plays[0].why] == ["makes the 7 point", "no roll of the opponent’s hits"]
    for language in LANGUAGES:
        assert all(phrase(fact, language) for play in ranking.plays for fact in play.why)
