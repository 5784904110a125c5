"""`boardside run`: opens record, session, panel, page and camera, and closes them in reverse order.

This is the composition root.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.app.assembly import TableEquipment, open_kept
from companion.app.board_tracker import BoardTracker, CornerMarking
from companion.app.camera_source import camera_source
from companion.app.capture_loop import CaptureLoop, CapturePorts
from companion.app.service import Heartbeat, Threads
from companion.app.storage_wait import opened_at_last
from companion.app.table import Table, TableClock
from companion.clock import ClockFile
from companion.game import Phase, match_under
from companion.hints import HintWorker, choose_engine
from companion.interface import Hinted, RecordRetry
from companion.record import events_of, sheet_of_running_game, sheets_in
from companion.rules import base_sheet, kind_of_board, refuse_mirrored, rules_named, with_own_sheets
from companion.session import Session, SessionPorts, SessionStart
from vision.cameras import MotionGate
from web import create_app, make_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.assembly import SavedBoard
    from companion.app.camera_source import CameraSource
    from companion.game import Match
    from companion.hints import Ranking
    from companion.record import Record
    from companion.rules import Ruleset, Sheet

DEFAULT_SHEET = "standard"
LOOPS = ("capture", "game", "web")
"""Names of the loops that must run for the watchdog to be fed."""


def run(args: argparse.Namespace) -> int:
    """Run the table until SIGINT or SIGTERM; returns the exit status. Raises BoardsideError if it cannot start.

    If the camera sees the starting position of the other game between games, the table is opened again for that game.
    """
    threads, asked = Threads(), args
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: threads.end())
    with closing(Heartbeat.of_service(LOOPS, os.environ)) as heartbeat:
        while True:
            with ExitStack() as stack:
                where = f"at http://localhost:{args.port} with the {_open(args, stack, threads, heartbeat)}"
                heartbeat.ready(where)
                print(f"Boardside is {where}; Ctrl-C stops it.", flush=True)
                threads.stopping.wait()
            if threads.failed or threads.other_game is None:
                return int(threads.failed)
            print(f"{threads.other_game.capitalize()} stands on the board: that is played now.", flush=True)
            args, threads = for_game(asked, threads.other_game), Threads()


def for_game(asked: argparse.Namespace, game: str) -> argparse.Namespace:
    """The arguments for `game`: `asked` if its sheet is of this game, else the base sheet without match or stake."""
    if rules_named(asked.sheet or DEFAULT_SHEET).sheet.game == game:
        return asked
    terms = {"match": None, "stake": None, "jacoby": False, "beavers": False, "mirror": False}
    return argparse.Namespace(**{**vars(asked), **terms, "sheet": base_sheet(game)})


def _open(args: argparse.Namespace, stack: ExitStack, threads: Threads, heartbeat: Heartbeat) -> str:
    """Open everything; `stack` closes it in reverse order. Returns the camera's name."""
    beside = TableEquipment.asked_for(args)
    dice = args.dice or beside.configuration.dice

    def opened(attempt: ExitStack) -> SavedBoard:
        return open_kept(args.state, dice, attempt, lambda: session.post(RecordRetry(time.monotonic())))

    kept = opened_at_last(args, stack, threads, heartbeat, opened)
    own = sheets_in(kept.state.path)
    if args.sheet is not None:
        args.sheet = with_own_sheets(args.sheet, own)
    running = sheet_of_running_game(kept.entries)
    rules = rules_for(args.sheet, None if running is None else with_own_sheets(running, own))
    refuse_mirrored(rules.sheet, mirrored=args.mirror)
    camera = camera_source(args.camera, time.monotonic, rules.sheet.game)
    crier = beside.crier(stack, simulated=camera.simulated is not None)
    table = Table(
        rules.sheet.game,
        rules.sheet.name,
        simulated=camera.simulated,
        clock=TableClock(beside.configuration.clock, file=ClockFile(kept.state.clock)),
        crier=crier,
    )
    session = _session(args, rules, kept, table, stack, beside.opened.trouble)
    if camera.simulated is not None and session.game.running:
        camera.simulated.set_up(rules.visible(session.game.position))
    panel = stack.enter_context(closing(beside.panel(session.post, table.pause_clock)))
    table.attach(session, panel=panel, record=kept.record)

    def session_turned() -> None:
        heartbeat.tick("game")
        table.turned()

    def between_games() -> bool:
        return table.snapshot().phase in (Phase.WAITING, Phase.OVER)

    def other_game_seen(game: str) -> None:
        if between_games():
            threads.turn_to(game)

    sight = _sight(kept.state.calibration(camera.name), rules.sheet, camera, other_game_seen, mirror=args.mirror)
    watch = CaptureLoop(
        camera.open,
        MotionGate,
        sight,
        CapturePorts(
            session.post,
            table.show_picture,
            between_games=between_games,
            confirmed=session.turn_began_from,
            turned=partial(heartbeat.tick, "capture"),
        ),
    )
    table.marking = CornerMarking(sight, watch.look_again, between_games)
    server = make_server(create_app(table, own_sheets=own), args.host, args.port)
    threads.start(stack, "keeper", kept.keeper.run, kept.keeper.stop)
    threads.start(stack, "session", partial(session.run, session_turned), session.stop)
    threads.start(stack, "watch", watch.run, watch.stop)
    threads.start(stack, "page", partial(server.run, partial(heartbeat.tick, "web")), server.close)
    return camera.name


