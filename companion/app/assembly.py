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
    BackupWorker,
    EventJson,
    Record,
    RecordError,
    StateDirectory,
    open_commitments,
    rolls_under_first_commitment,
    since_last_pause,
)
from companion.seats import CodeAsked
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
            configuration = configuration.with_clock(ClockSetting.parse(args.clock))
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

    def speech_output(self, stack: ExitStack, *, simulated: bool) -> SpeechOutput:
        """Open the announcer; `stack` closes its voice. Prints to stderr if there is no voice."""
        language = language_of(self.configuration.language)
        style = style_of(self.configuration.speech, simulated=simulated)
        if style is Style.OFF:
            return SpeechOutput(language, style)
        voice = stack.enter_context(closing(Voice(language)))
        if voice.trouble is not None:
            print(voice.trouble, file=sys.stderr)
        return SpeechOutput(language, style, voice)


@dataclass(frozen=True, slots=True)
class TableStorage:
    """The open files of the table.

    Attributes:
        state: the state directory, locked for this process.
        record: the record, open.
        backup_worker: the journal for the session, which also backs the record up in a thread.
        entries: the record's entries since the last long pause.
        dice: source of the dice.
    """

    state: StateDirectory
    record: Record
    backup_worker: BackupWorker
    entries: Sequence[Entry]
    dice: DiceSource


def open_storage(path: Path | None, dice: str, stack: ExitStack, retry: Callable[[], None]) -> TableStorage:
    """Open the state directory at `path` (None: the default) and its contents; `stack` closes them.

    `dice` is one of `companion.dice.DICE`; `retry()` makes the session try to write again. Secrets of dice that
    are no longer in use are written to the record here. Raises StateError, RecordError, SecretsError.
    """
    state = stack.enter_context(closing(StateDirectory.open(path)))
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
    return TableStorage(state, record, BackupWorker(record, retry), entries, sources[dice])


def _reveal(record: Record, secrets: SecretFile, commitment: str, rolls: int, now_s: float) -> None:
    """Write the secret behind `commitment` to the record, after its last roll."""
    secret = secrets.of(commitment)
    revealed: DiceRevealed = DiceRevealed(commitment, None if secret is None else secret.hex(), rolls)
    codec: EventJson[None] = EventJson(lambda _: {}, lambda _: None)
    try:
        record.append(codec.encode(revealed), now_s)
    except RecordError as error:
        LOG.warning("The secret behind the dice of the last recent is not revealed yet: %s", error)
