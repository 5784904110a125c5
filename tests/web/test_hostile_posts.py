"""Hostile posts are refused with a reason, and the page keeps working."""

from __future__ import annotations

import json

import pytest

DEEP = "[" * 975 + "]" * 975
BODIES = {
    "deep lists": DEEP,
    "a field of deep lists": f'{{"position": {DEEP}}}',
    "deep objects": '{"position": ' * 975 + "1" + "}" * 975,
    "a number of 5,000 digits": '{"proposal": ' + "9" * 5000 + "}",
    "a number without end": '{"proposal": 1e999}',
    "no number": '{"proposal": NaN}',
    "half a letter": '{"player": "\\ud800"}',
    "no text": b"\xff\xfe",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("path", ["/propose", "/agree", "/simulated/set-up", "/simulated/drag", "/dice", "/resign"])
def test_an_invalid_body_is_refused_in_one_line(client, evening, path: str, body: str) -> None:
    answer = client.post(path, data=BODIES[body])
    assert answer.status_code == 400
    assert len(answer.json["error"]) < 400
    assert answer.json["error"].isprintable()
    assert evening.items == []


@pytest.mark.parametrize("squares", [{"0,0": "w", "7,7": "b"}, {}])
def test_the_other_games_board_is_not_set_up(client, simulated, squares: dict[str, str]) -> None:
    stood = simulated.board()
    answer = client.post("/simulated/set-up", json={"position": {"squares": squares}})
    assert answer.status_code == 400
    assert '"points"' in answer.json["error"]
    assert simulated.board() == stood


@pytest.mark.parametrize("header", ["Origin", "Host"])
@pytest.mark.parametrize("value", ["http://[", "[::1", "x" * 5000])
def test_an_invalid_header_is_refused_in_one_line(client, header: str, value: str) -> None:
    answer = client.post("/tap/roll", data="{}", headers={header: value})
    assert answer.status_code in (400, 403)
    assert len(json.loads(answer.data)["error"]) < 600


def test_an_error_page_needs_no_valid_host(client) -> None:
    answer = client.get("/nowhere", headers={"Host": "a" * 3000, "Accept": "text/html"})
    assert answer.status_code == 400
