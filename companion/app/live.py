"""`boardside run`: opens record, session, panel, page and camera, and closes them in reverse order.

This is the composition root: it connects the rooms to each other.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.app.assembly import TableEquipment, open_storage
from companion.app.board_tracker import BoardTracker, CornerMarking, ExpectedBoard
from companion.app.camera_source import camera_source
from companion.app.capture_loop import CaptureLoop, CapturePorts
from companion.app.own_sheets import readable_sheet
from companion.app.pairing_code import seat_desk
from companion.app.service import Heartbeat, Stop, Threads
from companion.app.storage_wait import StoppedWaiting, open_when_possible
from companion.app.table import Table, TableClock
from companion.clock import ClockFile
from companion.core import joined, message, verbatim
from companion.game import beginning_of, match_begun, match_under, replay
from companion.hints import HintWorker, choose_engine
from companion.interface import Hinted, RecordRetry
from companion.record import events_of, sheet_of_running_game, sheets_in
from companion.rules import (
    base_sheet,
    kind_of_board,
    names_under,
    refuse_mirrored,
    rules_named,
)
from companion.session import Session, SessionPorts, SessionStart
from companion.texts import render
from vision.cameras import MotionGate
from web import create_app, make_server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.app.assembly import TableStorage
    from companion.app.camera_source import CameraSource
    from companion.core import Message
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
    threads, asked, stopped = Threads(), args, Stop()

    def stop(*_: object) -> None:
        stopped.set()
        threads.end()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with closing(Heartbeat.of_service(LOOPS, os.environ)) as heartbeat:
        while True:
            with ExitStack() as stack, suppress(StoppedWaiting):
                where = f"at http://localhost:{args.port} with the {_open(args, stack, threads, heartbeat)}"
                heartbeat.ready(where)
                if not stopped.is_set():
                    print(f"Boardside is {where}; Ctrl-C stops it.", flush=True)
                    threads.stopping.wait()
            if threads.failed or threads.other_game is None or stopped.is_set():
                return int(threads.failed)
            print(f"The board is set up for {threads.other_game}: the table opens again for that game.", flush=True)
            args, threads = for_game(asked, threads.other_game), Threads()


def for_game(asked: argparse.Namespace, game: str) -> argparse.Namespace:
    """The arguments for `game`: `asked` if its sheet is of this game, else the base sheet without match or stake."""
    if rules_named(asked.sheet or DEFAULT_SHEET).sheet.game == game:
        return asked
    terms: dict[str, Any] = {"match": None, "stake": None, "jacoby": False, "beavers": False}
    terms |= {"no_crawford": False, "automatic_doubles": 0}
    return argparse.Namespace(**{**vars(asked), **terms, "mirror": False, "sheet": base_sheet(game)})


def _open(args: argparse.Namespace, stack: ExitStack, threads: Threads, heartbeat: Heartbeat) -> str:
    """Open everything; `stack` closes it in reverse order. Returns the camera's name."""
    equipment = TableEquipment.from_args(args)
    dice = args.dice or equipment.configuration.dice

    def try_to_open(attempt: ExitStack) -> TableStorage:
        return open_storage(args.state, dice, attempt, lambda: session.post(RecordRetry(time.monotonic())))

    language = equipment.configuration.language
    storage = open_when_possible(args, stack, threads, heartbeat, try_to_open, language)
    own_sheets = sheets_in(storage.state.path)
    rules, copied = _rules(args, own_sheets, sheet_of_running_game(storage.entries))
    refuse_mirrored(rules.sheet, mirrored=args.mirror)
    camera = camera_source(args.camera, time.monotonic, rules.sheet.game)
    speech = equipment.speech_output(stack, simulated=camera.simulated is not None)
    table = Table(
        rules.sheet.game,
        rules.sheet.name,
        simulated=camera.simulated,
        clock=TableClock(equipment.configuration.clock, file=ClockFile(storage.state.clock)),
        speech=speech,
    )
    trouble = equipment.opened.trouble
    said = tuple(filter(None, (copied, verbatim(trouble) if trouble else None)))
    session = _session(args, rules, storage, table, stack, said)
    if camera.simulated is not None and session.game.running:
        camera.simulated.set_up(rules.visible(session.game.position))
    panel = stack.enter_context(closing(equipment.panel(session.post, table.pause_clock, lambda: desk.show_code())))
    table.attach(session, panel=panel, record=storage.record)
    desk = seat_desk(storage.state.seats, panel, speech, args.port, table.between_games)
    table.seats = desk

    def other_game_seen(game: str) -> None:
        if table.between_games():
            threads.stop_for_game(game)

    def session_tick() -> None:
        heartbeat.tick("game")
        table.tick()
        desk.tick()

    calibration = storage.state.calibration(camera.name)
    tracker = BoardTracker(calibration, expected_board(rules.sheet, camera, mirror=args.mirror), other_game_seen)
    capture_loop = _capture_loop(camera, tracker, session, table, partial(heartbeat.tick, "capture"))
    app = create_app(table, names=args.site, own_sheets=own_sheets, language=language, watch=args.watch)
    server = make_server(app, args.host, args.port, proxy=args.proxy)
    threads.start(stack, "backup", storage.backup_worker.run, storage.backup_worker.stop)
    threads.start(stack, "session", partial(session.run, session_tick), session.stop)
    threads.start(stack, "capture", capture_loop.run, capture_loop.stop)
    threads.start(stack, "page", partial(server.run, partial(heartbeat.tick, "web")), server.close)
    return camera.name


