"""A message to the players in no language yet: a key of the text tables and the facts that fill its braces."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from companion.model import Cause

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.model import Dice, Part, Side

Fact: TypeAlias = "int | float | str | Side | Part | Dice | Message | tuple[Fact, ...]"
"""What a message can name. A str is language-neutral (a play in standard notation, a file's name)."""


WHERE_NAMED = (Cause.HAND, Cause.GLARE)
"""Causes of which the part of the board is named where it is known."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to say; `companion.texts` has its words in every language.

    Attributes:
        key: which text.
        facts: the value of each brace in it, by name.
    """

    key: str
    facts: Mapping[str, Fact] = field(default_factory=lambda: MappingProxyType({}))


def message(key: str, /, **facts: Fact) -> Message:
    """The message `key` about `facts`."""
    return Message(key, MappingProxyType(facts))


def both(first: Message, second: Message) -> Message:
    """One sentence after the other."""
    return message("both", first=first, second=second)


def either(facts: Sequence[Fact]) -> Fact:
    """Alternatives as a list: `a`, `a or b`, `a, b or c`. At least one."""
    *most, last = facts
    return message("either", first=_commas(most), last=last) if most else last


def unreadable(cause: Cause, part: Part | None = None) -> Message:
    """Why a picture cannot be read, over which part of the board if that is known, and what to do."""
    if part is None or cause not in WHERE_NAMED:
        return message("unreadable", cause=message(f"cause.{cause}"), mend=message(f"mend.{cause}"))
    return message(f"unreadable.{cause}", part=part)


def _commas(facts: Sequence[Fact]) -> Fact:
    """A list of facts with commas only."""
    *most, last = facts
    return message("comma", first=_commas(most), last=last) if most else last
