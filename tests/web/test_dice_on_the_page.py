"""The dice on the page: the commitment, the secret, the counts, and dice that were rolled by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_table import FAIR

from companion.core import Dice, Side, verbatim
from companion.interface import DiceToEnter, Light, RevealedSecret, RolledByHand, SecretAsked
from web.page_state.dice import fairness_state
from web.texts import ENGLISH_TEXTS


def state(**changes):
    return fairness_state(replace(FAIR, **changes), ENGLISH_TEXTS)


def test_with_dice_entered_by_hand_the_page_notes_that_how_they_land_is_not_checked() -> None:
    assert state(source="by hand")["source"].endswith("how and where they land is not checked")
    assert "not checked" not in state(source="camera")["source"]


def test_a_game_without_dice_has_no_section_on_dice() -> None:
    assert fairness_state(None, ENGLISH_TEXTS) is None


@pytest.mark.parametrize(
    ("rolls", "says"),
    [
        (0, "The next roll is the first under this commitment. Note it down, or take a picture of it."),
        (1, "1 roll so far under this commitment, shown before the first."),
        (12, "12 rolls so far under this commitment, shown before the first."),
    ],
)
def test_the_commitment_is_shown_with_an_explanation(rolls, says) -> None:
    shown = state(rolls=rolls)
    assert (shown["commitment"], shown["promised"]) == ("ab" * 32, says)


def test_a_lost_secret_is_reported() -> None:
    assert state(revealed=RevealedSecret("ab", None))["lost"]
    assert not state(revealed=RevealedSecret("ab", "cd"))["lost"]


def test_each_face_has_its_count_and_a_bar_of_its_share() -> None:
    shown = state(faces=(10, 10, 10, 10, 20, 0), chi_square=20.0)
    assert [(f["face"], f["count"]) for f in shown["faces"]] == [(1, 10), (2, 10), (3, 10), (4, 10), (5, 20), (6, 0)]
    assert [f["bar"] for f in shown["faces"]] == [33, 33, 33, 33, 67, 0]
    assert shown["statistic"] == "χ² = 20.0 with 5 degrees of freedom"
    assert state()["statistic"] == ""


def test_the_form_for_dice_names_the_player() -> None:
    assert state(source="by hand", enter=DiceToEnter(None))["enter"]["dice"] == ["White’s die", "Black’s die"]
    assert state(source="by hand", enter=DiceToEnter(Side.BLACK))["enter"]["title"] == "Black has rolled"


def test_the_dice_that_the_camera_reads_are_shown() -> None:
    assert state(source="camera", lying=(6, 4))["lying"] == "The camera reads 6 and 4."
    assert state(source="camera", lying=())["lying"] == "The camera reads no dice now."
    assert state()["lying"] == ""


def test_an_unwritable_record_is_reported_at_the_top_of_the_page(client, evening) -> None:
    evening.show(storage=verbatim("cannot write to the record: the disk is full."), light=Light.RED)
    shown = client.get("/state.json").json
    assert shown["storage"] == "The game waits: cannot write to the record: the disk is full."
    assert shown["light"]["words"] == "Nothing can be recorded"


def test_dice_rolled_by_hand_go_to_the_session(client, evening) -> None:
    assert client.post("/dice", json={"player": "white", "dice": [6, 1]}).status_code == 202
    assert client.post("/dice", json={"player": None, "dice": [3, 5]}).status_code == 202
    assert client.post("/dice", json={"player": "black", "dice": [4]}).status_code == 202
    assert [(type(i), i.side, i.dice) for i in evening.items] == [
        (RolledByHand, Side.WHITE, Dice((6, 1))),
        (RolledByHand, None, Dice((3, 5))),
        (RolledByHand, Side.BLACK, Dice((4,))),
    ]


@pytest.mark.parametrize("dice", [None, [], [7, 1], [1, 2, 3], "61", [1.5, 2], [True, 2], [[1], 2], {"a": 1}])
def test_impossible_dice_are_refused_with_a_reason(client, evening, dice) -> None:
    answer = client.post("/dice", json={"player": "white", "dice": dice})
    assert answer.status_code == 400
    assert "one or two numbers from 1 to 6" in answer.json["error"]
    assert evening.items == []


def test_the_secret_can_be_requested(client, evening) -> None:
    assert client.post("/dice/secret").status_code == 202
    (item,) = evening.items
    assert isinstance(item, SecretAsked)


def test_the_page_on_fair_dice_has_the_derivation_and_the_program_that_checks_it(client) -> None:
    shown = client.get("/fair-dice").text
    assert "<h2>Derivation</h2>" in shown
    assert "<strong>Commitment</strong>" in shown
    assert "import hashlib" in shown
