"""Positions of backgammon by the checkers on each point."""

from __future__ import annotations

from companion.rules import BackgammonPosition


def position(white: dict[int, int], black: dict[int, int], *, bar=(0, 0), off=(0, 0)) -> BackgammonPosition:
    """White's checkers by White's numbers, Black's by Black's."""
    return position_by_white(white, {25 - point: count for point, count in black.items()}, bar=bar, off=off)


def position_by_white(white: dict[int, int], black: dict[int, int], *, bar=(0, 0), off=(0, 0)) -> BackgammonPosition:
    """Both players' checkers by White's numbers."""
    points = [white.get(point, 0) - black.get(point, 0) for point in range(1, 25)]
    return BackgammonPosition(tuple(points), bar, off)
