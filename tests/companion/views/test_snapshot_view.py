import pytest

from companion.core import BLACK_BAR, WHITE_BAR, WHITE_OFF, CellReading, Observation
from companion.referee.assessment import differing
from companion.rules import rules_named
from companion.texts import phrase

RULES = rules_named("standard")
BOARD = RULES.visible(RULES.start())


def look(changes):
    cells = [CellReading(((content, 0.0),)) for content in BOARD]
    for cell, reading in changes.items():
        cells[cell] = reading
    return Observation(tuple(cells))


def test_a_board_as_expected_differs_nowhere():
    assert differing(look({}), BOARD) == ()


def test_a_slight_doubt_is_no_difference_and_a_clear_contradiction_is():
    doubt = CellReading((((4, 0), 0.0), ((5, 0), -2.0)))
    contradiction = CellReading((((4, 0), 0.0), ((5, 0), -20.0)))
    assert differing(look({5: doubt}), BOARD) == ()
    assert differing(look({5: contradiction}), BOARD) == (5,)
    assert differing(look({5: CellReading((((4, 0), 0.0),))}), BOARD) == (5,)


def test_a_cell_out_of_view_never_differs():
    assert differing(look({WHITE_OFF: CellReading()}), BOARD) == ()


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ((5,), "point 6"),
        ((5, 7), "points 6, 8"),
        ((5, WHITE_BAR, BLACK_BAR), "point 6 and the bar"),
        ((WHITE_OFF,), "what is borne off"),
    ],
)
def test_cells_are_named_as_players_name_them(cells, words):
    assert phrase(RULES.places(cells)) == words
