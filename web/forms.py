"""Reads what a page or a script posts; invalid input is answered with status 400 and a reason."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from flask import request

from companion.core import BACKGAMMON_CELLS, CHECKERS_CELLS, OutsideError, parse_json, quoted
from companion.notation import COLUMNS
from web.refusals import refuse

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core import Board, Content

LARGEST = 2**53
"""JavaScript represents every whole number up to this one exactly."""
MOST_CHECKERS = 15
SQUARES = {f"{cell // COLUMNS},{cell % COLUMNS}": cell for cell in range(CHECKERS_CELLS)}
MOST_BYTES = 16 * 1024
SQUARES_FORM = '{"squares": {"0,0": "w"}}'
POSITION_FORM = '{"points": [24 × 0], "bar": [0, 0], "off": [0, 0]}'


def posted() -> dict[str, Any]:
    """The fields posted, from JSON or a form; an empty body has none."""
    if request.mimetype in ("application/x-www-form-urlencoded", "multipart/form-data"):
        return request.form.to_dict()
    if not request.get_data():
        return {}
    try:
        fields = parse_json(request.get_data())
    except OutsideError:
        fields = None
    if not isinstance(fields, dict):
        refuse("body", form='{"id": 3, "x": 9.5, "y": 1.0}')
    return fields


def number(fields: dict[str, Any], key: str, low: float, high: float) -> float:
    """The number under `key`, from `low` to `high`."""
    value = fields.get(key)
    try:
        found = float("nan") if value is None or isinstance(value, bool | list | dict) else float(value)
    except (ValueError, OverflowError):
        found = float("nan")
    if not isfinite(found) or not low <= found <= high:
        refuse("number", field=f'"{key}"', value=quoted(value), low=f"{low:g}", high=f"{high:g}")
    return found


def whole_number(fields: dict[str, Any], key: str, low: int, high: int = LARGEST) -> int:
    """The whole number under `key`, from `low` to `high`."""
    found = number(fields, key, low, high)
    if not found.is_integer():
        refuse("whole", field=f'"{key}"', value=quoted(fields.get(key)))
    return int(found)


def choice(fields: dict[str, Any], key: str, known: Collection[str], default: str | None = None) -> str:
    """The word under `key`, one of `known`; `default` if it is absent."""
    value = fields.get(key, default)
    if not isinstance(value, str) or value not in known:
        refuse("choice", field=f'"{key}"', value=quoted(value), known=", ".join(known))
    return value


def truth(fields: dict[str, Any], key: str) -> bool:
    """Whether `key` is true; absent means false. Forms send words, JSON has true and false."""
    return choice({key: str(fields.get(key, False)).lower()}, key, ("true", "false")) == "true"


def board_of(position: object) -> Board:
    """The board (28 cells, 64 of checkers) that a position in the interface's JSON form describes."""
    if isinstance(position, dict) and "squares" in position:
        return _chequered(position["squares"])
    if not isinstance(position, dict):
        refuse("form", field='"position"', value=quoted(position), form=POSITION_FORM)
    points = position.get("points")
    if not isinstance(points, list) or len(points) != 24:
        refuse("points", field='"points"', value=quoted(points))
    cells: list[Content] = [_content(point) for point in points]
    for key in ("bar", "off"):
        white, black = _content(position.get(key) or [0, 0])
        cells += [(white, 0), (0, black)]
    for side in (0, 1):
        total = sum(cell[side] for cell in cells)
        if total > MOST_CHECKERS:
            refuse("total", total=total, most=MOST_CHECKERS)
    assert len(cells) == BACKGAMMON_CELLS  # noqa: S101
    return tuple(cells)


def _chequered(squares: object) -> Board:
    cells: list[Content] = [(0, 0)] * CHECKERS_CELLS
    for place, piece in (squares if isinstance(squares, dict) else {"": squares}).items():
        cell = SQUARES.get(place)
        if cell is None or piece not in ("w", "b"):
            refuse("square", square=quoted(place), piece=quoted(piece), form='"row,col"', pieces='"w" / "b"')
        cells[cell] = (1, 0) if piece == "w" else (0, 1)
    return tuple(cells)


def _content(value: object) -> Content:
    """A signed count (+ White, - Black), or [white, black]."""
    if type(value) is int and abs(value) <= MOST_CHECKERS:
        return max(value, 0), max(-value, 0)
    pair = value if isinstance(value, list | tuple) and len(value) == 2 else (-1, -1)
    if not all(type(n) is int and 0 <= n <= MOST_CHECKERS for n in pair):
        refuse("count", value=quoted(value), form="[white, black]")
    return pair[0], pair[1]
