"""The commands that write, read, judge, save and check the record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.choices import LANGUAGES
from companion.cli.parser import add_command, add_engine

if TYPE_CHECKING:
    from companion.cli.parser import Commands


def add_record_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add `export`, `import`, `analyse`, `backup`, `restore` and `verify`."""
    _add_transfer(commands)
    _add_analysis(commands)
    _add_backup(commands)
    verify = add_command(commands, "verify", "check the evidence of a dispute", "companion.history:verify_evidence")
    verify.add_argument("file", type=Path, help="evidence that the page of a match gives (a zip archive)")


def _add_transfer(commands: Commands[argparse.ArgumentParser]) -> None:
    export = add_command(commands, "export", "export the record, or one match of it", "companion.transfer:export_match")
    export.add_argument("file", nargs="?", help="file to write (default: the standard output)")
    export.add_argument("--match", type=int, metavar="N", help="which match, from 1 (default: the last)")
    import_ = add_command(commands, "import", "import a match into a record", "companion.transfer:import_match")
    import_.add_argument("file", help="file to read; - is the standard input")
    import_.add_argument("--sheet", default="", help="rule sheet (default: the one the file names, or the base)")
    for parser in (export, import_):
        parser.add_argument("--format", help="json, mat, sgf or pdn (default: by the file's ending)")
        parser.add_argument("--state", type=Path, help="directory of the record")


def _add_analysis(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands, "analyse", "analyse a recorded match: errors, luck and ratings", "companion.analysis:analyse_match"
    )
    parser.add_argument("file", nargs="?", help="new file to write (required), ending in .html (a report) or .json")
    parser.add_argument("--match", type=int, metavar="N", help="which match, from 1 (default: the last)")
    add_engine(parser, "engine that judges: embedded is Boardside's own (default: gnubg if it is installed)")
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
    backup = add_command(
        commands,
        "backup",
        "save record, learned boards, settings and sheets in one file",
        "companion.transfer:back_up_state",
    )
    backup.add_argument("file", help="new file to write (a zip archive)")
    backup.add_argument("--secrets", action="store_true", help="with the dice's secrets and the seats")
    restore = add_command(
        commands,
        "restore",
        "bring a table back from a backup; what is there now is put aside",
        "companion.transfer:restore_state",
    )
    restore.add_argument("file", help="file that `boardside backup` wrote")
    for parser in (backup, restore):
        parser.add_argument("--state", type=Path, help="directory of the record and the learned boards")
