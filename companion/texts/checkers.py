"""What the referee says of a checkers move."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "checkers.plays_crowned": marked("{player} plays {play} and is crowned."),
    "checkers.no_legal_move": marked("there is no legal move."),
    "checkers.loses": marked("{player} has no legal move and loses."),
    "checkers.on_the_way": marked("a piece is on its way: the turn goes on."),
    "checkers.not_moved": marked("no piece has moved."),
    "checkers.a_square": marked("a square"),
    "checkers.square": marked("square {square}"),
    "checkers.squares": marked("squares {squares}"),
    "checkers.wrong_player_moved": marked("it is {mover}'s turn, but {other} moved."),
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
    "checkers.must_capture": marked("{source}-{target} is a quiet move, but a capture must be made: {captures}."),
    "checkers.must_capture.nothing_moved": marked("nothing was moved, but a capture must be made: {captures}."),
    "checkers.must_finish_jump": marked("the jump from {source} stopped at {target}, but it goes on: {captures}."),
    "checkers.turn_ended_on_crowning": marked(
        "the man from {source} was crowned on its way to {target}: its turn ended there."
    ),
    "checkers.captured_not_removed": marked("the piece that was jumped on {captured} still stands: take it away."),
    "checkers.removed_wrongly": marked("the piece on {removed} was taken away, but it was not captured."),
    "checkers.two_pieces_moved": marked("two of {mover}'s pieces moved in one turn."),
    "checkers.piece_missing": marked("a piece is missing that was not captured: put it back on {removed}."),
    "checkers.piece_extra": marked("there is a piece too many, on {added}."),
}
