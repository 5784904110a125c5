"""A board after checkers were moved by hand, right or wrong: what sheets' examples and disputes are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.backgammon import BAR, OFF, Position, PositionError, cell_of

if TYPE_CHECKING:
    from companion.model import Play, Side
    from companion.observation import Board


def played(position: Position, side: Side, play: Play) -> Board:
    """Move the checkers as the play says, whatever the rules say.

    An opposing blot where a checker lands goes to the bar; a point held by two or more then holds both colours.
    Raises PositionError where there is no checker to move.
    """
    mine, theirs = (0, 1) if side == "white" else (1, 0)
    cells = [list(content or (0, 0)) for content in position.board()]
    for step in play:
        source, target = cell_of(step.source, side), cell_of(step.target, side)
        if not cells[source][mine]:
            raise PositionError(f"{side.value} has no checker on {step.source} to move to {step.target}")
        cells[source][mine] -= 1
        cells[target][mine] += 1
        if step.target not in (BAR, OFF) and cells[target][theirs] == 1:
            cells[target][theirs] = 0
            cells[cell_of(BAR, side.opponent)][theirs] += 1
    return tuple((white, black) for white, black in cells)
