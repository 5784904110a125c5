"""Words for numbers, dice and plays in a language, in terse or friendly style."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core import WHITE_AND_BLACK, Dice, Message, Side, message, space_of
from companion.texts import NUMBERS, TEXTS, Renderer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Fact, Names


class Style(StrEnum):
    """How much is said."""

    OFF = "off"
    TERSE = "terse"
    FRIENDLY = "friendly"


MOST_TIMES = 4
_TRIP = re.compile(r"([^/()]+)((?:/[^/()]+)+)(?:\((\d)\))?")
_BORNE_OFF = re.compile(r"(\d+)/off(?:\((\d)\))?")


class Language(Renderer):
    """Makes spoken texts in a language and a style: numbers, dice and plays are words."""

    def __init__(self, language: str, style: Style, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> None:
        """`language` is one of `companion.texts.LANGUAGES`; `names` are those of the players."""
        super().__init__(language, names, tiles=tiles)
        self.style = style

    @property
    def terse(self) -> bool:
        """Whether the style is terse."""
        return self.style is Style.TERSE

    def template(self, key: str) -> str:
        """The text of a key, with its braces; in terse style its terse form, if there is one."""
        return super().template(f"{key}.terse" if self.terse and f"{key}.terse" in TEXTS else key)

    def fact(self, name: str, fact: Fact, *, starts: bool) -> str:
        """The words for a fact; a text in the brace `play` is a play in standard notation."""
        match fact:
            case int():
                return self.number(fact)
            case Dice():
                return self.dice(fact.values)
            case str() if name == "play" and not isinstance(fact, Side):
                return self.play(fact)
            case _:
                return super().fact(name, fact, starts=starts)

    def say(self, key: str, /, **facts: Fact) -> str:
        """The text `key` in this language, `facts` in place of its braces; its first letter unchanged."""
        return self.phrase(Message(key, facts))

    def sentence(self, key: str, /, **facts: Fact) -> str:
        """The same for a text that ends a sentence, as a complete sentence."""
        return self.render(message("sentence", what=Message(key, facts)))

    def number(self, number: int) -> str:
        """`thirteen`."""
        return self.translated(NUMBERS[number]) if 0 <= number < len(NUMBERS) else str(number)

    def point(self, point: int) -> str:
        """The number by which a player calls a point, in words, from that player's point number."""
        return self.number(space_of(point) if self.tiles else point)

    def listed(self, words: Sequence[str]) -> str:
        """`six, eight and the bar`."""
        return self.say("list", facts=tuple(words))

    def dice(self, dice: Sequence[int]) -> str:
        """`five and two`, the larger first; `double four`; a single die's number."""
        high = [self.number(value) for value in Dice(tuple(dice)).written]
        if len(high) == 2 and high[0] == high[1]:
            return self.say("spoken.double_dice", number=high[0])
        return self.listed(high)

    def play(self, play: str) -> str:
        """A play in standard notation or PDN: `13/8 6/5*` is `thirteen to eight, six to five and hits`."""
        return ", ".join(self._trip(word) for word in play.split())

    def borne_off(self, play: str) -> str:
        """`a checker from six, one from five`; empty where the play is anything else than bearing off."""
        trips = [_BORNE_OFF.fullmatch(word) for word in play.split()]
        said: list[str] = []
        for match in trips:
            if match is None:
                return ""
            source, times = self.point(int(match[1])), int(match[2] or 1)
            one = self.say("spoken.another_off", source=source) if said else self.say("spoken.first_off", source=source)
            said.append(self.say(f"spoken.times.{times}", trip=one) if 1 < times <= MOST_TIMES else one)
        return ", ".join(said)

    def _trip(self, word: str) -> str:
        match = _TRIP.fullmatch(word)
        if match is None:
            return self._move(word)
        source, rest, times = match.groups()
        steps: list[str] = []
        for target in rest[1:].split("/"):
            steps.append(self._step(source, target.rstrip("*"), first=not steps))
            if target.endswith("*"):
                steps[-1] = self.say("spoken.hits", trip=steps[-1])
        trip = ", ".join(steps)
        return self.say(f"spoken.times.{times}", trip=trip) if times and 1 < int(times) <= MOST_TIMES else trip

    def _step(self, source: str, target: str, *, first: bool) -> str:
        if target == "off":
            return self.say("spoken.off", source=self._place(source)) if first else self.say("spoken.then_off")
        if not first:
            return self.say("spoken.on_to", target=self._place(target))
        if not source.isdecimal():
            return self.say("spoken.trip.bar", target=self._place(target))
        return self.say("spoken.trip", source=self._place(source), target=self._place(target))

    def _place(self, place: str) -> str:
        return self.number(int(place)) if place.isdecimal() else self.say("the_bar")

    def _move(self, move: str) -> str:
        """A move of checkers."""
        squares = re.split("[-x]", move)
        if not all(square.isdecimal() for square in squares):
            return move
        source, target, *more = (self.number(int(square)) for square in squares)
        jumps = "x" in move
        begin = (
            self.say("spoken.jumps", source=source, target=target)
            if jumps
            else self.say("spoken.trip", source=source, target=target)
        )
        return ", ".join([begin, *(self.say("spoken.on_to", target=square) for square in more)])
