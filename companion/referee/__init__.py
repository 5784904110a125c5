"""From an observation to a verdict, its assessment and the remedies."""

from __future__ import annotations

from companion.referee.announced import announced_position
from companion.referee.assessment import Assessment, LastLook, places
from companion.referee.code_digest import judging_code
from companion.referee.ending_offers import (
    accepted,
    declined_message,
    offer_message,
    offered_end,
    worth_accepting,
)
from companion.referee.observed_position import ObservedPosition, agreeable, checked_position, seen, shown_position
from companion.referee.preconditions import (
    NO_DOUBLE,
    NO_ROLL,
    NO_TURN,
    called,
    doubled,
    early_message,
    early_next,
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
    "NO_DOUBLE",
    "NO_ROLL",
    "NO_TURN",
    "OFFERED",
    "Assessment",
    "LastLook",
    "ObservedPosition",
    "Offer",
    "accepted",
    "agreeable",
    "announced_position",
    "both_count",
    "called",
    "checked_position",
    "declined_message",
    "doubled",
    "early_message",
    "early_next",
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
    "seen",
    "shown_position",
    "worth_accepting",
]
