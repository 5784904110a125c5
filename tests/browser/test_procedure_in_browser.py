"""The referee's procedure on the page: disputes, proposals, and positions entered by a player."""

from __future__ import annotations

from dataclasses import replace

import pytest
from page_player import live
from playwright.sync_api import expect
from verdicts import verdict

from companion.core import Dice, Side, verbatim
from companion.game import Disputed, DisputeEvidence, DoubtfulCell, LikelyContent, RecordedVerdict, Remedy
from companion.interface import Agrees, Button, OfferView, ProposalView, Proposes, Tapped

ILLEGAL = RecordedVerdict.of(
    verdict("illegal", reason="blocked_point", plays=("8/5 6/5", "24/20"), cells=(8, 12)), "Black holds the 9 point."
)
OFFERS = (
    OfferView(Remedy.CORRECTED, verbatim("the play is put right")),
    OfferView(Remedy.STANDS, verbatim("what stood there counts")),
    OfferView(
        Remedy.OVERRULED, verbatim("the referee is overruled"), verbatim("what stands on the board is not certain")
    ),
    OfferView(Remedy.TAKEBACK, verbatim("the last turn is taken back")),
    OfferView(Remedy.POSITION, verbatim("the board counts as it stands")),
)


def test_a_dispute_is_shown_and_settled(evening, address, open_page) -> None:
    page = live(open_page(address))
    doubt = DoubtfulCell(6, 7, (LikelyContent((1, 0), 60.0, 0.0), LikelyContent((0, 0), 40.0, -0.4)))
    evidence = DisputeEvidence(dice=Dice((3, 1)), plays=("8/5 6/5",), doubts=(doubt,))
    evening.show(
        dispute=Disputed(5, Side.WHITE, None, ILLEGAL, None, None, Side.BLACK, evidence),
        offers=OFFERS,
    )
    dispute = page.locator("#dispute")
    expect(dispute).to_be_focused()
    expect(dispute).to_contain_text("White rolled 3-1")
    expect(dispute).to_contain_text("The opponent holds that point")
    expect(dispute).to_contain_text("Black called the referee")
    expect(dispute).to_contain_text("Point 7: 1 of White’s 60 %, empty 40 %")
    expect(dispute.get_by_role("button", name="Overrule")).to_be_disabled()
    dispute.get_by_role("button", name="It stands").click()
    assert evening.posted.wait(60)
    assert evening.items[0] == Proposes(Remedy.STANDS, evening.items[0].at_s, None, 5)
    evening.show(dispute=None, offers=())
    expect(dispute).to_be_hidden()


def test_each_player_agrees_by_a_button_of_their_own(evening, address, open_page) -> None:
    page = live(open_page(address))
    proposal = ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that."))
    evening.show(proposal=proposal)
    box = page.get_by_role("region", name="Both players must agree")
    expect(box).to_contain_text("Nobody has agreed yet")
    box.get_by_role("button", name="White agrees").click()
    assert evening.posted.wait(60)
    assert evening.items[0] == Agrees(2, evening.items[0].at_s, Side.WHITE)
    evening.show(proposal=replace(proposal, agreed=(Side.WHITE,)))
    expect(box.get_by_role("button", name="White agrees")).to_be_disabled()
    expect(box.get_by_role("button", name="Black agrees")).to_be_enabled()
    evening.show(proposal=None)
    expect(box).to_be_hidden()


def test_a_button_is_not_replaced_while_the_other_player_agrees(evening, address, open_page) -> None:
    page = live(open_page(address))
    proposal = ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that."))
    evening.show(proposal=proposal)
    button = page.get_by_role("button", name="Black agrees")
    button.hover()
    page.mouse.down()
    evening.show(proposal=replace(proposal, agreed=(Side.WHITE,)))
    expect(page.get_by_role("button", name="White agrees")).to_be_disabled()
    page.mouse.up()
    assert evening.posted.wait(60)
    assert evening.items[0] == Agrees(2, evening.items[0].at_s, Side.BLACK)


@pytest.mark.slow
def test_a_screen_of_one_player_acts_for_that_player_alone(evening, address, open_page) -> None:
    page = live(open_page(address))
    page.get_by_label("This screen is").select_option("black")
    page.get_by_role("button", name="Referee", exact=True).click()
    assert evening.posted.wait(60)
    assert evening.items[0] == Tapped(Button.REFEREE, evening.items[0].at_s, Side.BLACK, on_page=True)
    proposal = ProposalView(2, Remedy.TAKEBACK, words=verbatim("Proposed: that."))
    evening.show(proposal=proposal)
    expect(page.locator("#next button")).to_have_text(["I agree", "No"])
    page.reload()
    expect(page.get_by_label("This screen is")).to_have_value("black")


@pytest.mark.slow
def test_a_position_is_entered_by_keyboard_alone_and_counted(evening, address, open_page) -> None:
    page = live(open_page(address))
    doubt = DoubtfulCell(6, 7, (LikelyContent((0, 0), 60.0, 0.0), LikelyContent((1, 0), 40.0, -0.4)))
    evening.show(offers=OFFERS, lost=(6, 7), doubts=(doubt,))
    page.get_by_text("Something went wrong").click()
    page.get_by_role("button", name="Say what is on the board").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Point 7: empty")).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="1 of White’s (40 %)").press("Enter")
    expect(dialog.get_by_role("button", name="Point 7: 1 of White’s")).to_be_visible()
    expect(dialog.locator("#correction-totals")).to_have_text("White has 16 of 15 checkers: 1 too many.")
    expect(dialog.get_by_role("button", name="Propose")).to_be_disabled()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("button", name="Point 8: 3 of White’s")).to_be_focused()
    dialog.get_by_role("button", name="One fewer of White’s").press("Enter")
    expect(dialog.locator("#correction-totals")).to_have_text("No checker is missing.")
    dialog.get_by_role("button", name="Propose").press("Enter")
    assert evening.posted.wait(60)
    item = evening.items[0]
    assert (item.remedy, item.position["points"][6:8], item.turn_over) == ("position", [1, 2], True)
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_on_a_board_of_checkers_men_and_kings_are_entered(evening, address, open_page) -> None:
    squares = {"6,0": "w", "2,2": "w", "7,1": "b"}
    record = {"fen": "W:WK5,22:B1", "squares": squares}
    evening.show(game="checkers", sheet="acf", position=record, seen={"squares": squares}, dice=None, offers=OFFERS)
    page = live(open_page(address))
    page.get_by_text("Something went wrong").click()
    page.get_by_role("button", name="Say what is on the board").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".checker")).to_have_count(3)
    dialog.get_by_role("button", name="Square 1: Black’s man").click()
    dialog.get_by_role("button", name="White’s king", exact=True).click()
    expect(dialog.locator("#correction-totals")).to_have_text("White has 3 of 2 checkers: 1 too many.")
    square = dialog.get_by_role("button", name="Square 22: White’s man")
    square.click()
    for _ in range(4):  # tapped again, a square goes on to what may stand there next
        dialog.get_by_role("button", name="Square 22").click()
    dialog.get_by_role("button", name="Propose").click()
    assert evening.posted.wait(60)
    assert evening.items[0].position == {"fen": "W:WK5,K1:B"}
