"""Opens what is on disk: the state directory, the record with its backup worker, and the secrets of the dice."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.dice import CameraDice, FairDice, HandDice
from companion.dice_secrets import SecretFile
from companion.event_json import EventJson
from companion.events import DiceRevealed
from companion.keeper import Keeper
from companion.record import Record, RecordError
from companion.resume import open_seals, rolls_under_first_seal, this_evening
from companion.state import StateDirectory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.dice import DiceSource
    from companion.record import Entry

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """The opened state of the table.

    Attributes:
        state: the state directory, locked for this process.
        record: the record, open.
        keeper: the journal for the session, which also backs the record up in a thread.
        entries: the record's entries of this evening.
        dice: source of the dice.
    """

    state: StateDirectory
    record: Record
    keeper: Keeper
    entries: Sequence[Entry]
    dice: DiceSource


def open_kept(path: Path | None, dice: str, stack: ExitStack, retry: Callable[[], None]) -> Kept:
    """Open the state directory at `path` (None: the default) and its contents; `stack` closes them.

    `dice` is one of `companion.dice.DICE`; `retry()` makes the session try to write again. Secrets of dice that
    are no longer in use are written to the record here. Raises StateError, RecordError, SecretsError.
    """
    state = stack.enter_context(closing(StateDirectory.open(path)))
    record = stack.enter_context(closing(Record.open(state.record)))
    secrets = SecretFile(state.dice_secrets)
    outline, now_s = record.outline(), time.time()
    evening = this_evening(outline, now_s)
    entries = record.entries(evening[0].number) if evening else ()
    goes_on = set(open_seals(entries)) if dice == "fair" else set()
    for commitment, number in open_seals(outline).items():
        if commitment not in goes_on:
            _reveal(record, secrets, commitment, rolls_under_first_seal(record.entries(number)), now_s)
    sources: dict[str, DiceSource] = {"fair": FairDice(secrets), "hand": HandDice(), "camera": CameraDice()}
    return Kept(state, record, Keeper(record, retry), entries, sources[dice])


def _reveal(record: Record, secrets: SecretFile, commitment: str, rolls: int, now_s: float) -> None:
    """Write the secret behind `commitment` to the record, after its last roll."""
    secret = secrets.of(commitment)
    revealed: DiceRevealed = DiceRevealed(commitment, None if secret is None else secret.hex(), rolls)
    codec: EventJson[None] = EventJson(lambda _: {}, lambda _: None)
    try:
        record.append(codec.encode(revealed), now_s)
    except RecordError as error:
        LOG.warning("The secret behind the dice of the last evening is not revealed yet: %s", error)
