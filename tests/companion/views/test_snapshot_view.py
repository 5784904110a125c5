import pytest

from companion.core import BLACK_BAR, WHITE_BAR, WHITE_OFF, CellReading, Observation
from companion.game import OpeningRolled, Started, replay
from companion.interface import PositionCode
from companion.notation.match_id import parse_match_id
from companion.referee.assessment import differing
from companion.rules import rules_named
from companion.texts import phrase
from companion.views.snapshot_view import position_codes

RULES = rules_named("standard")
BOARD = RULES.visible(RULES.start())


def look(changes):
    cells = [CellReading(((content, 0.0),)) for content in BOARD]
    for cell, reading in changes.items():
        cells[cell] = reading
    return Observation(tuple(cells))


def test_a_board_as_expected_has_no_differences():
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
def test_cells_are_named_by_players_numbers(cells, words):
    assert phrase(RULES.places(cells)) == words


def test_a_game_in_progress_has_codes_and_none_exist_before_it():
    begun = [Started("backgammon", "standard", RULES.start())]
    assert position_codes(replay([]), RULES) == ()
    assert position_codes(replay(begun), RULES) == ()
    position_id, match_id, xgid = position_codes(replay([*begun, OpeningRolled(3, 1)]), RULES)
    assert position_id == PositionCode("Position ID", "4HPwATDgc/ABMA")
    assert (match_id.notation, parse_match_id(match_id.code).dice) == ("Match ID", (3, 1))
    assert xgid == PositionCode("XGID", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")


def test_a_game_of_checkers_has_a_fen():
    rules = rules_named("acf")
    codes = position_codes(replay([Started("checkers", "acf", rules.start())]), rules)
    assert [code.notation for code in codes] == ["FEN"]
    assert codes[0].code.startswith("B:W21,22")
