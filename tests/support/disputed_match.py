"""A match to one point with sealed dice and a dispute in it, and its evidence as the page gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kept_matches import BEGAN_S, KeptTable, anna_and_ben, play_a_dispute, play_some
from memory_secrets import MemorySecrets
from played_table import BLACK

from companion.core import BoardsideError, Finding
from companion.dice.sources import FairDice

if TYPE_CHECKING:
    from pathlib import Path

    from companion.history import RecordedMatch


def illegal_play(table: KeptTable) -> str:
    """A play that is illegal now, even before the turn is declared finished."""
    game, rules = table.game, table.rules
    for source in range(24, 0, -1):
        for target in range(source - 1, 0, -1):
            play = f"{source}/{target}"
            try:
                board = rules.board_after(game.position, game.on_roll, play)
            except BoardsideError:
                continue
            verdict = rules.explain(game.position, game.on_roll, game.dice, board, done=False)
            if verdict.finding is Finding.ILLEGAL:
                return play
    raise AssertionError


def disputed(folder: Path) -> KeptTable:
    """A table with a settled dispute in a game that goes on."""
    table = anna_and_ben(folder, 1, dice=FairDice(MemorySecrets(), lambda count: bytes(range(count))))
    play_some(table, 4)
    play_a_dispute(table, illegal_play(table))
    return table


def finished(table: KeptTable) -> KeptTable:
    """Finish the match, so that the secret behind its dice is revealed."""
    table.resigns(BLACK)
    table.close()
    return table


def dispute_of(table: KeptTable) -> tuple[RecordedMatch, int]:
    """The match, and the number of the event that opened the dispute."""
    (match,) = table.history.matches()
    moments = table.history.review(match).games[0].moments
    return match, next(moment.entry for moment in moments if moment.kind == "dispute")


def evidence_of(table: KeptTable) -> bytes:
    """The evidence of the dispute."""
    return table.history.evidence(*dispute_of(table), BEGAN_S + 5000)
