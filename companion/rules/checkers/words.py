"""Messages on a checkers move: what the referee says, as keys and facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Message, message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core import Fact, Reason

PLAYS_NAMED = 6
"""So many legal moves are named; of the others, how many there are."""


def fault_message(code: Reason, facts: Mapping[str, Fact]) -> Message:
    """One sentence on what was wrong; `facts` are what the braces of its text stand for."""
    return message(f"checkers.{code}", **facts)


def legal_here(plays: Sequence[str]) -> Message:
    """Names the legal moves, the first few of them where there are many."""
    if not plays:
        return message("checkers.no_legal_move")
    named, more = ", ".join(plays[:PLAYS_NAMED]), len(plays) - PLAYS_NAMED
    return message("legal_here.more", plays=named, more=more) if more > 0 else message("legal_here", plays=named)
