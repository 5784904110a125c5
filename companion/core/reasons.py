"""Reason codes of illegal verdicts; in the core because `Verdict` and rooms below the rules use them."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a turn is illegal; the value is the code in the JSON interfaces. Earlier members take precedence.

    Reasons that need one moved checker come before those that need two, miscounted checkers come last. Backgammon's
    reasons come first, then those of checkers; both games use WRONG_PLAYER_MOVED.
    """

    WRONG_PLAYER_MOVED = "wrong_player_moved"
    BAR_FIRST = "bar_first"
    MOVED_BACKWARDS = "moved_backwards"
    NOT_ALL_HOME = "not_all_home"
    BEAR_OFF_HIGHER_FIRST = "bear_off_higher_first"
    STACK_LIMIT = "stack_limit"
    BLOCKED_POINT = "blocked_point"
    BLOCKED_ON_THE_WAY = "blocked_on_the_way"
    MUST_PLAY_LARGER_DIE = "must_play_larger_die"
    COULD_PLAY_MORE = "could_play_more"
    TOO_MANY_MOVES = "too_many_moves"
    WRONG_DISTANCE = "wrong_distance"
    HIT_CHECKER_NOT_ON_BAR = "hit_checker_not_on_bar"
    CHECKER_MISSING = "checker_missing"
    CHECKER_EXTRA = "checker_extra"

    LIGHT_SQUARE = "light_square"
    NOT_DIAGONAL = "not_diagonal"
    MAN_MOVED_BACKWARDS = "man_moved_backwards"
    JUMPED_OWN = "jumped_own"
    NOTHING_TO_JUMP = "nothing_to_jump"
    TOO_FAR = "too_far"
    MUST_CAPTURE = "must_capture"
    MUST_FINISH_JUMP = "must_finish_jump"
    TURN_ENDED_ON_CROWNING = "turn_ended_on_crowning"
    CAPTURED_NOT_REMOVED = "captured_not_removed"
    REMOVED_WRONGLY = "removed_wrongly"
    TWO_PIECES_MOVED = "two_pieces_moved"
    PIECE_MISSING = "piece_missing"
    PIECE_EXTRA = "piece_extra"
