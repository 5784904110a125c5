"""From an observation to a verdict, its assessment and the remedies."""

from __future__ import annotations

from companion.referee.assessment import Assessment, LastLook, places
from companion.referee.observed_position import ObservedPosition, agreeable, checked_position, seen, shown_position
from companion.referee.preconditions import (
    refuse_answer,
    refuse_double,
    refuse_other_player,
    refuse_unless_acceptable,
    refuse_unless_as_recorded,
    refuse_while_disputed,
    refuse_while_doubled,
    refuse_while_not_playing,
)
from companion.referee.remedies import ENTERED, LOST, Offer, ended_by_play, goes_on, next_offer, offers

__all__ = [
    "ENTERED",
    "LOST",
    "Assessment",
    "LastLook",
    "ObservedPosition",
    "Offer",
    "agreeable",
    "checked_position",
    "ended_by_play",
    "goes_on",
    "next_offer",
    "offers",
    "places",
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
]
