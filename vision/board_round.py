"""A learned board with something about it, a lens or markers: what is not said of that is the board's own."""

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
    """Something about a learned board (`vision.boards.LearnedBoard`); it does what that does, but for what it adds."""

    def __init__(self, inner: InnerT) -> None:
        """`inner`: the board."""
        self.inner = inner

    @property
    def game(self) -> str:
        """What is played on it."""
        return self.inner.game

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it reads."""
        return self.inner.size

    @property
    def corners(self) -> Floats:
        """Of the playing area."""
        return self.inner.corners

    @property
    def summary(self) -> dict[str, Any]:
        """What is told of the board."""
        return self.inner.summary

    def look(self, picture: Picture) -> Observation:
        """What a picture shows. Raises WrongSize where it is not of `size`."""
        return self.inner.look(picture)

    def answer(self, observation: Observation) -> dict[str, Any]:
        """What `boardside read` answers."""
        return self.inner.answer(observation)

    def draw(self, picture: Picture, observation: Observation) -> Picture:
        """The picture with what was read drawn over it."""
        return self.inner.draw(picture, observation)

    def confirm(self, picture: Picture, board: Board) -> None:
        """Take note that the players played on from that board, which stands in the picture."""
        self.inner.confirm(picture, board)
