"""The tutor: after a play was accepted, what it lost against the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.hints import LessonRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core import PositionT, Side
    from companion.game import Game
    from companion.hints import Lesson
    from companion.interface import Taught


class Tutor:
    """Follows one game; `lesson` is that of the last play, None while there is nothing to say."""

    def __init__(self, ask: Callable[[LessonRequest], None] | None) -> None:
        """`ask` passes a question to an engine that answers with `Taught`; None: there is no tutor."""
        self.lesson: Lesson | None = None
        self._ask = ask
        self._asked = 0

    def see(self, before: Game[PositionT], now: Game[PositionT], opponent: Side | None = None) -> None:
        """Take the new state of the game: ask about a play just accepted, and drop the lesson on an older one.

        Plays of `opponent` get no lesson.
        """
        if (now.number, now.history) == (before.number, before.history):
            return
        self.lesson = None
        self._asked += 1
        if self._ask is None or now.match.length or not now.history or now.history[:-1] != before.history:
            return
        turn = now.history[-1]
        if turn.play and not turn.note and turn.side is not opponent:
            after, match = now.position, now.match
            self._ask(LessonRequest(turn.before, turn.side, turn.dice, turn.play, after, self._asked, match))

    def taught(self, answer: Taught) -> None:
        """Show the answer if it is to the last question."""
        if answer.turn == self._asked:
            self.lesson = answer.lesson
