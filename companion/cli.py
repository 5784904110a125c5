"""The command line of `boardside`.

Each command imports its modules when it runs, so that listing plays loads neither OpenCV nor a web server.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import signal
import sys
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.core import BoardsideError, boardside_version, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from _typeshed import SupportsWrite

    Command = Callable[[argparse.Namespace], int]

GAMES = ("backgammon", "checkers")
DEFAULT_PORT = 8000
LAST_PORT = 65535
DICE = ("fair", "hand", "camera")  # equal to companion.dice.DICE (tested)
LANGUAGES = ("en", "de", "fr", "es")  # companion.texts.LANGUAGES
LEVELS = tuple("123456")  # companion.settings.LEVELS
ENGINES = ("auto", "gnubg", "embedded")  # companion.hints.select.ENGINES
FORMER_ENGINES = {"plain": "embedded"}  # companion.hints.select.FORMER_ENGINES
SPEECH = ("off", "terse", "friendly")  # companion.speech.Style
SITE = re.compile(r"[\w.-]++")
"""Names of hosts, without a port: a name counts for all ports (`web.guard`)."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, and of a file as large as it may be."""

POSITION_HELP = (
    'A line is {"position": …, "player": "white", "dice": [3, 1]}, or {"game": "checkers", "fen": …}. '
    'A backgammon "position" is {"points": [24 signed counts], "bar": […], "off": […]}, {"id": Position ID} or '
    '{"xgid": "XGID=…"}; "match_id": a Match ID may stand beside "id". XGID and Match ID give "player", "dice" and '
    '"cube" where the line leaves them out. Checkers: "fen".'
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 success, 1 failure, 2 wrong usage, 130 Ctrl-C.

    Without a command, runs the table.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            args, unknown = build_parser().parse_known_args(given or ["run"])
            if unknown:
                args.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
            command: Command = args.command
            if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # `companion.__main__`
                signal.signal(signal.SIGINT, signal.default_int_handler)
            return command(args)
        finally:
            if sys.stdout is not None:  # closed by the caller
                sys.stdout.flush()
    except BoardsideError as error:
        print(f"boardside: {one_line(str(error))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has closed the pipe (`boardside moves | head`)
        _drop_output()
        return 1
    except OSError as error:
        if error.errno not in FULL:
            raise
        _drop_output()
        print(
            f"boardside: cannot write the output: {error.strerror}; free some space, or send it to another disk",
            file=sys.stderr,
        )
        return 1


def _drop_output() -> None:
    """Avoid a second error when Python flushes the standard output at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser() -> argparse.ArgumentParser:
    """The parser with all commands and options."""
    parser: argparse.ArgumentParser = _Parser(
        prog="boardside",
        description="Referees backgammon and checkers on a real board. Without a command, the table runs.",
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(commands)
    _add_line_commands(commands)
    _add_picture_commands(commands)
    _add_dice(commands)
    _add_panel(commands)
    _add_transfer(commands)
    _add_analysis(commands)
    _add_backup(commands)
    _add_verify(commands)
    return parser


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line each, with any quoted text, and which says if its help cannot be written."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; argparse itself keeps silent about a full disk where the output has no buffer."""
        output = file or sys.stdout
        if output is not None:  # closed by the caller
            output.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Print the error and where to read the usage, which may be longer than a screen; exits with 2."""
        self.exit(2, f"{self.prog}: {one_line(message)}; see {self.prog} --help\n")


class _ShowVersion(argparse.Action):
    """Prints the version, which is read from the package's metadata only where it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print(f"boardside {boardside_version()}")
        parser.exit()


Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for this type


def _add(
    commands: Commands[argparse.ArgumentParser], name: str, does: str, run: str | Command
) -> argparse.ArgumentParser:
    """Add a command that runs a function, or one named as "module:function", imported when the command runs."""
    parser = commands.add_parser(name, help=does, description=does[0].upper() + does[1:] + ".")
    parser.set_defaults(command=_imported(run) if isinstance(run, str) else run, parser=parser)
    return parser


def _add_run(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _add(commands, "run", "run the table: camera, referee, panel and the page", _run)
    parser.add_argument("--host", default="0.0.0.0", help="where the page is served (default: all IPv4 addresses)")  # noqa: S104
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help="port of the page (default: %(default)s)")
    parser.add_argument("--watch", choices=("all", "seats"), help="who may watch: everybody, or devices with a seat")
    parser.add_argument(
        "--proxy", type=_address, metavar="ADDRESS", help="a reverse proxy, which tells who visits (default: none)"
    )
    parser.add_argument(
        "--site",
        type=_site,
        action="append",
        default=[],
        metavar="NAME",
        help="a further name of the page, such as the proxy's",
    )
    parser.add_argument("--state", type=Path, help="directory of the record and the learned boards")
    parser.add_argument("--camera", help="auto, simulated, usb:N, csi, folder:PATH or file:PATH")
    parser.add_argument("--sheet", help="rule sheet: a name or a .toml file (default: standard)")
    parser.add_argument("--gpio", choices=("auto", "mock"), default="auto", help="real pins if there are any, or mock")
    parser.add_argument("--config", type=Path, help="a .toml file: pins, panel, gestures, clock")
    parser.add_argument("--clock", metavar="MIN+S", help="a chess clock: minutes, and seconds of delay")
    parser.add_argument("--language", choices=LANGUAGES, help="language of page and voice (default: each browser's)")
    parser.add_argument("--speech", choices=SPEECH, help="how much is spoken")
    _add_engine(parser, "engine that gives hints: embedded is Boardside's own (default: gnubg if it is installed)")
    parser.add_argument("--opponent", choices=("white", "black", "nobody"), help="the side that Boardside itself plays")
    parser.add_argument("--level", choices=LEVELS, help="how strong the opponent plays, 1 to 6")
    parser.add_argument("--mirror", action="store_true", help="White's home is on the left")
    parser.add_argument("--dice", choices=DICE, help="fair: rolled by Boardside (default); else the set's own")
    parser.add_argument("--match", type=int, metavar="N", help="play a match of N points; 0: no match")
    parser.add_argument(
        "--names",
        nargs=2,
        metavar=("WHITE", "BLACK"),
        help='the players: "NAME", "NAME (COLOUR)" or "(COLOUR)" each, White (who plays from 24 to 1) first',
    )
    parser.add_argument("--stake", type=_stake, metavar="S", help="play a series of games at S a point")
    parser.add_argument("--beavers", action="store_true", help="in a series, a doubled player may redouble at once")
    parser.add_argument("--jacoby", action="store_true", help="in a series, gammons count only after a double")
    parser.add_argument("--no-crawford", action="store_true", help="in a match, no game without the cube")
    parser.add_argument(
        "--automatic-doubles", type=int, default=0, metavar="N", help="in a series, ties of the opening roll double"
    )


def _add_line_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    for name, does in (
        ("moves", "list the legal plays of positions (JSON lines)"),
        ("judge", "judge turns (JSON lines)"),
        ("score", "score finished games (JSON lines)"),
    ):
        parser = _add(commands, name, does, "companion.commands:answer_lines")
        parser.set_defaults(lines=name)
        parser.epilog = POSITION_HELP
    hint = _add(commands, "hint", "rank the plays of rolls (JSON lines)", "companion.commands:answer_hints")
    hint.epilog = POSITION_HELP
    hint.add_argument("--engine", help="auto, gnubg or embedded, Boardside's own (default: auto)")
    hint.add_argument("--level", help="how far the engine looks ahead: 0, 1 or 2 (default: 2)")
    sheets = _add(commands, "sheets", "describe rule sheets in plain words", "companion.commands:list_sheets")
    sheets.add_argument("name", nargs="?", default="", help="one sheet: a name or a .toml file (default: all shipped)")
    sheets.add_argument("--check", metavar="FILE", help="check a sheet of your own and its examples")
    sheets.add_argument("--json", action="store_true", help="one JSON line a sheet")
    sheets.add_argument("--state", type=Path, help="directory whose folder sheets/ holds your own")
    for parser in (*(commands.choices[name] for name in ("moves", "judge", "score")), hint, sheets):
        parser.add_argument("--sheet", default="", help="rule sheet: a name or a .toml file")


def _add_picture_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    locate = _add(commands, "locate", "find the board in a picture of the starting position", _of_picture("locate"))
    calibrate = _add(
        commands, "calibrate", "learn a board from a picture of a known position", _of_picture("calibrate")
    )
    read = _add(commands, "read", "read positions from pictures", _of_picture("read"))
    replay = _add(commands, "replay", "referee a filmed game", "companion.app:replay_film")
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
    replay.add_argument("--port", type=_port, default=DEFAULT_PORT, help="port of the page (default: %(default)s)")
    for parser in (locate, calibrate, read, replay):
        parser.add_argument("--sheet", default="", help="rule sheet: a name or a .toml file")


def _add_dice(commands: Commands[argparse.ArgumentParser]) -> None:
    dice = _add(commands, "dice", "check recorded dice", lambda _: 2)
    does = dice.add_subparsers(title="what to do", metavar="verify", required=True)
    verify = _add(does, "verify", "check that each roll follows from its secret", "companion.commands:verify_dice")
    verify.add_argument(
        "record", type=Path, nargs="?", metavar="RECORD", help="a state directory, its record.db, or an export"
    )
    verify.add_argument("--brief", action="store_true", help="print only rolls that do not hold")


def _add_transfer(commands: Commands[argparse.ArgumentParser]) -> None:
    export = _add(commands, "export", "export the record, or one match of it", "companion.transfer:export_match")
    export.add_argument("file", nargs="?", help="file to write (default: the standard output)")
    export.add_argument("--match", type=int, metavar="N", help="which match, from 1 (default: the last)")
    import_ = _add(commands, "import", "import a match into a record", "companion.transfer:import_match")
    import_.add_argument("file", help="file to read; - is the standard input")
    import_.add_argument("--sheet", default="", help="rule sheet (default: the one the file names, or the base)")
    for parser in (export, import_):
        parser.add_argument("--format", help="json, mat, sgf or pdn (default: by the file's ending)")
        parser.add_argument("--state", type=Path, help="directory of the record")


def _add_analysis(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _add(
        commands, "analyse", "analyse a recorded match: errors, luck and ratings", "companion.analysis:analyse_match"
    )
    parser.add_argument("file", nargs="?", help="new file to write, required: .html (a report) or .json")
    parser.add_argument("--match", type=int, metavar="N", help="which match, from 1 (default: the last)")
    _add_engine(parser, "engine that judges: embedded is Boardside's own (default: gnubg if it is installed)")
    parser.add_argument(
        "--level",
        type=int,
        choices=(0, 1, 2),
        default=2,
        help="how many plies gnubg looks ahead (default: %(default)s)",
    )
    parser.add_argument("--language", choices=LANGUAGES, help="of the report (default: the system's)")
    parser.add_argument("--progress", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--entry", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--state", type=Path, help="directory of the record")


def _add_backup(commands: Commands[argparse.ArgumentParser]) -> None:
    backup = _add(
        commands,
        "backup",
        "save record, learned boards, settings and sheets in one file",
        "companion.transfer:back_up_state",
    )
    backup.add_argument("file", help="new file to write (a zip archive)")
    backup.add_argument("--secrets", action="store_true", help="with the dice's secrets and the seats")
    restore = _add(
        commands,
        "restore",
        "bring a table back from a backup; what is there now is put aside",
        "companion.transfer:restore_state",
    )
    restore.add_argument("file", help="file that `boardside backup` wrote")
    for parser in (backup, restore):
        parser.add_argument("--state", type=Path, help="directory of the record and the learned boards")


def _add_verify(commands: Commands[argparse.ArgumentParser]) -> None:
    verify = _add(commands, "verify", "check the evidence of a dispute", "companion.history:verify_evidence")
    verify.add_argument("file", type=Path, help="evidence that the page of a match gives (a zip archive)")


def _add_panel(commands: Commands[argparse.ArgumentParser]) -> None:
    panel = _add(commands, "panel", "check or draw the wiring of the panel", lambda _: 2)
    does = panel.add_subparsers(title="what to do", metavar="test|wiring", required=True)
    test = _add(
        does, "test", "light every LED, wait for every button, and report wiring faults", "companion.app:test_panel"
    )
    test.add_argument("--gpio", choices=("auto", "mock"), default="auto", help="real pins if there are any, or mock")
    wiring = _add(does, "wiring", "list the circuit on each pin, or draw it", "companion.app:show_wiring")
    wiring.add_argument("-o", "--output", type=Path, metavar="SVG", help="file to draw into")
    for parser in (test, wiring):
        parser.add_argument("--config", type=Path, help="a .toml file: pins, panel, gestures, clock")


def _add_engine(parser: argparse.ArgumentParser, does: str) -> None:
    parser.add_argument("--engine", type=_engine, choices=ENGINES, default="auto", help=does)


def _engine(text: str) -> str:
    return FORMER_ENGINES.get(text, text)


def _imported(name: str) -> Command:
    def run(args: argparse.Namespace) -> int:
        module, _, function = name.partition(":")
        command: Command = getattr(import_module(module), function)
        return command(args)

    return run


def _port(text: str) -> int:
    """Parse a port number. Raises ArgumentTypeError."""
    if not text.isdecimal() or len(text) > len(str(LAST_PORT)) or not 1 <= int(text) <= LAST_PORT:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no port: expected one from 1 to {LAST_PORT}, such as 8000")
    return int(text)


def _stake(text: str) -> float:
    """Parse a stake, in any unit. Raises ArgumentTypeError."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no stake: expected a number such as 0.5") from error


def _address(text: str) -> str:
    """Parse an address of the network. Raises ArgumentTypeError."""
    try:
        return str(ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no address: expected one such as 127.0.0.1") from error


def _site(text: str) -> str:
    """Parse the name of a host. Raises ArgumentTypeError."""
    if not SITE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no name of a host: expected one such as table.example.org")
    return text


def _run(args: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):  # nothing is open while modules are imported, seconds on a Pi
        signal.signal(number, lambda *_: os._exit(0))
    from companion.app import run

    return run(args)


def _of_picture(name: str) -> Command:
    """The function `name` of `vision.cli` as a command."""

    def run(args: argparse.Namespace) -> int:
        args.game, args.board = _board_asked_for(args)
        return _imported(f"vision.cli:{name}")(args)

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
