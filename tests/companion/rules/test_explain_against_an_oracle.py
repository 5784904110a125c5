"""Reasons for illegal plays, held against an oracle that knows nothing of the referee's code.

The oracle speaks of one checker that was moved by hand, under every sheet, from positions reached in random games. It
is written for one reading only: the checker went from where one is missing to where one is too many.
"""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sweeps import sampled

from companion.core import Dice, Side
from companion.notation import BAR, OFF
from companion.rules import BackgammonPosition, load_sheet, rules_named, shipped_sheets
from companion.rules.backgammon.position import OPPONENT

BACKGAMMON = [name for name in shipped_sheets() if load_sheet(name).game == "backgammon"]
CHECKERS = [name for name in shipped_sheets() if load_sheet(name).game == "checkers"]


def reached(rules, chance, turns, passed):
    """A position some random plays into a game, and who is to move; those on the way are added to `passed`."""
    position, side = rules.with_turn(rules.start(), Side.WHITE)
    for _ in range(turns):
        passed.append((position, side))
        count = rules.dice_count(position, side)
        dice = Dice(tuple(chance.randint(1, 6) for _ in range(count))) if count else None
        successors = rules.successors(position, side, dice)
        if successors:
            position = chance.choice(successors).after
        if rules.outcome(position) is not None:
            return reached(rules, chance, turns // 2, passed)
        side = side.opponent
    return position, side


# --- backgammon ---


def expected_of_one_checker(sheet, view, dice, source, target):
    """The first reason for a checker of the mover's that went from `source` to `target`; None where it is no fault."""
    mine, theirs = list(view[:OPPONENT]), view[OPPONENT:]
    mine[source] -= 1
    full = sheet.max_checkers_per_point or 99
    if target > source:
        return "bar_first" if mine[BAR] and source != BAR else "moved_backwards"
    if mine[BAR] and source != BAR:
        return "bar_first"
    if target == OFF and any(mine[7:]):
        return "not_all_home"
    if target == OFF:
        return None  # several ways may lead there: not the oracle's business
    numbers = dice.numbers
    distance = source - target
    if distance in numbers:
        if mine[target] >= full:
            return "stack_limit"
        return "blocked_point" if theirs[target] > 1 else None
    if len(numbers) == 2 and distance == sum(numbers):
        return expected_of_a_sum(full, mine, theirs, [source - number for number in numbers], target)
    several = [k * numbers[0] for k in range(2, 5)] if len(numbers) == 4 else []
    if distance in several:
        return None
    once_more = {sum(numbers) + number for number in numbers}
    if distance in once_more:
        return None  # it may be one step too many
    return "stack_limit" if mine[target] >= full else "wrong_distance"


def expected_of_a_sum(full, mine, theirs, stops, target):
    """The same for one that went as far as both numbers together, by way of either stop."""
    if mine[BAR]:
        return "bar_first"  # it entered and moved on while another one waited
    if all(theirs[stop] > 1 for stop in stops) and mine[target] < full and theirs[target] < 2:
        return "blocked_on_the_way"
    return None


@pytest.mark.parametrize("name", sampled(BACKGAMMON, ("standard", "encyclopedia")))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), turns=st.integers(0, 60))
@example(seed=13902, turns=11)  # entered three points on with 6-1, while another one waited
def test_a_wrong_checker_is_reported_with_the_first_rule_that_it_broke(name, seed, turns):
    rules, chance = rules_named(name), random.Random(seed)
    passed = []
    last = reached(rules, chance, turns, passed)
    for position, side in (last, *passed[::4]):
        assert untrue_of_one_checker(rules, chance, position, side) is None


