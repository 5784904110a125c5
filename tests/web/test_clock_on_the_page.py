from dataclasses import replace

import pytest
from given_seats import client_at, seat_at

from companion.app.table import Table, TableClock
from companion.clock import ClockSetting
from companion.core import Side
from companion.interface import ClockView
from web.page_state.match import clock_state, clock_words
from web.texts import ENGLISH_TEXTS

CLOCK = ClockView(reserve_s=(118.5, 120.0), delay_s=(0.0, 12.0), running=Side.WHITE)


def test_the_page_gets_both_times_and_whose_runs():
    state = clock_state(CLOCK, ENGLISH_TEXTS)
    assert [(each["player"], each["reserve_s"], each["delay_s"]) for each in state["players"]] == [
        ("white", 118.5, 0.0),
        ("black", 120.0, 12.0),
    ]
    assert (state["running"], state["paused"], state["words"]) == ("white", False, "")


def test_a_fallen_flag_is_shown_and_decides_nothing():
    words = clock_words(replace(CLOCK, fallen=(Side.BLACK,)), ENGLISH_TEXTS)
    assert words == "Black's flag has fallen: the sheet or the players decide."
    assert clock_words(replace(CLOCK, paused=True), ENGLISH_TEXTS) == "The clock is stopped."


def test_a_table_without_a_clock_shows_none(client):
    assert client.get("/state.json").json["clock"] is None


def test_without_a_clock_stopping_it_is_refused(client):
    answer = client.post("/clock/pause")
    assert answer.status_code == 400
    assert "--clock" in answer.json["error"]


@pytest.mark.parametrize("times", [1, 2])
def test_the_page_stops_the_clock_and_starts_it_again(times, tmp_path):
    table = Table("backgammon", "standard", clock=TableClock(ClockSetting(2, 12)))
    table.publish(table.snapshot())
    client = client_at(table, seat_at(table, tmp_path / "seats.json"))
    for _ in range(times):
        assert client.post("/clock/pause").status_code == 202
    assert client.get("/state.json").json["clock"]["paused"] is (times == 1)
