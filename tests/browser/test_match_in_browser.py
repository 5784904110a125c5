"""Match, cube and resignation on the page in a real browser."""

from __future__ import annotations

import pytest
from page_player import live
from playwright.sync_api import expect

from companion.core import Side
from companion.game import Match, Phase
from companion.interface import ActionKind, CubeActed, CubeAction, PossibleAction, Resigns

RESIGN = PossibleAction(ActionKind.RESIGN, Side.WHITE, ("single", "gammon"))


@pytest.mark.slow
def test_the_match_is_shown_beside_the_score_and_hints_are_off(evening, address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator("#match")).to_be_hidden()
    taken = Match(7, score=(2, 4)).doubled(Side.WHITE).taken()
    evening.show(match=taken)
    expect(page.locator("#score")).to_have_text("White 2 : 4 Black")
    expect(page.locator("#match")).to_have_text("Match to 7 points · Cube at 2, Black’s")
    expect(page.locator("#hint")).to_be_disabled()


def test_a_double_is_taken_with_a_tap(evening, address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator("#deeds")).to_be_hidden()
    offered = Match(7).doubled(Side.BLACK)
    take, give_up = PossibleAction(ActionKind.TAKE, Side.WHITE), PossibleAction(ActionKind.PASS, Side.WHITE)
    evening.show(phase=Phase.TO_ROLL, dice=None, match=offered, actions=(take, give_up))
    expect(page.locator("#headline")).to_have_text("White to take or pass")
    expect(page.locator("#next button")).to_have_text(["White takes at 2", "White passes"])  # and no Roll
    expect(page.locator("#deeds")).to_be_hidden()
    with page.expect_response("**/cube") as answer:
        page.get_by_role("button", name="White takes at 2").click()
    assert answer.value.status == 202
    (item,) = evening.items
    assert (type(item), item.action, item.player) == (CubeActed, CubeAction.TAKE, Side.WHITE)


@pytest.mark.slow
def test_a_screen_set_to_one_player_has_the_controls_of_that_player_only(evening, address, open_page) -> None:
    page = live(open_page(address))
    offered = Match(7).doubled(Side.BLACK)
    answers = [PossibleAction(kind, Side.WHITE) for kind in (ActionKind.TAKE, ActionKind.PASS)]
    resigns = PossibleAction(ActionKind.RESIGN, Side.BLACK, ("single",))
    evening.show(phase=Phase.TO_ROLL, dice=None, match=offered, actions=(*answers, resigns, RESIGN))
    expect(page.locator("#next button")).to_have_count(2)
    page.get_by_label("This screen is").select_option("black")
    expect(page.locator("#next button")).to_have_count(0)
    expect(page.locator("#deeds")).to_be_hidden()
    page.locator("#ends summary").click()
    expect(page.locator("#ending-deeds button")).to_have_text(["Black offers to resign"])
    page.get_by_label("This screen is").select_option("white")
    with page.expect_request("**/cube") as asked:
        page.get_by_role("button", name="Take at 2").click()
    assert asked.value.post_data_json["screen"] == "white"


def test_a_resignation_is_in_a_closed_box_and_has_to_be_confirmed(evening, address, open_page, pages) -> None:
    page = live(open_page(address))
    evening.show(match=Match(7), actions=(RESIGN,))
    button = page.get_by_role("button", name="White offers to resign a gammon")
    expect(button).to_be_hidden()
    page.locator("#ends summary").click()
    pages.answers += [False, True]
    button.click()
    assert evening.items == []
    with page.expect_response("**/resign"):
        button.click()
    (item,) = evening.items
    assert (type(item), item.side, item.kind) == (Resigns, Side.WHITE, "gammon")
