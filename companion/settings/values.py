"""The settings of a table as a value; None for those that were not chosen."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.clock import ClockError, ClockSetting
from companion.core import BoardsideError, Side, quoted
from companion.dice import DICE
from companion.game import match_under
from companion.hints import BEST_LEVEL
from companion.record import Keep
from companion.rules import has_cube, has_jacoby_rule, names_under, refuse_mirrored
from companion.speech import Style
from companion.texts import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.game import Match
    from companion.rules import Sheet

HINTS = ("off", "request", "tutor")
"""When an engine advises: never, on request, or also after each play; in a match never."""
PICTURES = tuple(map(str, Keep))
OPPONENTS = ("", *Side)
LEVELS = tuple(map(str, range(1, BEST_LEVEL + 1)))
CAMERAS = ("auto", "csi", "usb:0", "usb:1", "usb:2", "usb:3", "simulated")
"""Cameras that a page may choose; folders and films are for the command line."""
LONGEST_SHEET_NAME = 60
LONGEST_NAME = 60
"""Most letters of a player's name with the colour."""
LONGEST_MATCH = 99
LEAST_STAKE, MOST_STAKE = 0.01, 10_000.0
MOST_AUTOMATIC_DOUBLES = 9


class Watch(StrEnum):
    """Who may watch the table: everybody, or only devices with a seat."""

    ALL = "all"
    SEATS = "seats"


