"""Marks the board's corners by hand if the program does not find them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from companion.model import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

Place = tuple[float, float]
"""x, y in pixels of the camera picture."""


class Markable(Protocol):
    """The part of `companion.sight.BoardSight` that marking needs."""

    @property
    def guess(self) -> NDArray[np.float64] | None:
        """The likeliest corners, (4, 2) in pixels; None: no guess."""

    def mark(self, corners: NDArray[np.float64]) -> None:
        """Learn the board with these corners at the next look."""


class MarkingError(BoardsideError):
    """Corners cannot be marked now; the text says when they can."""


class CornerMarking:
    """Guessed and marked corners of the board (implements `web.table_view.Marking`). Thread-safe."""

    def __init__(self, sight: Markable, look_again: Callable[[], None], between_games: Callable[[], bool]) -> None:
        """`look_again` requests a new reading; `between_games`: whether a board may be learned."""
        self._sight = sight
        self._look_again = look_again
        self._between_games = between_games

    def guess(self) -> list[Place] | None:
        """The likeliest corners in the last picture (order as in `mark`); None: no guess."""
        guess = self._sight.guess
        return None if guess is None else [(float(x), float(y)) for x, y in guess]

    def mark(self, corners: Sequence[Place]) -> None:
        """Learn the board with these corners: bottom left, bottom right, top right and top left as White sits.

        Raises MarkingError while a game is on, because boards are learned from the starting position.
        """
        if not self._between_games():
            raise MarkingError("a game is on: mark the corners between two games, with the starting position set up")
        self._sight.mark(np.array(corners, np.float64))
        self._look_again()
