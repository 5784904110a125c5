import random
from functools import cache

import pytest

from companion.core import Side
from companion.hints.checkers_bits import Captures, bits_of
from companion.hints.checkers_compiled import CompiledSearch
from companion.hints.checkers_endings import Endings, Rules, endings_of
from companion.hints.checkers_search import SURE, WON
from companion.rules import CheckersPosition, load_sheet, rules_named
from companion.rules.registry import ruleset_for

ACF = rules_named("acf")
OTHERWISE = ['capture = "optional"', 'jump_sequence = "may_stop"', "crowning_ends_turn = false"]
WHITE_CROWNS, BLACK_CROWNS = range(4), range(28, 32)


@cache
def solved(compiled, captures):
    endings = endings_of(compiled, captures)
    assert endings.wait()
    return endings


def endings_and_captures(compiled, rules=ACF):
    captures = Captures(rules.sheet)
    return solved(compiled, captures), captures


def placed_by(chance):
    """Up to four pieces by chance, with both sides there."""
    squares = chance.sample(range(32), chance.randint(2, 4))
    white, black = squares[: (own := chance.randint(1, min(3, len(squares) - 1)))], squares[own:][:3]
    kings = [n for n in white if n in WHITE_CROWNS or chance.random() < 0.5]
    kings += [n for n in black if n in BLACK_CROWNS or chance.random() < 0.5]
    masks = [sum(1 << n for n in places) for places in (white, black, kings)]
    return CheckersPosition(*masks, chance.choice([Side.WHITE, Side.BLACK]))


def outcome(endings, position):
    """(1, 0 or -1, plies) for the side to move."""
    return endings.plies(bits_of(position), position.to_move is Side.WHITE)


def best_of(outcomes):
    """What a side reaches that can choose among outcomes for the other side: the quickest win, or the latest loss."""
    wins = [plies for won, plies in outcomes if won < 0]
    if wins:
        return 1, 1 + min(wins)
    if any(won == 0 for won, _ in outcomes):
        return 0, 0
    return -1, 1 + max((plies for _, plies in outcomes), default=-1)


@pytest.mark.parametrize("more", ["", *OTHERWISE])
def test_each_ending_is_as_good_as_the_best_move_of_the_rules(tmp_path, compiled, more):
    (tmp_path / "mine.toml").write_text(f'base = "acf"\n{more}\n')
    rules = ruleset_for(load_sheet(str(tmp_path / "mine.toml")))
    endings, _ = endings_and_captures(compiled, rules)
    chance, seen = random.Random(more), set()
    for _ in range(1500):
        position = placed_by(chance)
        reached = [outcome(endings, s.after) for s in rules.successors(position, position.to_move)]
        assert outcome(endings, position) == best_of(reached), position
        seen.add(outcome(endings, position)[0])
    assert seen == {1, 0, -1}


def test_two_kings_win_against_one_and_a_king_in_the_double_corner_draws_against_one(compiled):
    endings, _ = endings_and_captures(compiled)
    assert outcome(endings, CheckersPosition.from_fen("W:WK18,K19:BK11"))[0] == 1
    assert outcome(endings, CheckersPosition.from_fen("W:WK18:BK1"))[0] == 0
    assert outcome(endings, CheckersPosition.from_fen("W:W5:B1"))[0] == -1


def test_the_search_knows_the_endings(compiled):
    endings, captures = endings_and_captures(compiled)
    chance, search, looks = random.Random(4), CompiledSearch(compiled, captures), []
    for _ in range(40):
        position = placed_by(chance)
        children = [bits_of(s.after) for s in ACF.successors(position, position.to_move)]
        if not children:
            continue
        won, plies = outcome(endings, position)
        _, score = search.best(children, position.to_move is Side.BLACK, lambda _: not looks.append(0))
        assert (score > SURE, score < -SURE) == (won > 0, won < 0)
        assert won == 0 or abs(score) == WON - plies
    assert not looks, "at once"


def test_a_win_known_from_the_endings_does_not_end_the_search_for_a_shorter_one(compiled):
    _, captures = endings_and_captures(compiled)
    position = CheckersPosition.from_fen("W:WK10,K11,K15:BK1,K22")
    children = [bits_of(s.after) for s in ACF.successors(position, Side.WHITE)]
    scores = [
        CompiledSearch(compiled, captures).best(children, False, lambda searched, most=most: searched < most)[1]
        for most in (200_000, 1_000_000)
    ]
    assert SURE < scores[0] < scores[1]


def test_endings_that_are_closed_while_they_are_solved_are_not_used(compiled):
    endings = Endings(compiled, Rules(1, 1, 1))
    endings.close()
    assert not endings.wait()
