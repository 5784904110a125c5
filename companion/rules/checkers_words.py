"""What the referee says about a checkers move, in words a player reads or hears."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLAYS_NAMED = 6

SENTENCES: Mapping[str, str] = {
    "wrong_player_moved": "It is {mover}'s turn, but {other} moved.",
    "light_square": "The piece from {source} stands on a light square: play is on the dark ones.",
    "not_diagonal": "The piece from {source} went to {target} along a row or column: pieces move diagonally.",
    "man_moved_backwards": "The man from {source} went backwards to {target}: only kings may.",
    "jumped_own": "The piece from {source} jumped over a piece of its own to {target}.",
    "nothing_to_jump": "The piece from {source} went two squares to {target} with nothing to jump over.",
    "too_far": "The piece from {source} went to {target}: that is too far.",
    "must_capture": "{source}-{target} is a quiet move, but a capture must be made: {captures}.",
    "must_finish_jump": "The jump from {source} stopped at {target}, but it goes on: {captures}.",
    "turn_ended_on_crowning": "The man from {source} was crowned on its way to {target}: its turn ended there.",
    "captured_not_removed": "The piece that was jumped on {captured} still stands: take it away.",
    "removed_wrongly": "The piece on {removed} was taken away, but it was not captured.",
    "two_pieces_moved": "Two of {mover}'s pieces moved in one turn.",
    "piece_missing": "A piece is missing that was not captured: put it back on {removed}.",
    "piece_extra": "There is a piece too many, on {added}.",
}


def sentence(code: str, facts: Mapping[str, str]) -> str:
    """One sentence on what was wrong; `facts` are what the words in braces stand for."""
    return SENTENCES[code].format_map(facts)


def listed(words: Sequence[object]) -> str:
    """`7`, `7 and 11`, `7, 11 and 16`."""
    texts = [str(word) for word in words]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "nothing"


def legal_here(plays: Sequence[str]) -> str:
    """Name the legal moves, the first few of them where there are many."""
    if not plays:
        return "There is no legal move."
    more = len(plays) - PLAYS_NAMED
    return "Legal here: " + ", ".join(plays[:PLAYS_NAMED]) + (f" and {more} more." if more > 0 else ".")
