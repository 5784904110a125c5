"""The verdicts that the referee may have given on a known board, for checking a record, which has no observation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import Finding, differing_cells
from companion.referee.announced import announced_position, as_announced
from companion.referee.assessment import NOWHERE, set_up_advice
from companion.referee.putting_back import PuttingBack

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import Board, PositionT, Verdict
    from companion.game import Game
    from companion.rules import Ruleset


def possible_verdicts(
    rules: Ruleset[PositionT], game: Game[PositionT], board: Board, taken_back: Sequence[int]
) -> Iterator[Verdict[PositionT]]:
    """Each verdict that the referee may have given on `board`, in a game in which a player is to move.

    `taken_back` are the cells that may not have been put back yet after a takeback. The record does not say whether
    they had been, whether the turn was declared over, or whether an opening drawn by lot had been set up: each case is
    yielded. The messages name no places.
    """
    if game.position is None or game.on_roll is None:
        return
    differs = differing_cells(rules.visible(game.position), board)
    announced = announced_position(rules, game)
    for done in (False, True):
        by_the_rules = rules.explain(game.position, game.on_roll, game.dice, board, done=done)
        if by_the_rules.finding is Finding.NOT_MOVED:  # another reading of the picture may have shown a play under way
            yield replace(by_the_rules, finding=Finding.UNFINISHED)
        putting_back: PuttingBack[PositionT] = PuttingBack()
        putting_back.note_takeback(game, taken_back)
        for verdict in (by_the_rules, putting_back.verdict(by_the_rules, game, differs, NOWHERE)):
            possible = verdict if announced is None else as_announced(game, announced, verdict, NOWHERE, differs)
            yield possible
            if (advice := set_up_advice(possible, game, differs)) is not None:
                yield advice
