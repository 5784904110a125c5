"""Requests hints: one question at a time; its answer is shown until it is hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import Refusal, message, verbatim
from companion.game import Phase, rolls_next
from companion.hints import CubeQuestion, HintRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import Message, PositionT
    from companion.game import Game
    from companion.hints import Ranking
    from companion.interface import Hinted


class HintQuestion:
    """The question to the engine and its answer; `ranking` is None while there is nothing to show."""

    def __init__(self, ask: Callable[[HintRequest], None] | None) -> None:
        """`ask` passes a question to an engine that answers with `Hinted`; None: no hints at this table."""
        self.ranking: Ranking | None = None
        self._ask = ask
        self._asked = 0
        self._open: int | None = None

    def available(self, game: Game[PositionT]) -> bool:
        """Whether there are hints in `game`: an engine gives them, and it is not played in a match."""
        return self._ask is not None and not game.match.length

    def tapped(self, game: Game[PositionT], legal: PositionT | None = None) -> Message | None:
        """Ask, or hide what is shown; returns the message to show. Raises Refusal if there are no hints.

        `legal` is the position after the legal play on the board; None if the board shows none.
        """
        if self._open is not None or self.ranking is not None:
            self.hide()
            return None
        if game.match.length:
            raise Refusal(message("hints.match"))
        cube = cube_question(game, legal)
        if game.position is None or game.on_roll is None or (game.phase is not Phase.TO_MOVE and cube is None):
            raise Refusal(message("hints.dice_first") if game.rolls else message("hints.game_first"))
        if self._ask is None:
            raise Refusal(message("hints.off"))
        self._asked += 1
        self._open = self._asked
        plays = game.phase is Phase.TO_MOVE
        asked, match = self._asked, game.match
        self._ask(HintRequest(game.position, game.on_roll, game.dice, asked, plays=plays, cube=cube, match=match))
        return message("hints.looking") if plays else message("hints.weighing")

    def answered(self, answer: Hinted) -> Message | None:
        """Show the answer if it is to the open question; returns a message about the engine, if any."""
        if answer.turn != self._open:
            return None
        self.ranking = ranking = answer.ranking
        if ranking.at_a_glance:
            return message("hints.looking")
        self._open = None
        if ranking.note is None:
            return None
        return message("hints.substitute") if ranking.plays else verbatim(ranking.note)

    def hide(self) -> None:
        """Hide the hints, and drop the open question."""
        self.ranking, self._open = None, None


def cube_question(game: Game[PositionT], legal: PositionT | None) -> CubeQuestion | None:
    """The decision about the cube that is next; None if nobody may double.

    Either a double waits for its answer, or the player about to roll may double, also with a legal play on the board.
    """
    match = game.match
    if match.offered_by is not None:
        asked = replace(match, offered_by=None)
        return None if match.beavered else CubeQuestion(game.position, match.offered_by, asked)
    position = legal if game.phase is Phase.TO_MOVE else game.position
    side = rolls_next(game)
    if not game.running or position is None or side is None or match.no_double_because(side) is not None:
        return None
    return CubeQuestion(position, side, match)
