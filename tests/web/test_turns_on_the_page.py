"""The list of turns on the page: this game's in every state, earlier games on request."""

from __future__ import annotations

from companion.core import Dice, Side, message
from companion.game import Ended, GameLog, Happening, Turn
from web.page_state.turns import MOST_ENTRIES

TURN = Turn(Side.WHITE, Dice((1, 3)), "8/5 6/5")
PASSED = Happening(message("log.passes", player=Side.BLACK), Side.BLACK)
FIRST = GameLog(1, (TURN, PASSED), Ended(Side.WHITE, 1, "double passed"), (1, 0))


def test_the_list_has_events_between_turns_and_the_result_of_the_last_game(evening, client):
    evening.show(log=GameLog(2, (TURN, PASSED)), earlier=(FIRST,))
    state = client.get("/state.json").get_json()
    assert state["game_title"] == "Game 2"
    assert [entry.get("play", entry.get("words")) for entry in state["history"]] == ["8/5 6/5", "Black passes."]
    assert state["earlier"] == [{"number": 1, "title": "Game 1: White wins one point. 1–0"}]


def test_an_earlier_game_is_sent_on_request_in_the_language_of_the_request(evening, client):
    evening.show(log=GameLog(2), earlier=(FIRST,))
    told = client.get("/turns/1.json?language=de").get_json()["history"]
    assert told == [
        {"player": "white", "name": "Weiß", "dice": "3-1", "play": "8/5 6/5", "note": ""},
        {"player": "black", "words": "Schwarz passt."},
    ]
    refused = client.get("/turns/7.json")
    assert (refused.status_code, "game 7" in refused.get_json()["error"]) == (404, True)


def test_the_size_of_a_state_is_bounded(evening, client):
    evening.show(log=GameLog(1, (TURN,) * (MOST_ENTRIES + 50)))
    state = client.get("/state.json").get_json()
    assert len(state["history"]) == MOST_ENTRIES
    assert state["earlier"] == [{"number": 1, "title": "All turns of this game"}]
    assert len(client.get("/turns/1.json").get_json()["history"]) == MOST_ENTRIES + 50
