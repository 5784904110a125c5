"""Match, cube and the ends of a game on the page: words, buttons, and what they post."""

from __future__ import annotations

from dataclasses import replace

import pytest
from whole_page import page_state

from companion.core import Side, message
from companion.game import Match, Phase
from companion.interface import ActionKind, CubeActed, CubeAction, Draws, Light, PossibleAction, Resigns, Snapshot
from web.page_state.match import buttons, match_state
from web.texts import ENGLISH_TEXTS

TURN = Snapshot(
    version=7, phase=Phase.TO_ROLL, light=Light.BLUE, game="backgammon", sheet="standard", on_roll=Side.BLACK
)


@pytest.mark.parametrize(
    ("match", "terms"),
    [
        (Match(), ""),
        (Match(7), "Match to 7 points"),
        (Match(1), "Match to 1 point"),
        (Match(3, score=(2, 0)), "Match to 3 points, Crawford game"),
        (Match(stake=0.5), "At 0.5 a point"),
        (Match(stake=0.5, score=(1, 4), jacoby=True), "At 0.5 a point, Jacoby, Black is up 1.5"),
    ],
)
def test_the_page_shows_the_terms(match, terms) -> None:
    assert match_state(match, ENGLISH_TEXTS)["terms"] == terms


def test_the_cube_is_described_once_it_has_an_owner() -> None:
    assert match_state(Match(7), ENGLISH_TEXTS)["cube"] == ""
    taken = Match(7).doubled(Side.WHITE).taken()
    assert match_state(taken, ENGLISH_TEXTS)["cube"] == "Cube at 2, Black’s"


def test_hints_are_disabled_in_a_match() -> None:
    assert match_state(Match(7), ENGLISH_TEXTS)["no_hints"]
    assert not match_state(Match(), ENGLISH_TEXTS)["no_hints"]


def labels(*actions, match=None):
    return [button["label"] for button in buttons(actions, match or Match(7), ENGLISH_TEXTS)]


def test_every_action_has_a_button_in_words() -> None:
    assert labels(PossibleAction(ActionKind.DOUBLE, Side.BLACK)) == ["Black doubles to 2"]
    offered = Match(7, cube=2, owner=Side.BLACK).doubled(Side.BLACK)
    take, give_up = PossibleAction(ActionKind.TAKE, Side.WHITE), PossibleAction(ActionKind.PASS, Side.WHITE)
    assert labels(take, give_up, match=offered) == ["White takes at 4", "White passes"]
    assert labels(PossibleAction(ActionKind.RESIGN, Side.WHITE, ("single", "gammon"))) == [
        "White offers to resign a single game",
        "White offers to resign a gammon",
    ]
    assert labels(PossibleAction(ActionKind.RESIGN, Side.BLACK, ("win",))) == ["Black offers to resign"]
    assert labels(PossibleAction(ActionKind.BEGIN, Side.WHITE)) == ["White begins"]


def test_actions_that_end_a_game_have_to_be_confirmed() -> None:
    ends = [PossibleAction(ActionKind.RESIGN, Side.WHITE, ("win",)), PossibleAction(ActionKind.OFFER_DRAW, Side.BLACK)]
    assert all(button["question"] and button["ends"] for button in buttons(ends, None, ENGLISH_TEXTS))
    (double,) = buttons([PossibleAction(ActionKind.DOUBLE, Side.WHITE)], Match(), ENGLISH_TEXTS)
    assert not double["question"]


def test_the_headline_names_the_player_who_has_to_answer_a_double() -> None:
    state = page_state(replace(TURN, match=Match(7).doubled(Side.BLACK)))
    assert state["headline"] == "White to take or pass"


def test_while_a_double_waits_the_light_shows_it() -> None:
    offered = Match(7).doubled(Side.BLACK)
    state = page_state(replace(TURN, match=offered, light=Light.AMBER))
    assert state["light"]["words"] == "A double waits for its answer"


def test_a_pending_beaver_is_named_and_bars_a_further_double() -> None:
    beavered = Match(stake=1.0, beavers=True).doubled(Side.BLACK).beaver()
    state = page_state(replace(TURN, match=beavered, light=Light.AMBER))
    assert state["light"]["words"] == "A beaver waits for its answer"
    assert beavered.no_double_because(Side.BLACK) == message("cube.unanswered_beaver", player=Side.WHITE)


def test_a_button_posts_what_it_says(client, evening) -> None:
    evening.show(actions=(PossibleAction(ActionKind.DOUBLE, Side.BLACK),), match=Match(7))
    (button,) = client.get("/state.json").json["deeds"]
    assert client.post(button["path"], json=button["fields"]).status_code == 202
    assert evening.items == [CubeActed(CubeAction.DOUBLE, 12.5, Side.BLACK)]


@pytest.mark.parametrize(
    ("path", "body", "item"),
    [
        ("/cube", {"deed": "take"}, CubeActed(CubeAction.TAKE, 12.5)),
        ("/cube", {"deed": "pass", "player": "white"}, CubeActed(CubeAction.PASS, 12.5, Side.WHITE)),
        ("/resign", {"player": "white", "kind": "gammon"}, Resigns(Side.WHITE, "gammon", 12.5)),
        ("/draw", {"how": "offered"}, Draws(claimed=False, at_s=12.5)),
        ("/draw", {"how": "offered", "player": "black"}, Draws(claimed=False, at_s=12.5, player=Side.BLACK)),
        ("/draw", {"how": "claimed"}, Draws(claimed=True, at_s=12.5)),
    ],
)
def test_agreements_reach_the_session(client, evening, path, body, item) -> None:
    assert client.post(path, json=body).status_code == 202
    assert evening.items == [item]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/cube", {"deed": "redouble"}, "'redouble': expected one of double, beaver, take, pass"),
        ("/cube", {"deed": "take", "player": "green"}, "'green'"),
        ("/resign", {"kind": "single"}, '"player" is None'),
        ("/resign", {"player": "white", "kind": "half"}, "'half': expected one of single"),
        ("/draw", {}, '"how" is None'),
    ],
)
def test_invalid_requests_are_refused_and_nothing_is_posted(client, evening, path, body, words) -> None:
    answer = client.post(path, json=body, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert words in answer.json["error"]
    assert evening.items == []
