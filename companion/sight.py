"""What the table knows of its board: learned from the starting position, kept in a file, read with ever after."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

import cv2

from companion.model import Cause
from vision.boards import find_game, is_of_kind, learn_board, load_board
from vision.calibration_file import CalibrationError
from vision.locate import LocateError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Content, Observation
    from vision.board_of import LearnedBoard
    from vision.camera import Picture

LOG = logging.getLogger(__name__)
JPEG_QUALITY = 85
CLEAR_NATS = 5.0
"""A cell less certain than this (1 in 150) may be doubtful because the board lies a little off."""


class BoardSight:
    """The board under one camera (`companion.watch.Sight`)."""

    def __init__(
        self,
        path: Path | None,
        *,
        game: str = "backgammon",
        board: str | None = None,
        mirror: bool = False,
        corners: NDArray[np.float64] | None = None,
        position: Sequence[Content | None] | None = None,
        other_game: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take up what was learned before, if `path` holds it.

        Args:
            path: the file that keeps what is learned; None: nothing is kept.
            game: what is played; this and the others as in `vision.boards.learn_board`.
            board: what the sheet calls the kind of board.
            mirror: White's home is on the left.
            corners: of the playing area; None: the board is found by itself.
            position: what stands on the board when it is learned.
            other_game: called with a game's name where it is not this one's starting position that stands there, but
                that one's.
        """
        self._path = path
        self._learn = partial(learn_board, game=game, board=board, mirror=mirror, position=position)
        self._game = game
        self._other_game = other_game
        self._board: LearnedBoard | None = None
        self._kept = True
        self._marked: NDArray[np.float64] | None = corners
        self._guess: NDArray[np.float64] | None = None
        if path is not None and path.exists():
            try:
                self._take_up(load_board(path), board)
            except CalibrationError as error:  # damaged, or of an older version
                LOG.warning("the board is learned anew: %s", error)

    @classmethod
    def of(cls, board: LearnedBoard) -> BoardSight:
        """The sight of a board that is known; nothing is kept of it."""
        sight = cls(None, game=board.game)
        sight._board = board
        return sight

    def _take_up(self, learned: LearnedBoard, board: str | None) -> None:
        """Take a board that was learned before, if it is one for what is played now."""
        if is_of_kind(learned, self._game, board):
            self._board = learned
        else:
            LOG.info("the board learned before is for %s: another one is looked for", learned.game)

    @property
    def known(self) -> bool:
        """Whether a board has been learned."""
        return self._board is not None

    def learn(self, image: Picture) -> None:
        """Find the board in a picture of the known position and learn it. Raises BoardsideError.

        Where another game's starting position stands there, `other_game` is told.
        """
        marked = self._marked
        try:
            self._take(self._learn(image, corners=marked))
        except CalibrationError:
            if marked is self._marked:
                self._guess, self._marked = marked, None  # the next try looks for the board by itself
            raise
        except LocateError as error:
            self._guess = error.guess
            standing = find_game(image, error.lens)
            if standing not in (None, self._game):
                LOG.info("%s stands on the board, not %s", standing, self._game)
                self._other_game(str(standing))
            raise

    def forget(self) -> None:
        """Learn it anew at the next look."""
        self._board = None

    def mark(self, corners: NDArray[np.float64]) -> None:
        """Learn it anew at the next look, with these corners; where it is not seen there, it is looked for again."""
        self._marked = corners
        self.forget()

    @property
    def guess(self) -> NDArray[np.float64] | None:
        """The corners as learned, else of what was most like a board in the last picture; None where nothing was."""
        return self._guess if self._board is None else self._board.corners

    def look(self, image: Picture) -> Observation:
        """Read a picture with the board as learned; where it was knocked out of its place it is sought round about.

        A new place is kept only where the board can be read there.
        """
        assert self._board is not None  # noqa: S101  # asked only where `known`
        observation = self._board.look(image)
        if _clear(observation):
            return observation
        found = self._board.regain(image)
        if found is None:
            return observation
        again = found.look(image)
        if again.unreadable is None:
            LOG.info("the board was moved and is found again")
            self._take(found)
        return again if again.unreadable in (None, Cause.HAND) else observation

    def confirm(self, image: Picture, board: Board) -> None:
        """Take note that the players played on from that board, which stands in the picture."""
        if self._board is not None and self._board.size == (image.shape[1], image.shape[0]):
            self._board.confirm(image, board)

    def _take(self, board: LearnedBoard) -> None:
        self._board, self._kept = board, False

    def keep(self) -> None:
        """Write what was learned to the file, unless that was done: when nobody waits for a verdict."""
        if self._path is None or self._board is None or self._kept:
            return
        self._kept = True
        try:
            self._board.save(self._path)
        except CalibrationError as error:  # the table goes on; only after a restart the board has to be learned again
            LOG.warning("what was learned of the board cannot be kept in %s: %s", self._path, error)

    def jpeg(self, image: Picture, observation: Observation | None) -> bytes:
        """The picture as JPEG, with what was read drawn over it where the board is known."""
        if observation is not None and self._board is not None:
            image = self._board.draw(image, observation)
        _, encoded = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
        return encoded.tobytes()


def _clear(observation: Observation) -> bool:
    """Whether there is no reason to ask if the board is still in its place."""
    return observation.unreadable is None and all(cell.margin_nats >= CLEAR_NATS for cell in observation.cells)
