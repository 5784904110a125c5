"""From the first Roll to an accepted play: the real program with camera, referee and page, by mouse."""

import pytest
from page_player import simple_plays
from playwright.sync_api import expect

from companion.session.turns import TAPS_APART_S

SCATTERED = {"points": [3, 3, 3, 3, 3, *[0] * 14, -3, -3, -3, -3, -3], "bar": [0, 0], "off": [0, 0]}


def tap(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def finding(page, name):
    expect(page.locator("#verdict")).to_have_attribute("data-finding", name)


def both_agree(page):
    for name in ("White agrees", "Black agrees"):
        tap(page, name)
    expect(page.locator("#proposal")).to_be_hidden()


def test_a_turn_from_roll_to_the_opponents_roll(player) -> None:
    page = player.page
    player.roll_for_the_start()
    finding(page, "not_moved")
    plays = simple_plays(player.state())

    player.move(6, 7)
    finding(page, "illegal")
    expect(page.locator("#verdict-detail")).to_have_text("A checker went backwards")
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "red")

    page.get_by_role("button", name="Put this turn back").click()
    finding(page, "not_moved")

    player.play(plays[0])
    finding(page, "legal")
    expect(page.locator("#verdict-detail")).to_have_text(plays[0])
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "green")

    first = player.state()["on_roll"]
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("#history .turn-play")).to_have_count(1)
    expect(page.locator("#history .turn-play")).to_have_text(plays[0])
    expect(page.locator("#headline")).to_contain_text("Black to play" if first == "white" else "White to play")


@pytest.mark.slow
def test_a_resignation_is_refused_and_then_accepted(player, pages) -> None:
    page = player.page
    player.roll_for_the_start()
    pages.answers += [True, True]
    page.locator("#ends summary").click()
    tap(page, "White offers to resign a gammon")
    offer = page.get_by_role("region", name="An offer waits for its answer")
    expect(offer).to_contain_text("White offers to resign a gammon, 2 points.")
    expect(offer.locator("#next").get_by_role("button")).to_have_text(
        ["Black accepts", "Black refuses", "White withdraws the offer"]
    )
    expect(page.locator("#ends")).to_be_hidden()
    tap(page, "Black refuses")
    expect(offer).to_be_hidden()
    assert player.state()["phase"] == "to_move"
    page.locator("#ends summary").click()
    tap(page, "White offers to resign a single game")
    expect(offer).to_contain_text("White offers to resign a single game, one point.")
    tap(page, "Black accepts")
    expect(offer).to_be_hidden()
    expect(page.locator("#result")).to_contain_text("Black wins one point. White resigned.")


@pytest.mark.slow
def test_hints_and_a_dispute_on_the_page(player) -> None:
    page = player.page
    player.roll_for_the_start()
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator("#hint-rows tr").first).to_be_visible()
    expect(page.locator("#hint-rows small").first).to_contain_text("hit")
    player.move(13, 14)
    finding(page, "illegal")
    page.get_by_role("button", name="Referee", exact=True).click()
    dispute = page.locator("#dispute")
    expect(dispute).to_contain_text("A checker went backwards")
    for picture in ("before", "after"):
        expect(page.locator(f"#dispute-{picture}")).to_have_js_property("complete", True)
        assert page.locator(f"#dispute-{picture}").evaluate("image => image.naturalWidth") > 0
    dispute.get_by_role("button", name="It stands").click()
    for name in ("White agrees", "Black agrees"):
        page.get_by_role("button", name=name).click()
    expect(dispute).to_be_hidden()
    expect(page.locator("#history .turn-note")).to_have_text("Stands by agreement: a checker went backwards")
    expect(page.locator("#settled")).to_contain_text("Agreed by White and Black.")


def numbers(state):
    return [die["number"] for die in state["dice"]]


@pytest.mark.slow
def test_a_turn_is_taken_back_and_played_otherwise_with_the_same_dice(player):
    page = player.page
    player.roll_for_the_start()
    first = player.state()
    wrong, right = simple_plays(first)[:2]
    player.play(wrong)
    finding(page, "legal")
    tap(page, "Roll")
    expect(page.locator("#history .turn-play")).to_have_count(1)
    next_roll = player.state()["dice"]
    page.get_by_text("Something went wrong").click()
    page.get_by_role("button", name="Take the last turn back").click()
    both_agree(page)
    expect(page.locator("#verdict-message")).to_contain_text("put the board back as it was before that turn")
    assert numbers(player.state()) == numbers(first)
    page.get_by_role("button", name="Put this turn back").click()
    finding(page, "not_moved")
    player.play(right)
    finding(page, "legal")
    tap(page, "Roll")
    expect(page.locator("#history .turn-play")).to_have_text([right, wrong])
    expect(page.locator("#history .turn-words").first).to_contain_text("is taken back")
    assert player.state()["dice"] == next_roll


@pytest.mark.slow
def test_a_board_that_fits_no_turn_is_described_and_agreed_on(player):
    page = player.page
    player.roll_for_the_start()
    dice = numbers(player.state())
    player.post("simulated/set-up", position=SCATTERED)
    expect(page.locator("#notice")).to_contain_text("The board differs from the game on points 1, 2, 3, 4, 5")
    page.get_by_text("Something went wrong").click()
    page.get_by_role("button", name="Say what is on the board").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("#correction-totals")).to_have_text("No checker is missing.")
    dialog.get_by_label("still plays").check()
    dialog.get_by_role("button", name="Propose this position").click()
    both_agree(page)
    finding(page, "not_moved")
    assert numbers(player.state()) == dice


@pytest.mark.slow
def test_by_the_panel_alone_the_referee_is_overruled(player):
    page = player.page
    player.roll_for_the_start()
    player.move(13, 14)
    finding(page, "illegal")
    tap(page, "Referee")
    expect(page.locator("#dispute")).to_be_visible()
    for words in ("the play is put right", "what stood there counts", "the referee is overruled"):
        tap(page, "Referee")
        expect(page.locator("#proposal-words")).to_contain_text(words)
    player.post("tap/roll")
    expect(page.locator("#proposal-agreed")).to_have_text("One player agrees.")
    page.wait_for_timeout(1_100 * TAPS_APART_S)  # a tap that follows too soon counts as the same player's
    player.post("tap/roll")
    expect(page.locator("#history .turn-note")).to_have_text("The referee was overruled: a checker went backwards")


@pytest.mark.slow
def test_after_a_correction_the_turn_can_be_played_again(player):
    page = player.page
    player.roll_for_the_start()
    dice = player.state()["dice"]
    player.move(6, 7)
    finding(page, "illegal")
    tap(page, "Referee")
    page.get_by_role("button", name="Put it right").click()
    tap(page, "White agrees")
    tap(page, "No")
    expect(page.locator("#notice")).to_contain_text("There is no agreement: the dispute goes on")
    page.get_by_role("button", name="Put it right").click()
    both_agree(page)
    expect(page.locator("#settled")).to_contain_text("The play is put right.")
    page.get_by_role("button", name="Put this turn back").click()
    finding(page, "not_moved")
    assert player.state()["dice"] == dice
