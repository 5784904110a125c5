"""Parses the JSON positions of `boardside calibrate --position` to the contents of a board's cells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from companion.census import CHECKERS
from companion.model import BoardsideError
from companion.notation.fen import cell_of, parse_fen
from companion.notation.moment import completed, xgid_of
from companion.notation.position_id import parse_position_id
from companion.observation import CHECKERS_CELLS, WHITE_BAR
from vision.calibration_file import CalibrationError
from vision.squares import KING, SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.observation import Board, Content

_PLAYERS = "white", "black"
_PIECES: dict[str, Content] = {"w": (1, 0), "b": (0, 1), "W": (KING, 0), "B": (0, KING)}
"""Content of a square by its letter; capitals are kings."""


def backgammon_cells(value: object) -> Board:
    """Points and bar of `{"points": [24 signed counts], "bar": [white, black], …}`, a gnubg Position ID or an XGID.

    `bar` is required if not all checkers are on the points, as the others may be on the bar or borne off.
    Raises CalibrationError quoting the value.
    """
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    coded = _of_code(fields)
    if coded is not None:
        return coded
    points = fields.get("points")
    if not isinstance(points, list) or len(points) != WHITE_BAR or not all(isinstance(one, int) for one in points):
        raise CalibrationError(
            f'position {json.dumps(value)} is not {{"points": [24 whole numbers], …}}: '
            "+ for White, - for Black, White's 1 point first"
        )
    counts = [(max(count, 0), max(-count, 0)) for count in points]
    white, black = _on_bar(fields, counts)
    return (*counts, (white, 0), (0, black))


def checkers_cells(value: object) -> Board:
    """The cells of `{"squares": {"row,col": "w"}}`, kings in capitals, or of `{"fen": …}`.

    Raises CalibrationError quoting the value.
    """
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    if "fen" in fields and "squares" not in fields:
        return _of_fen(fields)
    cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
    try:
        for name, piece in dict(fields["squares"]).items():
            row, column = map(int, name.split(","))
            if not (0 <= row < SIDE and 0 <= column < SIDE):
                raise ValueError(name)
            cells[row * SIDE + column] = _PIECES[piece]
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise CalibrationError(
            f'position {json.dumps(value)} is not {{"squares": {{"row,col": "w" or "b", …}}}}: '
            "row 0 at White's edge, column 0 at White's left, capitals for kings"
        ) from error
    return tuple(cells)


def _of_code(fields: dict[str, Any]) -> Board | None:
    """From `{"xgid"}`, or `{"id"}` with "player" or "match_id"; None where the counts are given."""
    try:
        player = completed({"player": fields.get("player")}, fields)["player"]
        xgid = xgid_of(fields)
    except BoardsideError as error:
        raise CalibrationError(f"position {json.dumps(fields)}: {error}") from error
    if xgid is not None:
        points = [(max(count, 0), max(-count, 0)) for count in xgid.points]
        return (*points, (xgid.bar[0], 0), (0, xgid.bar[1]))
    return _of_id(fields, player) if "id" in fields and "points" not in fields else None


def _of_id(fields: dict[str, Any], player: object) -> Board:
    """From the Position ID in "id"; `player` is on roll."""
    if player not in _PLAYERS:
        raise CalibrationError(f'position {json.dumps(fields)} needs the player on roll: "player": "white" or "black"')
    try:
        counts = parse_position_id(str(fields["id"]))
    except BoardsideError as error:
        raise CalibrationError(f"position {json.dumps(fields)}: {error}") from error
    white, black = counts if player == "white" else counts[::-1]
    points = zip(white[:WHITE_BAR], reversed(black[:WHITE_BAR]), strict=True)
    return (*points, (white[WHITE_BAR], 0), (0, black[WHITE_BAR]))


def _of_fen(fields: dict[str, Any]) -> Board:
    try:
        pieces = parse_fen(str(fields["fen"]))
    except BoardsideError as error:
        raise CalibrationError(f"position {json.dumps(fields)}: {error}") from error
    cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
    for side, squares in enumerate((pieces.white, pieces.black)):
        for square in squares:
            height = KING if square in pieces.kings else 1
            cells[cell_of(square)] = (height, 0) if side == 0 else (0, height)
    return tuple(cells)


def _on_bar(value: dict[str, Any], points: Sequence[Content]) -> tuple[int, int]:
    """The number of White's and of Black's checkers on the bar. Raises CalibrationError."""
    counts = [sum(content[side] for content in points) for side in (0, 1)]
    bar = value.get("bar")
    if bar is None and min(counts) < CHECKERS:
        raise CalibrationError(
            f"position {json.dumps(value)} has {counts[0]} of White's and {counts[1]} of Black's {CHECKERS} checkers "
            'on the points: say how many of each lie on the bar too, "bar": [0, 0] if the others are borne off'
        )
    on_bar = [0, 0] if bar is None else bar
    if (
        not isinstance(on_bar, list)
        or len(on_bar) != len(counts)
        or not all(type(one) is int and one >= 0 for one in on_bar)
        or any(on_points + waiting > CHECKERS for on_points, waiting in zip(counts, on_bar, strict=True))
    ):
        raise CalibrationError(
            f"position {json.dumps(value)} says {json.dumps(bar)} of the bar, with {counts[0]} of White's and "
            f"{counts[1]} of Black's checkers on the points: expected \"bar\": [White's, Black's], "
            f"with no more than {CHECKERS} a side"
        )
    return on_bar[0], on_bar[1]
