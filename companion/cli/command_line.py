"""Runs one command of the command line: its exit status and error messages."""

from __future__ import annotations

import errno
import os
import signal
import sys
from typing import TYPE_CHECKING

from companion.cli.check_commands import add_check_commands
from companion.cli.line_commands import add_line_commands
from companion.cli.parser import LineParser, ShowVersion
from companion.cli.picture_commands import add_picture_commands
from companion.cli.record_commands import add_record_commands
from companion.cli.table_command import add_run
from companion.core import BoardsideError, one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from companion.cli.parser import Command

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, and of a file as large as it may be."""


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
    """Avoid a second error when Python flushes the standard output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser() -> argparse.ArgumentParser:
    """The parser with all commands and options."""
    parser: argparse.ArgumentParser = LineParser(
        prog="boardside",
        description="Referees backgammon and checkers on a real board. Without a command, the table runs.",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_run(commands)
    add_line_commands(commands)
    add_picture_commands(commands)
    add_check_commands(commands)
    add_record_commands(commands)
    return parser
