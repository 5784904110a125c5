"""The parser of the command line, and commands that are imported when they run."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from companion.cli.argument_types import engine
from companion.cli.choices import ENGINES
from companion.core import boardside_version, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import SupportsWrite

    Command = Callable[[argparse.Namespace], int]

Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for this type


class LineParser(argparse.ArgumentParser):
    """A parser whose errors are single lines, and which fails if its help cannot be written."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; argparse itself ignores a full disk if the output is unbuffered."""
        output = file or sys.stdout
        if output is not None:  # closed by the caller
            output.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Print the error and the option for help, which may be longer than a screen; exits with 2."""
        self.exit(2, f"{self.prog}: {one_line(message)}; see {self.prog} --help\n")


class ShowVersion(argparse.Action):
    """Prints the version, which is read from the package's metadata only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print, and end the program."""
        print(f"boardside {boardside_version()}")
        parser.exit()


def add_command(
    commands: Commands[argparse.ArgumentParser], name: str, does: str, run: str | Command
) -> argparse.ArgumentParser:
    """Add a command that runs a function, or one named as "module:function", imported when the command runs."""
    parser = commands.add_parser(name, help=does, description=does[0].upper() + does[1:] + ".")
    parser.set_defaults(command=imported(run) if isinstance(run, str) else run, parser=parser)
    return parser


def add_engine(parser: argparse.ArgumentParser, does: str) -> None:
    """Add `--engine`, with `does` as its help."""
    parser.add_argument("--engine", type=engine, choices=ENGINES, default="auto", help=does)


def imported(name: str) -> Command:
    """The function named as "module:function" as a command."""

    def run(args: argparse.Namespace) -> int:
        module, _, function = name.partition(":")
        command: Command = getattr(import_module(module), function)
        return command(args)

    return run
