"""Tracks the board under the camera: learns, reads and finds it again after a move; corners may be marked by hand."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from companion.core import NO_MARKS, BoardsideError, Cause
from vision import CalibrationError, LocateError, find_game, is_of_kind, learn_board, load_board

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Board, BoardMarks, Content, Observation
    from vision import LearnedBoard
    from vision.cameras import Picture


LOG = logging.getLogger(__name__)

JPEG_QUALITY = 85
"""JPEG quality of pictures for the page, 0 to 100."""

SAVE_AGAIN_S = 60.0
"""Seconds until the calibration is written again after that failed. Writing takes a quarter of a second, and several
times as long on a Pi."""

CLEAR_NATS = 5.0
"""Log-odds (nats; 5 is about 150 to 1). If a cell is less certain, the board may have moved."""


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedBoard:
    """The board that is expected under the camera; its fields are arguments of `vision.learn_board`.

    Attributes:
        game: the game.
        kind: the kind of board as the sheet names it; None: the standard board of the game.
        mirror: White's home is on the left.
        position: the position on the board when it is learned; None: the starting position.
        corners: corners of the playing area, (4, 2) in pixels; None: they are located in a starting position.
    """

    game: str = "backgammon"
    kind: str | None = None
    mirror: bool = False
    position: Sequence[Content | None] | None = None
    corners: NDArray[np.float64] | None = None


STANDARD_BOARD = ExpectedBoard()


class BoardTracker:
    """The board under one camera (implements `companion.app.capture_loop.BoardReader`).

    The board is learned from a picture, read, and found again after it was moved. Its corners may be marked by hand.
    Any thread may call `mark` and `guess`; all else is for one thread, the only one that changes the board.
    """

    def __init__(
        self,
        path: Path | None,
        expected: ExpectedBoard = STANDARD_BOARD,
        other_game: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Load the calibration at `path`, if there is one.

        Args:
            path: file of the calibration; None: it is not stored.
            expected: the board to learn and read.
            other_game: called with a game's name if that game's starting position is seen in place of this one's.
            clock: seconds, for the next attempt to write a calibration.
        """
        self._path = path
        self._expected = expected
        self._other_game = other_game
        self._board: LearnedBoard | None = None
        self._clock = clock
        self._saved = True
        self._save_again_s: float | None = None
        """When to write a calibration that could not be written; None: the last one could."""
        self._marked = self._taken = self._corners = expected.corners
        """The corners that were marked last; of those, the ones that learning has taken up; and those to learn from."""
        self._guess: NDArray[np.float64] | None = None
        if path is not None and path.exists():
            try:
                self._use_stored(load_board(path))
            except CalibrationError as error:  # damaged, or of an older version
                LOG.warning("the board is learned again: %s", error)

    @classmethod
    def of(cls, board: LearnedBoard) -> BoardTracker:
        """The tracker of a board that is already learned; nothing is stored."""
        tracker = cls(None, ExpectedBoard(board.game))
        tracker._board = board
        return tracker

    def _use_stored(self, board: LearnedBoard) -> None:
        """Use a stored board if it fits the expected game, kind of board and layout."""
        expected = self._expected
        if is_of_kind(board, expected.game, expected.kind) and board.mirrored is expected.mirror:
            self._board = board
        else:
            LOG.info("the stored board is for %s or lies otherwise: a new one is learned", board.game)

    @property
    def known(self) -> bool:
        """Whether a board has been learned, and no corners were marked since."""
        return self._board is not None and self._taken is self._marked

    def learn(self, image: Picture) -> None:
        """Locate the board in a picture of the known position and learn it. Raises BoardsideError.

        Calls `other_game` if another game's starting position is seen.
        """
        self.forget()
        marked = self._marked
        if marked is not self._taken:
            self._taken = self._corners = marked
        try:
            self._use(self._learned(image, self._corners))
        except CalibrationError:
            self._guess = self._corners
            if self._expected.position is None:
                self._corners = None  # the next try locates the board
            raise
        except LocateError as error:
            self._guess = error.guess
            if self._expected.position is not None:
                raise
            seen_game = find_game(image, error.lens, besides=self._expected.game)
            if seen_game is not None:
                LOG.info("the board is set up for %s, not %s", seen_game, self._expected.game)
                self._other_game(seen_game)
            raise

    def _learned(self, image: Picture, corners: NDArray[np.float64] | None) -> LearnedBoard:
        expected = self._expected
        return learn_board(
            image,
            expected.game,
            expected.kind,
            corners=corners,
            mirror=expected.mirror,
            position=expected.position,
        )

    def forget(self) -> None:
        """Discard the board; the next reading learns it again."""
        self._board = None

    def mark(self, corners: NDArray[np.float64]) -> None:
        """Learn the board with these corners at the next reading; if that fails, it is located again."""
        self._marked = corners

    @property
    def guess(self) -> NDArray[np.float64] | None:
        """The learned corners, else those of the likeliest board in the last picture; None: there is none."""
        board = self._board
        return self._guess if board is None else board.corners

    def look(self, image: Picture) -> Observation:
        """Read a picture. If the board has moved, search nearby.

        The new place is used only if the board can be read there.
        """
        assert self._board is not None  # noqa: S101  # the caller has checked `known`
        observation = self._board.look(image)
        if _clear(observation):
            return observation
        found = self._board.reacquire(image)
        if found is None:
            return observation
        again = found.look(image)
        if again.unreadable is None:
            LOG.info("the board was moved, and was found in its new place")
            self._use(found)
        return again if again.unreadable in (None, Cause.HAND) else observation

    def confirm(self, image: Picture, board: Board) -> None:
        """Store the picture as a reference: the players have played on from `board`."""
        if self._board is not None and self._board.size == (image.shape[1], image.shape[0]):
            self._board.confirm(image, board)

    def _use(self, board: LearnedBoard) -> None:
        self._board, self._saved = board, False

    def keep(self) -> None:
        """Write the calibration to its file if it has changed. Slow: call it when no verdict is due.

        If it cannot be written, it is tried again after SAVE_AGAIN_S at the earliest.
        """
        if self._path is None or self._board is None or self._saved:
            return
        again_s = self._save_again_s
        if again_s is not None and self._clock() < again_s:
            return
        try:
            self._board.save(self._path)
        except CalibrationError as error:  # play goes on, but after a restart the board must be learned again
            self._save_again_s = self._clock() + SAVE_AGAIN_S
            if again_s is None:
                LOG.warning("the calibration of the board cannot be saved in %s: %s", self._path, error)
        else:
            self._saved, self._save_again_s = True, None

    def jpeg(self, image: Picture, observation: Observation | None, marks: BoardMarks = NO_MARKS) -> bytes:
        """The picture as JPEG, with the reading and the marks drawn over it if the board is learned."""
        if observation is not None and self._board is not None:
            image = self._board.draw(image, observation, marks)
        _, encoded = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
        return encoded.tobytes()


