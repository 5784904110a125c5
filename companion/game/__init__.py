"""The event-sourced state of one game and match. Pure."""

from __future__ import annotations

from companion.game.agreement import RULINGS, Agreed, Declined, Proposed, Remedy, TakenBack, Taps, both_agree
from companion.game.dice_book import OpenCommitment, with_tap
from companion.game.events import (
    AS_BEFORE,
    Beavered,
    Corrected,
    DiceRevealed,
    DiceSealed,
    Disputed,
    Doubled,
    Drawn,
    Ended,
    Event,
    MatchBegan,
    OpeningRolled,
    Passed,
    Played,
    Proof,
    Resigned,
    Rolled,
    RollVoided,
    Ruled,
    Started,
    Taken,
)
from companion.game.evidence import DisputeEvidence, DoubtfulCell, LikelyContent, RecordedVerdict
from companion.game.ids import GameIds, game_ids
from companion.game.match import LARGEST_CUBE, Match, game_score, match_under, resignation_score
from companion.game.phase import Phase
from companion.game.state import EVENING, Game, Settled, Turn, owed_roll, rolls_next
from companion.game.transitions import evolve, replay

__all__ = [
    "AS_BEFORE",
    "EVENING",
    "LARGEST_CUBE",
    "RULINGS",
    "Agreed",
    "Beavered",
    "Corrected",
    "Declined",
    "DiceRevealed",
    "DiceSealed",
    "DisputeEvidence",
    "Disputed",
    "Doubled",
    "DoubtfulCell",
    "Drawn",
    "Ended",
    "Event",
    "Game",
    "GameIds",
    "LikelyContent",
    "Match",
    "MatchBegan",
    "OpenCommitment",
    "OpeningRolled",
    "Passed",
    "Phase",
    "Played",
    "Proof",
    "Proposed",
    "RecordedVerdict",
    "Remedy",
    "Resigned",
    "RollVoided",
    "Rolled",
    "Ruled",
    "Settled",
    "Started",
    "Taken",
    "TakenBack",
    "Taps",
    "Turn",
    "both_agree",
    "evolve",
    "game_ids",
    "game_score",
    "match_under",
    "owed_roll",
    "replay",
    "resignation_score",
    "rolls_next",
    "with_tap",
]
