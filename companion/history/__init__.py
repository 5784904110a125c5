"""Recorded matches: lists, reviews and exports them, packs and checks the evidence of disputes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.history.archive import History, HistoryError, formats_of
    from companion.history.evidence_command import verify_evidence
    from companion.history.matches import RecordedMatch
    from companion.history.review import GameReview, Moment, MomentKind

__all__ = [
    "GameReview",
    "History",
    "HistoryError",
    "Moment",
    "MomentKind",
    "RecordedMatch",
    "formats_of",
    "verify_evidence",
]
__getattr__ = lazy_face(
    __name__,
    {
        "GameReview": "review",
        "History": "archive",
        "HistoryError": "archive",
        "Moment": "review",
        "MomentKind": "review",
        "RecordedMatch": "matches",
        "formats_of": "archive",
        "verify_evidence": "evidence_command",
    },
)
