"""Numbers of checkers that no set has."""

from __future__ import annotations

import pytest
from played_table import certain_of

from companion.core import BACKGAMMON_CELLS, BLACK_OFF, WHITE_OFF, CellReading
from vision.backgammon.checker_numbers import is_miscounted

START = {0: (0, 2), 5: (5, 0), 7: (3, 0), 11: (0, 5), 12: (5, 0), 16: (0, 3), 18: (0, 5), 23: (2, 0)}
HOME = {0: (3, 0), 1: (4, 0), 18: (0, 5), 19: (0, 5), 20: (0, 5)}


def readings(contents, doubtful=None):
    """Certain readings of contents by cell, and others in doubt: (likelihoods) by cell."""
    cells = list(certain_of([contents.get(cell, (0, 0)) for cell in range(BACKGAMMON_CELLS)]).cells)
    for cell, likelihoods in (doubtful or {}).items():
        cells[cell] = CellReading(likelihoods)
    return tuple(cells[:WHITE_OFF]), tuple(cells[WHITE_OFF:])


@pytest.mark.parametrize(
    ("contents", "doubtful", "miscounted"),
    [
        (START, {}, False),
        (START | {3: (1, 0)}, {}, True),
        (START | {12: (4, 0)}, {}, True),
        (START | {12: (4, 0), WHITE_OFF: (1, 0)}, {}, False),
        (START, {3: (((1, 0), 0.0), ((0, 0), -3.0))}, False),
        (START | {12: (4, 0)}, {12: (((4, 0), 0.0), ((5, 0), -3.0))}, False),
        (HOME, {}, False),
        (HOME | {BLACK_OFF: (0, 1)}, {}, True),
    ],
    ids=["start", "one more", "one fewer", "one off", "more in doubt", "fewer in doubt", "home", "more with one off"],
)
def test_a_side_has_no_more_than_fifteen_and_no_fewer_unless_it_bears_off(contents, doubtful, miscounted):
    assert is_miscounted(*readings(contents, doubtful), (15, 15)) is miscounted
