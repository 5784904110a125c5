"""Sounds of the page: off by default, then one for a roll and one for each verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from verdicts import verdict

from companion.game import Phase

if TYPE_CHECKING:
    from playwright.sync_api import Page

TONES = """() => {
  window.tones = [];
  const made = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    const oscillator = made.call(this);
    window.queueMicrotask(() => window.tones.push(oscillator.type));
    return oscillator;
  };
}"""


def heard(page: Page, shape: str, number: int) -> None:
    """Wait until that many tones of that shape have begun, and remove them."""
    page.wait_for_function(
        "([shape, n]) => window.tones.filter((one) => one === shape).length === n", arg=[shape, number]
    )
    page.evaluate("window.tones.length = 0")


def shown(page: Page, version: int) -> None:
    expect(page.locator("body")).to_have_attribute("data-version", str(version))


@pytest.mark.slow
def test_a_device_that_wants_sounds_hears_a_roll_and_verdicts(evening, address, open_page) -> None:
    page = open_page(address)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    page.evaluate(TONES)
    shown(page, evening.show(verdict=verdict("illegal")))
    button = page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    heard(page, "sine", 2)  # nothing of the verdict before
    shown(page, evening.show(verdict=None, phase=Phase.TO_ROLL, dice=None))
    evening.show(phase=Phase.TO_MOVE, dice=(6, 4))
    heard(page, "triangle", 5)
    evening.show(verdict=verdict("illegal"))
    heard(page, "sawtooth", 1)
    evening.show(verdict=verdict("legal"))
    heard(page, "sine", 2)
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
