"""The routes of the page: what they return, accept and refuse."""

from __future__ import annotations

import json
import re

import pytest
from given_seats import client_at

from companion.core import Side, verbatim
from companion.game import Phase, Remedy
from companion.interface import Agrees, Button, Declines, HintsHidden, Proposes, Tapped
from web import create_app


def test_the_page_shows_the_headline_even_before_its_script_runs(client, evening) -> None:
    evening.show()
    page = client.get("/").text
    assert "White to play 4-3" in page
    assert "Not a legal play" in page


def test_the_state_inside_the_page_cannot_end_its_own_script(client, evening) -> None:
    evening.show(notice=verbatim("</script><b>"))
    state = re.search(r'<script type="application/json" id="state">(.*?)</script>', client.get("/").text).group(1)
    assert json.loads(state)["notice"] == "</script><b>"


def test_the_page_loads_nothing_from_other_hosts(client) -> None:
    page = client.get("/").text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert any(address.startswith("/static/") for address in addresses)
    for address in addresses:
        assert address.startswith(("/", "#")), address
        if address.startswith("/static/"):
            assert client.get(address, buffered=True).status_code == 200


def test_the_state_as_json_is_what_the_page_draws(client, evening) -> None:
    version = evening.show(notice=verbatim("Tap Roll."))
    state = client.get("/state.json").json
    assert state["version"] == version
    assert state["notice"] == "Tap Roll."
    assert len(state["checkers"]) == 30


def test_a_real_table_has_no_draggable_checkers(real_evening) -> None:
    real_evening.show()
    assert create_app(real_evening.table).test_client().get("/state.json").json["checkers"] is None


@pytest.mark.parametrize("button", list(Button))
def test_a_tap_reaches_the_session_with_its_time(client, evening, button: Button) -> None:
    assert client.post(f"/tap/{button}").status_code == 202
    assert evening.items == [Tapped(button, 12.5, on_page=True)]


def test_a_tap_may_state_its_player(client, evening) -> None:
    client.post("/tap/hint", json={"player": "black"})
    assert evening.items == [Tapped(Button.HINT, 12.5, Side.BLACK, on_page=True)]


@pytest.mark.parametrize(
    "send",
    [
        {"json": {"remedy": "stands", "dispute": 4, "player": "black", "turn_over": True}},
        {"data": {"remedy": "stands", "dispute": "4", "player": "black", "turn_over": "true"}},
    ],
)
def test_a_proposal_comes_as_json_or_as_a_form(client, evening, send) -> None:
    assert client.post("/propose", **send).status_code == 202
    assert evening.items == [Proposes(Remedy.STANDS, 12.5, Side.BLACK, 4, turn_over=True)]


def test_a_proposal_may_name_a_play_or_a_position(client, evening) -> None:
    client.post("/propose", json={"remedy": "overruled", "play": "13/7 8/7"})
    client.post("/propose", json={"remedy": "position", "position": {"points": [1]}})
    assert evening.items == [
        Proposes(Remedy.OVERRULED, 12.5, play="13/7 8/7"),
        Proposes(Remedy.POSITION, 12.5, position={"points": [1]}),
    ]


def test_a_player_agrees_to_a_proposal_or_declines_it(client, evening) -> None:
    client.post("/agree", json={"proposal": 3, "player": "white"})
    client.post("/decline", json={"proposal": 3})
    assert evening.items == [Agrees(3, 12.5, Side.WHITE), Declines(3, 12.5)]


def test_hints_can_be_hidden(client, evening) -> None:
    client.post("/hints/hide")
    assert evening.items == [HintsHidden(12.5)]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/propose", {}, '"remedy" is None: expected one of corrected, stands, overruled, takeback, position'),
        ("/propose", {"remedy": "maybe"}, "'maybe': expected one of corrected, stands"),
        ("/propose", {"remedy": "stands", "dispute": 1.5}, "1.5: expected a whole number"),
        ("/propose", {"remedy": "stands", "dispute": True}, '"dispute" is True'),
        ("/propose", {"remedy": "stands", "play": 7}, '"play" is no play'),
        ("/propose", {"remedy": "stands", "play": "13/7 " * 40}, '"play" is no play'),
        ("/propose", {"remedy": "position", "position": [1]}, '"position" is no object'),
        ("/propose", {"remedy": "position", "turn_over": "perhaps"}, "'perhaps': expected one of true, false"),
        ("/agree", {}, '"proposal" is None: expected a number from 0'),
        ("/agree", {"proposal": 1, "player": "green"}, "'green': expected one of white, black"),
        ("/decline", {"proposal": "x"}, "\"proposal\" is 'x'"),
        ("/tap/roll", {"player": "green"}, "'green': expected one of white, black"),
        ("/simulated/drag", {"id": 99, "x": 1, "y": 1}, "no such checker"),
        ("/simulated/drag", {"id": 1, "x": "left", "y": 1}, "\"x\" is 'left': expected a number from -5 to 20"),
        ("/simulated/drag", {"id": 1, "x": 1, "y": 1e9}, '"y" is 1000000000.0'),
        ("/simulated/drag", {"id": 1, "x": 1, "y": 1, "held": "perhaps"}, "'perhaps': expected one of true, false"),
        ("/simulated/set-up", {"to": "moon"}, "'moon': expected one of start, turn"),
        ("/simulated/set-up", {"position": [1]}, '"position" is [1]'),
        ("/simulated/set-up", {"position": {"points": [0] * 23}}, "expected 24 numbers"),
        ("/simulated/set-up", {"position": {"points": [16] + [0] * 23}}, "16 is no number of checkers"),
        ("/simulated/set-up", {"position": {"points": [9, 9] + [0] * 22}}, "18 checkers of one player"),
    ],
)
def test_invalid_settings_are_refused_with_a_reason_and_change_nothing(
    client, evening, simulated, path, body, words
) -> None:
    before = simulated.checkers()
    answer = client.post(path, json=body)
    assert answer.status_code == 400
    assert words in answer.json["error"]
    assert evening.items == []
    assert simulated.checkers() == before