def _clear(observation: Observation) -> bool:
    """Whether the board was read with certainty, so that it cannot have moved."""
    return observation.unreadable is None and all(cell.margin_nats >= CLEAR_NATS for cell in observation.cells)


Place = tuple[float, float]
"""x, y in pixels of the camera picture."""


class Markable(Protocol):
    """The part of `companion.app.board_tracker.BoardTracker` that marking needs."""

    @property
    def guess(self) -> NDArray[np.float64] | None:
        """The likeliest corners, (4, 2) in pixels; None: no guess."""

    def mark(self, corners: NDArray[np.float64]) -> None:
        """Learn the board with these corners at the next look."""


class MarkingError(BoardsideError):
    """Corners cannot be marked now; the text says when they can."""


class CornerMarking:
    """Guessed and marked corners of the board (implements `web.table_view.Marking`). Thread-safe."""

    def __init__(self, tracker: Markable, look_again: Callable[[], None], between_games: Callable[[], bool]) -> None:
        """`look_again` requests a new reading; `between_games`: whether a board may be learned."""
        self._tracker = tracker
        self._look_again = look_again
        self._between_games = between_games

    def guess(self) -> list[Place] | None:
        """The likeliest corners in the last picture (order as in `mark`); None: no guess."""
        guess = self._tracker.guess
        return None if guess is None else [(float(x), float(y)) for x, y in guess]

    def mark(self, corners: Sequence[Place]) -> None:
        """Learn the board with these corners: bottom left, bottom right, top right and top left as White sits.

        Raises MarkingError while a game is on, because boards are learned from the starting position.
        """
        if not self._between_games():
            raise MarkingError("a game is on: mark the corners between two games, with the starting position set up")
        self._tracker.mark(np.array(corners, np.float64))
        self._look_again()
