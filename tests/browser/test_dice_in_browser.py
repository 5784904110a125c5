"""The dice as players meet them on the page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect
from said import words_of

from companion.core import Dice, Side, verbatim
from companion.interface import DiceToEnter, FairnessView, RevealedSecret, RolledByHand, SecretAsked

SEALED = FairnessView(
    source="fair",
    commitment="ab" * 32,
    rolls=3,
    revealed=RevealedSecret("cd" * 32, "ef" * 32),
    faces=(5, 6, 7, 8, 9, 1),
    chi_square=6.67,
    at_least_as_uneven=0.2466,
    words=verbatim("Nothing unusual: fair dice are at least this uneven in 2 of 10 evenings."),
)


def live(page: Any) -> Any:
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    return page


def test_the_commitment_the_secret_and_the_counts_are_shown(evening, address, open_page) -> None:
    page = live(open_page(address))
    expect(page.locator("#fairness")).to_be_hidden()
    evening.show(fairness=SEALED)
    expect(page.locator("#commitment")).to_have_text("ab" * 32)
    expect(page.locator("#promised")).to_have_text("3 rolls so far under this commitment, shown before the first.")
    expect(page.locator("#told-secret")).to_have_text("ef" * 32)
    expect(page.locator(".face-count")).to_have_text(["5", "6", "7", "8", "9", "1"])
    expect(page.locator("#fairness-words")).to_have_text(words_of(SEALED.words))
    expect(page.locator("#enter-dice")).to_be_hidden()


def test_the_secret_is_told_after_a_question(evening, address, open_page, pages) -> None:
    page = live(open_page(address))
    evening.show(fairness=SEALED)
    pages.answers.append(True)
    with page.expect_response("**/dice/secret") as answer:
        page.get_by_role("button", name="Reveal the secret").click()
    assert answer.value.status == 202
    assert isinstance(evening.items[-1], SecretAsked)


@pytest.mark.parametrize("side", [Side.BLACK, None])
def test_dice_rolled_by_hand_are_entered_by_tapping_their_numbers(evening, address, open_page, side) -> None:
    page = live(open_page(address))
    evening.show(fairness=replace(SEALED, source="by hand", commitment=None, revealed=None, enter=DiceToEnter(side)))
    first, second = page.locator(".enter-die").all()
    first.get_by_text("6", exact=True).click()
    second.get_by_text("2", exact=True).click()
    with page.expect_response("**/dice"):
        page.get_by_role("button", name="These were rolled").click()
    item = evening.items[-1]
    assert (type(item), item.side, item.dice) == (RolledByHand, side, Dice((6, 2)))
    expect(page.locator(".enter-die input:checked")).to_have_count(0)


def test_a_record_that_cannot_be_written_is_said_at_the_top(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(storage=verbatim("the disk is full. Free some space."))
    expect(page.locator("#storage-trouble")).to_have_text("The game waits: the disk is full. Free some space.")
    evening.show(storage=None)
    expect(page.locator("#storage-trouble")).to_be_hidden()
