"""A worker thread that asks the engines, so that the game never waits for one."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.hints.decisions import DecisionRequest, PlayerDecision
from companion.hints.engine import FAULTS, HintRequest, Ranking, fault_text
from companion.hints.lessons import Lesson, LessonRequest, lesson_of
from companion.hints.why import explained

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hints.decisions import Player
    from companion.hints.engine import Engine
    from companion.rules import Ruleset

LOG = logging.getLogger(__name__)
PLAYS = 5
"""Plays shown on the page."""
CLOSE_S = 2.0
"""Seconds that `close` waits for the thread."""
Request = DecisionRequest | HintRequest | LessonRequest
Answer = PlayerDecision | Ranking | Lesson
FIRST_SERVED = (DecisionRequest, HintRequest, LessonRequest)
"""Kinds of requests, the most urgent first."""


class HintWorker:
    """Answers one request at a time; of waiting requests of one kind, only the newest."""

    def __init__(
        self,
        engine: Engine,
        rules: Ruleset[Any],
        answered: Callable[[Answer, int], None],
        plays: int = PLAYS,
        player: Player | None = None,
        glance: Engine | None = None,
    ) -> None:
        """`answered(answer, turn)` is called from the worker thread, at most once for each request (hints: twice).

        `player` makes decisions; None: none are requested. `glance` is a fast engine: a request for hints is answered
        with its ranking first (`at_a_glance`), then with the ranking of `engine`; None: only with the latter.
        """
        self._engine = engine
        self._rules = rules
        self._answered = answered
        self._plays = plays
        self._player = player
        self._glance = glance
        self._waiting: dict[type, Request] = {}
        self._at_work: type | None = None
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def ask(self, request: Request) -> None:
        """Queue a request; returns at once. A request of its kind in progress is stopped, and answered at once."""
        with self._changed:
            self._waiting[type(request)] = request
            if self._at_work is type(request):
                self._stop()
            self._changed.notify()

    def close(self) -> None:
        """End thread and engine; one more answer may still arrive."""
        with self._changed:
            self._closed = True
            self._stop()
            self._changed.notify()
        self._thread.join(CLOSE_S)
        self._engine.close()  # a question that still waits fails
        if self._player is not None:
            self._player.close()
        self._thread.join(CLOSE_S)

    def _stop(self) -> None:
        """Stop the engines for the request in progress, even if its search has not begun yet."""
        self._engine.stop()
        if self._player is not None:
            self._player.stop()

    def _work(self) -> None:
        while (request := self._next()) is not None:
            answer = self._answer(request)
            if answer is not None:
                self._answered(answer, request.turn)

    def _answer(self, request: Request) -> Answer | None:
        match request:
            case HintRequest():
                return self._ranking(request)
            case LessonRequest():
                return self._lesson(request)
            case DecisionRequest():
                return None if self._player is None else self._player.decide(request)

    def _lesson(self, request: LessonRequest) -> Lesson | None:
        try:
            return lesson_of(self._engine, self._rules, request)
        except FAULTS as error:
            LOG.warning("Nothing is said of %s: %s", request.play, error)
            return None

    def _ranking(self, request: HintRequest) -> Ranking:
        if self._glance is not None and request.plays:
            with suppress(*FAULTS):
                seen = self._ranked(self._glance, request)
                self._answered(replace(seen, loss=None, at_a_glance=True), request.turn)
        try:
            return self._hints(request)
        except FAULTS as error:
            return Ranking(engine=self._engine.name, note=fault_text(error))

    def _hints(self, request: HintRequest) -> Ranking:
        ranking = Ranking(engine=self._engine.name)
        if request.plays:
            ranking = explained(self._ranked(self._engine, request), self._rules, request.position, request.side)
        if request.cube is None:
            return ranking
        try:
            return replace(ranking, cube=self._engine.cube(request.cube))
        except FAULTS as error:
            if not ranking.plays:
                raise
            return replace(ranking, note=fault_text(error))

    def _ranked(self, engine: Engine, request: HintRequest) -> Ranking:
        return engine.rank(request.position, request.side, request.dice, self._plays, request.match)

    def _next(self) -> Request | None:
        """The most urgent request, waiting for the first; None after `close`."""
        with self._changed:
            self._at_work = None
            self._changed.wait_for(lambda: self._closed or bool(self._waiting))
            if self._closed:
                return None
            self._at_work = kind = next(kind for kind in FIRST_SERVED if kind in self._waiting)
            self._engine.ready()  # under the lock: a later stop is meant for this request
            if self._player is not None:
                self._player.ready()
            return self._waiting.pop(kind)
