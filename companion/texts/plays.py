"""What the referee says of a play, in backgammon and in checkers."""

from __future__ import annotations

from companion.texts.catalogue import marked

BACKGAMMON = {
    "backgammon.rolled": marked("Rolled: {dice}. {then}"),
    "backgammon.no_play": marked("nothing can be played: put everything back as it stood, and the turn passes."),
    "backgammon.so_far": marked("{made} so far: there is more to play."),
    "backgammon.on_the_way": marked("a checker is on its way: the turn is not finished."),
    "backgammon.not_moved": marked("no checker has moved."),
    "backgammon.no_rule": marked("I cannot tell, because no rule says what is wrong with it."),
    "backgammon.point": marked("the {point} point"),
    "backgammon.points.one": marked("point {numbers}"),
    "backgammon.points": marked("points {numbers}"),
    "backgammon.checker.off": marked("a checker that was off"),
    "backgammon.checker.bar": marked("the checker from the bar"),
    "backgammon.checker.from": marked("the checker from the {source} point"),
    "backgammon.went.off": marked("{checker} was borne off"),
    "backgammon.went.landed": marked("{checker} landed on the {target} point"),
    "backgammon.wrong_player_moved": marked("it is {mover}'s turn, but {other}'s checkers were moved."),
    "backgammon.wrong_player_moved.disturbed": marked(
        "{other}'s checkers are not where they were: {mover} may move them only by hitting them."
    ),
    "backgammon.bar_first": marked("{went} while {mover} had a checker on the bar: that one must come in first."),
    "backgammon.moved_backwards.to_bar": marked("{checker} stands on the bar: only a hit puts one there."),
    "backgammon.moved_backwards.to": marked(
        "{checker} went backwards and stands on the {target} point: checkers move from 24 towards 1."
    ),
    "backgammon.not_all_home": marked(
        "{went} while another stood on {place}: bearing off begins when all checkers are home."
    ),
    "backgammon.bear_off_higher_first": marked(
        "{went} with a larger number, but a checker stood on {place}: that one must move first."
    ),
    "backgammon.bear_off_higher_first.by_way": marked(
        "{went} by way of {places}, from there with a larger number, but {place} was occupied: what stood there "
        "must move first."
    ),
    "backgammon.stack_limit": marked("{went}, but a point holds no more than {full} of a player's own checkers."),
    "backgammon.stack_limit.passing": marked(
        "{went} by way of {place}, which was full: {full} of a player's own checkers close a point, in passing too."
    ),
    "backgammon.blocked_point": marked("{went}, which is held by {held} of {other}'s checkers."),
    "backgammon.blocked_on_the_way": marked("{went}, but every way there is blocked: {other} holds {places}."),
    "backgammon.too_many_moves": marked("{made} takes {numbers}: more numbers than were rolled."),
    "backgammon.wrong_distance.by": marked("{went}: that is {distance}, which does not fit the dice."),
    "backgammon.wrong_distance.by_way": marked("{went} by way of {places}: the dice do not allow that way."),
    "backgammon.wrong_distance.off": marked("{went}: that takes {distance} or more."),
    "backgammon.wrong_distance.off_exactly": marked("{went}: that takes {distance}, no more and no less."),
    "backgammon.wrong_distance.off_again": marked("{went}: a {distance} does that, but it was played already."),
    "backgammon.wrong_distance.again": marked("{went}: that is {distance}, which was played already."),
    "backgammon.hit_checker_not_on_bar": marked(
        "{other}'s checker on {place} was hit, but it is not on the bar: put it there."
    ),
    "backgammon.may_enter": marked("{mover} may come in on {places}."),
    "backgammon.may_enter.nowhere": marked("{mover} can come in on no point that was rolled."),
    "backgammon.checker_missing": marked("{side} has {now} checkers now, but had {before}: look for what is missing."),
    "backgammon.checker_extra": marked(
        "{side} has {now} checkers now, but had {before}: take away what does not belong there."
    ),
    "backgammon.could_play_more": marked("{made} plays fewer numbers than this roll allows."),
    "backgammon.could_play_more.nothing": marked("nothing was played, but something can be played."),
    "backgammon.must_play_larger_die": marked(
        "only one of the two numbers can be played, so it must be the larger one, the {larger}: not {made}."
    ),
}
"""`went` is what became of one checker: `went.off` or `went.landed`."""

CHECKERS = {
    "checkers.plays_crowned": marked("{player} plays {play}. Crown the man on {square}."),
    "checkers.plays_crowned.terse": marked("{play}. Crown it."),
    "ballot.drawn": marked("The opening drawn is {play}: make these moves on the board, then {player} is to move."),
    "ballot.drawn.terse": marked("Opening: {play}."),
    "ballot.no_dice": marked("The opening is drawn with Boardside's own dice: start it without --dice."),
    "checkers.no_legal_move": marked("there is no legal move."),
    "checkers.loses": marked("{player} has no legal move and loses."),
    "checkers.on_the_way": marked("a piece is on its way: the turn is not finished."),
    "checkers.not_moved": marked("no piece has moved."),
    "checkers.a_square": marked("a square"),
    "checkers.square": marked("square {square}"),
    "checkers.squares": marked("squares {squares}"),
    "checkers.wrong_player_moved": marked("it is {mover}'s turn, but {other} moved."),
    "checkers.wrong_player_moved.too": marked("{other} has moved too, before Roll was tapped."),
    "checkers.replied": marked("{other} has moved too, before Roll was tapped: {moves}."),
    "checkers.replied.terse": marked("{other} has moved too."),
    "checkers.replied.move": marked("{player} {play}"),
    "checkers.replied.now": marked("Take back {play}; or, if both moves are to count, each player taps Roll."),
    "checkers.replied.now.terse": marked("Take it back, or Roll: both count."),
    "checkers.may_also_be": marked("It may also be: {reason}."),
    "checkers.light_square": marked("the piece from {source} stands on a light square: play is on the dark ones."),
    "checkers.not_diagonal": marked(
        "the piece from {source} went to {target} along a row or column: pieces move diagonally."
    ),
    "checkers.man_moved_backwards": marked("the man from {source} went backwards to {target}: only kings may."),
    "checkers.jumped_own": marked("the piece from {source} jumped over a piece of its own to {target}."),
    "checkers.nothing_to_jump": marked(
        "the piece from {source} went two squares to {target} with nothing to jump over."
    ),
    "checkers.too_far": marked("the piece from {source} went to {target}: that is too far."),
    "checkers.must_capture": marked("{source}-{target} captures nothing, but a capture must be made: {captures}."),
    "checkers.must_capture.nothing_moved": marked("nothing was moved, but a capture must be made: {captures}."),
    "checkers.must_finish_jump": marked("the jump from {source} stopped at {target}, but it must go on: {captures}."),
    "checkers.turn_ended_on_crowning": marked(
        "the man from {source} was crowned on its way to {target}: its turn ended there."
    ),
    "checkers.captured_not_removed": marked("a captured piece still stands on {captured}: take it away."),
    "checkers.removed_wrongly": marked("only captured pieces are taken away: put back what stood on {removed}."),
    "checkers.two_pieces_moved": marked("two of {mover}'s pieces moved in one turn."),
    "checkers.piece_missing": marked("what stood on {removed} is gone, but was not captured: put it back."),
    "checkers.piece_extra": marked("there is a piece too many on {added}: take it away."),
}

TEXTS = {**BACKGAMMON, **CHECKERS}
