"""Corners are marked on the page between games, and learned at once."""

from __future__ import annotations

import numpy as np
import pytest

from companion.app.board_tracker import CornerMarking

CORNERS = [[100.0, 700.0], [900.0, 690.0], [800.0, 200.0], [200.0, 210.0]]


class PageLearner:
    """Accepts marked corners."""

    def __init__(self, guess=None):
        self.guess = None if guess is None else np.array(guess)
        self.marked = []

    def mark(self, corners):
        self.marked.append(corners.tolist())


@pytest.fixture
def marked(evening):
    """A real table between two games whose corners can be marked."""
    learner = PageLearner(CORNERS)
    looks = []
    evening.table.marking = CornerMarking(learner, lambda: looks.append("again"), lambda: True)
    learner.looks = looks
    return learner


@pytest.mark.usefixtures("marked")
def test_the_page_gets_the_guessed_corners(client):
    assert client.get("/corners.json").json == {"corners": CORNERS}


def test_without_a_guess_the_corners_are_null(marked, client):
    marked.guess = None
    assert client.get("/corners.json").json == {"corners": None}


def test_marked_corners_are_learned_at_once(marked, client):
    assert client.post("/corners", json={"corners": CORNERS}).status_code == 202
    assert marked.marked == [CORNERS]
    assert marked.looks == ["again"]


def test_while_a_game_is_on_corners_are_refused_in_words(evening, marked, client):
    evening.table.marking = CornerMarking(marked, lambda: None, lambda: False)
    answer = client.post("/corners", json={"corners": CORNERS})
    assert answer.status_code == 409
    assert "between two games" in answer.json["error"]
    assert marked.marked == []


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param(None, id="none"),
        pytest.param(CORNERS[:3], id="three"),
        pytest.param([*CORNERS[:3], [1.0]], id="one number"),
        pytest.param([*CORNERS[:3], ["left", 1]], id="words"),
        pytest.param([*CORNERS[:3], [1e9, 1]], id="far outside"),
        pytest.param("100,700", id="text"),
    ],
)
def test_invalid_corners_are_refused_with_the_expected_form(marked, client, corners):
    answer = client.post("/corners", json={"corners": corners})
    assert answer.status_code == 400
    assert marked.marked == []


def test_a_table_without_a_camera_has_no_corners(client):
    assert client.get("/corners.json").status_code == 404
    assert 'data-marking="no"' in client.get("/").text


@pytest.mark.usefixtures("marked")
def test_the_page_offers_marking_where_there_is_a_camera(client):
    assert 'data-marking="yes"' in client.get("/").text
