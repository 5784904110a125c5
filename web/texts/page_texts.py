"""The words of every page in a player's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import WHITE_AND_BLACK, Side, message, name_of, space_of
from companion.texts import (
    CAUSES,
    COLOURS,
    ENGLISH,
    REASONS,
    counted_forward,
    elided,
    phrase,
    render,
    translations,
)
from web.texts.page import COUNTED, TEXTS, TEXTS_ON_TILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Cause, Message, Names


class PageTexts:
    """The page's words in one language, for a board of points or of tiles."""

    def __init__(self, language: str = ENGLISH, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> None:
        """`language` is one of `companion.texts.LANGUAGES`; `names` is what the players are called."""
        self.language = language
        self.names = names
        self.tiles = tiles
        self._catalogue = translations(language)

    def calling(self, names: Names) -> PageTexts:
        """The same words with other names of the players."""
        return self if names == self.names else PageTexts(self.language, names, tiles=self.tiles)

    def on(self, *, tiles: bool) -> PageTexts:
        """The same words for a board of tiles, or of points."""
        return self if tiles is self.tiles else PageTexts(self.language, self.names, tiles=tiles)

    def translated(self, text: str) -> str:
        """An English text of the catalogues in this language, its braces as they are."""
        return self._catalogue.gettext(text)

    def __call__(self, key: str, /, **facts: object) -> str:
        """The text of `key` in `TEXTS` with `facts` in place of its braces; a `Side` becomes the player's name."""
        named = {name: self.player(fact) if isinstance(fact, Side) else fact for name, fact in facts.items()}
        text = TEXTS_ON_TILES.get(key) if self.tiles else None
        return self.read_well(self.translated(text or TEXTS[key]).format_map(named))

    def read_well(self, text: str) -> str:
        """`text` with "d'Anna" in place of "de Anna" in French."""
        return elided(text, self.names) if self.language == "fr" else text

    def count(self, key: str, number: int) -> str:
        """The text of `key` in `COUNTED` with {number}."""
        one, many = COUNTED[key]
        return self._catalogue.ngettext(one, many, number).format(number=number)

    def player(self, side: str) -> str:
        """What a side is called: the player's own name, or the colour."""
        return name_of(side, self.names).name or self.colour(side)

    def colour(self, side: str) -> str:
        """The colour of a side's checkers as a name: "White"."""
        return self.translated(COLOURS[name_of(side, self.names).colour])

    def player_in_full(self, side: str) -> str:
        """The player's own name with the colour, where there is one: "Anna (Red)"."""
        return f"{self.player(side)} ({self.colour(side)})" if name_of(side, self.names).name else self.colour(side)

    def rendered(self, what: Message | None) -> str:
        """The text of a message; empty for None."""
        return "" if what is None else render(what, self.language, self.names, tiles=self.tiles)

    def end_of_sentence(self, what: Message) -> str:
        """As `rendered`, but its first letter stays as the text has it."""
        return phrase(what, self.language, self.names, tiles=self.tiles)

    def because(self, facts: Sequence[Message]) -> str:
        """Facts of a play in a line: "Makes the 5 point, no roll hits"."""
        return capital(", ".join(map(self.end_of_sentence, facts)))

    def recorded(self, english: str) -> str:
        """A text of a record, which is in English; empty in other languages."""
        return english if self.language == ENGLISH else ""

    def reason(self, code: str) -> str:
        """Why a play is not legal, as the end of a sentence; an unknown code as it is."""
        return self.end_of_sentence(message(f"reason.{code}")) if code in REASONS else code.replace("_", " ")

    def play(self, play: str) -> str:
        """A play in standard notation as the players write it: on tiles, spaces are counted forward."""
        return counted_forward(play) if self.tiles else play

    def point(self, point: int) -> int:
        """What a player calls the point of that number of theirs."""
        return space_of(point) if self.tiles else point

    def cause(self, cause: Cause) -> str:
        """Why the board cannot be read."""
        return self.translated(CAUSES[cause])

    def decimal(self, text: str) -> str:
        """A number as it is written in this language: "0.5" is "0,5" in all but English."""
        return text if self.language == ENGLISH else text.replace(".", ",")

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return self("words.and", first=", ".join(words[:-1]), last=words[-1])


ENGLISH_TEXTS = PageTexts()


def capital(text: str) -> str:
    """`text` with its first letter as a capital."""
    return text[:1].upper() + text[1:]
