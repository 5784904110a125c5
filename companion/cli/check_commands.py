"""The commands that check a table's dice and panel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.parser import add_command

if TYPE_CHECKING:
    import argparse

    from companion.cli.parser import Commands


def add_check_commands(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add `dice` and `panel`, which have subcommands."""
    _add_dice(commands)
    _add_panel(commands)


def _add_dice(commands: Commands[argparse.ArgumentParser]) -> None:
    dice = add_command(commands, "dice", "check recorded dice", lambda _: 2)
    does = dice.add_subparsers(title="what to do", metavar="verify", required=True)
    verify = add_command(
        does, "verify", "check that each roll follows from its secret", "companion.commands:verify_dice"
    )
    verify.add_argument(
        "record", type=Path, nargs="?", metavar="RECORD", help="a state directory, its record.db, or an export"
    )
    verify.add_argument("--brief", action="store_true", help="print only rolls that do not hold")


def _add_panel(commands: Commands[argparse.ArgumentParser]) -> None:
    panel = add_command(commands, "panel", "check or draw the wiring of the panel", lambda _: 2)
    does = panel.add_subparsers(title="what to do", metavar="test|wiring", required=True)
    test = add_command(
        does, "test", "light every LED, wait for every button, and report wiring faults", "companion.app:test_panel"
    )
    test.add_argument("--gpio", choices=("auto", "mock"), default="auto", help="real pins if there are any, or mock")
    wiring = add_command(does, "wiring", "list the circuit on each pin, or draw it", "companion.app:show_wiring")
    wiring.add_argument("-o", "--output", type=Path, metavar="SVG", help="file to draw into")
    for parser in (test, wiring):
        parser.add_argument("--config", type=Path, help="a .toml file: pins, panel, gestures, clock")
