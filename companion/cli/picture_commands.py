"""The commands that read pictures of boards, and filmed games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.argument_types import port
from companion.cli.choices import DEFAULT_PORT, GAMES
from companion.cli.parser import add_command, imported

if TYPE_CHECKING:
    import argparse

    from companion.cli.parser import Command, Commands


def add_picture_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add `locate`, `calibrate`, `read` and `replay`."""
    locate = add_command(
        commands, "locate", "find the board in a picture of the starting position", _of_picture("locate")
    )
    calibrate = add_command(
        commands, "calibrate", "learn a board from a picture of a known position", _of_picture("calibrate")
    )
    read = add_command(commands, "read", "read positions from pictures", _of_picture("read"))
    replay = add_command(commands, "replay", "referee a filmed game", "companion.app:replay_film")
    for parser in (locate, calibrate):
        parser.add_argument("image", type=Path, help="a picture")
        parser.add_argument("--game", choices=GAMES, help="default: the sheet's game, or backgammon")
        parser.add_argument("--mirror", action="store_true", help="White's home is on the left")
    replay.add_argument("--mirror", action="store_true", help="White's home is on the left")
    calibrate.add_argument("--corners", help='"x,y x,y x,y x,y": bottom left, bottom right, top right, top left')
    calibrate.add_argument(
        "--position",
        help="position in the picture, in JSON: counts, Position ID, XGID or FEN; or a bare XGID (default: the start)",
    )
    calibrate.add_argument("-o", "--output", type=Path, required=True, metavar="CAL", help="file to write")
    read.add_argument("calibration", type=Path, metavar="CAL", help="file written by calibrate")
    read.add_argument("images", type=Path, nargs="+", metavar="IMG")
    replay.add_argument("folder", type=Path, help="a recorded game: game.json and its pictures")
    replay.add_argument("--serve", action="store_true", help="show it on the page, on this machine only")
    replay.add_argument("--port", type=port, default=DEFAULT_PORT, help="port of the page (default: %(default)s)")
    for parser in (locate, calibrate, read, replay):
        parser.add_argument("--sheet", default="", help="rule sheet: a name or a .toml file")


def _of_picture(name: str) -> Command:
    """The function `name` of `vision.cli` as a command."""

    def run(args: argparse.Namespace) -> int:
        args.game, args.board = _board_asked_for(args)
        return imported(f"vision.cli:{name}")(args)

    return run


def _board_asked_for(args: argparse.Namespace) -> tuple[str, str | None]:
    """The game and the kind of board for `--game` and `--sheet`. Raises SheetError if they disagree."""
    from companion.commands import sheet_named
    from companion.rules import SheetError, kind_of_board, load_sheet, refuse_mirrored

    game, name = getattr(args, "game", None), sheet_named(getattr(args, "sheet", ""))
    if not name:
        return game or GAMES[0], None
    sheet = load_sheet(name)
    if game not in (None, sheet.game):
        raise SheetError(f"sheet {sheet.name!r} is for {sheet.game}, but --game says {game!r}: leave one of them out")
    refuse_mirrored(sheet, mirrored=getattr(args, "mirror", False))
    return sheet.game, kind_of_board(sheet)
