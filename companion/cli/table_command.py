"""The command `run`, the table, with its options."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.argument_types import address, port, site, stake
from companion.cli.choices import DEFAULT_PORT, DICE, LANGUAGES, LEVELS, SPEECH
from companion.cli.parser import add_command, add_engine

if TYPE_CHECKING:
    import argparse

    from companion.cli.parser import Commands


def add_run(commands: Commands[argparse.ArgumentParser]) -> None:
    """Add `run`."""
    parser = add_command(commands, "run", "run the table: camera, referee, panel and the page", _run)
    parser.add_argument("--host", default="0.0.0.0", help="where the page is served (default: all IPv4 addresses)")  # noqa: S104
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help="port of the page (default: %(default)s)")
    parser.add_argument("--watch", choices=("all", "seats"), help="who may watch: everybody, or devices with a seat")
    parser.add_argument(
        "--proxy", type=address, metavar="ADDRESS", help="a reverse proxy, which tells who visits (default: none)"
    )
    parser.add_argument(
        "--site",
        type=site,
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
    add_engine(parser, "engine that gives hints: embedded is Boardside's own (default: gnubg if it is installed)")
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
    parser.add_argument("--stake", type=stake, metavar="S", help="play a series of games at S a point")
    parser.add_argument("--beavers", action="store_true", help="in a series, a doubled player may redouble at once")
    parser.add_argument("--jacoby", action="store_true", help="in a series, gammons count only after a double")
    parser.add_argument("--no-crawford", action="store_true", help="in a match, leave out the Crawford game")
    parser.add_argument(
        "--automatic-doubles",
        type=int,
        default=0,
        metavar="N",
        help="in a series, let up to N ties of the opening roll double the cube (default: 0)",
    )


def _run(args: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):  # nothing is open yet, and imports take seconds on a Pi
        signal.signal(number, lambda *_: os._exit(0))
    from companion.app import run

    return run(args)
