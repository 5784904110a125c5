"""A filmed game on the page: everybody may pause it, and it has no controls of a live table."""

from __future__ import annotations

import pytest

from companion.app.film_player import FilmPlayer


@pytest.fixture
def film(evening):
    evening.table.seats = None
    evening.table.film = FilmPlayer((2.0, 5.0), evening.table.changed)
    return evening.table.film


def test_everybody_may_pause_a_film_and_choose_its_speed(film, client):
    assert client.get("/state.json").json["film"] == {
        "deed": "pause",
        "label": "Pause",
        "speed": 1.0,
        "words": "Turn 0 of 2 of the film",
        "over": False,
    }
    assert client.post("/film", json={"deed": "pause"}).status_code == 202
    assert client.post("/film", json={"speed": 4}).status_code == 202
    shown = client.get("/state.json?language=de").json["film"]
    assert (shown["deed"], shown["label"], shown["speed"]) == ("play", "Weiter", 4.0)
    assert not film.state().playing


def test_everything_else_is_refused_to_devices_that_watch(film, client):
    assert client.post("/tap/roll", json={}).status_code == 401
    assert film.state().playing


def test_unknown_film_controls_are_refused(film, client):
    assert client.post("/film", json={"deed": "rewind"}).status_code == 400
    assert client.post("/film", json={"speed": 1000}).status_code == 400
    assert film.state().playing


def test_a_table_with_players_has_no_film_controls(client):
    assert client.get("/state.json").json["film"] is None
    assert client.post("/film", json={"deed": "pause"}).status_code == 404
