"""From the first Roll to an accepted play: the real program, its camera, its referee and its page, with a mouse."""

from playwright.sync_api import expect


def test_a_turn_from_roll_to_the_opponents_roll(player) -> None:
    page = player.page
    player.roll_for_the_start()
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "not_moved")
    plays = player.state()["verdict"]["plays"]

    player.move(6, 7)
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "illegal")
    expect(page.locator("#verdict-detail")).to_have_text("A checker went backwards")
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "red")

    page.get_by_role("button", name="Put this turn back").click()
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "not_moved")

    player.play(plays[0])
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "legal")
    expect(page.locator("#verdict-detail")).to_have_text(plays[0])
    expect(page.locator("#lamp")).to_have_attribute("data-colour", "green")

    first = player.state()["on_roll"]
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("#history li")).to_have_count(1)
    expect(page.locator("#history .turn-play")).to_have_text(plays[0])
    expect(page.locator("#headline")).to_contain_text("Black to play" if first == "white" else "White to play")


def test_hints_and_a_dispute_on_the_page(player) -> None:
    page = player.page
    player.roll_for_the_start()
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator("#hint-rows tr").first).to_be_visible()
    player.move(13, 14)
    expect(page.locator("#verdict")).to_have_attribute("data-finding", "illegal")
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
