"""Readings as JSON, and known positions from JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core import (
    BLACK_BAR,
    CHECKERS,
    CHECKERS_CELLS,
    FULL_ROW,
    WHITE_BAR,
    WHITE_OFF,
    BoardsideError,
    Cause,
    CheckerCount,
    cell_name,
    count_checkers,
    missing_checkers,
    quoted_json,
)
from companion.notation import completed, parse_position_id, xgid_of
from vision.board.storage import CalibrationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Board, CellReading, Content, Observation, Part


CERTAIN_NATS = 5.0
"""Least log-likelihood ratio (nats) of a certain reading to the next most likely board: a factor of 150, as for the
referee."""


def describe(observation: Observation, known: tuple[int, int] = (CHECKERS, CHECKERS)) -> dict[str, Any]:
    """JSON answer for an observation of backgammon: the position if it is certain, else the cause.

    `known`: White's and Black's checkers on the board at calibration. The others count as borne off, not as hidden in
    second layers, unless more than `known` are seen now (a new game). With a full row or a visible tray a cell is
    doubtful if its reading depends on that assumption.
    """
    dice = None if observation.dice is None else list(observation.dice)
    nothing: dict[str, Any] = {"position": None, "off_seen": None, "dice": dice, "confidence": None}
    if observation.unreadable is not None:
        return {**nothing, **_cause_fields(observation.unreadable, observation.where)}
    taken = _counted_board(observation, known)
    if taken is None or observation.between or not _is_certain(taken, observation):
        between = (cell for pair in observation.between for cell in pair)
        doubtful = dict.fromkeys(map(cell_name, (*between, *(() if taken is None else taken.doubtful))))
        return {**nothing, **_doubtful_fields(list(doubtful), observation, cell_name)}
    return {
        "position": _position(taken),
        "off_seen": _off_seen(taken),
        "dice": dice,
        "confidence": _confidence(observation.cells[: BLACK_BAR + 1]),
        "unreadable": None,
    }


def _is_certain(taken: CheckerCount, observation: Observation) -> bool:
    """Whether points and bar are certain: all likely boards agree on them, and no more borne-off checkers are seen."""
    if taken.margin_nats >= CERTAIN_NATS:
        return True
    return min(taken.doubtful) > BLACK_BAR and not observation.contradicted_cells(taken.board)


def _counted_board(observation: Observation, known: tuple[int, int]) -> CheckerCount | None:
    """The likeliest board; doubtful are also cells that differ between the least and the most checkers in play."""
    least, most = zip(*(_totals(observation, side, known[side]) for side in (0, 1)), strict=True)
    taken = count_checkers(observation, CERTAIN_NATS, least)
    other = taken if most == least else count_checkers(observation, CERTAIN_NATS, most)
    if taken is None or other is None:
        return None
    unlike = (cell for cell, (one, two) in enumerate(zip(taken.board, other.board, strict=True)) if one != two)
    doubtful = [cell for cell in (*other.doubtful, *unlike) if cell <= BLACK_BAR]
    return CheckerCount(taken.board, 0.0, tuple({*taken.doubtful, *doubtful})) if doubtful else taken


def _totals(observation: Observation, side: int, known: int) -> tuple[int, int]:
    """Least and most checkers of a side in play, if `known` were on the board at calibration."""
    seen = [(cell.best or (0, 0))[side] for cell in observation.cells[: BLACK_BAR + 1]]
    if sum(seen) > known:
        return CHECKERS, CHECKERS
    others = max(seen) >= FULL_ROW or observation.cells[WHITE_OFF + side].seen
    return known, CHECKERS if others else known


def _cause_fields(cause: Cause, where: Part | None) -> dict[str, str]:
    """JSON fields of an unreadable picture: the cause, and the part of the board if it is known."""
    return {"unreadable": str(cause)} if where is None else {"unreadable": str(cause), "where": str(where)}


def _doubtful_fields(doubtful: list[Any], observation: Observation, name: Callable[[int], object]) -> dict[str, Any]:
    """JSON fields of a doubtful reading: names of the doubtful cells, and pairs of cells with checkers between."""
    between = [list(map(name, pair)) for pair in observation.between]
    answer = {"unreadable": str(Cause.UNKNOWN), "doubtful": doubtful}
    return {**answer, "between": between} if between else answer


def _position(taken: CheckerCount) -> dict[str, Any]:
    contents = [content or (0, 0) for content in taken.board]
    points = [list(content) if all(content) else content[0] - content[1] for content in contents[:WHITE_BAR]]
    off = [max(missing_checkers(taken.board, side, CHECKERS), 0) for side in (0, 1)]
    return {"points": points, "bar": [contents[WHITE_BAR][0], contents[BLACK_BAR][1]], "off": off}


def _off_seen(taken: CheckerCount) -> list[int] | None:
    white, black = taken.board[WHITE_OFF], taken.board[WHITE_OFF + 1]
    if white is None or black is None or taken.margin_nats < CERTAIN_NATS:
        return None
    return [white[0], black[1]]


def _confidence(cells: Sequence[CellReading]) -> list[float]:
    """The probability of each cell's most likely content."""
    shares = [np.exp([nats for _, nats in cell.likelihoods]) for cell in cells]
    return [round(float(share[0] / share.sum()), 3) for share in shares]


