import random

import pytest

from companion.core import Side
from companion.hints import choose_engine
from companion.hints.checkers import CheckersEngine
from companion.hints.checkers_bits import BitMoves, Bits
from companion.hints.engine import EngineError
from companion.rules import CheckersPosition, load_sheet, rules_named
from companion.rules.registry import ruleset_for

ACF = rules_named("acf")
TRAVEL = rules_named("travel-set-checkers")


def best(fen, rules=ACF):
    position = CheckersPosition.from_fen(fen)
    return CheckersEngine(rules).rank(position, position.to_move, None, 1).plays[0].play


def reached(moves, position):
    """As the search has it: captures, and quiet moves where they are allowed beside them."""
    at = Bits.of(position)
    captures = moves.captures(at)
    return set(captures) | (set() if captures and moves.must_capture else set(moves.quiet(at)))


OTHERWISE = ['capture = "optional"', 'jump_sequence = "may_stop"', "crowning_ends_turn = false"]


@pytest.mark.parametrize("more", ["", *OTHERWISE])
def test_the_search_knows_the_moves_that_the_rules_know(tmp_path, more):
    (tmp_path / "mine.toml").write_text(f'base = "acf"\n{more}\n')
    rules = ruleset_for(load_sheet(str(tmp_path / "mine.toml")))
    moves, chance = BitMoves(rules.sheet), random.Random(more)
    for _ in range(30):
        position = rules.start()
        for _ in range(70):
            successors = rules.successors(position, position.to_move)
            assert reached(moves, position) == {Bits.of(s.after) for s in successors}
            if not successors:
                break
            position = chance.choice(successors).after


def test_it_takes_what_is_to_be_had_and_gives_nothing_away():
    assert best("B:W18,31:B11,1") != "11-15"
    assert best("W:WK14:BK10,6,3,24").startswith("14x")


def test_it_says_that_it_is_weak_and_ranks_the_best_first():
    ranking = CheckersEngine(ACF).rank(ACF.start(), Side.BLACK, None, 4)
    assert "weak" in ranking.engine
    assert len(ranking.plays) == 4
    assert [play.equity for play in ranking.plays] == sorted((play.equity for play in ranking.plays), reverse=True)


def test_a_sheet_with_choices_is_searched_by_its_own_rules():
    position = CheckersPosition.from_fen("B:W18,25,27:B15,1")
    plays = {play.play for play in CheckersEngine(TRAVEL).rank(position, Side.BLACK, None, 20).plays}
    assert plays == {TRAVEL.write_play(s.play) for s in TRAVEL.successors(position, Side.BLACK, None)}


def test_checkers_has_one_engine():
    assert isinstance(choose_engine(ACF), CheckersEngine)
    assert isinstance(choose_engine(ACF, "plain", 0), CheckersEngine)
    with pytest.raises(EngineError, match="backgammon only"):
        choose_engine(ACF, "gnubg")
    with pytest.raises(EngineError, match="'standard' is for backgammon"):
        CheckersEngine(rules_named("standard"))


def test_a_side_without_moves_has_none_ranked():
    assert CheckersEngine(ACF).rank(CheckersPosition.from_fen("B:W5:B1"), Side.BLACK, None, 3).plays != ()
    assert CheckersEngine(ACF).rank(CheckersPosition.from_fen("W:W5,9:B1,6"), Side.WHITE, None, 3).plays is not None
