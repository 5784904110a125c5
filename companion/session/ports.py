"""What a session reads from and writes to, and how it begins."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.core import PositionT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import BoardLayout, Message, Side
    from companion.game import Event, Match
    from companion.hints import DecisionRequest, HintRequest, LessonRequest
    from companion.interface import Snapshot
    from companion.record import Journal, KeptPictures


@dataclass(frozen=True, slots=True)
class SessionPorts:
    """What a session writes to, and where it reads the time.

    Attributes:
        record: keeps the events; None: nothing is kept.
        publish: gets every snapshot.
        ask_hint: passes a question to an engine that answers with `Hinted`; None: no hints.
        ask_lesson: the same for what a play gave away, answered with `Taught`; None: there is no tutor.
        ask_decision: the same for what the opponent decides, answered with `Decided`; None: Boardside plays no side.
        clock: seconds since 1970, for the record.
        pictures: keeps the pictures that turns are judged by; None: none are kept.
    """

    record: Journal | None = None
    publish: Callable[[Snapshot], None] = lambda _: None
    ask_hint: Callable[[HintRequest], None] | None = None
    ask_lesson: Callable[[LessonRequest], None] | None = None
    ask_decision: Callable[[DecisionRequest], None] | None = None
    clock: Callable[[], float] = time.time
    pictures: KeptPictures | None = None


@dataclass(frozen=True, slots=True)
class SessionStart(Generic[PositionT]):
    """How a session begins.

    Attributes:
        resume: the events of the game to resume.
        terms: the match or series to be played; None: the present one continues.
        greeting: what is shown until somebody rolls.
        opponent: the side that Boardside plays in the first game; None: neither.
        simulated: whether the table is a simulated one.
        layout: the layout of the board; None: the sheet's usual one.
    """

    resume: Sequence[Event[PositionT]] = ()
    terms: Match | None = None
    greeting: Message | None = None
    simulated: bool = False
    opponent: Side | None = None
    layout: BoardLayout | None = None


WITHOUT_PORTS = SessionPorts()
