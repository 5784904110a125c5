"""A turn of Boardside's own, whose checkers a person moves: only the play that it announced counts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import Finding, PositionT, Verdict, message

if TYPE_CHECKING:
    from companion.core import Message
    from companion.game import Game
    from companion.rules import Ruleset

UNDECIDED = (Finding.AMBIGUOUS, Finding.UNREADABLE)


def announced_position(rules: Ruleset[PositionT], game: Game[PositionT]) -> PositionT | None:
    """The position after the play that was announced; None where none was."""
    if game.announced is None or game.position is None or game.on_roll is None:
        return None
    successor = rules.find_play(game.position, game.on_roll, game.dice, game.announced)
    return None if successor is None else successor.after


def as_announced(
    game: Game[PositionT], after: PositionT, verdict: Verdict[PositionT], where: Message, cells: tuple[int, ...]
) -> Verdict[PositionT]:
    """The verdict on a board while a person carries out the announced play; a slip is not blamed on anybody.

    `cells` differ from the board `after` the announced play, `where` names them.
    """
    play, side = game.announced, game.on_roll
    if play is None or side is None or verdict.finding in UNDECIDED:
        return verdict
    if verdict.finding is Finding.LEGAL and verdict.after in (after, None):
        return verdict
    if verdict.reply is not None and verdict.made == play:
        return verdict
    if verdict.finding in (Finding.NOT_MOVED, Finding.UNFINISHED):
        return replace(verdict, message=message("announced.carry", player=side, play=play), plays=(play,))
    what = message("announced.other", player=side, play=play, places=where)
    return Verdict(Finding.UNFINISHED, what, plays=(play,), cells=cells)
