"""A verdict as JSON, in the form that the command line prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.model import Verdict


def verdict_to_json(verdict: Verdict[Any]) -> dict[str, Any]:
    """`{"finding", "reason", "also", "message", "play", "plays"}`."""
    return {
        "finding": verdict.finding.value,
        "reason": verdict.reason,
        "also": list(verdict.also),
        "message": verdict.message,
        "play": verdict.play,
        "plays": list(verdict.plays),
    }
