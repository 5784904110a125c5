"""After a takeback: whether the board still has to be put back as it stood before the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT, Verdict, message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Message
    from companion.game import Game


class PuttingBack(Generic[PositionT]):
    """Follows the board after takebacks at one table.

    Changes in the cells that differed when the turn was taken back are nobody's play: they may come from several
    turns, or from the opponent. A change elsewhere, or another legal play, shows that the board was put back meanwhile.
    """

    def __init__(self) -> None:
        self._takeback: tuple[int, int] | None = None
        self._cells: frozenset[int] = frozenset()

    def note_takeback(self, game: Game[PositionT], differed: Sequence[int]) -> None:
        """Start to follow the game's last takeback, if it is a new one; `differed` are the cells to be put back."""
        takeback = None if game.taken_back is None else (game.number, game.takebacks)
        if takeback != self._takeback:
            self._takeback, self._cells = takeback, frozenset(differed)

    def verdict(
        self, verdict: Verdict[PositionT], game: Game[PositionT], differs: Sequence[int], where: Message
    ) -> Verdict[PositionT]:
        """`verdict`, or the advice to put the board back; `differs` are the differing cells, `where` names them."""
        if not self._cells or verdict.unseen:
            return verdict
        played = verdict.finding is Finding.LEGAL and verdict.after != game.taken_back
        if differs and self._cells.issuperset(differs) and not played:
            what = message("taken_back", places=where)
            return Verdict(Finding.UNFINISHED, what, plays=verdict.plays, cells=tuple(differs))
        if verdict.finding not in (Finding.UNREADABLE, Finding.AMBIGUOUS):
            self._cells = frozenset()
        return verdict
