"""The page in the players' language, in a real browser: no text of it is left in English."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import expect
from real_server import served
from sweeps import sampled
from verdicts import verdict

from companion.core import Dice, Side, message
from companion.game import (
    Disputed,
    DisputeEvidence,
    DoubtfulCell,
    Ended,
    LikelyContent,
    Match,
    Phase,
    RecordedVerdict,
    Remedy,
    Settled,
    Turn,
)
from companion.hints import CubeAdvice, RankedPlay, Ranking
from companion.interface import (
    ActionKind,
    ClockView,
    DiceToEnter,
    FairnessView,
    Light,
    OfferView,
    PositionCode,
    PossibleAction,
    ProposalView,
    RevealedSecret,
)
from companion.texts import LANGUAGES, render
from companion.texts.catalogue import parsed
from web import create_app
from web.texts import TEXTS
from web.texts.browser import BROWSER_TEXTS

SHORT = 3
"""In letters: shorter words may be equal in two languages."""
EVERYTHING_SHOWN = """() => {
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  const named = [...document.querySelectorAll("[aria-label], [title], [alt]")]
    .flatMap((one) => ["aria-label", "title", "alt"].map((name) => one.getAttribute(name)));
  return [document.body.innerText, ...named].filter(Boolean).join("\\n");
}"""
MESSAGE = message("backgammon.not_moved")
ILLEGAL = replace(
    verdict("illegal", reason="blocked_point", also=("wrong_distance",), plays=("8/5 6/5", "24/20"), cells=(8, 12)),
    message=MESSAGE,
)
DOUBT = DoubtfulCell(6, 7, (LikelyContent((1, 0), 60.0, 0.0), LikelyContent((0, 0), 40.0, -0.4)))
DISPUTE = Disputed(
    5,
    Side.WHITE,
    None,
    RecordedVerdict.of(ILLEGAL, render(MESSAGE)),
    None,
    None,
    Side.BLACK,
    DisputeEvidence(at_s=0.0, dice=Dice((3, 1)), plays=("8/5 6/5",), doubts=(DOUBT,)),
)
WORDS = message("passes")
HURRY = "() => { const later = window.setTimeout; window.setTimeout = (call, ms) => later(call, ms / 50); }"
"""Until it is reloaded, the page waits a fiftieth of its times."""
TURN = {
    "light": Light.RED,
    "verdict": ILLEGAL,
    "doubtful": (7,),
    "doubts": (DOUBT,),
    "offers": tuple(OfferView(remedy, WORDS, WORDS) for remedy in (Remedy.TAKEBACK, Remedy.POSITION)),
    "match": Match(7, score=(2, 3)),
    "actions": (
        PossibleAction(ActionKind.DOUBLE, Side.WHITE),
        PossibleAction(ActionKind.RESIGN, Side.BLACK, ("single", "gammon", "backgammon")),
    ),
    "hints": Ranking((RankedPlay("8/5 6/5", None, 0.16),), "gnubg", CubeAdvice(Side.WHITE, 0.1, 0.2, True, False)),
    "fairness": FairnessView(
        source="by hand",
        commitment="ab" * 32,
        rolls=3,
        revealed=RevealedSecret("cd" * 32, None),
        faces=(20, 20, 20, 20, 20, 20),
        chi_square=3.2,
        words=WORDS,
        lying=(),
        enter=DiceToEnter(None),
    ),
    "clock": ClockView(reserve_s=(-1.0, 120.0), delay_s=(0.0, 12.0), paused=True, fallen=(Side.WHITE,)),
    "ids": (PositionCode("Position ID", "4HPwATDgc/ABMA"),),
    "history": (Turn(Side.BLACK, Dice((6, 6)), "", "stands: too_far"), Turn(Side.WHITE, Dice((3, 1)), "8/5 6/5")),
}
"""A turn with everything that the page can show."""
IN_DISPUTE = {
    "light": Light.AMBER,
    "dispute": DISPUTE,
    "hints": None,
    "actions": (),
    "proposal": ProposalView(2, Remedy.STANDS, None, (Side.WHITE,), words=WORDS),
    "offers": tuple(OfferView(remedy, WORDS) for remedy in (Remedy.CORRECTED, Remedy.STANDS, Remedy.OVERRULED)),
}
GAME_OVER = {
    "light": Light.GREEN,
    "phase": Phase.OVER,
    "verdict": None,
    "dispute": None,
    "proposal": None,
    "offers": (),
    "doubts": (),
    "on_roll": None,
    "dice": None,
    "ids": (),
    "ended": Ended(Side.BLACK, 2, "gammon"),
    "settled": (Settled(DISPUTE, Remedy.STANDS, (Side.WHITE, Side.BLACK)),),
}


@cache
def english_pieces(language: str) -> list[str]:
    """The English texts, between their braces, that differ in `language`."""
    catalogue = parsed((files("companion.texts") / "locale" / f"{language}.po").read_text(encoding="utf-8"))
    said = Words(" ".join(catalogue.values()))
    pieces = {
        piece.strip(" .,:;()“”")
        for text in (*TEXTS.values(), *BROWSER_TEXTS.values(), *catalogue)
        for piece in re.split(r"\{\w+\}|\0", text)
    }
    return sorted(
        piece for piece in pieces if len(piece) > SHORT and re.search("[A-Za-z]{3}", piece) and piece not in said
    )


class Words:
    """A text in which whole words are searched, in any case."""

    def __init__(self, text: str) -> None:
        self._text = text.casefold()

    def __contains__(self, piece: str) -> bool:
        piece = piece.casefold()
        # The plain search rules out most pieces, and takes a hundredth of the other's time.
        return piece in self._text and bool(re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", self._text))


def english_in(page: Any, pieces: list[str]) -> list[str]:
    shown = Words(page.evaluate(EVERYTHING_SHOWN))
    return [piece for piece in pieces if piece in shown]


@pytest.mark.parametrize("language", sampled((language for language in LANGUAGES if language != "en"), ("de",)))
def test_a_game_is_shown_without_an_english_word(evening, address, open_page, language) -> None:
    pieces = english_pieces(language)
    assert len(pieces) > 300
    page = open_page(address, locale=language)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    for changes, there in ((TURN, "#verdict"), (IN_DISPUTE, "#dispute"), (GAME_OVER, "#settled")):
        version = evening.show(**changes)
        expect(page.locator("body")).to_have_attribute("data-version", str(version))
        expect(page.locator(there)).to_be_visible()
        assert english_in(page, pieces) == []


def test_the_english_page_contains_the_texts_searched_for_in_other_languages(evening, address, open_page) -> None:
    page = open_page(address, locale="en-GB")
    version = evening.show(**TURN)
    expect(page.locator("body")).to_have_attribute("data-version", str(version))
    assert len(english_in(page, english_pieces("de"))) > 50


@pytest.mark.slow
def test_the_keyboard_and_the_dialog_speak_the_language_too(evening, address, open_page) -> None:
    page = open_page(address, locale="de")
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    board, spoken = page.locator("#table-board"), page.locator("#spoken")
    board.focus()
    for key, words in (
        ("ArrowUp", "Punkt 6: 5 von Weiß"),
        ("Enter", "Stein von Weiß aufgenommen: Punkt 6"),
        ("Escape", "Zurückgelegt"),
    ):
        board.press(key)
        expect(spoken).to_have_text(words)
    expect(spoken).to_have_attribute("lang", "de")
    evening.show(**TURN)
    page.locator("#mends summary").click()
    page.locator("#enter-position").click()
    dialog = page.locator("#correction")
    expect(dialog).to_contain_text("Kein Stein fehlt.")
    expect(dialog.get_by_role("button", name="Punkt 7")).to_be_visible()
    assert english_in(page, english_pieces("de")) == []


def test_the_live_feed_has_the_language_of_its_page(evening, address, open_page) -> None:
    page = open_page(f"{address}?language=es", locale="de")
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    evening.show(phase=Phase.TO_ROLL, on_roll=Side.BLACK, dice=None)
    expect(page.locator("#headline")).to_have_text("Negro tira")
    expect(page.locator("html")).to_have_attribute("lang", "es")


@pytest.mark.slow
def test_a_page_reloads_when_a_restart_sets_another_language(evening, open_page) -> None:
    with served(create_app(evening.table, heartbeat_s=0.5)) as port:
        page = open_page(f"http://127.0.0.1:{port}/", locale="fr")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        page.evaluate(HURRY)
    with served(create_app(evening.table, language="de", heartbeat_s=0.5), port=port):
        expect(page.locator("html")).to_have_attribute("lang", "de", timeout=20_000)
        expect(page.locator("#headline")).to_have_text("Weiß spielt 3‑1")
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        page.goto("about:blank")
    open_page.complaints[:] = [text for text in open_page.complaints if "Failed to load resource" not in text]
