"""The commands that answer JSON lines, and the one that describes rule sheets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.parser import add_command

if TYPE_CHECKING:
    import argparse

    from companion.cli.parser import Commands

TURN_HELP = 'A line is {"position": …, "player": "white", "dice": [3, 1]}, or {"game": "checkers", "fen": …}. '
POSITION_HELP = (
    'A backgammon "position" is {"points": [24 signed counts], "bar": […], "off": […]}, {"id": Position ID} or '
    '{"xgid": "XGID=…"}; "match_id": a Match ID may stand beside "id". XGID and Match ID give "player", "dice" and '
    '"cube" where the line leaves them out. Checkers: "fen".'
)


LINE_HELP = {
    "moves": TURN_HELP,
    "judge": TURN_HELP
    + 'It also has "after", the position on the board now (checkers: a FEN, or {"squares": …}), and "done": false '
    "while the player has not said that the turn is finished. ",
    "score": 'A line is {"position": …, "winner": "white"}; the winner may be left out if the position shows it, and '
    '"cube" and "stake" may be given. ',
    "hint": TURN_HELP + '"n" says how many plays to give, "why": true asks for reasons. ',
}
"""The fields of a line, by command; `POSITION_HELP` describes positions."""


def add_line_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add `moves`, `judge`, `score`, `hint` and `sheets`."""
    for name, does in (
        ("moves", "list the legal plays of positions (JSON lines)"),
        ("judge", "judge turns (JSON lines)"),
        ("score", "score finished games (JSON lines)"),
    ):
        parser = add_command(commands, name, does, "companion.commands:answer_lines")
        parser.set_defaults(lines=name)
        parser.epilog = LINE_HELP[name] + POSITION_HELP
    hint = add_command(commands, "hint", "rank the plays of rolls (JSON lines)", "companion.commands:answer_hints")
    hint.epilog = LINE_HELP["hint"] + POSITION_HELP
    hint.add_argument("--engine", help="auto, gnubg or embedded, Boardside's own (default: auto)")
    hint.add_argument("--level", help="how far the engine looks ahead: 0, 1 or 2 (default: 2)")
    sheets = add_command(commands, "sheets", "describe rule sheets in plain words", "companion.commands:list_sheets")
    sheets.add_argument("name", nargs="?", default="", help="one sheet: a name or a .toml file (default: all shipped)")
    sheets.add_argument("--check", metavar="FILE", help="check a sheet of your own and its examples")
    sheets.add_argument("--json", action="store_true", help="one JSON line a sheet")
    sheets.add_argument("--state", type=Path, help="directory whose folder sheets/ holds your own")
    for parser in (*(commands.choices[name] for name in ("moves", "judge", "score")), hint, sheets):
        parser.add_argument("--sheet", default="", help="rule sheet: a name or a .toml file")
