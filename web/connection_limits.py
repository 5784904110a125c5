"""Limits of the page's connections: their number, and how long each may stay in a stage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Stage(IntEnum):
    """What a connection is doing; if too many are open, those earlier in this list are closed first."""

    IDLE = 0
    UNUSED = 1
    HEAD = 2
    BODY = 3
    SENDING = 4
    ANSWERING = 5
    STREAMING = 6
    STALLED = 7


@dataclass(frozen=True, slots=True)
class Limits:
    """What connections may use of the server.

    Attributes:
        connections, of_one_address: open at a time; at the limit a new one takes the place of one that only waits.
        head_s, body_s: from a request's first byte until its head, and then its body, is complete.
        idle_s: before the first request, and between two. Browsers open connections in advance and use them within ten
            seconds; one that is closed just then is an error for them, as they do not repeat a first request.
        answer_s: until an answer is made, and then until it is read.
        stalled_s: until a reader must have taken what a stream sent.
        unread_bytes: of all answers that are made and not yet read, together.
        answers: made at a time for addresses without a seat; the server's other threads are for players.
        share, reserve_s, reserves_s: arguments of `ProcessorBudget`.
    """

    connections: int = 320
    of_one_address: int = 32
    head_s: float = 10.0
    body_s: float = 15.0
    idle_s: float = 30.0
    answer_s: float = 60.0
    stalled_s: float = 20.0
    unread_bytes: int = 32_000_000
    answers: int = 2
    share: float = 0.2
    reserve_s: float = 0.5
    reserves_s: float = 1.0

    def seconds(self, stage: Stage) -> float:
        """How long a connection may be at `stage`."""
        by_stage = {
            Stage.IDLE: self.idle_s,
            Stage.UNUSED: self.idle_s,
            Stage.HEAD: self.head_s,
            Stage.BODY: self.body_s,
            Stage.SENDING: self.answer_s,
            Stage.ANSWERING: self.answer_s,
            Stage.STALLED: self.stalled_s,
        }
        return by_stage.get(stage, float("inf"))


LIMITS = Limits()
