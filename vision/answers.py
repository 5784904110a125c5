"""The JSON answers of `boardside read`: a position, or the cause why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from companion.census import CHECKERS, missing, take
from companion.model import Cause
from companion.observation import BLACK_BAR, CHECKERS_CELLS, WHITE_BAR, WHITE_OFF, cell_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.census import Taken
    from companion.model import Part
    from companion.observation import CellReading, Observation

CERTAIN_NATS = 5.0
"""Least log-likelihood ratio (nats) of a certain reading to the next most likely board: a factor of 150, as for the
referee."""


def describe(observation: Observation) -> dict[str, Any]:
    """The answer for an observation of backgammon: the position if it is certain, else the cause."""
    dice = None if observation.dice is None else list(observation.dice)
    nothing: dict[str, Any] = {"position": None, "off_seen": None, "dice": dice, "confidence": None}
    if observation.unreadable is not None:
        return {**nothing, **_cause(observation.unreadable, observation.where)}
    taken = take(observation, CERTAIN_NATS)
    if taken is None or taken.margin_nats < CERTAIN_NATS or observation.between:
        lying = (cell for pair in observation.between for cell in pair)
        doubtful = dict.fromkeys(map(cell_name, (*lying, *(() if taken is None else taken.doubtful))))
        answer = {**nothing, "unreadable": str(Cause.UNKNOWN), "doubtful": list(doubtful)}
        between = [list(map(cell_name, pair)) for pair in observation.between]
        return {**answer, "between": between} if between else answer
    return {
        "position": _position(taken),
        "off_seen": _off_seen(taken),
        "dice": dice,
        "confidence": _confidence(observation.cells[: BLACK_BAR + 1]),
        "unreadable": None,
    }


def _cause(cause: Cause, where: Part | None) -> dict[str, str]:
    """The cause why nothing is read, and the part of the board it concerns, if known."""
    return {"unreadable": str(cause)} if where is None else {"unreadable": str(cause), "where": str(where)}


def _position(taken: Taken) -> dict[str, Any]:
    contents = [content or (0, 0) for content in taken.board]
    points = [list(content) if all(content) else content[0] - content[1] for content in contents[:WHITE_BAR]]
    off = [max(missing(taken.board, side, CHECKERS), 0) for side in (0, 1)]
    return {"points": points, "bar": [contents[WHITE_BAR][0], contents[BLACK_BAR][1]], "off": off}


def _off_seen(taken: Taken) -> list[int] | None:
    white, black = taken.board[WHITE_OFF], taken.board[WHITE_OFF + 1]
    return [white[0], black[1]] if white is not None and black is not None else None


def _confidence(cells: Sequence[CellReading]) -> list[float]:
    """The probability of each cell's most likely content."""
    shares = [np.exp([nats for _, nats in cell.likelihoods]) for cell in cells]
    return [round(float(share[0] / share.sum()), 3) for share in shares]


_SIDE = 8
_MEN = 12


def describe_squares(observation: Observation) -> dict[str, Any]:
    """The answer for an observation of checkers: the occupied squares if all are certain, else the cause.

    Kings and men have the same letter. More than twelve checkers of a side are an unknown cause.
    """
    nothing: dict[str, Any] = {"squares": None, "confidence": None}
    if observation.unreadable is not None:
        return {**nothing, **_cause(observation.unreadable, observation.where)}
    doubtful = [cell for cell, reading in enumerate(observation.cells) if reading.margin_nats < CERTAIN_NATS]
    board = [reading.best or (0, 0) for reading in observation.cells]
    too_many = any(sum(content[side] for content in board) > _MEN for side in (0, 1))
    if doubtful or too_many:
        names = [f"{cell // _SIDE},{cell % _SIDE}" for cell in doubtful]
        return {**nothing, "unreadable": str(Cause.UNKNOWN), "doubtful": names}
    squares = {
        f"{cell // _SIDE},{cell % _SIDE}": "w" if board[cell][0] else "b"
        for cell in range(CHECKERS_CELLS)
        if any(board[cell])
    }
    return {"squares": squares, "confidence": _confidence(observation.cells), "unreadable": None}
