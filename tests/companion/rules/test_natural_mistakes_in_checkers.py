"""What people do wrong at a checkers board: no reason is given that is not true.

`checkers_mistakes` lists what hands may have done and what is then true of it; it knows nothing of the referee's code.
"""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from checkers_mistakes import deeds
from sweeps import sampled

from companion.core import Finding
from companion.rules import CheckersPosition, load_sheet, rules_named, shipped_sheets
from companion.texts import render

SHEETS = [name for name in shipped_sheets() if load_sheet(name).game == "checkers"]
FEW, MANY = range(6), range(6, 100)


def reached(rules, chance):
    """A position of a game of random moves."""
    positions = [rules.start()]
    for _ in range(chance.randint(0, 90)):
        successors = rules.successors(positions[-1], positions[-1].to_move, None)
        if not successors:
            break
        positions.append(chance.choice(successors).after)
    return chance.choice(positions)


def one_of_each_kind(chance, done):
    kinds = defaultdict(list)
    for deed in done:
        kinds[deed.kind].append(deed)
    return [chance.choice(kinds[kind]) for kind in sorted(kinds)]


def mistakes(name, seed):
    """A position, and one mistake of each kind in it with the reasons that are true of its board."""
    rules, chance = rules_named(name), random.Random(seed)
    position = reached(rules, chance)
    done = deeds(rules, position)
    true_of = defaultdict(set)
    for deed in done:
        true_of[deed.board] |= deed.reasons
    return position, [(deed, true_of[deed.board]) for deed in one_of_each_kind(chance, done)]


@pytest.mark.parametrize("seed", sampled((*FEW, *MANY), FEW))
@pytest.mark.parametrize("name", SHEETS)
def test_no_reason_is_given_that_is_not_true(name, seed):
    rules = rules_named(name)
    position, made = mistakes(name, seed)
    legal = {rules.visible(successor.after) for successor in rules.successors(position, position.to_move, None)}
    for deed, true in made:
        verdict = rules.explain(position, position.to_move, None, deed.board, done=True)
        said = (deed.kind, position.fen(), render(verdict.message))
        if deed.board in legal:
            assert verdict.finding is Finding.LEGAL, said
        elif deed.board != rules.visible(position):
            assert verdict.reason in true, said


# --- both have moved ---


def judged(fen, play, reply, *, gone=()):
    """The verdict on a move with a reply to it, made by hand, and with squares emptied besides (`gone`)."""
    rules = rules_named("acf")
    before = CheckersPosition.from_fen(fen)
    middle = rules.board_after(before, before.to_move, play)
    board = list(rules.board_after(seen(before, middle), before.to_move.opponent, reply))
    for square in gone:
        board[cell(square)] = (0, 0)
    return rules.explain(before, before.to_move, None, tuple(board), done=True)


def seen(before, board):
    """The position after a move by hand: what stood is a man still."""
    squares = {0: 0, 1: 0}
    for number in range(1, 33):
        for side in squares:
            squares[side] |= (1 << (number - 1)) * board[cell(number)][side]
    return CheckersPosition(squares[0], squares[1], before.kings, before.to_move.opponent)


def cell(square):
    row = 7 - (square - 1) // 4
    return row * 8 + 2 * ((square - 1) % 4) + row % 2


START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def test_an_answer_before_the_tap_names_both_moves():
    verdict = judged(START, "11-15", "23-19")
    assert (verdict.reason, verdict.made, verdict.reply) == ("wrong_player_moved", "11-15", "23-19")
    assert verdict.after.fen().startswith("B:")
    said = "White has moved too, before Roll was tapped: Black 11-15 and White 23-19."
    assert render(verdict.message).startswith(said)


@pytest.mark.parametrize(
    ("fen", "play", "reply"),
    [
        ("W:W10:B26,K29", "10-6", "26-31"),
        ("W:WK19:B26", "19-15", "26-31"),
        ("W:W15,26,27:B4,11", "15x8", "4x11"),
        ("W:WK1,15,16:B4,11", "15x8", "4x11x20"),
        ("B:W24:BK10,13,15", "15-19", "24x15x6"),
        ("W:W24,26:B16", "24-19", "16x23x30"),
        ("B:W5,11,19,21,32:B4,8", "8x15x24", "5-1"),
        ("W:W15,19,27:B4,7,8,9,K29", "15-11", "8x15x24x31"),
        ("W:WK3,5,24,29,30:B4,9,18,26", "30x23x14", "9x18"),
        ("B:WK4,K9,10,14,19,28:BK13", "13x6x15x24", "28x19"),
        ("B:WK8,12:B2,3,9,10,K16,17", "16-11", "8x15x6x13x22"),
    ],
)
def test_jumps_and_crownings_before_the_tap_are_named_too(fen, play, reply):
    rules = rules_named("acf")
    before = CheckersPosition.from_fen(fen)
    middle = rules.find_play(before, before.to_move, None, play)
    after = rules.find_play(middle.after, middle.after.to_move, None, reply)
    verdict = rules.explain(before, before.to_move, None, rules.visible(after.after), done=True)
    assert (verdict.reason, verdict.made, verdict.reply) == ("wrong_player_moved", play, reply)
    assert verdict.after == after.after


def test_an_answer_that_is_not_legal_is_still_no_piece_taken_away():
    verdict = judged(START, "11-15", "23-16")
    assert (verdict.reason, verdict.reply) == ("wrong_player_moved", None)
    assert "White has moved too" in render(verdict.message)


def test_an_answer_into_the_square_of_the_captured_piece_may_be_a_piece_taken_away():
    verdict = judged("W:W12,17,18,21,27,29,30,31:B1,4,5,6,10,15", "18x11", "10-15")
    assert (verdict.reason, verdict.reply) == ("wrong_player_moved", "10-15")
    assert verdict.also == ("captured_not_removed", "removed_wrongly")
    assert "It may also be: a captured piece still stands there." in render(verdict.message)


def test_a_legal_move_is_legal_whatever_other_explanations_exist():
    assert judged(START, "11-15", "").finding is Finding.LEGAL


# --- what is named is what is wrong ---


@pytest.mark.parametrize("gone", [1, 4, 12, 5])
def test_the_piece_that_is_missing_is_named(gone):
    verdict = judged(START, "11-15", "", gone=[gone])
    assert verdict.reason == "piece_missing"
    assert f"What stood on {gone} is gone, but was not captured: put it back." in render(verdict.message)


def test_an_occupied_landing_square_is_reported_and_not_a_missing_piece_to_jump():
    verdict = judged("B:W15,18,32:B10,1", "10-19", "", gone=[18])
    assert verdict.reason != "nothing_to_jump"
