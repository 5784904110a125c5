"""Asks both players which reading is on the board, if several fit the picture.

On the panel Hint goes through the readings and Roll agrees; on the page each reading is a button.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT, Refusal, message
from companion.game import Declined, DisputeEvidence, NamedReading, Proposed, RecordedVerdict, Remedy, reading_id
from companion.record import picture_name
from companion.referee import OFFERED, refuse_while_disputed, seen_position
from companion.texts import render
from companion.views import doubtful_cells

if TYPE_CHECKING:
    from companion.core import PossibleReading, Side
    from companion.game import Game, Taps
    from companion.interface import Proposes
    from companion.session.context import SessionContext


class Questions(Generic[PositionT]):
    """What the players are asked at one table."""

    def __init__(self, context: SessionContext[PositionT]) -> None:
        """Ask at the table of `context`."""
        self._context = context

    @property
    def _game(self) -> Game[PositionT]:
        return self._context.game

    @property
    def asked(self) -> bool:
        """Whether a question is open, so that Hint goes through its readings."""
        if self._game.proposal is not None:
            return self._game.proposal.remedy is Remedy.READING
        verdict = self._context.look.verdict
        open_question = verdict is not None and verdict.finding is Finding.AMBIGUOUS and bool(verdict.readings)
        return open_question and self._game.dispute is None

    def next(self, player: Side | None) -> bool:
        """Name the reading after the present one; returns whether there was another. Raises Refusal."""
        readings = self._readings()[:OFFERED]
        place = self._place(readings) + 1
        if place < len(readings):
            self._name(readings[place], player, ())
        return place < len(readings)

    def propose(self, item: Proposes) -> None:
        """A player names a reading on the page. Raises Refusal if it does not fit any more."""
        if self._game.dispute is not None:
            refuse_while_disputed(self._game)
        for reading in self._readings():
            if reading_id(reading.verdict) == item.reading:
                self._name(reading, item.player, () if item.player is None else (item.player,))
                return
        raise Refusal(message("reading.not_asked"))

    def withdraw_if_gone(self) -> None:
        """Withdraw the named reading if it does not fit the last look any more."""
        proposal, verdict = self._game.proposal, self._context.look.verdict
        if proposal is None or proposal.remedy is not Remedy.READING:
            return
        if verdict is None or verdict.finding is Finding.UNREADABLE:  # such as a hand that taps
            return
        if self._place(verdict.readings) < 0:
            self._context.controller.happens(Declined(proposal.number, None))

    def _readings(self) -> tuple[PossibleReading[PositionT], ...]:
        verdict = self._context.look.verdict
        if verdict is None:
            raise Refusal(message("sentence", what=message("not_still")))
        return verdict.readings

    def _place(self, readings: tuple[PossibleReading[PositionT], ...]) -> int:
        """Index of the named reading in `readings`; -1 if it is not there."""
        proposal = self._game.proposal
        proposed = None if proposal is None or proposal.reading is None else reading_id(proposal.reading.verdict)
        ids = [reading_id(reading.verdict) for reading in readings]
        return ids.index(proposed) if proposed in ids else -1

    def _name(self, reading: PossibleReading[PositionT], by: Side | None, agreed: Taps) -> None:
        """Propose that the board shows `reading`, and keep the present picture and evidence with it."""
        context, look, verdict = self._context, self._context.look, reading.verdict
        assessment = context.assessment()
        jpeg = look.picture
        named = NamedReading(
            verdict=RecordedVerdict.of(verdict, render(verdict.message, names=context.names)),
            offered=tuple(reading_id(one.verdict) for one in self._readings()),
            nats=reading.nats,
            picture=None if jpeg is None else picture_name(jpeg),
            evidence=DisputeEvidence(
                at_s=context.controller.journal.now_s(),
                dice=self._game.dice,
                doubts=doubtful_cells(assessment, context.rules, seen_position(assessment, context.rules)),
            ),
        )
        event: Proposed[PositionT] = Proposed(self._game.proposals + 1, Remedy.READING, by, agreed, reading=named)
        context.controller.happens(event, pictures=() if jpeg is None else (jpeg,))
