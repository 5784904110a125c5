"""From an observation to a verdict, its assessment and the remedies."""

from __future__ import annotations

from companion.referee.announced import announced_position
from companion.referee.assessment import Assessment, LastLook, places
from companion.referee.code_digest import judging_code
from companion.referee.ending_offers import (
    accepted_end,
    declined_message,
    offer_message,
    offered_end,
    worth_accepting,
)
from companion.referee.observed_position import (
    ObservedPosition,
    certain_position,
    checked_position,
    seen_position,
    shown_position,
)
from companion.referee.preconditions import (
    MOST_PLACES,
    NO_DOUBLE,
    NO_ROLL,
    NO_TURN,
    call_message,
    double_message,
    early_message,
    early_next_message,
    no_double_because,
    refuse_answer,
    refuse_double,
    refuse_other_player,
    refuse_unless_acceptable,
    refuse_unless_as_recorded,
    refuse_while_disputed,
    refuse_while_doubled,
    refuse_while_not_playing,
)
from companion.referee.readings import OFFERED, reading_message
from companion.referee.remedies import (
    ENTERED,
    LOST,
    Offer,
    both_count,
    ended_by_play,
    goes_on,
    next_offer,
    offers,
    overruled,
)
from companion.referee.worked_out import possible_verdicts

__all__ = [
    "ENTERED",
    "LOST",
    "MOST_PLACES",
    "NO_DOUBLE",
    "NO_ROLL",
    "NO_TURN",
    "OFFERED",
    "Assessment",
    "LastLook",
    "ObservedPosition",
    "Offer",
    "accepted_end",
    "announced_position",
    "both_count",
    "call_message",
    "certain_position",
    "checked_position",
    "declined_message",
    "double_message",
    "early_message",
    "early_next_message",
    "ended_by_play",
    "goes_on",
    "judging_code",
    "next_offer",
    "no_double_because",
    "offer_message",
    "offered_end",
    "offers",
    "overruled",
    "places",
    "possible_verdicts",
    "reading_message",
    "refuse_answer",
    "refuse_double",
    "refuse_other_player",
    "refuse_unless_acceptable",
    "refuse_unless_as_recorded",
    "refuse_while_disputed",
    "refuse_while_doubled",
    "refuse_while_not_playing",
    "seen_position",
    "shown_position",
    "worth_accepting",
]
