"""Where hints are worked out: a thread of its own, so that the game never waits for an engine."""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.hints import EngineError, HintRequest, Ranking

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hints import Engine

PLAYS = 5
"""So many plays are shown."""
CLOSE_S = 2.0


class HintDesk:
    """Answers one question after the other; of those that wait, only the newest."""

    def __init__(self, engine: Engine, answered: Callable[[Ranking, int], None], plays: int = PLAYS) -> None:
        """`answered(ranking, turn)` is called from the desk's thread, once for each question answered."""
        self._engine = engine
        self._answered = answered
        self._plays = plays
        self._questions: queue.SimpleQueue[HintRequest | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def ask(self, request: HintRequest) -> None:
        """Put a question; returns at once."""
        self._questions.put(request)

    def close(self) -> None:
        """End the engine; an answer that is nearly there may still come."""
        self._questions.put(None)
        self._thread.join(CLOSE_S)
        self._engine.close()

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
        return ranking if request.cube is None else replace(ranking, cube=self._engine.cube(request.cube))

    def _newest(self) -> HintRequest | None:
        """The newest question, waiting for one where there is none; None at the end."""
        request = self._questions.get()
        while request is not None and not self._questions.empty():
            request = self._questions.get()
        return request
