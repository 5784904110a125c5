"""`boardside replay FOLDER`: referees a filmed game with the session of a live game, headless or on the page."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.app.board_tracker import BoardTracker, ExpectedBoard
from companion.app.capture_loop import CaptureLoop, CapturePorts
from companion.app.film_player import FilmPlayer, FilmRestarted
from companion.app.recording import Recording, ReplayError
from companion.app.table import Table
from companion.core import Cause, Dice, Finding, Side, Verdict, message, quoted, quoted_json
from companion.dice import HandDice
from companion.game import Remedy
from companion.interface import Button, CameraTrouble, Done, RolledByHand, Ruling, Saw, SetUp, Tapped
from companion.referee import shown_position
from companion.rules import board_layout, kind_of_board, laid_of_tiles, rules_named
from companion.session import Session, SessionPorts, SessionStart
from companion.texts import full_verdict_to_json
from vision import kind_of, kinds_of
from vision.cameras import Film, MotionGate

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from companion.core import Board, Fact
    from companion.interface import Item
    from companion.rules import Ruleset
    from vision.cameras import Frame

LOST_PLAY = "no legal reading, or more than one, was left of the play that was accepted"


class Replay:
    """Feeds a recording to a session and reports its verdicts."""

    def __init__(
        self, recording: Recording, rules: Ruleset[Any], table: Table, say: Callable[[dict[str, Any]], None]
    ) -> None:
        self.recording = recording
        self._rules = rules
        self._say = say
        self._now_s = 0.0
        self._last_report: dict[str, Any] | None = None
        self._lost_s: float | None = None
        self._trouble: str | None = None
        layout = board_layout(rules.sheet, mirrored=recording.mirror)
        self.session: Session[Any] = Session(
            rules,
            HandDice(),
            SessionPorts(publish=table.publish, clock=lambda: self._now_s),
            SessionStart(layout=layout),
        )
        table.attach(self.session)
        sheet = rules.sheet
        kind = recording.board if recording.board in kinds_of(sheet.game) else kind_of_board(sheet)
        expected = ExpectedBoard(
            sheet.game,
            kind,
            mirror=layout.mirrored,
            position=board_to_learn(rules, recording.events[0], kind),
            corners=recording.corners,
        )
        self._gate = MotionGate()
        self._capture_loop = CaptureLoop(
            _no_camera,
            MotionGate,
            BoardTracker(None, expected),
            CapturePorts(
                self._handle,
                table.show_picture,
                between_games=lambda: False,
                confirmed=self.session.turn_began_from,
                marks=lambda: table.snapshot().marks,
            ),
        )

    def run(self, wait_until: Callable[[float], None] = lambda _: None) -> None:
        """Process events and frames in order of time; `wait_until(seconds)` sets the pace."""
        for at_s, what in self._timeline():
            wait_until(at_s)
            self._now_s = at_s
            if isinstance(what, dict):
                self._event(what)
            else:
                self._capture_loop.gated(self._gate, what)

    def _timeline(self) -> Iterator[tuple[float, dict[str, Any] | Frame]]:
        """Events and frames by time; an event comes before a frame of the same time."""
        events = list(self.recording.events)
        for frame in Film(self.recording.frames):
            while events and float(events[0]["t"]) <= frame.at_s + 1e-6:
                event = events.pop(0)
                yield float(event["t"]), event
            yield frame.at_s, frame
        yield from ((float(event["t"]), event) for event in events)

    def _event(self, event: dict[str, Any]) -> None:
        at_s = float(event["t"])
        try:
            if event["event"] == "setup":
                self._set_up(event, at_s)
            elif event["event"] == "roll":
                self._say({"t": at_s, "event": "roll", "player": event["player"], "dice": event["dice"]})
                self._roll(RolledByHand(Side(event["player"]), Dice(tuple(event["dice"])), at_s))
            elif event["event"] == "done":
                self.session.handle(Done(Side(event["player"]), at_s))
                self._verdict(at_s, event["player"], always=True)
        except (KeyError, ValueError, TypeError) as error:
            raise ReplayError(
                f"event {quoted_json(event)} of {self.recording.folder} is not understood: {quoted(error)}"
            ) from error

    def _roll(self, roll: RolledByHand) -> None:
        """Roll as recorded, which accepts the play before.

        If that play was not read with certainty, a dispute settles it: it stands if the position is certain enough.
        Otherwise the position is unknown until the next setup.
        """
        self.session.handle(roll)
        if not self._rolled(roll):
            self.session.handle(Tapped(Button.REFEREE, roll.at_s))
            for choice in (Remedy.STANDS, Remedy.CORRECTED):
                if (dispute := self.session.game.dispute) is not None:
                    self.session.handle(Ruling(dispute.number, choice, roll.at_s))
            self.session.handle(roll)
        if not self._rolled(roll) and self._lost_s is None:
            self._lost_s = roll.at_s

    def _rolled(self, roll: RolledByHand) -> bool:
        """Whether the session has accepted the roll."""
        return self.session.game.on_roll is roll.side and self.session.game.dice == roll.dice

    def _set_up(self, event: dict[str, Any], at_s: float) -> None:
        position = self._rules.from_json(event["position"]) if "position" in event else self._rules.start()
        first = Side(event["first"]) if "first" in event else None
        self._lost_s = None
        self.session.handle(SetUp(position, first, at_s))

    def _handle(self, item: Item) -> None:
        if isinstance(item, CameraTrouble):
            self._trouble = item.message
        self.session.handle(item)
        if isinstance(item, Saw):
            self._verdict(item.at_s, self.session.game.on_roll, always=False)

    def _verdict(self, at_s: float, player: str | None, *, always: bool) -> None:
        """Report the current verdict if it is new, or if `always`."""
        verdict = self.session.verdict if self._lost_s is None else _unknown(f"{LOST_PLAY} at {self._lost_s:g} s")
        if verdict is None:
            if not always:
                return
            verdict = _unknown(self._trouble or message("unreadable.not_still"))
        report = {
            "player": player,
            **full_verdict_to_json(verdict, tiles=laid_of_tiles(self._rules.sheet)),
            "after": None if verdict.after is None else shown_position(self._rules, verdict.after),
        }
        if always or report != self._last_report:
            self._last_report = report
            self._say({"t": round(at_s, 3), "event": "verdict", **report})


def board_to_learn(rules: Ruleset[Any], set_up: dict[str, Any], kind: str | None) -> Board | None:
    """The position of a setup as `vision.learn_board` takes it, kings as two checkers; None for the starting one."""
    if "position" not in set_up:
        return None
    position, start = rules.from_json(set_up["position"]), rules.start()
    if rules.visible(position) == rules.visible(start):
        return None
    value = rules.to_json(position)
    return kind_of(rules.sheet.game, kind).position(value if isinstance(value, dict) else {"fen": value})


def _unknown(why: Fact) -> Verdict[Any]:
    """The verdict where there is nothing to judge."""
    return Verdict(Finding.UNREADABLE, message("unreadable.because", why=why), cause=Cause.UNKNOWN)


def replay_film(args: argparse.Namespace) -> int:
    """Run `boardside replay`; returns the exit status."""
    recording = Recording.load(args.folder)
    recording = replace(recording, mirror=recording.mirror or args.mirror)
    rules = rules_named(args.sheet or recording.sheet)
    table = Table(rules.sheet.game, rules.sheet.name)
    film = Replay(recording, rules, table, lambda report: print(json.dumps(report), flush=True))
    if args.serve:
        _serve(film, lambda: Replay(recording, rules, table, lambda _: None), table, args.port)
    else:
        film.run()
    return 0


def _serve(film: Replay, again: Callable[[], Replay], table: Table, port: int) -> None:
    """Show the game on the page, at the pace that its viewers choose, until Ctrl-C; `again`: from the beginning."""
    from web import create_app, make_server

    player = table.film = FilmPlayer(film.recording.turns_s, table.changed)
    with ExitStack() as stack:
        server = stack.enter_context(closing(make_server(create_app(table), "127.0.0.1", port)))
        threading.Thread(target=server.run, name="page", daemon=True).start()
        print(json.dumps({"t": 0.0, "event": "serving", "address": f"http://localhost:{port}"}), flush=True)
        while True:
            with suppress(FilmRestarted):
                film.run(player.wait_until)
                player.wait_at_the_end()
            film = again()


def _no_camera() -> Any:
    raise ReplayError("a replay has no camera to open")
