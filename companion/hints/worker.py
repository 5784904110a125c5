"""Worker thread for hints, so that the game never waits for an engine."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.hints.engine import EngineError, HintRequest, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hints.engine import Engine

PLAYS = 5
"""Plays shown on the page."""
CLOSE_S = 2.0
"""Seconds that `close` waits for the thread."""


class HintWorker:
    """Answers one request at a time; of the waiting requests only the newest."""

    def __init__(self, engine: Engine, answered: Callable[[Ranking, int], None], plays: int = PLAYS) -> None:
        """`answered(ranking, turn)` is called from the worker thread, once for each request answered."""
        self._engine = engine
        self._answered = answered
        self._plays = plays
        self._questions: queue.SimpleQueue[HintRequest | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def ask(self, request: HintRequest) -> None:
        """Queue a request; returns at once."""
        self._questions.put(request)

    def close(self) -> None:
        """End thread and engine; one more answer may still arrive."""
        self._questions.put(None)
        self._thread.join(CLOSE_S)
        self._engine.close()  # a question that still waits fails
        self._thread.join(CLOSE_S)

    def _work(self) -> None:
        while (request := self._newest()) is not None:
            try:
                ranking = self._answer(request)
            except EngineError as error:
                ranking = Ranking(engine=self._engine.name, note=str(error))
            self._answered(ranking, request.turn)

    def _answer(self, request: HintRequest) -> Ranking:
        ranking = Ranking(engine=self._engine.name)
        if request.plays:
            ranking = self._engine.rank(request.position, request.side, request.dice, self._plays)
        if request.cube is None:
            return ranking
        try:
            return replace(ranking, cube=self._engine.cube(request.cube))
        except EngineError as error:
            if not ranking.plays:
                raise
            return replace(ranking, note=str(error))

    def _newest(self) -> HintRequest | None:
        """The newest request, waiting for the first; None after `close`."""
        request = self._questions.get()
        while request is not None and not self._questions.empty():
            request = self._questions.get()
        return request