def untrue_of_one_checker(rules, chance, position, side):
    """Roll, move any checker anywhere, and compare the verdict: what is untrue in it."""
    dice = Dice(tuple(chance.randint(1, 6) for _ in range(rules.dice_count(position, side))))
    view = position.view(side)
    source = chance.choice([point for point in range(1, OPPONENT) if view[point]])
    target = chance.choice([point for point in range(OFF, BAR) if point != source])
    if target and view[OPPONENT + target] == 1:
        return None  # a hit moves two checkers
    after = list(view)
    after[source] -= 1
    after[target] += 1
    blocked = 0 < target < BAR and view[OPPONENT + target] > 1
    board = (
        list(BackgammonPosition.from_view(bytes(after), side).board())
        if not blocked
        else mixed(position, side, source, target)
    )
    verdict = rules.explain(position, side, dice, tuple(board), done=True)
    expected = expected_of_one_checker(rules.sheet, view, dice, source, target)
    reasons = (verdict.reason, *verdict.also)
    if expected is None:
        waiting = source == BAR and view[BAR] > 1  # who enters may not go on while another waits
        true = verdict.reason != "moved_backwards" and (waiting or verdict.reason != "bar_first")
    else:
        true = verdict.finding == "illegal" and verdict.reason == expected
    return None if true else (reasons, expected, verdict.message, source, target, str(dice))


def mixed(position, side, source, target):
    """The board with a checker of the mover's beside the opponent's on a held point."""
    board = list(position.board())
    mine = 0 if side is Side.WHITE else 1
    places = {BAR: 24 + mine}
    cells = [places.get(point, point - 1 if side is Side.WHITE else 24 - point) for point in (source, target)]
    for cell, change in zip(cells, (-1, 1), strict=True):
        content = list(board[cell])
        content[mine] += change
        board[cell] = tuple(content)
    return board


# --- checkers ---


def expected_of_one_piece(rules, position, side, source, target):
    """The first reason for a piece that went from one cell to another; None where it is a step or jump in order."""
    row, column = target // 8 - source // 8, target % 8 - source % 8
    king = position.kings >> (number_of(source) - 1) & 1
    ahead = 1 if side is Side.WHITE else -1
    if (target // 8 + target % 8) % 2:
        return "light_square"
    if 0 in (row, column):
        return "not_diagonal"
    if row * ahead < 0 and not king:
        return "man_moved_backwards"
    if abs(row) != abs(column):
        return "too_far"
    if abs(row) == 1:
        return None
    if abs(row) > 2:
        return "too_far"
    middle = position.board()[(source + target) // 2]
    mine = 0 if side is Side.WHITE else 1
    if middle[mine]:
        return None if rules.sheet.jump_own else "jumped_own"
    return None if any(middle) else "nothing_to_jump"


def number_of(cell):
    return (7 - cell // 8) * 4 + (cell % 8) // 2 + 1


@pytest.mark.parametrize("name", sampled(CHECKERS, ("travel-set-checkers",)))
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), turns=st.integers(0, 60))
def test_a_wrong_piece_is_reported_with_the_first_rule_that_it_broke(name, seed, turns):
    rules, chance = rules_named(name), random.Random(seed)
    for position in reached_in_checkers(rules, chance, turns)[::-4]:
        assert untrue_of_one_piece(rules, chance, position) is None


def untrue_of_one_piece(rules, chance, position):
    """Move any piece to any free square, and compare the verdict: what is untrue in it."""
    side = position.to_move
    board = list(position.board())
    mine = 0 if side is Side.WHITE else 1
    own = [cell for cell, content in enumerate(board) if content[mine]]
    free = [cell for cell, content in enumerate(board) if not any(content)]
    if not own or not rules.successors(position, side, None):
        return None
    source, target = chance.choice(own), chance.choice(free)
    board[source], board[target] = (0, 0), position.board()[source]
    verdict = rules.explain(position, side, None, tuple(board), done=True)
    expected = expected_of_one_piece(rules, position, side, source, target)
    far = abs(target // 8 - source // 8) > 2 or abs(target % 8 - source % 8) > 2 or target // 8 == source // 8
    if far and "captured_not_removed" in (verdict.reason, *verdict.also):
        return None  # several jumps lead there: not the oracle's business
    if expected is None:
        true = verdict.finding == "legal" or verdict.reason in (
            *("must_capture", "captured_not_removed", "must_finish_jump"),
        )
    else:
        true = verdict.reason == expected
    return None if true else (verdict.reason, verdict.also, expected, verdict.message, source, target)


def reached_in_checkers(rules, chance, turns):
    """The positions of some random moves into a game, from the start on."""
    positions = [rules.start()]
    for _ in range(turns):
        successors = rules.successors(positions[-1], positions[-1].to_move, None)
        if not successors:
            break
        positions.append(chance.choice(successors).after)
    return positions