def _session(
    args: argparse.Namespace, rules: Ruleset[Any], kept: SavedBoard, table: Table, stack: ExitStack, trouble: str | None
) -> Session[Any]:
    """The session, resumed from the record, with its hint engine; `trouble` is added to its greeting."""

    def answered(ranking: Ranking, turn: int) -> None:
        session.post(Hinted(ranking, turn, time.monotonic()))

    greeting = " ".join(filter(None, (_greeting(args.sheet, rules, kept.record), trouble))) or None
    if greeting is not None and (trouble or kept.record.rescue is None):  # a repair of the record is in the log already
        print(greeting, file=sys.stderr)
    desk = stack.enter_context(closing(HintWorker(choose_engine(rules, args.engine), answered)))
    session: Session[Any] = Session(
        rules,
        kept.dice,
        SessionPorts(kept.keeper, table.publish, desk.ask),
        SessionStart(
            resume=events_of(kept.entries, rules),
            terms=terms_asked_for(args, rules.sheet),
            greeting=greeting,
            simulated=table.simulated is not None,
        ),
    )
    return session


def _sight(
    learned: Path, sheet: Sheet, camera: CameraSource, other_game: Callable[[str], None], *, mirror: bool
) -> BoardTracker:
    """The reader of the sheet's kind of board; a simulated table has the standard boards.

    `learned` is the file of the calibration. `other_game` is called with a game's name if that game's starting position
    is seen.
    """
    board = kind_of_board(sheet) if camera.simulated is None else None
    return BoardTracker(learned, game=sheet.game, board=board, mirror=mirror, other_game=other_game)


def rules_for(asked_for: str | None, running: str | None) -> Ruleset[Any]:
    """The rules of the running game, else of the sheet asked for (a name or a file), else of the default sheet.

    Raises SheetError for an unknown sheet.
    """
    asked = rules_named(asked_for or DEFAULT_SHEET)
    return asked if running in (None, asked.sheet.name) else rules_named(str(running))


def terms_asked_for(args: argparse.Namespace, sheet: Sheet) -> Match | None:
    """The match or series that the command line asks for; None: none, a running one continues.

    Raises MatchError if the sheet does not allow it or the options contradict each other.
    """
    if args.match is None and args.stake is None and not args.jacoby and not args.beavers:
        return None
    stake = args.stake or 0.0
    return match_under(sheet, args.match or 0, stake=stake, jacoby=args.jacoby, beavers=args.beavers)


def _greeting(asked_for: str | None, rules: Ruleset[Any], record: Record) -> str | None:
    """The message at the start; None: nothing to report."""
    if record.rescue is not None:
        return record.rescue.words
    if asked_for is not None and rules_named(asked_for).sheet.name != rules.sheet.name:
        return f"This game goes on under the sheet {rules.sheet.name}; {asked_for} holds after the next start."
    return None
