"""The state of the form in which a player enters the board."""

from dataclasses import replace

from verdicts import verdict
from whole_page import page_state

from companion.core import Side, verbatim
from companion.game import DoubtfulCell, LikelyContent, Phase, Remedy
from companion.interface import Light, OfferView, Snapshot

POSITION = {"points": [2, *[0] * 22, -2], "bar": [1, 0], "off": [12, 13]}
OFFER = (OfferView(Remedy.POSITION, verbatim("the board counts as it stands")),)
EVENING = Snapshot(
    1,
    Phase.TO_MOVE,
    Light.RED,
    "backgammon",
    "standard",
    POSITION,
    POSITION,
    on_roll=Side.WHITE,
    dice=(6, 1),
    offers=OFFER,
)
CHECKERS = replace(
    EVENING,
    game="checkers",
    sheet="acf",
    position={"fen": "W:WK5,22:B1", "squares": {"6,0": "w", "2,2": "w", "7,1": "b"}},
    seen={"squares": {"6,0": "w", "2,2": "w", "6,2": "b"}},
    dice=None,
)


def correction(snapshot):
    return page_state(snapshot)["correction"]


def test_the_form_starts_with_the_camera_reading_and_the_totals_of_the_record():
    seen = {**POSITION, "points": [1, *[0] * 22, -2]}
    told = correction(replace(EVENING, seen=seen))
    assert told["base"][0] == [1, 0]
    assert told["base"][24:] == [[1, 0], [0, 0], [12, 0], [0, 13]]
    assert (told["totals"], told["exact"], told["kind"]) == ([15, 15], True, "points")


def test_places_are_called_as_on_the_board_of_the_player_on_roll():
    names = correction(replace(EVENING, on_roll=Side.BLACK))["names"]
    assert (names[0], names[23], names[24], names[27]) == ("Point 24", "Point 1", "White’s bar", "Black’s borne off")


def test_doubtful_cells_come_first_with_likely_contents_then_those_that_differ():
    doubt = DoubtfulCell(4, 5, (LikelyContent((1, 0), 70.0, 0.0), LikelyContent((0, 0), 30.0, -0.8)))
    told = correction(replace(EVENING, doubts=(doubt,), lost=(4, 9)))
    likely = [{"content": [1, 0], "words": "1 of White’s (70 %)"}, {"content": [0, 0], "words": "empty (30 %)"}]
    assert told["cells"] == [{"cell": 4, "likely": likely}, {"cell": 9, "likely": []}]


def test_the_cells_that_the_verdict_names_are_in_question():
    told = correction(replace(EVENING, verdict=verdict("illegal", cells=(3, 5))))
    assert [one["cell"] for one in told["cells"]] == [3, 5]


def test_during_a_turn_the_form_asks_what_follows():
    told = correction(EVENING)
    assert told["turn"] == "White still plays 6-1 from there"
    assert told["over"] == "That is White’s play, and the turn is over"
    assert correction(replace(EVENING, phase=Phase.TO_ROLL, dice=None))["turn"] is None


def test_in_checkers_kings_come_from_the_record_and_light_squares_have_no_name():
    told = correction(CHECKERS)
    assert (told["kind"], told["exact"], told["totals"]) == ("squares", False, [2, 1])
    assert told["base"][48] == [1, 0, 1]
    assert told["base"][18] == [1, 0, 0]
    assert told["base"][50] == [0, 1, 0]
    assert (told["names"][48], told["names"][49]) == ("Square 5", "")
    assert told["turn"] == "White is still to move from there"


def test_a_piece_found_likely_on_the_square_of_a_king_is_that_king():
    likely = (LikelyContent((1, 0), 70.0, 0.0), LikelyContent((0, 1), 20.0, -1.3), LikelyContent((0, 0), 10.0, -2.0))
    doubt = DoubtfulCell(48, 5, likely)
    ((cell,),) = [correction(replace(CHECKERS, doubts=(doubt,)))["cells"]]
    assert [one["words"] for one in cell["likely"]] == ["White’s king (70 %)", "Black’s man (20 %)", "empty (10 %)"]


def test_without_an_offer_to_agree_on_a_position_there_is_no_form():
    assert correction(replace(EVENING, offers=())) is None
    assert correction(replace(EVENING, position=None)) is None