@pytest.mark.parametrize("body", [b"{", b"[1, 2]", b'"x"', b"\xff\xfe", b"NaN"])
def test_a_body_that_is_no_json_object_is_refused(client, body: bytes) -> None:
    answer = client.post("/propose", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert "not a JSON object" in answer.json["error"]


def test_a_body_that_is_too_long_is_refused(client) -> None:
    answer = client.post("/propose", data=b"x" * 20_000, content_type="application/json")
    assert answer.status_code == 413
    assert answer.json["status"] == 413


@pytest.mark.parametrize("path", ["/tap/bell", "/evidence/none", "/picture/1.jpg", "/nowhere"])
def test_missing_things_are_answered_with_404(client, path: str) -> None:
    answer = client.post(path) if path.startswith("/tap") else client.get(path)
    assert answer.status_code == 404
    assert answer.json["error"]


@pytest.mark.parametrize(
    "path", ["/tap/roll", "/propose", "/agree", "/decline", "/hints/hide", "/simulated/drag", "/simulated/set-up"]
)
def test_nothing_is_changed_by_a_get(client, evening, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]
    assert evening.items == []


XHTML = "text/html,application/xhtml+xml,application/xml;q=0.9"
BROWSERS = {
    "a text browser": "text/html",
    "Firefox": f"{XHTML},image/png,image/svg+xml,*/*;q=0.8",
    "Chromium": f"{XHTML},image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "Safari": f"{XHTML},*/*;q=0.8",
}
"""Accept headers of browsers that request a page."""


@pytest.mark.parametrize("accepted", BROWSERS.values(), ids=BROWSERS)
def test_a_person_gets_an_error_page_and_a_script_gets_json(client, accepted) -> None:
    for path in ("/nowhere", "/matches/99"):
        answer = client.get(path, headers={"Accept": accepted})
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
        assert '<a href="/">Back to the table</a>' in answer.text
        assert "Check the address" in answer.text


@pytest.mark.parametrize("accepted", ["*/*", "application/json", "image/avif,image/webp,*/*;q=0.8", None])
def test_a_script_and_a_picture_get_json(client, accepted) -> None:
    answer = client.get("/nowhere", headers={"Accept": accepted} if accepted else {})
    assert answer.json == {"error": "There is nothing here.", "status": 404}


def test_the_picture_is_kept_by_the_browser_only_under_its_own_number(client, evening) -> None:
    evening.table.show_picture(b"one")
    evening.table.show_picture(b"two")
    newest, older = client.get("/picture/2.jpg"), client.get("/picture/1.jpg")
    assert newest.data == older.data == b"two"
    assert "immutable" in newest.headers["Cache-Control"]
    assert older.headers["Cache-Control"] == "no-store"
    assert newest.mimetype == "image/jpeg"


def test_dragging_carries_a_checker_and_then_drops_it(client, simulated) -> None:
    carried = client.post("/simulated/drag", json={"id": 4, "x": 9.5, "y": 1.0, "held": True}).json["checkers"][4]
    assert (carried["x"], carried["y"]) == (9.5, 1.0)
    assert sum(white for white, _ in simulated.board()) == 14
    client.post("/simulated/drag", json={"id": 4, "x": 9.5, "y": 1.0})
    assert simulated.board()[3] == (1, 0)


def test_the_table_can_be_set_up_for_the_start_the_turn_and_any_position(client, evening, simulated) -> None:
    start = simulated.board()
    turn = {"points": [[1, 1], *[0] * 22, -3], "bar": [1, 0], "off": [12, 2]}
    evening.show(position=turn)
    client.post("/simulated/set-up", json={"to": "turn"})
    assert simulated.board()[0] == (1, 1)
    assert simulated.board()[26:] == ((12, 0), (0, 2))
    client.post("/simulated/set-up")
    assert simulated.board() == start
    client.post("/simulated/set-up", json={"position": {"points": [15] + [0] * 23}})
    assert simulated.board()[0] == (15, 0)


def test_there_is_no_turn_to_go_back_to_before_the_first_game(client, evening) -> None:
    evening.show(position=None)
    answer = client.post("/simulated/set-up", json={"to": "turn"})
    assert answer.status_code == 400
    assert "no turn to go back to" in answer.json["error"]


def test_a_game_that_is_over_has_no_turn_to_put_back(client, evening, simulated) -> None:
    lies = simulated.board()
    evening.show(phase=Phase.OVER, position={"points": [15] + [0] * 23, "bar": [0, 0], "off": [0, 15]})
    answer = client.post("/simulated/set-up", json={"to": "turn"})
    assert (answer.status_code, simulated.board()) == (400, lies)
    assert "no turn to go back to" in answer.json["error"]


def test_the_checkers_of_a_real_table_cannot_be_moved_by_the_page(real_evening) -> None:
    client = client_at(real_evening.table, real_evening.seat())
    for path in ("/simulated/drag", "/simulated/set-up"):
        answer = client.post(path, json={"id": 0, "x": 1, "y": 1})
        assert answer.status_code == 404
        assert "by hand" in answer.json["error"]
