"""How numbers, dice and plays are spoken in a language, tersely or friendly."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core import Side
from companion.texts import PLAYERS, marked, translations

if TYPE_CHECKING:
    from collections.abc import Sequence


class Style(StrEnum):
    """How much is said."""

    OFF = "off"
    TERSE = "terse"
    FRIENDLY = "friendly"


NUMBERS = (
    *(marked("zero"), marked("one"), marked("two"), marked("three"), marked("four"), marked("five"), marked("six")),
    *(marked("seven"), marked("eight"), marked("nine"), marked("ten"), marked("eleven"), marked("twelve")),
    *(marked("thirteen"), marked("fourteen"), marked("fifteen"), marked("sixteen"), marked("seventeen")),
    *(marked("eighteen"), marked("nineteen"), marked("twenty"), marked("twenty-one"), marked("twenty-two")),
    *(marked("twenty-three"), marked("twenty-four"), marked("twenty-five"), marked("twenty-six")),
    *(marked("twenty-seven"), marked("twenty-eight"), marked("twenty-nine"), marked("thirty"), marked("thirty-one")),
    marked("thirty-two"),
)
"""As far as points and squares go; what is higher (scores, cubes) is left to the voice as a numeral."""
TIMES = {2: marked("{trip}, twice"), 3: marked("{trip}, three times"), 4: marked("{trip}, four times")}
_TRIP = re.compile(r"([^/()]+)((?:/[^/()]+)+)(?:\((\d)\))?")
FIRST_OFF, ANOTHER_OFF = marked("a checker from {source}"), marked("one from {source}")
_BORNE_OFF = re.compile(r"(\d+)/off(?:\((\d)\))?")


class Language:
    """A language and a style; `say` takes messages in English."""

    def __init__(self, language: str, style: Style) -> None:
        """`language` is one of `companion.texts.LANGUAGES`."""
        self.language = language
        self.style = style
        self._catalogue = translations(language)

    @property
    def terse(self) -> bool:
        """Whether few words are wanted."""
        return self.style is Style.TERSE

    def say(self, terse: str, friendly: str = "", /, **facts: str) -> str:
        """A message in this language, `facts` in place of its braces; `friendly` where more words are wanted."""
        message = terse if self.terse or not friendly else friendly
        return self._catalogue.gettext(message).format_map(facts)

    def count(self, one: str, many: str, number: int, /) -> str:
        """A message that counts: `one` for a single thing, `many` with {number} for all else."""
        return self._catalogue.ngettext(one, many, number).format_map({"number": self.number(number)})

    def number(self, number: int) -> str:
        """`thirteen`."""
        return self.say(NUMBERS[number]) if 0 <= number < len(NUMBERS) else str(number)

    def player(self, side: str) -> str:
        """White or Black."""
        return self.say(PLAYERS[side])

    def opponent(self, side: str) -> str:
        """The other one."""
        return self.player(Side(side).opponent)

    def listed(self, words: Sequence[str]) -> str:
        """`six, eight and the bar`."""
        if len(words) < 2:
            return "".join(words)
        return self.say("{first} and {last}", first=", ".join(words[:-1]), last=words[-1])

    def dice(self, dice: Sequence[int]) -> str:
        """`five and two`, the larger first; `double four`; a single die's number."""
        high = [self.number(value) for value in sorted(dice, reverse=True)]
        if len(high) == 2 and high[0] == high[1]:
            return self.say("double {number}", number=high[0])
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
            source, times = self.number(int(match[1])), int(match[2] or 1)
            one = self.say(ANOTHER_OFF if said else FIRST_OFF, source=source)
            said.append(self.say(TIMES[times], trip=one) if times in TIMES else one)
        return ", ".join(said)

    def _trip(self, word: str) -> str:
        match = _TRIP.fullmatch(word)
        if match is None:
            return self._move(word)
        source, rest, times = match.groups()
        told: list[str] = []
        for target in rest[1:].split("/"):
            told.append(self._step(source, target.rstrip("*"), first=not told))
            if target.endswith("*"):
                told[-1] = self.say("{trip} and hits", trip=told[-1])
        trip = ", ".join(told)
        return self.say(TIMES[int(times)], trip=trip) if times and int(times) in TIMES else trip

    def _step(self, source: str, target: str, *, first: bool) -> str:
        if target == "off":
            return self.say("{source} off", source=self._place(source)) if first else self.say("then off")
        if not first:
            return self.say("on to {target}", target=self._place(target))
        return self.say("{source} to {target}", source=self._place(source), target=self._place(target))

    def _place(self, place: str) -> str:
        return self.number(int(place)) if place.isdecimal() else self.say("the bar")

    def _move(self, move: str) -> str:
        """A move of checkers."""
        squares = re.split("[-x]", move)
        if not all(square.isdecimal() for square in squares):
            return move
        source, target, *more = (self.number(int(square)) for square in squares)
        jumps = "x" in move
        begin = (
            self.say("{source} jumps to {target}", source=source, target=target)
            if jumps
            else self.say("{source} to {target}", source=source, target=target)
        )
        return ", ".join([begin, *(self.say("on to {target}", target=square) for square in more)])
