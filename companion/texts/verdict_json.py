"""A verdict as JSON, in the form that the commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.texts.rendering import render

if TYPE_CHECKING:
    from companion.core import Verdict


def verdict_to_json(verdict: Verdict[Any]) -> dict[str, Any]:
    """`{"finding", "reason", "also", "message", "play", "plays"}`; the message in English."""
    return {
        "finding": verdict.finding.value,
        "reason": verdict.reason,
        "also": list(verdict.also),
        "message": render(verdict.message),
        "play": verdict.play,
        "plays": list(verdict.plays),
    }


def full_verdict_to_json(verdict: Verdict[Any]) -> dict[str, Any]:
    """The same with `"made"`, `"cells"` and `"cause"`."""
    cause = None if verdict.cause is None else verdict.cause.value
    return {**verdict_to_json(verdict), "made": verdict.made, "cells": list(verdict.cells), "cause": cause}
