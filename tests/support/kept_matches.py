"""Matches in a real record with pictures, played through the session, and the history of them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from played_table import BLACK, WHITE, PlayedTable
from scripted_dice import ScriptedDice

from companion.core import Side
from companion.game import Remedy, match_under
from companion.history import History
from companion.interface import Button, Proposes
from companion.record import BackupWorker, Keep, KeptPictures, Record
from companion.rules import rules_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NUMBERS = [6, 1, 5, 3, 4, 4, 2, 1, 3, 1, 6, 5, 2, 2]
BEGAN_S = 1_771_000_000.0
LOOKS = count(1)


class KeptTable(PlayedTable):
    """A table with a record in a state directory, and its pictures beside it."""

    def __init__(
        self, folder: Path, *, sheet: str = "standard", keep: Keep = Keep.ALL, began_s: float = BEGAN_S, **options: Any
    ) -> None:
        self.folder = folder
        self.kept = KeptPictures(folder / "pictures", keep)
        self.stored = Record.open(folder / "record.db")
        self.worker = BackupWorker(self.stored, lambda: None)
        self.history = History(folder / "record.db", folder / "sheets", self.kept, self.worker.delete_pictures)
        dice = options.pop("dice", None) or ScriptedDice(NUMBERS * 40)
        super().__init__(dice, rules_named(sheet), record=self, pictures=self.kept, **options)
        self._seconds = count(int(began_s), 7)

    def append_all(self, events: Sequence[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        super().append_all(events, pictures)
        return self.worker.append_all([(event, float(next(self._seconds))) for event, _ in events], pictures)

    def shows(self, board: Any, picture: bytes | None = None) -> Any:
        return super().shows(board, jpeg(next(LOOKS)) if picture in (None, b"jpeg") else picture)

    def close(self) -> None:
        """Write pending data, as a table that stops does."""
        self.kept.stop()
        self.kept.run()
        self.worker.back_up()
        self.stored.close()


def jpeg(number: int) -> bytes:
    """A picture that differs from all others."""
    image = np.full((60, 80, 3), 90, np.uint8)
    cv2.putText(image, str(number), (8, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (230, 240, 250), 2)
    return bytes(cv2.imencode(".jpg", image)[1])


def anna_and_ben(folder: Path, length: int = 3, **options: Any) -> KeptTable:
    """A match between Anna and Ben that is about to begin."""
    terms = replace(match_under(rules_named("standard").sheet, length), names=("Anna (red)", "Ben"))
    return KeptTable(folder, terms=terms, **options)


def play_some(table: PlayedTable, turns: int) -> None:
    """Set up a game and play some turns."""
    table.sets()
    table.taps()
    while table.game.dice is None:  # a tie is rolled again
        table.taps()
    for turn in range(turns):
        table.plays_anything(turn)
        table.taps()


def play_a_dispute(table: PlayedTable, play: str = "13/8") -> None:
    """The player on roll makes an illegal play, White calls the referee, and both agree to correct it."""
    table.plays(play)
    table.taps(Button.REFEREE, WHITE)
    table.does(Proposes(Remedy.CORRECTED, 5.0, WHITE, table.game.dispute.number))
    table.accepts(BLACK)


def play_the_match(table: PlayedTable) -> None:
    """A game with a double, a dispute and a resignation, and one that wins the match."""
    play_some(table, 6)
    table.plays_anything()
    table.doubles()
    table.takes()
    table.taps()
    play_a_dispute(table)
    table.plays_anything()
    table.taps()
    table.resigns(Side.BLACK)
    play_some(table, 4)
    table.resigns(Side.BLACK)


def kept_evening(folder: Path, **options: Any) -> History:
    """The match of Anna and Ben, played and closed."""
    table = anna_and_ben(folder, **options)
    with closing(table):
        play_the_match(table)
    return table.history
