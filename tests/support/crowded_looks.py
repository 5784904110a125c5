"""An observation with more possible boards than a search can enumerate."""

from __future__ import annotations

from companion.core import CellReading, Content, Observation


def crowded_look(*, second_nats: float) -> Observation:
    """Six stacks in White's home board, and points on which one more checker would exceed the total.

    Another height of the first stack is `second_nats` less likely, four more heights of the others 3.1 nats. The number
    of checkers excludes all other contents of the points, so that each of hundreds of boards takes hundreds of steps.
    """
    first: dict[Content, float] = {(1, 0): 0.0, (2, 0): -second_nats}
    heap: dict[Content, float] = {(1, 0): 0.0, **{(height, 0): -3.1 for height in (0, 2, 3, 4)}}
    point: dict[Content, float] = {(0, 0): 0.0}
    point |= {(white, black): -3.1 for white in (0, 1) for black in range(1, 13)}
    cells = [first, *[heap] * 5, *[point] * 17, {(0, 15): 0.0}, {(0, 0): 0.0}, {(0, 0): 0.0}]
    return Observation((*map(CellReading.of, cells), CellReading(), CellReading()))
