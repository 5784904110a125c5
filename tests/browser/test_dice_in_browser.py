"""The dice on the page in a real browser."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace
from typing import Any

import pytest
from page_player import live
from playwright.sync_api import expect
from said import words_of

from companion.core import Dice, Side, verbatim
from companion.dice.commitment import commitment_to, numbers
from companion.game import CommittedRoll, with_tap
from companion.interface import DiceToEnter, FairnessView, RevealedSecret, RolledByHand, SecretAsked

SEALED = FairnessView(
    source="fair",
    commitment="ab" * 32,
    rolls=3,
    revealed=RevealedSecret("cd" * 32, "ef" * 32),
    faces=(5, 6, 7, 8, 9, 1),
    chi_square=6.67,
    words=verbatim("Nothing unusual: fair dice are at least this uneven in 2 of 10 evenings."),
)


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


def test_the_secret_is_revealed_after_a_confirmation(evening, address, open_page, pages) -> None:
    page = live(open_page(address))
    evening.show(fairness=SEALED)
    pages.answers.append(True)
    with page.expect_response("**/dice/secret") as answer:
        page.locator("#fairness summary").click()
        page.get_by_role("button", name="Reveal the secret").click()
    assert answer.value.status == 202
    assert isinstance(evening.items[-1], SecretAsked)


@pytest.mark.parametrize("side", [Side.BLACK, pytest.param(None, marks=pytest.mark.slow)])
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


def test_an_unwritable_record_is_reported_at_the_top(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(storage=verbatim("the disk is full. Free some space."))
    expect(page.locator("#storage-trouble")).to_have_text("The game waits: the disk is full. Free some space.")
    evening.show(storage=None)
    expect(page.locator("#storage-trouble")).to_be_hidden()


# --- the check on the phone ---

SECRET = bytes(range(100, 132))


def committed(*tapped_ms: int) -> tuple[CommittedRoll, ...]:
    """Rolls at these times as Boardside derives them; the third has one die, the fourth three."""
    taps, rolls = "", []
    for counter, tapped in enumerate(tapped_ms, start=1):
        taps = with_tap(taps, tapped)
        rolls.append(CommittedRoll(counter, tapped, numbers(SECRET, counter, taps, {3: 1, 4: 3}.get(counter, 2))))
    return tuple(rolls)


ROLLS = committed(1500, 83_211, 84_000, 120_345, 9_000_000)
OPEN = replace(SEALED, commitment=commitment_to(SECRET), rolls=0, revealed=None)
REVEALED = RevealedSecret(OPEN.commitment, SECRET.hex())
TOLD = replace(SEALED, commitment=None, rolls=0, revealed=REVEALED, revealed_rolls=ROLLS)
WITHOUT_WEB_CRYPTO = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
"""As on a page over plain http."""


def check_line(page: Any) -> Any:
    return page.locator("#dice-check")


@pytest.mark.slow
def test_a_device_that_saw_the_commitment_checks_the_rolls_once_the_secret_is_revealed(
    evening, address, open_page
) -> None:
    page = live(open_page(address))
    evening.show(fairness=OPEN)
    expect(check_line(page)).to_contain_text("The commitment is the one that this device first saw")
    evening.show(fairness=TOLD)
    expect(check_line(page)).to_have_text("5 rolls hold: checked on this device")


@pytest.mark.slow
def test_a_device_that_connected_later_does_not_claim_to_have_seen_the_commitment(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(fairness=TOLD)
    expect(check_line(page)).to_contain_text("This device did not see their commitment before the first")


def test_a_commitment_that_replaces_an_unrevealed_one_is_reported(evening, address, open_page) -> None:
    page = live(open_page(address))
    evening.show(fairness=OPEN)
    expect(check_line(page)).to_contain_text("The commitment is the one")
    evening.show(fairness=replace(OPEN, commitment="ab" * 32))
    expect(check_line(page)).to_contain_text("This device noted another commitment")


def other(rolls: tuple[CommittedRoll, ...]) -> tuple[CommittedRoll, ...]:
    return (*rolls[:3], replace(rolls[3], dice=tuple(7 - die for die in rolls[3].dice)), *rolls[4:])


@pytest.mark.parametrize("crypto", ["Web Crypto", pytest.param("own SHA-256", marks=pytest.mark.slow)])
def test_the_browser_finds_what_dice_verify_finds(evening, address, open_page, crypto) -> None:
    page = live(open_page(address))
    if crypto != "Web Crypto":
        page.evaluate(WITHOUT_WEB_CRYPTO)
    evening.show(fairness=replace(TOLD, revealed_rolls=other(ROLLS)))
    expect(check_line(page)).to_have_text("Roll 4 does not follow from the secret")
    expect(check_line(page)).to_have_class("wrong")
    wrong = "(rolls) => import('/static/dicecheck.js').then(({ wrongWith }) => wrongWith(rolls))"
    asked = {"commitment": OPEN.commitment, "secret": SECRET.hex(), "rolls": [asdict(roll) for roll in ROLLS]}
    assert page.evaluate(wrong, asked) is None
    assert page.evaluate(wrong, asked | {"rolls": asked["rolls"][1:]}) == ["missing", {"number": 1}]
    assert page.evaluate(wrong, asked | {"secret": "00" * 32}) == ["secret", {}]


def test_without_web_crypto_messages_of_every_length_hash_as_the_standard_says(address, open_page) -> None:
    page = live(open_page(address))
    script = """async () => {
      const { sha256 } = await import("/static/sha256.js");
      const hash = (length) => [...sha256(Uint8Array.from({ length }, (_, n) => (7 * n) % 256))];
      return Array.from({ length: 200 }, (_, length) => hash(length));
    }"""
    hashes = [list(hashlib.sha256(bytes(7 * n % 256 for n in range(length))).digest()) for length in range(200)]
    assert page.evaluate(script) == hashes
