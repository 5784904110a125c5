"""Sets the pace of a filmed game that is shown on the page: pause, speed, the next turn, and from the beginning."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from typing import TYPE_CHECKING

from companion.interface import FilmDeed, FilmState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BEHIND_S = 1.0
"""Seconds of delay from which a film that is judged too slowly goes on from its present place, without catching up."""


class FilmRestarted(Exception):
    """The film is to be shown from the beginning."""


class FilmPlayer:
    """Paces one film; `wait_until` is for the thread that shows it, the other methods for any thread."""

    def __init__(
        self,
        turns: Sequence[float],
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`turns` are the seconds of the film at which turns begin; `changed` is called when `state` has changed."""
        self._turns = sorted(turns)
        self._notify = changed
        self._clock = clock
        self._changed = threading.Condition()
        self._playing, self._speed, self._over, self._again = True, 1.0, False, False
        self._shown_s = 0.0
        self._from = 0.0, clock()
        """Reference point of the playback: (second of the film, second of the clock at which it was shown)."""
        self._step_to_s = float("-inf")

    def state(self) -> FilmState:
        """The state of the playback."""
        with self._changed:
            turn = bisect_right(self._turns, self._shown_s)
            return FilmState(self._playing and not self._over, self._speed, turn, len(self._turns), self._over)

    def do(self, deed: FilmDeed) -> None:
        """Carry out what a viewer asks for; a film that is over can only be started again."""
        with self._changed:
            if deed is FilmDeed.RESTART:
                self._again, self._over, self._playing = True, False, True
                self._shown_s, self._step_to_s = 0.0, float("-inf")  # later requests are about the new showing
            elif deed is FilmDeed.STEP:
                later = bisect_right(self._turns, max(self._shown_s, self._step_to_s))
                self._step_to_s = self._turns[later] if later < len(self._turns) else float("inf")
                self._playing = False
            else:
                self._playing = deed is FilmDeed.PLAY
            self._play_on_from(self._shown_s)
        self._notify()

    def at_speed(self, speed: float) -> None:
        """Set the speed, as a multiple of the filmed one."""
        with self._changed:
            self._speed = speed
            self._play_on_from(self._shown_s)
        self._notify()

    def wait_until(self, at_s: float, wait: Callable[[float | None], object] | None = None) -> None:
        """Return when second `at_s` of the film is to be shown. Raises FilmRestarted.

        `wait(seconds)` waits for a change of the playback with that timeout; None: until a change.
        """
        with self._changed:
            while not self._is_due(at_s):
                (wait or self._changed.wait)(self._left_s(at_s))
            turned = bisect_right(self._turns, at_s) != bisect_right(self._turns, self._shown_s)
            self._shown_s = at_s
        if turned:
            self._notify()

    def wait_at_the_end(self) -> None:
        """Wait at the end of the film until a viewer starts it again."""
        with self._changed:
            self._over = True
        self._notify()
        with self._changed:
            self._changed.wait_for(lambda: self._again)
            self._restart()

    def _is_due(self, at_s: float) -> bool:
        if self._again:
            self._restart()
            raise FilmRestarted
        if at_s <= self._step_to_s:
            return True
        left_s = self._left_s(at_s)
        if left_s is not None and left_s < -BEHIND_S:
            self._play_on_from(at_s)
        return left_s is not None and left_s <= 0

    def _left_s(self, at_s: float) -> float | None:
        """Seconds until `at_s` is to be shown; None while the film is paused."""
        if not self._playing:
            return None
        film_s, since_s = self._from
        return (at_s - film_s) / self._speed - (self._clock() - since_s)

    def _play_on_from(self, film_s: float) -> None:
        self._from = film_s, self._clock()
        self._changed.notify_all()

    def _restart(self) -> None:
        self._again, self._over = False, False
        self._play_on_from(0.0)
