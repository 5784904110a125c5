"""Makes the text of a message in one language."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING

from companion.core import BoardsideError, Message, Part, Side, message
from companion.texts import backgammon as backgammon
from companion.texts import causes as causes
from companion.texts import checkers as checkers
from companion.texts import findings as findings
from companion.texts import general as general
from companion.texts import reasons as reasons
from companion.texts.catalogue import ENGLISH, translations

if TYPE_CHECKING:
    from companion.core import Fact

TEXTS = {
    **general.TEXTS,
    **backgammon.TEXTS,
    **checkers.TEXTS,
    **reasons.TEXTS,
    **causes.TEXTS,
    **findings.TEXTS,
}
"""Every text in English by its key."""
_STOPS = (". ", "! ", "? ")


class TextError(BoardsideError):
    """A message without a text, or a text with a brace that the message has no fact for."""


def render(what: Message, language: str = ENGLISH) -> str:
    """The text of `what` in `language`, facts in place of its braces; each sentence begins with a capital.

    A str and a number stand as they are, also at the beginning of a sentence. Raises TextError.
    """
    return _filled(what, language, starts=True)


def phrase(what: Message, language: str = ENGLISH) -> str:
    """As `render`, but for the middle of a sentence: the first letter stays as the text has it."""
    return _filled(what, language, starts=False)


def _filled(what: Message, language: str, *, starts: bool) -> str:
    """The text of `what`; `starts`: it stands at the beginning of a sentence."""
    text = ""
    try:
        for literal, name, _, _ in Formatter().parse(_translated(TEXTS[what.key], language)):
            text += _capital(literal) if starts and not text else literal
            if name is not None:
                begins = text.endswith(_STOPS) if text else starts
                text += _fact(what.facts[name], language, starts=begins)
    except KeyError as error:
        raise TextError(f"message {what.key!r}: there is no text or no fact {error}") from error
    return text


def _fact(fact: Fact, language: str, *, starts: bool) -> str:
    match fact:
        case Message():
            return _filled(fact, language, starts=starts)
        case Side():
            return _translated(general.PLAYERS[fact.value], language)
        case Part():
            return _translated(causes.PARTS[fact.value], language)
        case tuple():
            return _listed(fact, language, starts=starts)
        case _:
            return str(fact)


def _listed(facts: tuple[Fact, ...], language: str, *, starts: bool) -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = [_fact(fact, language, starts=starts and not place) for place, fact in enumerate(facts)]
    if len(words) < 2:
        return "".join(words)
    return _filled(message("and", first=", ".join(words[:-1]), last=words[-1]), language, starts=False)


def _translated(text: str, language: str) -> str:
    return translations(language).gettext(text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
