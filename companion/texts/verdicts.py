"""The referee's verdicts: reasons, causes, and what is said if the look leaves a doubt.

The sentences that name points, squares and dice are in `companion.texts.plays`.
"""

from __future__ import annotations

from companion.texts.catalogue import marked

REASONS = {
    "wrong_player_moved": marked("the other player's checkers were moved"),
    "bar_first": marked("a checker on the bar must come in first"),
    "moved_backwards": marked("a checker went backwards"),
    "not_all_home": marked("not all checkers are home yet"),
    "bear_off_higher_first": marked("a checker on a higher point must move first"),
    "stack_limit": marked("a full point takes no more checkers"),
    "blocked_point": marked("the opponent holds that point"),
    "blocked_on_the_way": marked("the opponent blocks every way there"),
    "must_play_larger_die": marked("the larger number must be played"),
    "could_play_more": marked("more of the dice can be played"),
    "too_many_moves": marked("more numbers were played than were rolled"),
    "wrong_distance": marked("the move does not fit the dice"),
    "hit_checker_not_on_bar": marked("the checker that was hit is not on the bar"),
    "checker_missing": marked("a checker is missing"),
    "checker_extra": marked("there is a checker too many"),
    "light_square": marked("a piece stands on a light square"),
    "not_diagonal": marked("pieces move only diagonally"),
    "man_moved_backwards": marked("a man went backwards: only kings may"),
    "jumped_own": marked("a piece jumped over one of its own"),
    "nothing_to_jump": marked("there was nothing to jump over"),
    "too_far": marked("a piece moved too far"),
    "must_capture": marked("a capture must be made"),
    "must_finish_jump": marked("the jump must go on"),
    "turn_ended_on_crowning": marked("the turn ends when a man is crowned"),
    "captured_not_removed": marked("a captured piece still stands there"),
    "removed_wrongly": marked("a piece that was not captured was taken away"),
    "two_pieces_moved": marked("two pieces moved in one turn"),
    "piece_missing": marked("a piece is missing"),
    "piece_extra": marked("there is a piece too many"),
}
"""By reason code: what was wrong, without a full stop. A title on the page, a sentence when spoken."""

CORRECTIONS = {
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

CAUSES = {
    "hand": marked("something is over the board"),
    "dark": marked("it is too dark to see the board"),
    "glare": marked("light is reflected off the board"),
    "blur": marked("the picture is blurred"),
    "moved_camera": marked("the camera or the board was moved"),
    "unknown": marked("the board cannot be read"),
}
"""By `companion.core.Cause`: what is wrong."""

MENDS = {
    "hand": marked("take it away"),
    "dark": marked("give it more light"),
    "glare": marked("move the lamp, or shade the board"),
    "blur": marked("keep the camera still, and check its focus"),
    "moved_camera": marked("put it back where it was"),
    "unknown": marked("straighten the checkers, and take away what does not belong on the board"),
}
"""By `companion.core.Cause`: what to do about it."""

PARTS = {
    "upper left": marked("upper left"),
    "upper middle": marked("upper middle"),
    "upper right": marked("upper right"),
    "left": marked("left"),
    "middle": marked("middle"),
    "right": marked("right"),
    "lower left": marked("lower left"),
    "lower middle": marked("lower middle"),
    "lower right": marked("lower right"),
}
"""By `companion.core.Part`: the parts of the board, after "over the" and "off the"."""

TEXTS = {
    **{f"reason.{code}": text for code, text in REASONS.items()},
    **{f"mend.{code}": text for code, text in CORRECTIONS.items()},
    **{f"cause.{cause}": text for cause, text in CAUSES.items()},
    **{f"mend.{cause}": text for cause, text in MENDS.items()},
    "unreadable": marked("{cause}: {mend}."),
    "unreadable.hand": marked("Something lies over the {part} of the board: take it away."),
    "unreadable.glare": marked("Light is reflected off the {part} of the board: move the lamp, or tilt the camera."),
    "unreadable.because": marked("I cannot tell, because {why}."),
    "unreadable.not_still": marked("the board was not still and in view"),
    "unreadable.too_many_changes": marked("{changed} places differ from before: no single turn does that."),
    "unreadable.total": marked("{total} of {side}'s checkers are in view; the turn began with {expected}."),
    "illegal.or_else": marked("{what} (The camera is not certain of everything; it may also be that {reasons}.)"),
    "ambiguous": marked("I cannot tell: {readings}? {look}"),
    "look": marked("The camera is not certain of {places}."),
    "look.straighten": marked("The camera is not certain of {places}: please straighten what lies there."),
    "ambiguous.between": marked("I cannot tell, because a checker lies {places}. Push it onto one of them."),
    "ambiguous.between.several": marked(
        "I cannot tell, because checkers lie {places}. Push each onto one of its two places."
    ),
    "between": marked("between {first} and {second}"),
    "reading.play": marked("{play}"),
    "reading.hit": marked("{play} (hit)"),
    "reading.illegal": marked("{play} (illegal: {reason})"),
    "reading.illegal.other": marked("something else (illegal: {reason})"),
    "reading.other": marked("something else"),
    "reading.not_moved": marked("nothing moved"),
    "reading.goes_on": marked("an unfinished turn"),
    "taken_back": marked(
        "the turn is taken back: put the board back as it was before that turn. Still to put back: {places}."
    ),
}
