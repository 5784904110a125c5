"""Why a play is good or bad: facts of the position after it, as messages; nothing of what an engine thinks."""

from __future__ import annotations

from companion.hints.why.explained import better_because, explained

__all__ = ["better_because", "explained"]
