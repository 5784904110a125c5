"""A game of checkers on the page: squares, kings, doubts and words; and on the simulated table."""

from dataclasses import replace

import pytest
from given_seats import client_at
from werkzeug.exceptions import BadRequest
from whole_page import page_state

from companion.app.table import Table
from companion.game import Phase
from companion.interface import Light, Snapshot
from companion.referee import shown_position
from companion.rules import rules_named
from web.forms import board_of
from web.page_state.board import board_state, square_labels
from web.texts import ENGLISH_TEXTS

ACF = rules_named("acf")


def shown(fen):
    return shown_position(ACF, ACF.from_json(fen))


def snapshot(**values):
    return Snapshot(1, Phase.TO_MOVE, Light.AMBER, "checkers", "acf", **values)


def test_the_squares_are_numbered_as_in_pdn_with_white_at_the_bottom():
    labels = square_labels()
    assert (labels[0], labels[6], labels[57], labels[63]) == (29, 32, 1, 4)
    assert sorted(filter(None, labels)) == list(range(1, 33))


def test_pieces_stand_on_the_cells_of_their_squares_and_kings_are_marked():
    board = board_state(snapshot(position=shown("B:W21,K22:BK1,12")), ENGLISH_TEXTS)
    labels = square_labels()
    assert {labels[cell]: content for cell, content in enumerate(board["squares"]) if any(content)} == {
        21: [1, 0],
        22: [1, 0],
        1: [0, 1],
        12: [0, 1],
    }
    assert [labels[cell] for cell in board["kings"]] == [22, 1]
    assert board["words"] == "White: men on 21; kings on 22. Black: men on 12; kings on 1."
    assert not board["live"]


def test_the_camera_reading_has_the_kings_of_the_record_that_still_stand():
    record = shown("B:W21,K22:BK1,12")
    labels = square_labels()
    seen = {"squares": {**record["squares"]}}
    del seen["squares"]["7,0" if "7,0" in seen["squares"] else "7,1"]  # Black's king is in a hand
    board = board_state(snapshot(position=record, seen=seen), ENGLISH_TEXTS)
    assert [labels[cell] for cell in board["kings"]] == [22]
    assert board["live"]


def test_doubtful_squares_are_marked_and_light_squares_are_described():
    seen = {"squares": {"0,1": "w", "7,1": "b"}}
    board = board_state(snapshot(position=shown("B:W21:B1"), seen=seen, doubtful=(1, "light square")), ENGLISH_TEXTS)
    assert board["doubtful"] == [57]
    assert board["caption"] == "As the camera reads it; marked squares are not certain"
    assert "White: 1 on light squares." in board["words"]


def test_the_page_of_a_checkers_table_mentions_no_dice():
    opening = replace(snapshot(), phase=Phase.OPENING)
    state = page_state(opening)
    assert (state["headline"], state["next"][0]["label"]) == ("Ready to begin", "Begin")
    assert state["board"] is None
    assert state["dice"] == []


@pytest.mark.parametrize(
    ("squares", "words"),
    [({"8,0": "w"}, "'8,0'"), ({"0,0": "x"}, "'x'"), ([1], "[1]"), ({"a,b": "w"}, "'a,b'")],
)
def test_an_invalid_position_is_refused_with_a_reason(client, squares, words):
    answer = client.post("/simulated/set-up", json={"position": {"squares": squares}})
    assert answer.status_code == 400
    assert words in answer.get_data(as_text=True).replace("&#39;", "'")


@pytest.mark.parametrize("square", ["8,0", "0", "-1,0", "9" * 5000 + ",1"])
def test_checkers_are_set_up_on_squares_of_the_board_only(app, square):
    with app.test_request_context(), pytest.raises(BadRequest, match='expected "row,col"'):
        board_of({"squares": {square: "w"}})


@pytest.mark.parametrize(
    ("game", "sheet", "column"), [("checkers", "acf", "Men ahead"), ("backgammon", "standard", "Equity")]
)
def test_hints_in_checkers_are_in_men(game, sheet, column):
    text = client_at(Table(game, sheet)).get("/").get_data(as_text=True)
    assert f'<th scope="col">{column}</th><th scope="col">Gives away</th>' in text
