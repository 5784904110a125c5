"""What outlives the table's process: the state directory, the record with its keeper, and the dice's secrets."""

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
    """What the table finds at its start, and where it writes.

    Attributes:
        state: the state directory, held.
        record: the record, open.
        keeper: the record as the session writes to it; runs in a thread of its own.
        entries: the record's entries of this evening.
        dice: where the dice come from.
    """

    state: StateDirectory
    record: Record
    keeper: Keeper
    entries: Sequence[Entry]
    dice: DiceSource


def open_kept(path: Path | None, dice: str, stack: ExitStack, retry: Callable[[], None]) -> Kept:
    """Open the state directory at `path` (None: the usual one) and what is in it; `stack` closes it again.

    `dice` is one of `companion.dice.DICE`; `retry()` lets the session try again to write. Secrets of the dice that
    nobody rolls with any more are told here. Raises StateError, RecordError, SecretsError.
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
            _tell(record, secrets, commitment, rolls_under_first_seal(record.entries(number)), now_s)
    sources: dict[str, DiceSource] = {"fair": FairDice(secrets), "hand": HandDice(), "camera": CameraDice()}
    return Kept(state, record, Keeper(record, retry), entries, sources[dice])


def _tell(record: Record, secrets: SecretFile, commitment: str, rolls: int, now_s: float) -> None:
    """Tell the secret of an evening that is over."""
    secret = secrets.of(commitment)
    told: DiceRevealed = DiceRevealed(commitment, None if secret is None else secret.hex(), rolls)
    codec: EventJson[None] = EventJson(lambda _: {}, lambda _: None)
    try:
        record.append(codec.encode(told), now_s)
    except RecordError as error:
        LOG.warning("The secret behind the dice of the last evening is not told yet: %s", error)
