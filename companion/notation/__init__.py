"""Readers and writers of the standard notations."""

from __future__ import annotations

from companion.notation.fen import (
    COLUMNS,
    ROWS,
    SQUARES,
    Pieces,
    cell_of,
    format_fen,
    format_move,
    parse_fen,
    parse_move,
    square_of,
)
from companion.notation.formats import FORMATS, JSON, format_named
from companion.notation.match_id import MATCH_ID_LARGEST_SCORE, MatchState, format_match_id
from companion.notation.match_script import (
    Action,
    CubeTurn,
    CubeWord,
    GameScript,
    MatchScript,
    Result,
    ScriptTurn,
    single_steps,
)
from companion.notation.moment import MATCH_ID_PLAYERS, completed, xgid_of
from companion.notation.play import BAR, OFF, NotationError, format_play, parse_play
from companion.notation.position_id import format_position_id, parse_position_id
from companion.notation.xgid import Xgid, format_xgid

__all__ = [
    "BAR",
    "COLUMNS",
    "FORMATS",
    "JSON",
    "MATCH_ID_LARGEST_SCORE",
    "MATCH_ID_PLAYERS",
    "OFF",
    "ROWS",
    "SQUARES",
    "Action",
    "CubeTurn",
    "CubeWord",
    "GameScript",
    "MatchScript",
    "MatchState",
    "NotationError",
    "Pieces",
    "Result",
    "ScriptTurn",
    "Xgid",
    "cell_of",
    "completed",
    "format_fen",
    "format_match_id",
    "format_move",
    "format_named",
    "format_play",
    "format_position_id",
    "format_xgid",
    "parse_fen",
    "parse_move",
    "parse_play",
    "parse_position_id",
    "single_steps",
    "square_of",
    "xgid_of",
]
