"""A message to the players in no language yet: a key of the text tables and the facts that fill its braces."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.model import Dice, Side

Fact: TypeAlias = "int | float | str | Side | Dice | Message | tuple[Fact, ...]"
"""What a message can name. A str is language-neutral (a play in standard notation, a file's name)."""


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
