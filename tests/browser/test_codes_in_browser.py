"""The codes of the present position in a real browser: shown, and copied with one tap with and without HTTPS."""

import pytest
from playwright.sync_api import expect

from companion.interface import PositionCode

CODES = (
    PositionCode("Position ID", "4HPwATDgc/ABMA"),
    PositionCode("XGID", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
)
WITHOUT_HTTPS = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
LISTEN = "document.addEventListener('copy', () => { window.copied = String(window.getSelection()); })"


@pytest.fixture
def page(evening, address, open_page):
    evening.show(ids=CODES)
    opened = open_page(address)
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(opened.locator("body")).to_have_attribute("data-link", "live")
    opened.locator("#codes summary").click()
    yield opened
    opened.context.clear_permissions()


@pytest.mark.slow
def test_the_codes_follow_the_game(page, evening) -> None:
    expect(page.locator("#codes")).to_contain_text("Position ID")
    expect(page.locator("#codes code")).to_have_text([code.code for code in CODES])
    evening.show(ids=())
    expect(page.locator("#codes")).to_be_hidden()


@pytest.mark.slow
def test_a_code_is_copied_with_one_tap(page) -> None:
    page.get_by_role("button", name="Copy XGID").click()
    expect(page.locator("#codes-said")).to_have_text("XGID copied")
    assert page.evaluate("navigator.clipboard.readText()") == CODES[1].code
    expect(page.locator("#codes-said")).to_be_empty()


@pytest.mark.slow
def test_a_code_is_copied_without_https(page) -> None:
    page.evaluate(WITHOUT_HTTPS)
    page.evaluate(LISTEN)
    page.get_by_role("button", name="Copy Position ID").click()
    expect(page.locator("#codes-said")).to_have_text("Position ID copied")
    assert page.evaluate("window.copied") == CODES[0].code


@pytest.mark.slow
def test_if_copying_fails_the_text_is_selected(page) -> None:
    page.evaluate(WITHOUT_HTTPS)
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy Position ID").click()
    expect(page.locator("#codes-said")).to_have_text("Copying failed: mark the text and copy it by hand.")
    assert page.evaluate("String(window.getSelection())") == CODES[0].code


@pytest.mark.slow
def test_the_buttons_are_large_enough_for_a_finger_on_a_narrow_screen(page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for button in page.locator("#codes button").all():
        box = button.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 36
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
