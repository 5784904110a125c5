"""From a frame to an `Observation`: pixels and geometry, no rules."""

from __future__ import annotations

from vision.registry import find_game, is_of_kind, kinds_of, learn_board, load_board

__all__ = [
    "find_game",
    "is_of_kind",
    "kinds_of",
    "learn_board",
    "load_board",
]
