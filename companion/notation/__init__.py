"""Readers and writers of the standard notations.

Each is imported when it is first asked for: listing plays loads no format of matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
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
        WhyItStands,
        single_steps,
    )
    from companion.notation.moment import MATCH_ID_PLAYERS, completed, xgid_of
    from companion.notation.play import BAR, OFF, NotationError, format_play, format_trips, parse_play
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
    "WhyItStands",
    "Xgid",
    "cell_of",
    "completed",
    "format_fen",
    "format_match_id",
    "format_move",
    "format_named",
    "format_play",
    "format_position_id",
    "format_trips",
    "format_xgid",
    "parse_fen",
    "parse_move",
    "parse_play",
    "parse_position_id",
    "single_steps",
    "square_of",
    "xgid_of",
]
__getattr__ = lazy_face(
    __name__,
    {
        "BAR": "play",
        "COLUMNS": "fen",
        "FORMATS": "formats",
        "JSON": "formats",
        "MATCH_ID_LARGEST_SCORE": "match_id",
        "MATCH_ID_PLAYERS": "moment",
        "OFF": "play",
        "ROWS": "fen",
        "SQUARES": "fen",
        "Action": "match_script",
        "CubeTurn": "match_script",
        "CubeWord": "match_script",
        "GameScript": "match_script",
        "MatchScript": "match_script",
        "MatchState": "match_id",
        "NotationError": "play",
        "Pieces": "fen",
        "Result": "match_script",
        "ScriptTurn": "match_script",
        "WhyItStands": "match_script",
        "Xgid": "xgid",
        "cell_of": "fen",
        "completed": "moment",
        "format_fen": "fen",
        "format_match_id": "match_id",
        "format_move": "fen",
        "format_named": "formats",
        "format_play": "play",
        "format_position_id": "position_id",
        "format_trips": "play",
        "format_xgid": "xgid",
        "parse_fen": "fen",
        "parse_move": "fen",
        "parse_play": "play",
        "parse_position_id": "position_id",
        "single_steps": "match_script",
        "square_of": "fen",
        "xgid_of": "moment",
    },
)
