"""Opens a table's equipment (panel, speech, configuration) and its storage (record, dice secrets)."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.clock import ClockPaused, ClockSetting, NoClockError
from companion.dice import CameraDice, FairDice, HandDice, SecretFile
from companion.game import DiceRevealed
from companion.record import (
    WITHOUT_POSITIONS,
    BackupWorker,
    Record,
    RecordError,
    StateDirectory,
    open_commitments,
    rolls_under_first_commitment,
    since_last_pause,
)
from companion.seats import CodeAsked
from companion.settings import SettingsFile
from companion.speech import SpeechOutput, Style
from companion.texts import language_of
from hardware.configuration import Configuration, load_configuration
from hardware.factory import GPIOCHIPS, open_factory
from hardware.panel import Panel
from hardware.pins import refuse_busy
from hardware.speech import Voice, style_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.dice import DiceSource
    from companion.interface import Item
    from companion.record import Entry
    from companion.settings import Settings
    from hardware.button_actions import Pressed
    from hardware.factory import Opened

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class TableEquipment:
    """Configuration and pins of the devices; `opened.trouble` says why mock pins replace real ones."""

    configuration: Configuration
    opened: Opened

    @classmethod
    def from_args(cls, args: argparse.Namespace) -> TableEquipment:
        """Read the configuration file and apply the options config, clock, language, speech and gpio.

        Raises ConfigurationError, ClockError, PinsError or GpioError.
        """
        configuration = Configuration() if args.config is None else load_configuration(args.config)
        if args.clock is not None:
            configuration = replace(configuration, clock=ClockSetting.parse(args.clock))
        if args.language is not None:
            configuration = replace(configuration, language=args.language)
        if args.speech is not None:
            configuration = replace(configuration, speech=Style(args.speech))
        equipment = cls(configuration, open_factory(args.gpio))
        if not equipment.opened.mocked:
            refuse_busy(configuration.pins, GPIOCHIPS)
        return equipment

    def panel(
        self, post: Callable[[Item], None], pause_clock: Callable[[], None], show_code: Callable[[], None]
    ) -> Panel:
        """Open the panel. Its buttons call `post`, `pause_clock` for the chess clock, or `show_code` for a device.

        Raises GpioError.
        """

        def pressed(item: Pressed) -> None:
            match item:
                case ClockPaused():
                    with suppress(NoClockError):  # a long press without a running clock is ignored
                        pause_clock()
                case CodeAsked():
                    show_code()
                case _:
                    post(item)

        return Panel(self.configuration, self.opened.factory, pressed)


class TableSpeech:
    """The announcer of a table with its voice, which may change while the table runs."""

    def __init__(self, configuration: Configuration, stack: ExitStack, *, simulated: bool) -> None:
        """Open both; `stack` closes the voice. Prints to stderr if there is no voice."""
        self._configuration, self._simulated = configuration, simulated
        self._voices = stack.enter_context(ExitStack())
        self.output = SpeechOutput(*self._parts())

    def change(self, *, language: str | None, speech: str | None) -> None:
        """Change language and style: "" is the default, None leaves it as it was. The caller holds the lock."""
        configuration = self._configuration
        if language is not None:
            configuration = replace(configuration, language=language or None)
        if speech is not None:
            configuration = replace(configuration, speech=Style(speech) if speech else None)
        self._configuration = configuration
        self._voices.close()
        self.output.change(*self._parts())

    def _parts(self) -> tuple[str, Style, Voice | None]:
        language = language_of(self._configuration.language)
        style = style_of(self._configuration.speech, simulated=self._simulated)
        if style is Style.OFF:
            return language, style, None
        voice = self._voices.enter_context(closing(Voice(language)))
        if voice.trouble is not None:
            print(voice.trouble, file=sys.stderr)
        return language, style, voice


@dataclass(frozen=True, slots=True)
class TableStorage:
    """The open files of the table.

    Attributes:
        state: the state directory, locked for this process.
        record: the record, open.
        backup_worker: the journal for the session, which also backs the record up in a thread.
        entries: the record's entries since the last long pause.
        dice: source of the dice.
        settings: what the players have chosen.
        is_new: whether the record holds nothing.
    """

    state: StateDirectory
    record: Record
    backup_worker: BackupWorker
    entries: Sequence[Entry]
    dice: DiceSource
    settings: SettingsFile
    is_new: bool


def open_storage(
    path: Path | None, dice: str | Callable[[Settings], str], stack: ExitStack, retry: Callable[[], None]
) -> TableStorage:
    """Open the state directory at `path` (None: the default) and its contents; `stack` closes them.

    `dice` is one of `companion.dice.DICE`, or a function that returns one for the stored settings; `retry()` makes the
    session try to write again. Secrets of commitments that are no longer in use are revealed in the record here.

    Raises StateError, RecordError, SecretsError.
    """
    state = stack.enter_context(closing(StateDirectory.open(path)))
    settings = SettingsFile(state.settings)
    if not isinstance(dice, str):
        dice = dice(settings.kept.settings)
    record = stack.enter_context(closing(Record.open(state.record)))
    secrets = SecretFile(state.dice_secrets)
    outline, now_s = record.outline(), time.time()
    recent = since_last_pause(outline, now_s)
    entries = record.entries(recent[0].number) if recent else ()
    in_use = set(open_commitments(entries)) if dice == "fair" else set()
    for commitment, number in open_commitments(outline).items():
        if commitment not in in_use:
            _reveal(record, secrets, commitment, rolls_under_first_commitment(record.entries(number)), now_s)
    sources: dict[str, DiceSource] = {"fair": FairDice(secrets), "hand": HandDice(), "camera": CameraDice()}
    backup_worker = BackupWorker(record, retry)
    return TableStorage(state, record, backup_worker, entries, sources[dice], settings, not outline)


def _reveal(record: Record, secrets: SecretFile, commitment: str, rolls: int, now_s: float) -> None:
    """Write the secret behind `commitment` to the record, after its last roll."""
    secret = secrets.of(commitment)
    revealed: DiceRevealed = DiceRevealed(commitment, None if secret is None else secret.hex(), rolls)
    try:
        record.append(WITHOUT_POSITIONS.encode(revealed), now_s)
    except RecordError as error:
        LOG.warning("The secret behind the dice of the last match or evening is not revealed yet: %s", error)
