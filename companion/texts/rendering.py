"""Makes the text of a message in one language, on its own or in a verdict's JSON."""

from __future__ import annotations

from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any

from companion.core import WHITE_AND_BLACK, BoardsideError, Message, Part, Refusal, Side, message, name_of, space_of
from companion.texts import (
    analysis,
    dice,
    general,
    match,
    plays,
    procedure,
    settings,
    sheets,
    spoken,
    table,
    tiles,
    verdicts,
    why,
)
from companion.texts.catalogue import ENGLISH, translations
from companion.texts.names import COLOURS, elided

if TYPE_CHECKING:
    from companion.core import Fact, Names, Verdict

TEXTS = {
    **general.TEXTS,
    **plays.TEXTS,
    **verdicts.TEXTS,
    **procedure.TEXTS,
    **match.TEXTS,
    **table.TEXTS,
    **dice.TEXTS,
    **sheets.TEXTS,
    **settings.TEXTS,
    **spoken.TEXTS,
    **analysis.TEXTS,
    **why.TEXTS,
    **{f"colour.{colour}": text for colour, text in COLOURS.items()},
}
"""Every text in English by its key."""
_STOPS = (". ", "! ", "? ")


class TextError(BoardsideError):
    """A message without a text, or a text with a brace for which the message has no fact."""


class Renderer:
    """Makes texts in one language; a subclass may word facts in another way."""

    def __init__(self, language: str = ENGLISH, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> None:
        """`language` is one of `companion.texts.LANGUAGES`; `names` is what the players are called.

        `tiles`: the texts are about a board of tiles.
        """
        self.language = language
        self.names = names
        self.tiles = tiles
        self._catalogue = translations(language)

    def render(self, what: Message) -> str:
        """The text of `what`, facts in place of its braces; each sentence begins with a capital. Raises TextError."""
        return self.read_well(self._filled(what, starts=True))

    def phrase(self, what: Message) -> str:
        """As `render`, but for the middle of a sentence: the first letter stays as the text has it."""
        return self.read_well(self._filled(what, starts=False))

    def player(self, side: str) -> str:
        """What a side is called: the player's own name, or the colour."""
        return name_of(side, self.names).name or self.colour(side)

    def colour(self, side: str) -> str:
        """The colour of a side's checkers as a name: "White"."""
        return self.translated(COLOURS[name_of(side, self.names).colour])

    def read_well(self, text: str) -> str:
        """`text` with "d'Anna" in place of "de Anna" in French."""
        return elided(text, self.names) if self.language == "fr" else text

    def translated(self, text: str) -> str:
        """An English text of the catalogues in this language, its braces as they are."""
        return self._catalogue.gettext(text)

    def template(self, key: str) -> str:
        """The text of a key, with its braces. Raises KeyError."""
        return self.translated(tiles.TEXTS.get(key) or TEXTS[key] if self.tiles else TEXTS[key])

    def fact(self, name: str, fact: Fact, *, starts: bool) -> str:
        """The words for the fact in the brace `name`; `starts`: whether it begins a sentence."""
        match fact:
            case Message():
                return self._filled(fact, starts=starts)
            case Side():
                return self.player(fact)
            case Part():
                return self.translated(verdicts.PARTS[fact.value])
            case tuple():
                return self._listed(name, fact, starts=starts)
            case _:
                return str(fact)

    def _filled(self, what: Message, *, starts: bool) -> str:
        text = ""
        try:
            for literal, name, _, _ in Formatter().parse(self.template(what.key)):
                text += capital(literal) if starts and not text else literal
                if name is not None:
                    begins = text.endswith(_STOPS) if text else starts
                    text += self.fact(name, self._as_called(name, what.facts[name]), starts=begins)
        except KeyError as error:
            raise TextError(f"message {what.key!r}: there is no text or no fact {error}") from error
        return text

    def _as_called(self, name: str, fact: Fact) -> Fact:
        """A point or a play as the players call it: on tiles, spaces counted forward."""
        if not self.tiles or name not in tiles.PLACES or isinstance(fact, Side | Part):
            return fact
        if isinstance(fact, int):
            return space_of(fact)
        return tiles.counted_forward(fact) if isinstance(fact, str) else fact

    def _listed(self, name: str, facts: tuple[Fact, ...], *, starts: bool) -> str:
        """`a`, `a and b`, `a, b and c`."""
        words = [self.fact(name, fact, starts=starts and not place) for place, fact in enumerate(facts)]
        if len(words) < 2:
            return "".join(words)
        return self._filled(message("and", first=", ".join(words[:-1]), last=words[-1]), starts=False)


@cache
def _renderer(language: str, names: Names, *, tiles: bool) -> Renderer:
    return Renderer(language, names, tiles=tiles)


def render(what: Message, language: str = ENGLISH, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> str:
    """The text of `what` in `language`, facts in place of its braces; each sentence begins with a capital.

    `names` is what the players are called. A str and a number stay unchanged, also at the beginning of a sentence;
    on tiles, points are spaces. Raises TextError.
    """
    return _renderer(language, names, tiles=tiles).render(what)


def phrase(what: Message, language: str = ENGLISH, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> str:
    """As `render`, but for the middle of a sentence: the first letter stays as the text has it."""
    return _renderer(language, names, tiles=tiles).phrase(what)


def error_text(error: BoardsideError) -> str:
    """What an error says, in English: a refusal has a message, any other error its own words."""
    return render(error.message) if isinstance(error, Refusal) else str(error)


def verdict_to_json(verdict: Verdict[Any], *, tiles: bool = False) -> dict[str, Any]:
    """`{"finding", "reason", "also", "message", "play", "plays"}`; the message in English, as on the board at hand."""
    return {
        "finding": verdict.finding.value,
        "reason": verdict.reason,
        "also": list(verdict.also),
        "message": render(verdict.message, tiles=tiles),
        "play": verdict.play,
        "plays": list(verdict.plays),
    }


def full_verdict_to_json(verdict: Verdict[Any], *, tiles: bool = False) -> dict[str, Any]:
    """The same with `"made"`, `"cells"` and `"cause"`."""
    cause = None if verdict.cause is None else verdict.cause.value
    return {**verdict_to_json(verdict, tiles=tiles), "made": verdict.made, "cells": list(verdict.cells), "cause": cause}


def capital(text: str) -> str:
    """`text` with its first letter as a capital."""
    return text[:1].upper() + text[1:]
