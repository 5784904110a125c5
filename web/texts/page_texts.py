"""The texts of all pages in a player's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side, message, name_of, space_of
from companion.texts import CAUSES, ENGLISH, REASONS, Renderer, capital, counted_forward
from web.texts.page import COUNTED, TEXTS, TEXTS_ON_TILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Cause, Message, Names


class PageTexts(Renderer):
    """The pages' texts in one language, for a board of points or of tiles."""

    def calling(self, names: Names) -> PageTexts:
        """The same texts with these names of the players."""
        return self if names == self.names else PageTexts(self.language, names, tiles=self.tiles)

    def on(self, *, tiles: bool) -> PageTexts:
        """The same texts for a board of tiles, or of points."""
        return self if tiles is self.tiles else PageTexts(self.language, self.names, tiles=tiles)

    def __call__(self, key: str, /, **facts: object) -> str:
        """The text of `key` in `TEXTS` with `facts` in place of its braces; a `Side` becomes the player's name."""
        named = {name: self.player(fact) if isinstance(fact, Side) else fact for name, fact in facts.items()}
        text = TEXTS_ON_TILES.get(key) if self.tiles else None
        return self.read_well(self.translated(text or TEXTS[key]).format_map(named))

    def count(self, key: str, number: int) -> str:
        """The text of `key` in `COUNTED` with {number}."""
        one, many = COUNTED[key]
        return self._catalogue.ngettext(one, many, number).format(number=number)

    def player_in_full(self, side: str) -> str:
        """The player's own name with the colour, where there is one: "Anna (Red)"."""
        return f"{self.player(side)} ({self.colour(side)})" if name_of(side, self.names).name else self.colour(side)

    def rendered(self, what: Message | None) -> str:
        """The text of a message; empty for None."""
        return "" if what is None else self.render(what)

    def because(self, facts: Sequence[Message]) -> str:
        """Facts about a play in a line: "Hits on 1; 13 of the opponent’s 36 rolls hit"."""
        return capital("; ".join(map(self.phrase, facts)))

    def recorded(self, english: str) -> str:
        """A text of a record, which is in English; empty if this language is another."""
        return english if self.language == ENGLISH else ""

    def reason(self, code: str) -> str:
        """Why a play is illegal, as the end of a sentence; of an unknown code its own words."""
        return self.phrase(message(f"reason.{code}")) if code in REASONS else code.replace("_", " ")

    def play(self, play: str) -> str:
        """A play in standard notation as players write it: on tiles, spaces are counted forward."""
        return counted_forward(play) if self.tiles else play

    def point(self, point: int) -> int:
        """The number by which a player calls a point, from that player's point number."""
        return space_of(point) if self.tiles else point

    def cause(self, cause: Cause) -> str:
        """Why the board cannot be read."""
        return self.translated(CAUSES[cause])

    def decimal(self, text: str) -> str:
        """A number as it is written in this language: "0.5" becomes "0,5" in all but English."""
        return text if self.language == ENGLISH else text.replace(".", ",")

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return self("words.and", first=", ".join(words[:-1]), last=words[-1])


ENGLISH_TEXTS = PageTexts()
