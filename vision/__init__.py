"""From a picture to an `Observation`: pixels and geometry, no rules. Learn a board, load one, find its game."""

from __future__ import annotations

from vision.board import CalibrationError, LearnedBoard, LocateError
from vision.registry import find_game, is_of_kind, kind_of, kinds_of, learn_board, load_board

__all__ = [
    "CalibrationError",
    "LearnedBoard",
    "LocateError",
    "find_game",
    "is_of_kind",
    "kind_of",
    "kinds_of",
    "learn_board",
    "load_board",
]