_SIDE = 8
_MEN = 12


def square_name(cell: int) -> str:
    """Name of a square in JSON, "row,col": from 0 at White's edge and at White's left."""
    return f"{cell // _SIDE},{cell % _SIDE}"


def describe_squares(observation: Observation) -> dict[str, Any]:
    """JSON answer for an observation of checkers: the occupied squares if all are certain, else the cause.

    Kings and men have the same letter. More than twelve checkers of a side are an unknown cause.
    """
    nothing: dict[str, Any] = {"squares": None, "confidence": None}
    if observation.unreadable is not None:
        return {**nothing, **_cause_fields(observation.unreadable, observation.where)}
    doubtful = [cell for cell, reading in enumerate(observation.cells) if reading.margin_nats < CERTAIN_NATS]
    board = [reading.best or (0, 0) for reading in observation.cells]
    men = [sum(side) for side in zip(*board, strict=True)]
    too_many = max(men, default=0) > _MEN
    if doubtful or too_many:
        return {**nothing, **_doubtful_fields(list(map(square_name, doubtful)), observation, square_name)}
    squares = {square_name(cell): "w" if board[cell][0] else "b" for cell in range(CHECKERS_CELLS) if any(board[cell])}
    return {"squares": squares, "confidence": _confidence(observation.cells), "unreadable": None}


_PLAYERS = "white", "black"


def backgammon_cells(value: object) -> Board:
    """Points and bar of `{"points": [24 signed counts], "bar": [white, black], …}`, a gnubg Position ID or an XGID.

    `bar` is required if not all checkers are on the points, as the others may be on the bar or borne off.
    Raises CalibrationError quoting the value.
    """
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    coded = _cells_of_code(fields)
    if coded is not None:
        return coded
    points = fields.get("points")
    if not isinstance(points, list) or len(points) != WHITE_BAR or not all(type(one) is int for one in points):
        raise CalibrationError(
            f'position {quoted_json(value)} is not {{"points": [24 whole numbers], …}}: '
            "+ for White, - for Black, White's 1 point first"
        )
    counts = [(max(count, 0), max(-count, 0)) for count in points]
    white, black = _on_bar(fields, counts)
    return (*counts, (white, 0), (0, black))


def _cells_of_code(fields: dict[str, Any]) -> Board | None:
    """Cells from `{"xgid"}`, or `{"id"}` with "player" or "match_id"; None where the counts are given."""
    try:
        player = completed({"player": fields.get("player")}, fields)["player"]
        xgid = xgid_of(fields)
    except BoardsideError as error:
        raise CalibrationError(f"position {quoted_json(fields)}: {error}") from error
    if xgid is not None:
        points = [(max(count, 0), max(-count, 0)) for count in xgid.points]
        return (*points, (xgid.bar[0], 0), (0, xgid.bar[1]))
    return _cells_of_position_id(fields, player) if "id" in fields and "points" not in fields else None


def _cells_of_position_id(fields: dict[str, Any], player: object) -> Board:
    """Cells from the Position ID in "id"; `player` ("white" or "black") is on roll."""
    if player not in _PLAYERS:
        raise CalibrationError(f'position {quoted_json(fields)} needs the player on roll: "player": "white" or "black"')
    try:
        counts = parse_position_id(str(fields["id"]))
    except BoardsideError as error:
        raise CalibrationError(f"position {quoted_json(fields)}: {error}") from error
    white, black = counts if player == "white" else counts[::-1]
    points = zip(white[:WHITE_BAR], reversed(black[:WHITE_BAR]), strict=True)
    return (*points, (white[WHITE_BAR], 0), (0, black[WHITE_BAR]))


def _on_bar(value: dict[str, Any], points: Sequence[Content]) -> tuple[int, int]:
    """The number of White's and of Black's checkers on the bar. Raises CalibrationError."""
    counts = [sum(content[side] for content in points) for side in (0, 1)]
    bar = value.get("bar")
    if bar is None and min(counts) < CHECKERS:
        raise CalibrationError(
            f"position {quoted_json(value)} has {counts[0]} of White's and {counts[1]} of Black's {CHECKERS} checkers "
            'on the points: add how many of each are on the bar, "bar": [0, 0] if the others are borne off'
        )
    on_bar = [0, 0] if bar is None else bar
    if (
        not isinstance(on_bar, list)
        or len(on_bar) != len(counts)
        or not all(type(one) is int and one >= 0 for one in on_bar)
        or any(on_points + hit > CHECKERS for on_points, hit in zip(counts, on_bar, strict=True))
    ):
        raise CalibrationError(
            f"position {quoted_json(value)} has {quoted_json(bar)} as its bar, with {counts[0]} of White's and "
            f"{counts[1]} of Black's checkers on the points: expected \"bar\": [White's, Black's], "
            f"with no more than {CHECKERS} a side"
        )
    return on_bar[0], on_bar[1]
