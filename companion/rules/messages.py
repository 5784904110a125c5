"""Messages that both games use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Message


def legal_plays(plays: Sequence[str], most: int, *, none: Message) -> Message:
    """The legal plays: the first `most` by name and the number of further ones; `none` where there are none."""
    if not plays:
        return none
    named, more = ", ".join(plays[:most]), len(plays) - most
    return message("legal_here.more", plays=named, more=more) if more > 0 else message("legal_here", plays=named)
