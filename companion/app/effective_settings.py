"""The settings of this start: options of the command line, then what was chosen on the page, then the configuration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.app.own_sheets import readable_sheet
from companion.clock import ClockSetting
from companion.core import Side, commas, message
from companion.record import Keep, sheet_of_running_game, sheets_in
from companion.rules import SheetError, base_sheet, rules_named
from companion.settings import Settings, Terms, Watch, fitting
from companion.speech import Style
from vision.cameras import CameraLost

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from companion.app.assembly import TableStorage
    from companion.core import BoardsideError, Message
    from companion.game import Match
    from companion.rules import Ruleset, Sheet
    from companion.settings import KeptSettings, SettingsFile
    from hardware.configuration import Configuration

DEFAULT_SHEET = "standard"
OPPONENT_NAME = "Boardside"
DEFAULTS = Settings(
    clock="",
    dice="fair",
    hints="request",
    language="",
    speech="",
    mirror=False,
    camera="auto",
    watch=str(Watch.ALL),
    pictures=str(Keep.MATCH),
    opponent="",
    level="3",
)
"""Default settings; a sheet, terms and names that were not chosen are taken from the record."""


def of_command_line(args: argparse.Namespace) -> Settings:
    """The settings in the options; all options for match and stakes together are one setting. Raises SettingsError."""
    agreed = (args.jacoby, args.beavers, args.no_crawford, args.automatic_doubles)
    terms = None
    if args.match is not None or args.stake is not None or any(agreed):
        terms = Terms(
            args.match or 0,
            args.stake or 0.0,
            jacoby=args.jacoby,
            beavers=args.beavers,
            crawford=not args.no_crawford,
            automatic_doubles=args.automatic_doubles,
        )
        terms.check_limits()
    return Settings(
        sheet=args.sheet,
        terms=terms,
        names=None if args.names is None else tuple(args.names),
        clock=None if args.clock is None else str(ClockSetting.parse(args.clock)),
        dice=args.dice,
        language=args.language,
        speech=args.speech,
        mirror=args.mirror or None,
        camera=args.camera,
        watch=args.watch,
        opponent={"nobody": ""}.get(args.opponent, args.opponent),
        level=args.level,
    )


def of_configuration(configuration: Configuration) -> Settings:
    """The settings in the configuration file that may also be chosen on the page."""
    return Settings(
        clock=None if configuration.clock is None else str(configuration.clock),
        dice=configuration.dice,
        language=configuration.language,
        speech=configuration.speech,
    )


def configured(configuration: Configuration, chosen: Settings) -> Configuration:
    """The configuration with its settings replaced by the chosen ones."""
    return replace(
        configuration,
        clock=ClockSetting.parse(chosen.clock) if chosen.clock else None,
        dice=chosen.dice or configuration.dice,
        language=chosen.language or None,
        speech=Style(chosen.speech) if chosen.speech else None,
    )


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """The settings and rules of this start.

    Attributes:
        settings: the ones in force; the sheet is a path or a shipped name, None if none was chosen.
        rules: those of the running game, else of the sheet.
        fixed: the names of the settings that the command line has chosen.
        said: messages about them.
    """

    settings: Settings
    rules: Ruleset[Any]
    fixed: frozenset[str]
    said: tuple[Message, ...]


def effective_settings(asked: Settings, storage: TableStorage, preset: Settings, game: str | None) -> EffectiveSettings:
    """The settings of this start: `asked` ones, then kept ones that the sheet allows, then `preset`.

    `game`: the one whose start the camera has seen. Raises SheetError.
    """
    own, fixed = sheets_in(storage.state.path), frozenset(asked.chosen)
    kept, of_running = storage.settings.kept.settings, None
    sheet, of_sheet = _readable_sheet(asked, kept, own)
    asked, kept = (settings_for_game(game, replace(each, sheet=sheet)) for each in (asked, kept))
    running = sheet_of_running_game(storage.entries)
    if running is not None and (asked.sheet is None or rules_named(asked.sheet).sheet.name != running):
        running, of_running = readable_sheet(running, own)
    rules = rules_for(asked.sheet, running)
    said = (of_sheet, of_running, storage.settings.trouble, changes_message(storage.settings.kept))
    settings = asked.over(fitting(kept, rules.sheet).over(preset).over(DEFAULTS))
    return EffectiveSettings(settings, rules, fixed, tuple(filter(None, said)))


def settings_for_game(game: str | None, chosen: Settings) -> Settings:
    """The settings for `game`: `chosen` if its sheet is of that game, else its base sheet and nothing played for."""
    if game is None or rules_named(chosen.sheet or DEFAULT_SHEET).sheet.game == game:
        return chosen
    return replace(chosen, sheet=base_sheet(game), terms=None, mirror=None)


def rules_for(asked_for: str | None, running: str | None) -> Ruleset[Any]:
    """The rules of the running game, else of the sheet asked for (a name or a file), else of the default sheet.

    Raises SheetError for an unknown sheet.
    """
    asked = rules_named(asked_for or DEFAULT_SHEET)
    return asked if running in (None, asked.sheet.name) else rules_named(str(running))


def _readable_sheet(asked: Settings, kept: Settings, own: Path) -> tuple[str | None, Message | None]:
    """The sheet asked for, else the stored one if it still exists, and a message about it.

    Raises SheetError where the one asked for cannot be read.
    """
    sheet = asked.over(kept).sheet
    try:
        return (None, None) if sheet is None else readable_sheet(sheet, own)
    except SheetError:
        if asked.sheet is not None:
            raise
        return None, message("settings.sheet.gone", sheet=str(sheet))


def complete_settings(settings: Settings, sheet: Sheet, played: Match) -> Settings:
    """`settings` with the sheet in force, and where none were chosen the terms and names of the match `played`."""
    names = settings.names or with_opponent(played.names, None)
    return replace(settings, sheet=sheet.name, terms=settings.terms or Terms.of(played).allowed(sheet), names=names)


def with_opponent(names: Sequence[str], opponent: Side | None) -> tuple[str, str]:
    """The players' names; the side that Boardside plays (`opponent`) is called Boardside unless a name was chosen."""
    own = (_without_its_name(name) for name in names or ("", ""))
    white, black = (
        f"{OPPONENT_NAME} {name}".strip() if side is opponent and name[:1] in ("", "(") else name
        for side, name in zip(Side, own, strict=True)
    )
    return white, black


def _without_its_name(name: str) -> str:
    """A player's name as it is, or without Boardside's own name, which leaves the colour if one was given."""
    own, space, colour = name.partition(" (")
    return name if own != OPPONENT_NAME else f"({colour}" if space else ""


def changes_message(kept: KeptSettings) -> Message | None:
    """The message that settings have changed since the last start; None: they have not."""
    if kept.before is None:
        return None
    before, now = kept.before, kept.settings
    names = [message(f"setting.{name}") for name in (*now.changed_from(before).chosen,)]
    if not names:
        return None
    return message("settings.changed", what=commas(names))


def revert_failed_settings(settings: SettingsFile, asked: Settings, error: BoardsideError) -> Message | None:
    """Revert settings with which the table cannot be opened; returns the message. None: nothing to revert.

    The settings before the last change apply again. If there are none, and the camera chosen on the page is missing,
    that choice is deleted, unless the command line (`asked`) names a camera.
    """
    why = str(error).rstrip(".")
    if settings.revert():
        return message("settings.reverted", why=why)
    of_camera = isinstance(error, CameraLost) and asked.camera is None
    if of_camera and settings.forget("camera"):
        return message("settings.camera.gone", why=why)
    return None
