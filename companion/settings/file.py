"""The file of a table's settings: written atomically; an unreadable file is renamed, with a message."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Refusal, message, parse_json, quoted, read_bytes, written_whole
from companion.record import damaged_name
from companion.settings.values import Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from companion.core import Message

LOG = logging.getLogger(__name__)
MOST_BYTES = 20_000
VERSION = 1
KEYS = frozenset({"version", "settings", "before", "later"})
NOTHING_CHOSEN = Settings()


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """What the file holds.

    Attributes:
        settings: what was chosen.
        before: what was chosen before the last change, until a table was opened with the change; else None.
        later: what changes after the game or the match; None: nothing.
    """

    settings: Settings = NOTHING_CHOSEN
    before: Settings | None = None
    later: Settings | None = None


class SettingsFile:
    """The settings of one table, as its file has them.

    Attributes:
        kept: what it holds.
        is_new: whether there was no file.
        trouble: the message about an unusable file; None if there is none.
    """

    def __init__(self, path: Path) -> None:
        """Read the file at `path`; one that is damaged or of a newer Boardside is renamed."""
        self._path = path
        self.is_new = False
        self.trouble: Message | None = None
        self.kept = KeptSettings()
        self._read()

    def _read(self) -> None:
        try:
            self.kept = _kept(parse_json(read_bytes(self._path, MOST_BYTES)))
        except FileNotFoundError:
            self.is_new = True
        except OSError as error:
            self._put_aside(str(error.strerror))
        except (BoardsideError, ValueError) as error:  # ValueError: OutsideError
            self._put_aside(str(error))

    def _put_aside(self, why: str) -> None:
        aside = damaged_name(self._path)
        LOG.warning("The settings cannot be read (%s): they are put aside as %s.", why, aside)
        self.trouble = message("settings.damaged", kept=str(aside))
        try:
            self._path.rename(aside)
        except OSError as error:
            LOG.warning("%s stays where it is: %s", self._path, error.strerror)

    def change(self, settings: Settings, later: Settings | None = None) -> None:
        """Store new settings, and the present ones until `confirm`; `later` is what stays postponed.

        Raises Refusal if they cannot be written.
        """
        before = self.kept.settings if self.kept.before is None else self.kept.before
        self._write(KeptSettings(settings, before, later))

    def keep(self, settings: Settings) -> None:
        """Store settings that take effect without opening the table again. Raises Refusal if they cannot be written."""
        self._write(replace(self.kept, settings=settings))

    def postpone(self, later: Settings | None) -> None:
        """Store what changes later; None: nothing. Raises Refusal if it cannot be written."""
        self._write(replace(self.kept, later=later))

    def postpone_last_change(self, at_once: Collection[str]) -> None:
        """Postpone the last change, except for the settings `at_once`, which are in effect already."""
        before = self.kept.before or NOTHING_CHOSEN
        changed = self.kept.settings.changed_from(before)
        there = changed.only(name for name in changed.chosen if name in at_once)
        later = changed.only(name for name in changed.chosen if name not in at_once)
        postponed = later.over(self.kept.later or NOTHING_CHOSEN)
        self._write_if_possible(KeptSettings(there.over(before), None, postponed))

    def confirm(self) -> None:
        """Drop the settings before the last change, because a table was opened with the new ones."""
        if self.kept.before is not None:
            self._write_if_possible(replace(self.kept, before=None))

    def revert(self) -> bool:
        """Restore the settings before the last change, with which no table can be opened; False if there are none."""
        if self.kept.before is None:
            return False
        self._write_if_possible(KeptSettings(self.kept.before, later=self.kept.later))
        return True

    def forget(self, name: str) -> bool:
        """Remove the choice of setting `name`; returns whether it was chosen."""
        chosen = self.kept.settings.chosen
        if name in chosen:
            left = self.kept.settings.only(one for one in chosen if one != name)
            self._write_if_possible(replace(self.kept, settings=left))
        return name in chosen

    def _write_if_possible(self, kept: KeptSettings) -> None:
        try:
            self._write(kept)
        except Refusal as refusal:
            LOG.warning("the settings are not kept: %s", refusal)
        self.kept = kept

    def _write(self, kept: KeptSettings) -> None:
        stored = {
            "version": VERSION,
            **{
                name: settings.to_json()
                for name in ("settings", "before", "later")
                if (settings := getattr(kept, name)) is not None
            },
        }
        try:
            _kept(stored)
        except SettingsError as error:  # they could not be read again, and would be lost
            raise Refusal(message("settings.unsound", why=str(error))) from error
        try:
            with written_whole(self._path) as file:
                file.write(json.dumps(stored, indent=1).encode())
        except OSError as error:
            raise Refusal(message("settings.not_written", why=str(error.strerror))) from error
        self.kept, self.is_new = kept, False


def _kept(stored: Any) -> KeptSettings:
    """Raises SettingsError."""
    if not isinstance(stored, dict) or stored.get("version") != VERSION or not stored.keys() <= KEYS:
        version = stored.get("version") if isinstance(stored, dict) else None
        raise SettingsError(f"version = {quoted(version)}: expected {VERSION}, and keys {', '.join(sorted(KEYS))}")

    def of(name: str) -> Settings | None:
        return Settings.from_json(stored[name]) if name in stored else None

    return KeptSettings(of("settings") or NOTHING_CHOSEN, of("before"), of("later"))
