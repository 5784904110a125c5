"""Decorator base for a learned board: delegates everything it does not override."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.observation import Board, Observation
    from vision.board_of import LearnedBoard
    from vision.camera import Picture

    Floats = NDArray[np.float64]

InnerT = TypeVar("InnerT", bound="LearnedBoard")


class BoardDecorator(Generic[InnerT]):
    """Wraps a learned board (`vision.boards.LearnedBoard`) and delegates to it."""

    def __init__(self, inner: InnerT) -> None:
        """`inner`: the wrapped board."""
        self.inner = inner

    @property
    def game(self) -> str:
        """The game played on it."""
        return self.inner.game

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads, in pixels."""
        return self.inner.size

    @property
    def corners(self) -> Floats:
        """Corners of the playing area, 4 x 2 pixels."""
        return self.inner.corners

    @property
    def summary(self) -> dict[str, Any]:
        """The wrapped board's summary."""
        return self.inner.summary

    def look(self, picture: Picture) -> Observation:
        """Read a picture (BGR). Raises WrongSize if it is not of `size`."""
        return self.inner.look(picture)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """The JSON answer of `boardside read`."""
        return self.inner.answer(observation)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """Draw an observation over a copy of the picture."""
        return self.inner.draw(picture, observation)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Use the picture as a reference: the players accepted `board`, which it shows."""
        self.inner.confirm(picture, board)
