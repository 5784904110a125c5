"""Opens a table on its record: connects the rooms to each other, and starts their threads."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.analysis import AnalysedMatches
from companion.app.assembly import TableSpeech
from companion.app.board_tracker import BoardTracker, CornerMarking, ExpectedBoard
from companion.app.camera_source import camera_source
from companion.app.capture_loop import CaptureLoop, CapturePorts
from companion.app.effective_settings import complete_settings, with_opponent
from companion.app.light_meter import LightMeter
from companion.app.pairing_code import seat_desk
from companion.app.table import Table, TableClock
from companion.clock import ClockFile
from companion.core import Side, joined, message, verbatim
from companion.game import EVENING, MatchBegan, match_begun
from companion.hints import (
    BEST_LEVEL,
    HintWorker,
    Lesson,
    Player,
    PlayerDecision,
    choose_engine,
    choose_weaker_engine,
)
from companion.history import History
from companion.interface import Decided, Hinted, Taught
from companion.record import Keep, KeptPictures, events_of, sheets_in
from companion.rules import board_layout, kind_of_board, names_under, rules_named
from companion.session import Session, SessionPorts, SessionStart
from companion.settings import DeskPorts, SettingsDesk
from companion.texts import render
from vision.cameras import MotionGate
from web import create_app, make_server

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from contextlib import ExitStack

    from companion.app.assembly import TableEquipment, TableStorage
    from companion.app.effective_settings import EffectiveSettings
    from companion.app.service import Heartbeat, Threads
    from companion.core import BoardLayout, Message
    from companion.game import Event, Match
    from companion.hints import Answer
    from companion.record import Record
    from companion.rules import Ruleset, Sheet
    from companion.seats import SeatDesk
    from companion.settings import Settings
    from web import PageServer


@dataclass(frozen=True, slots=True)
class Shell:
    """The process around an open table.

    Attributes:
        args: the command line's options.
        stack: closes what was opened, in reverse order.
        threads: its threads; they end together.
        heartbeat: feeds the service's watchdog.
    """

    args: argparse.Namespace
    stack: ExitStack
    threads: Threads
    heartbeat: Heartbeat


class TableOpening:
    """Opens one table: `resume` gives its session, `start` all the rest."""

    def __init__(
        self, shell: Shell, effective: EffectiveSettings, storage: TableStorage, equipment: TableEquipment
    ) -> None:
        """Open the camera and the voice. Raises BoardsideError where that fails."""
        rules, settings = effective.rules, effective.settings
        self._shell, self._effective, self._storage, self._equipment = shell, effective, storage, equipment
        self._layout = board_layout(rules.sheet, mirrored=bool(settings.mirror))
        self.camera = camera_source(settings.camera or "auto", time.monotonic, rules.sheet.game, self._layout)
        simulated = self.camera.simulated
        self._speech = TableSpeech(equipment.configuration, shell.stack, simulated=simulated is not None)
        self._table = Table(
            rules.sheet.game,
            rules.sheet.name,
            simulated=simulated,
            clock=TableClock(equipment.configuration.clock, file=ClockFile(storage.state.clock)),
            speech=self._speech.output,
        )
        self._pictures = KeptPictures(storage.state.pictures, Keep(settings.pictures or Keep.MATCH))
        hints = settings.hints != "off"
        self._analyses = AnalysedMatches(
            storage.state.path, self._table.show_analysis, engine=shell.args.engine, hints=hints
        )
        self._table.analyses = self._analyses
        self._own_sheets = sheets_in(storage.state.path)

    def resume(self) -> Session[Any]:
        """The session, resumed from the record, with its hint engine."""

        def answered(answer: Answer, turn: int) -> None:
            session.post(item_of(answer, turn, time.monotonic()))

        rules, settings, storage = self._effective.rules, self._effective.settings, self._storage
        engine, opponent = choose_engine(rules, self._shell.args.engine), opponent_of(settings)
        player, glance = None, choose_engine(rules, "embedded", 0)
        if opponent is not None:
            player = Player(rules, engine, choose_weaker_engine(rules), int(settings.level or BEST_LEVEL))
        worker = HintWorker(engine, rules, answered, player=player, glance=glance)
        hint_worker = self._shell.stack.enter_context(closing(worker))
        ask_hint = None if settings.hints == "off" else hint_worker.ask
        ask_lesson = hint_worker.ask if settings.hints == "tutor" else None
        events = events_of(storage.entries, rules)
        session: Session[Any] = Session(
            rules,
            storage.dice,
            SessionPorts(
                storage.backup_worker,
                self._table.publish,
                ask_hint,
                ask_lesson,
                ask_decision=None if player is None else hint_worker.ask,
                pictures=self._pictures,
            ),
            SessionStart(
                resume=events,
                terms=_terms(settings, rules, events),
                greeting=self._greeting(),
                simulated=self.camera.simulated is not None,
                opponent=opponent,
                layout=self._layout,
            ),
        )
        return session

    def start(self, session: Session[Any]) -> None:
        """Set the table up around its session, and start all threads."""
        table, storage, threads = self._table, self._storage, self._shell.threads
        if self.camera.simulated is not None and session.game.running:
            self.camera.simulated.set_up(self._effective.rules.visible(session.game.position))
        desk, choices = self._seat_desk(session), self._settings_desk(session)
        capture_loop, server = self._capture_loop(session), self._server()

        def session_tick() -> None:
            self._shell.heartbeat.tick("game")
            table.tick()
            desk.tick()
            choices.tick()

        page_tick = partial(self._shell.heartbeat.tick, "web")
        start = partial(threads.start, self._shell.stack)
        start("backup", storage.backup_worker.run, storage.backup_worker.stop)
        start("pictures", self._pictures.run, self._pictures.stop)
        start("analysis", self._analyses.run, self._analyses.stop)
        start("session", partial(session.run, session_tick), session.stop)
        start("capture", capture_loop.run, capture_loop.stop)
        start("page", partial(server.run, page_tick), server.close)

    def _greeting(self) -> Message | None:
        """The message at the start, also printed to stderr; None: nothing."""
        storage, trouble = self._storage, self._equipment.opened.trouble
        said = (*self._effective.said, *((verbatim(trouble),) if trouble else ()))
        aside = (message("set_aside", file=str(file), kept=str(kept)) for file, kept in storage.state.set_aside.items())
        of_record = _greeting(self._effective.settings.sheet, self._effective.rules, storage.record)
        greeting = joined((*of_record, *aside, *said))
        if greeting is not None and (said or storage.record.rescue is None):  # a recovery is in the log already
            print(render(greeting), file=sys.stderr)
        return greeting

    def _seat_desk(self, session: Session[Any]) -> SeatDesk:
        """The seats, with the panel that shows their codes."""
        table, storage = self._table, self._storage
        opened = self._equipment.panel(session.post, table.pause_clock, lambda: desk.show_code())
        panel = self._shell.stack.enter_context(closing(opened))
        table.attach(session, panel=panel, record=storage.record)
        output, port = self._speech.output, self._shell.args.port
        table.seats = desk = seat_desk(storage.state.seats, panel, output, port, table.before_first_roll)
        return desk

    def _settings_desk(self, session: Session[Any]) -> SettingsDesk:
        """Where the page changes the settings."""
        settings, storage = self._effective.settings, self._storage
        self._table.settings = desk = SettingsDesk(
            storage.settings,
            complete_settings(settings, self._effective.rules.sheet, session.game.match),
            DeskPorts(self._table.snapshot, self._apply, self._shell.threads.open_again),
            own=self._own_sheets,
            fixed=self._effective.fixed,
            is_first=storage.settings.is_new and storage.is_new,
        )
        return desk

    def _apply(self, changed: Settings) -> None:
        """Apply settings that were changed while the table runs."""
        if changed.speech is not None or changed.language is not None:
            with self._table.silenced():
                self._speech.change(language=changed.language, speech=changed.speech)
        if changed.pictures is not None:
            self._pictures.choose(Keep(changed.pictures))

    def _capture_loop(self, session: Session[Any]) -> CaptureLoop:
        """The capture loop, which reports to session and table; the page can mark the board's corners for it."""
        table, threads = self._table, self._shell.threads

        def other_game_seen(game: str) -> None:
            if table.between_games():
                threads.stop_for_game(game)

        calibration = self._storage.state.calibration(self.camera.name)
        tracker = BoardTracker(calibration, expected_board(self._effective.rules.sheet, self._layout), other_game_seen)
        table.meter = LightMeter()
        ports = CapturePorts(
            session.post,
            table.show_picture,
            measure=table.meter.see,
            between_games=table.between_games,
            confirmed=session.turn_began_from,
            marks=lambda: table.snapshot().marks,
            tick=partial(self._shell.heartbeat.tick, "capture"),
        )
        capture_loop = CaptureLoop(self.camera.open, MotionGate, tracker, ports)
        table.marking = CornerMarking(tracker, capture_loop.look_again, table.between_games)
        return capture_loop

    def _server(self) -> PageServer:
        """The page's server."""
        args, storage, own_sheets = self._shell.args, self._storage, self._own_sheets
        history = History(storage.state.record, own_sheets, self._pictures, storage.backup_worker.delete_pictures)
        app = create_app(self._table, names=args.site, own_sheets=own_sheets, history=history, analyses=self._analyses)
        return make_server(app, args.host, args.port, proxy=args.proxy)