class SettingsError(BoardsideError):
    """Settings cannot be used; the text names the key and what was expected."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played for: a match of `length` points, or (0) games without end at `stake` a point (0: none)."""

    length: int = 0
    stake: float = 0.0
    jacoby: bool = False
    beavers: bool = False
    crawford: bool = True
    automatic_doubles: int = 0

    @classmethod
    def of(cls, match: Match) -> Terms:
        """What a match or series is played for."""
        return cls(**{field.name: getattr(match, field.name) for field in fields(cls)})

    def check_limits(self) -> None:
        """Raise SettingsError, with the limits, where a figure is beyond them."""
        if not 0 <= self.length <= LONGEST_MATCH:
            raise SettingsError(
                f"a match of {self.length} points: expected 1 to {LONGEST_MATCH}, or 0 for a series of games"
            )
        if self.stake and not LEAST_STAKE <= self.stake <= MOST_STAKE:
            raise SettingsError(
                f"a stake of {self.stake:g} a point: expected {LEAST_STAKE:g} to {MOST_STAKE:g}, or 0 for no stake"
            )
        if not 0 <= self.automatic_doubles <= MOST_AUTOMATIC_DOUBLES:
            raise SettingsError(
                f"{self.automatic_doubles} automatic doubles a game: expected 0 to {MOST_AUTOMATIC_DOUBLES}"
            )

    def under(self, sheet: Sheet) -> Match:
        """The match or series that begins. Raises MatchError where the sheet does not allow it."""
        return match_under(sheet, **asdict(self))

    def allowed(self, sheet: Sheet) -> Terms:
        """The same without terms that contradict each other or that `sheet` does not allow."""
        cube, series = has_cube(sheet), not self.length
        return Terms(
            self.length,
            self.stake if series else 0.0,
            jacoby=self.jacoby and series and has_jacoby_rule(sheet),
            beavers=self.beavers and series and cube,
            crawford=self.crawford or series or not cube,
            automatic_doubles=self.automatic_doubles if series and cube else 0,
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """The chosen settings; those that are None are taken from the layer below (see `over`).

    Attributes:
        sheet: name of a rule sheet, which determines the game, or on the command line a path.
        terms: what is played for.
        names: what White and Black ask to be called, each "NAME", "NAME (COLOUR)", "(COLOUR)" or "".
        clock: "MINUTES+SECONDS", or "" for no clock.
        dice: one of `companion.dice.DICE`.
        hints: one of HINTS.
        language: one of `companion.texts.LANGUAGES`, or "": each browser's own, and the system's for the voice.
        speech: one of `companion.speech.Style`, or "": the default of the table's kind.
        mirror: White's home is on the left.
        camera: as on the command line.
        watch: one of `Watch`.
        pictures: one of PICTURES (`companion.record.Keep`).
        opponent: the side that Boardside plays in the first game, or "": neither.
        level: how strong it plays, one of LEVELS.
    """

    sheet: str | None = None
    terms: Terms | None = None
    names: tuple[str, str] | None = None
    clock: str | None = None
    dice: str | None = None
    hints: str | None = None
    language: str | None = None
    speech: str | None = None
    mirror: bool | None = None
    camera: str | None = None
    watch: str | None = None
    pictures: str | None = None
    opponent: str | None = None
    level: str | None = None

    def over(self, below: Settings) -> Settings:
        """These settings, with those of `below` for the ones that were not chosen."""
        return replace(below, **{name: getattr(self, name) for name in self.chosen})

    def changed_from(self, before: Settings) -> Settings:
        """What differs from `before`."""
        return self.only(name for name in NAMES if getattr(self, name) != getattr(before, name))

    def only(self, names: Iterable[str]) -> Settings:
        """The settings of these names alone."""
        return Settings(**{name: getattr(self, name) for name in names})

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of what was chosen, in their order."""
        return tuple(name for name in NAMES if getattr(self, name) is not None)

    def to_json(self) -> dict[str, Any]:
        """What was chosen, for the file."""
        stored: dict[str, Any] = {name: getattr(self, name) for name in self.chosen}
        return stored | ({} if self.terms is None else {"terms": asdict(self.terms)})

    @classmethod
    def from_json(cls, stored: Any) -> Settings:
        """The settings that `to_json` returned. Raises SettingsError for anything else."""
        if not isinstance(stored, dict):
            raise SettingsError(f"{quoted(stored)} are no settings: expected an object")
        for name, value in stored.items():
            if name not in NAMES or not _is_valid(name, value):
                raise SettingsError(f"{quoted(name)} = {quoted(value)} is no setting")
        return cls(**stored | _values(stored))


NAMES = tuple(field.name for field in fields(Settings))
ONE_OF: Mapping[str, tuple[str, ...]] = {
    "dice": DICE,
    "hints": HINTS,
    "language": ("", *LANGUAGES),
    "speech": ("", *Style),
    "camera": CAMERAS,
    "watch": tuple(map(str, Watch)),
    "pictures": PICTURES,
    "opponent": OPPONENTS,
    "level": LEVELS,
}
"""The settings with a fixed set of values."""
_TERMS = {field.name: type(getattr(Terms(), field.name)) for field in fields(Terms)}
_SHEET = re.compile(rf"[\w][\w. -]{{0,{LONGEST_SHEET_NAME - 1}}}")


def _values(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The values that have another form in JSON."""
    found: dict[str, Any] = {}
    if "terms" in stored:
        found["terms"] = Terms(**stored["terms"])
    if "names" in stored:
        found["names"] = tuple(stored["names"])
    return found


def _is_valid(name: str, value: Any) -> bool:
    """Whether a value of the file is valid for the setting `name`."""
    match name:
        case "sheet":
            return isinstance(value, str) and _SHEET.fullmatch(value) is not None
        case "mirror":
            return isinstance(value, bool)
        case "names":
            return isinstance(value, list | tuple) and len(value) == len(Side) and all(map(_is_name, value))
        case "clock":
            return isinstance(value, str) and _is_clock(value)
        case "terms":
            return isinstance(value, dict) and all(_is_term(key, each) for key, each in value.items())
        case _:
            return isinstance(value, str) and value in ONE_OF[name]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()


def _is_clock(value: str) -> bool:
    try:
        return not value or bool(ClockSetting.parse(value))
    except ClockError:
        return False


def _is_term(key: str, value: Any) -> bool:
    kind = _TERMS.get(key)
    if type(value) is not kind and not (kind is float and type(value) is int):
        return False
    most = {"length": LONGEST_MATCH, "stake": MOST_STAKE, "automatic_doubles": MOST_AUTOMATIC_DOUBLES}.get(key)
    return most is None or 0 <= value <= most


def fitting(settings: Settings, sheet: Sheet) -> Settings:
    """`settings` without terms, names or a mirrored board that `sheet` does not allow."""
    return settings.only(name for name in settings.chosen if not _is_refused(name, settings, sheet))


def _is_refused(name: str, settings: Settings, sheet: Sheet) -> bool:
    try:
        match name:
            case "terms" if settings.terms is not None:
                settings.terms.under(sheet)
            case "names":
                names_under(sheet, settings.names or ())
            case "mirror":
                refuse_mirrored(sheet, mirrored=bool(settings.mirror))
    except BoardsideError:
        return True
    return False
