"""Hints on the cube at the table: asked when a double is next, shown with equities, never in a match."""

import pytest

from companion.core import Side
from companion.game import Match
from companion.hints import CubeAdvice, Ranking
from companion.interface import Button, Hinted
from web.page_state.match import cube_advice
from web.texts import ENGLISH_TEXTS

WHITE, BLACK = Side.WHITE, Side.BLACK


def sat(sit_down, **options):
    players = sit_down(dice=[6, 1, 5, 3, 4, 4], **options)
    players.sets()
    players.taps()
    return players


def test_with_a_legal_play_on_the_board_hints_also_advise_on_the_opponents_double(sit_down):
    players = sat(sit_down)
    players.taps(Button.HINT)
    assert players.asked[-1].cube is None
    players.taps(Button.HINT)
    players.plays("13/7 8/7")
    players.taps(Button.HINT)
    request = players.asked[-1]
    assert request.plays
    assert (request.cube.side, request.cube.match.cube) == (BLACK, 1)
    assert request.cube.position.points[6] == 2


def test_for_an_unanswered_double_hints_show_the_cube_decision_alone(sit_down):
    players = sat(sit_down)
    players.plays("13/7 8/7")
    players.doubles()
    assert players.taps(Button.HINT).notice.key == "cube.pass_again"
    request = players.asked[-1]
    assert not request.plays
    assert (request.cube.side, request.cube.match.offered_by) == (BLACK, None)
    advice = CubeAdvice(BLACK, 0.1, -0.2, doubles=False, takes=True)
    shown = players.does(Hinted(Ranking(engine="somebody", cube=advice), request.turn, 4.0))
    assert shown.hints.cube.no_double == 0.1
    assert cube_advice(shown.hints.cube, ENGLISH_TEXTS) == {
        "words": "Black does not double; if doubled, White takes.",
        "rows": [
            {"what": "No double", "equity": "+0.100"},
            {"what": "Double, take", "equity": "−0.200"},
            {"what": "Double, pass", "equity": "+1.000"},
        ],
    }
    assert players.takes().hints is None


@pytest.mark.parametrize(
    ("doubles", "takes", "words"),
    [
        (True, True, "White doubles, Black takes."),
        (True, False, "White doubles, Black passes."),
        (False, False, "White plays on: too good to double, as Black passes."),
    ],
)
def test_the_cube_decision_is_expressed_in_words(doubles, takes, words):
    advice = CubeAdvice(WHITE, 1.2, 1.4, doubles=doubles, takes=takes)
    assert cube_advice(advice, ENGLISH_TEXTS)["words"] == words


def test_in_a_match_there_is_no_advice_on_the_cube(sit_down):
    players = sat(sit_down, terms=Match(7))
    players.plays("13/7 8/7")
    players.doubles()
    assert players.taps(Button.HINT).notice.key == "cube.pass_again"
    assert players.asked == []


def test_without_a_cube_there_is_no_advice_on_it(sit_down):
    players = sat(sit_down, sheet="no-doubling")
    if players.game.dice is None:
        players.taps()
    players.plays_anything()
    players.taps(Button.HINT)
    assert players.asked[-1].cube is None