def expected_board(sheet: Sheet, layout: BoardLayout) -> ExpectedBoard:
    """The sheet's kind of board, in this layout."""
    return ExpectedBoard(sheet.game, kind_of_board(sheet), mirror=layout.mirrored)


def _terms(settings: Settings, rules: Ruleset[Any], events: Sequence[Event[Any]]) -> Match | None:
    """The match or series that is wanted, with the players' names; None: none, a running one continues.

    Names alone are a new match or series of the same kind. Raises MatchError, and PlayerNameError where a name cannot
    be used.
    """
    terms = None if settings.terms is None else settings.terms.under(rules.sheet)
    began = next((event for event in reversed(events) if isinstance(event, MatchBegan)), None)
    recorded = EVENING if began is None else match_begun(began)
    names = with_opponent(settings.names or recorded.names, opponent_of(settings))
    if not settings.names and names == (recorded.names or ("", "")):
        return terms
    names_under(rules.sheet, names)
    return replace(terms or recorded, names=names)


def item_of(answer: Answer, turn: int, at_s: float) -> Hinted | Taught | Decided:
    """What an engine has answered, for the session."""
    match answer:
        case Lesson():
            return Taught(answer, turn, at_s)
        case PlayerDecision():
            return Decided(answer, turn, at_s)
        case _:
            return Hinted(answer, turn, at_s)


def opponent_of(settings: Settings) -> Side | None:
    """The side that Boardside plays; None: neither."""
    return Side(settings.opponent) if settings.opponent else None


def _greeting(asked_for: str | None, rules: Ruleset[Any], record: Record) -> tuple[Message, ...]:
    """The message at the start; empty: nothing to report."""
    if record.rescue is not None:
        return (record.rescue.message,)
    if asked_for is not None and rules_named(asked_for).sheet.name != rules.sheet.name:
        return (message("other_sheet", sheet=rules.sheet.name, asked=asked_for),)
    return ()
