"""A play and the reply to it, both on the board before the play was accepted.

If each player taps Roll once, both count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT
from companion.game import Declined, Played, Remedy, Ruled
from companion.session.agreed_events import after_play

if TYPE_CHECKING:
    from companion.game import Event, Proposed, Taps
    from companion.session.context import SessionContext


class EarlyReplies(Generic[PositionT]):
    """Handles replies on the board of one table that were made before the play was accepted."""

    def __init__(self, context: SessionContext[PositionT]) -> None:
        """Act at the table of `context`."""
        self._context = context

    @property
    def is_on_board(self) -> bool:
        """Whether a play and the reply to it are on the board."""
        verdict = self._context.look.verdict
        return verdict is not None and verdict.reply is not None

    def withdraw_if_gone(self) -> None:
        """Withdraw the proposal of a play and its reply if the reply was taken back on the board."""
        game, verdict = self._context.game, self._context.look.verdict
        if game.proposal is None or game.proposal.remedy is not Remedy.BOTH or game.dispute is not None:
            return
        if verdict is not None and verdict.reply is None and verdict.finding is not Finding.UNREADABLE:
            self._context.controller.happens(Declined(game.proposal.number, None))

    def events(self, proposal: Proposed[PositionT], taps: Taps) -> tuple[Event[PositionT], ...]:
        """The play, and the reply to it. Raises Refusal if one of them is not legal."""
        game, mover = self._context.game, self._context.game.on_roll
        assert game.position is not None  # noqa: S101 - a play was made
        assert mover is not None  # noqa: S101
        rules = self._context.rules
        after = after_play(rules, game.position, mover, None, proposal.play)
        last = after_play(rules, after, mover.opponent, None, proposal.reply)
        played: Event[PositionT] = Played(mover, proposal.play, after)
        if game.dispute is not None:
            played = Ruled(game.dispute.number, after, Remedy.BOTH, taps, proposal.play)
        return played, Played(mover.opponent, proposal.reply, last)
