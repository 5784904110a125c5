"""Draws at checkers: what may be claimed, one test a rule."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core import Side
from companion.rules import CheckersPosition, rules_named
from companion.rules.checkers.rules import DrawClaim, draw_claim, moves_without_progress

RULES = rules_named("acf")
KINGS = "W:WK32:BK1,K5"


def played(fen, *moves):
    """The positions of a game."""
    positions = [CheckersPosition.from_fen(fen)]
    for move in moves:
        successor = RULES.find_play(positions[-1], positions[-1].to_move, None, move)
        assert successor is not None, move
        positions.append(successor.after)
    return positions


TO_AND_FRO = ("32-28", "1-6", "28-32", "6-1")


def test_the_third_time_that_a_position_stands_a_draw_may_be_claimed():
    assert draw_claim(played(KINGS, *TO_AND_FRO)) is None
    assert draw_claim(played(KINGS, *TO_AND_FRO, *TO_AND_FRO)) is DrawClaim.THREEFOLD_REPETITION


def test_repetition_counts_the_position_that_stands_now():
    assert draw_claim(played(KINGS, *TO_AND_FRO, *TO_AND_FRO, "32-27")) is None


def test_the_same_squares_with_the_other_player_to_move_are_another_position():
    white, black = CheckersPosition.from_fen(KINGS), CheckersPosition.from_fen(KINGS.replace("W:", "B:", 1))
    assert draw_claim([white, black, white, black]) is None


def test_a_king_where_a_man_stood_is_another_position():
    man, king = CheckersPosition.from_fen("W:W10,K32:B1"), CheckersPosition.from_fen("W:WK10,K32:B1")
    assert draw_claim([man, king, man, king]) is None


def kings_walk(moves):
    """Kings that move about without progress, never the same position thrice: the squares do not matter here."""
    return [
        CheckersPosition.from_fen(f"{'WB'[n % 2]}:WK{n % 27 + 2}:BK1,K{n // 27 % 4 + 29}") for n in range(moves + 1)
    ]


def test_after_forty_moves_of_each_without_capture_or_a_mans_advance_a_draw_may_be_claimed():
    assert draw_claim(kings_walk(79)) is None
    assert draw_claim(kings_walk(80)) is DrawClaim.FORTY_MOVES


def test_an_advance_of_a_man_and_a_capture_reset_the_count_of_moves():
    advanced = played("W:W22,K32:BK1", "32-28", "1-6", "22-18", "6-1")
    assert moves_without_progress(advanced) == 1
    captured = played("W:WK22,K32:B18,K1", "22x15", "1-6")
    assert moves_without_progress(captured) == 1


def test_a_crowning_resets_the_count_of_moves():
    assert moves_without_progress(played("W:W6:BK32", "6-1", "32-28")) == 1


def test_a_game_without_a_position_gives_nothing_to_claim():
    assert draw_claim([]) is None


@given(st.lists(st.integers(0, 10**6), max_size=60))
def test_from_the_start_progress_is_never_more_than_the_moves_made_and_no_claim_comes_before_eight_moves(choices):
    positions = [RULES.start()]
    for choice in choices:
        position = positions[-1]
        successors = RULES.successors(position, position.to_move)
        if not successors:
            break
        positions.append(successors[choice % len(successors)].after)
        assert 0 <= moves_without_progress(positions) < len(positions)
        if len(positions) <= 8:
            assert draw_claim(positions) is None
    assert positions[0].to_move is Side.BLACK


def test_at_checkers_draws_may_be_claimed_and_at_backgammon_there_are_none():
    standard = rules_named("standard")
    past = played(KINGS, *TO_AND_FRO, *TO_AND_FRO)
    assert (RULES.has_draws, RULES.draw_claim(past)) == (True, "threefold_repetition")
    assert (standard.has_draws, standard.draw_claim([standard.start()] * 3)) == (False, None)
