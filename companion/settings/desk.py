"""Changes settings: those in force, those fixed by the command line, and when a change may take effect."""

from __future__ import annotations

import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core import Refusal, message
from companion.game import Phase
from companion.settings.own_sheets import add_own_sheet, remove_own_sheet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.interface import Snapshot
    from companion.rules import Sheet
    from companion.settings.file import SettingsFile
    from companion.settings.values import Settings

AT_ANY_TIME = frozenset({"language", "speech", "watch"})
"""Settings that give no player an advantage: they may change in the middle of a game."""
AT_ONCE = AT_ANY_TIME | {"pictures"}
"""Settings that take effect without opening the table again."""


class Effect(StrEnum):
    """The effect of a change."""

    NOTHING = "nothing"
    """Nothing differs."""
    AT_ONCE = "at_once"
    """The change is in effect."""
    OPENS_AGAIN = "opens_again"
    """The change takes effect when the table is opened again, which takes a moment."""
    LATER = "later"
    """The change takes effect after the game or the match."""


class Busy(StrEnum):
    """Why the settings of the game cannot change now."""

    GAME = "game"
    MATCH = "match"


def busy(snapshot: Snapshot) -> Busy | None:
    """Whether a game is on, or between games a match or a series at a stake; before the first roll neither is."""
    unrolled = snapshot.dice is None and not snapshot.history
    ready = snapshot.phase is Phase.OPENING and (unrolled or snapshot.ended is not None)  # history: of the ended game
    if snapshot.phase not in (Phase.WAITING, Phase.OVER) and not ready:
        return Busy.GAME
    match = snapshot.match
    under_way = match is not None and bool(match.length or match.stake) and any(match.score) and match.winner is None
    return Busy.MATCH if under_way else None


@dataclass(frozen=True, slots=True)
class DeskPorts:
    """The desk's connections to the table.

    Attributes:
        snapshot: what the table shows now.
        apply: takes the settings that take effect at once.
        open_again: closes the table and opens it with the settings as kept; returns at once.
    """

    snapshot: Callable[[], Snapshot]
    apply: Callable[[Settings], None] = lambda _: None
    open_again: Callable[[], None] = lambda: None


class SettingsDesk:
    """Changes the settings of one table. Thread-safe.

    Attributes:
        run_id: identifies this opening of the table.
        fixed: the names of the settings that the command line has chosen for this start.
        own: the folder of the players' own rule sheets.
        is_first: whether this table was never set up and no game was ever played.
    """

    def __init__(
        self,
        file: SettingsFile,
        now: Settings,
        ports: DeskPorts,
        *,
        own: Path,
        fixed: frozenset[str] = frozenset(),
        is_first: bool = False,
    ) -> None:
        """`now` are the settings in force, all of them chosen."""
        self.run_id = secrets.token_hex(4)
        self.fixed, self.own, self.is_first = fixed, own, is_first
        self._file, self._now, self._ports = file, now, ports
        self._lock = threading.Lock()
        self._adding = threading.Lock()
        self._due = False

    @property
    def now(self) -> Settings:
        """The settings in force, all of them chosen."""
        return self._now

    @property
    def later(self) -> Settings | None:
        """What changes after the game or the match; None: nothing."""
        return self._file.kept.later

    @property
    def busy(self) -> Busy | None:
        """Why the settings of the game cannot change now; None: they can."""
        return busy(self._ports.snapshot())

    def change(self, asked: Settings, *, both: bool = False) -> Effect:
        """Change what differs in `asked`, except `fixed` settings; `both`: both players agree.

        During a game, and without `both` during a match, raises Refusal, which says when it can be done.
        """
        with self._lock:
            changed = self._changed(asked)
            held_up = self.busy
            if not AT_ANY_TIME.issuperset(changed.chosen) and held_up and not (both and held_up is Busy.MATCH):
                raise Refusal(message(f"settings.busy.{held_up}"))
            return self._change(changed)

    def postpone(self, asked: Settings) -> Effect:
        """Change what differs in `asked` as soon as that is possible; postponed settings not in `asked` stay so.

        Raises Refusal if it cannot be stored.
        """
        with self._lock:
            changed, before = self._changed(asked), self.later
            if self.busy is None or not (changed.chosen or before):
                return self._change(changed)
            later = changed if before is None else changed.over(before.only(set(before.chosen) - set(asked.chosen)))
            self._file.postpone(later if later.chosen else None)
            return Effect.LATER if later.chosen else Effect.NOTHING

    def forget_later(self) -> None:
        """Cancel the postponed changes. Raises Refusal if that cannot be stored."""
        with self._lock:
            self._file.postpone(None)

    def tick(self) -> None:
        """Call about once a second: opens the table again after a change, and makes postponed changes."""
        with self._lock:
            if self._due:
                self._due = False
                if self.busy is Busy.GAME:  # a game has begun, whose clock opening again would set back
                    self._file.postpone_last_change(AT_ONCE)
                else:
                    self._ports.open_again()
            elif self.later is not None and self.busy is None:
                with suppress(Refusal):  # a full disk, which the record reports: the next call tries again
                    if self._change(self._changed(self.later)) is not Effect.OPENS_AGAIN:
                        self._file.postpone(None)

    def add_sheet(self, file_name: str, text: str) -> Sheet:
        """Store a rule sheet of the players' own. Raises Refusal, also during a game: the check is costly."""
        if self.busy is Busy.GAME:
            raise Refusal(message(f"settings.busy.{Busy.GAME}"))
        with self._adding:  # not the lock that `tick` takes, for which the whole table would wait
            return add_own_sheet(self.own, file_name, text)

    def remove_sheet(self, name: str) -> None:
        """Remove one of the players' own sheets. Raises Refusal, also for the one in use."""
        with self._lock:
            in_use = (self._ports.snapshot().sheet, self._now.sheet, self.later.sheet if self.later else None)
            if name in in_use:
                raise Refusal(message("settings.sheet.in_use", sheet=name))
            remove_own_sheet(self.own, name)

    def _changed(self, asked: Settings) -> Settings:
        changed = asked.changed_from(self._now)
        return changed.only(name for name in changed.chosen if name not in self.fixed)

    def _still_later(self, changed: Settings) -> Settings | None:
        """What stays postponed if `changed` takes effect now."""
        left = () if self.later is None else set(self.later.chosen) - set(changed.chosen)
        return self.later.only(left) if self.later is not None and left else None

    def _change(self, changed: Settings) -> Effect:
        """Store `changed` and let it take effect; the caller holds the lock."""
        kept = changed.over(self._file.kept.settings)
        if AT_ONCE.issuperset(changed.chosen):
            self._file.keep(kept)
            self._now = changed.over(self._now)
            self._ports.apply(changed)
            self.is_first = False
            return Effect.AT_ONCE if changed.chosen else Effect.NOTHING
        self._file.change(kept, self._still_later(changed))
        self._due = True
        return Effect.OPENS_AGAIN
