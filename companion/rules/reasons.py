"""What explanations of both games share: reasons in order, the list of legal plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Reason, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core import Message

_FIRST_OF_CHECKERS = list(Reason).index(Reason.LIGHT_SQUARE)
BACKGAMMON_REASONS = tuple(Reason)[:_FIRST_OF_CHECKERS]
"""In order of precedence."""
CHECKERS_REASONS = (Reason.WRONG_PLAYER_MOVED, *tuple(Reason)[_FIRST_OF_CHECKERS:])
"""In order of precedence."""


def by_precedence(reasons: Iterable[Reason], order: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The distinct reasons, the first in `order` first."""
    return tuple(sorted(set(reasons), key=order.index))


def legal_plays(plays: Sequence[str], most: int, *, none: Message) -> Message:
    """The legal plays: the first `most` by name and the number of further ones, or all; `none` where there are none."""
    if not plays:
        return none
    more = len(plays) - most
    if more <= 1:  # naming the last one takes no more words than counting it
        return message("legal_here", plays=", ".join(plays))
    return message("legal_here.more", plays=", ".join(plays[:most]), more=more)
