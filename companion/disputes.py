"""The referee's procedure: what the Referee button does, and how a dispute is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.model import PositionT
from companion.seen import position_seen
from companion.view import verdict_json

if TYPE_CHECKING:
    from companion.scene import Scene
    from companion.turns import Turns


class Disputes(Generic[PositionT]):
    """The disputes at one table."""

    def __init__(self, scene: Scene[PositionT], turns: Turns[PositionT]) -> None:
        """Act at the table that `scene` tells of; `turns` ends a game that a ruling has decided."""
        self._scene = scene
        self._evening = scene.evening
        self._look = scene.look
        self._turns = turns

    def tapped(self) -> None:
        """Open the Referee view with the evidence frozen; a second tap closes it: the play is put right."""
        if self._evening.game.dispute is not None:
            self.settle(self._evening.game.dispute.number, stands=False)
            return
        verdict = None if self._look.verdict is None else verdict_json(self._look.verdict)
        seen = position_seen(self._scene.standing(), self._scene.rules)
        self._evening.dispute(seen, verdict, self._scene.before, self._look.picture)

    def settle(self, dispute: int, *, stands: bool) -> None:
        """The players settle the dispute."""
        turn = len(self._evening.game.history)
        self._evening.rule(dispute, stands=stands)
        if len(self._evening.game.history) > turn:
            self._scene.hints.put_away()
        self._look.judge(self._evening.game)
        self._turns.end_if_over()
