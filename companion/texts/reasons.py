"""Why a play is not legal: the one table of reason codes for the page, the speech and the command line.

The sentences that name points, squares and dice are in `companion.texts.backgammon` and `companion.texts.checkers`.
"""

from __future__ import annotations

from companion.texts.catalogue import marked

TITLES = {
    "wrong_player_moved": marked("the other player's checkers were moved"),
    "bar_first": marked("a checker on the bar comes in first"),
    "moved_backwards": marked("a checker went backwards"),
    "not_all_home": marked("not all checkers are home yet"),
    "bear_off_higher_first": marked("a checker on a higher point moves first"),
    "stack_limit": marked("there are too many checkers on one point"),
    "blocked_point": marked("the opponent holds that point"),
    "blocked_on_the_way": marked("the opponent holds every point on the way"),
    "must_play_larger_die": marked("the larger number must be played"),
    "could_play_more": marked("more of the dice can be played"),
    "too_many_moves": marked("more was moved than was rolled"),
    "wrong_distance": marked("the dice do not give that distance"),
    "hit_checker_not_on_bar": marked("the checker that was hit is not on the bar"),
    "checker_missing": marked("a checker is missing"),
    "checker_extra": marked("there is a checker too many"),
    "light_square": marked("a piece stands on a light square"),
    "not_diagonal": marked("pieces move diagonally"),
    "man_moved_backwards": marked("a man went backwards: only kings may"),
    "jumped_own": marked("a piece jumped over one of its own"),
    "nothing_to_jump": marked("there was nothing to jump over"),
    "too_far": marked("that is too far"),
    "must_capture": marked("a capture must be made"),
    "must_finish_jump": marked("the jump goes on"),
    "turn_ended_on_crowning": marked("the turn ended with the crowning"),
    "captured_not_removed": marked("the captured piece still stands there"),
    "removed_wrongly": marked("a piece was taken away that was not captured"),
    "two_pieces_moved": marked("two pieces moved in one turn"),
    "piece_missing": marked("a piece is missing"),
    "piece_extra": marked("there is a piece too many"),
}
"""By reason code: what was wrong, without a full stop. A title on the page, a sentence when spoken."""

MENDS = {
    "wrong_player_moved": marked("Put them back."),
    "hit_checker_not_on_bar": marked("Put it there."),
    "checker_missing": marked("Look for it."),
    "checker_extra": marked("Take it away."),
    "captured_not_removed": marked("Take it away."),
    "removed_wrongly": marked("Put it back."),
    "piece_missing": marked("Put it back."),
    "piece_extra": marked("Take it away."),
}
"""By reason code: what to do, where no legal play needs to be named."""

TEXTS = {
    **{f"reason.{code}": text for code, text in TITLES.items()},
    **{f"mend.{code}": text for code, text in MENDS.items()},
}