def _session(
    args: argparse.Namespace,
    rules: Ruleset[Any],
    storage: TableStorage,
    table: Table,
    stack: ExitStack,
    said: tuple[Message, ...],
) -> Session[Any]:
    """The session, resumed from the record, with its hint engine; `said` is added to its greeting."""

    def answered(ranking: Ranking, turn: int) -> None:
        session.post(Hinted(ranking, turn, time.monotonic()))

    aside = (message("set_aside", file=str(file), kept=str(kept)) for file, kept in storage.state.set_aside.items())
    greeting = joined((*_greeting(args.sheet, rules, storage.record), *aside, *said))
    if greeting is not None and (said or storage.record.rescue is None):  # a recovery is in the log already
        print(render(greeting), file=sys.stderr)
    hint_worker = stack.enter_context(closing(HintWorker(choose_engine(rules, args.engine), answered)))
    session: Session[Any] = Session(
        rules,
        storage.dice,
        SessionPorts(storage.backup_worker, table.publish, hint_worker.ask),
        SessionStart(
            resume=events_of(storage.entries, rules),
            terms=_terms(args, rules, storage),
            greeting=greeting,
            simulated=table.simulated is not None,
        ),
    )
    return session


def _capture_loop(
    camera: CameraSource, tracker: BoardTracker, session: Session[Any], table: Table, tick: Callable[[], None]
) -> CaptureLoop:
    """The capture loop, which reports to `session` and `table`; the page can mark the board's corners for it."""
    ports = CapturePorts(
        session.post,
        table.show_picture,
        between_games=table.between_games,
        confirmed=session.turn_began_from,
        tick=tick,
    )
    capture_loop = CaptureLoop(camera.open, MotionGate, tracker, ports)
    table.marking = CornerMarking(tracker, capture_loop.look_again, table.between_games)
    return capture_loop


def expected_board(sheet: Sheet, camera: CameraSource, *, mirror: bool) -> ExpectedBoard:
    """The board of the sheet's kind; a simulated table has the standard boards."""
    kind = kind_of_board(sheet) if camera.simulated is None else None
    return ExpectedBoard(sheet.game, kind, mirror=mirror)


def rules_for(asked_for: str | None, running: str | None) -> Ruleset[Any]:
    """The rules of the running game, else of the sheet asked for (a name or a file), else of the default sheet.

    Raises SheetError for an unknown sheet.
    """
    asked = rules_named(asked_for or DEFAULT_SHEET)
    return asked if running in (None, asked.sheet.name) else rules_named(str(running))


def _rules(args: argparse.Namespace, own_sheets: Path, running: str | None) -> tuple[Ruleset[Any], Message | None]:
    """The same, with a message where a copy of a player's own sheet is used; `args.sheet` becomes the sheet's path.

    Raises SheetError.
    """
    copied = None
    if args.sheet is not None:
        args.sheet, copied = readable_sheet(args.sheet, own_sheets)
    if running is not None and (args.sheet is None or rules_named(args.sheet).sheet.name != running):
        running, copied = readable_sheet(running, own_sheets)
    return rules_for(args.sheet, running), copied


def terms_asked_for(args: argparse.Namespace, sheet: Sheet) -> Match | None:
    """The match or series that the command line asks for; None: none, a running one continues.

    Raises MatchError if the sheet does not allow it or the options contradict each other.
    """
    agreed = (args.jacoby, args.beavers, args.no_crawford, args.automatic_doubles)
    if args.match is None and args.stake is None and not any(agreed):
        return None
    return match_under(
        sheet,
        args.match or 0,
        stake=args.stake or 0.0,
        jacoby=args.jacoby,
        beavers=args.beavers,
        crawford=not args.no_crawford,
        automatic_doubles=args.automatic_doubles,
    )


def _terms(args: argparse.Namespace, rules: Ruleset[Any], storage: TableStorage) -> Match | None:
    """The same with the players' names, where they are given; names alone are a new match or series of the same kind.

    Raises MatchError, and PlayerNameError where a name cannot be used.
    """
    terms = terms_asked_for(args, rules.sheet)
    if not args.names:
        return terms
    names_under(rules.sheet, args.names)
    recorded = replay(events_of(storage.entries, rules)).match
    return replace(terms or match_begun(beginning_of(recorded)), names=tuple(args.names))


def _greeting(asked_for: str | None, rules: Ruleset[Any], record: Record) -> tuple[Message, ...]:
    """The message at the start; empty: nothing to report."""
    if record.rescue is not None:
        return (record.rescue.message,)
    if asked_for is not None and rules_named(asked_for).sheet.name != rules.sheet.name:
        return (message("other_sheet", sheet=rules.sheet.name, asked=asked_for),)
    return ()
