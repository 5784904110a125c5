"""Typography, idioms and consistent terms of the translations."""

from __future__ import annotations

import re

import pytest

from companion.core import Side
from companion.speech import Style
from companion.speech.language import Language
from companion.texts.catalogue import LOCALE, parsed

NO_BREAK = "\u00a0"
WRONG = {
    "de": (
        r"der Zug geht weiter",
        r"der Zug bleibt",
        r"soll würfeln",
        r"verrück",
        r"zogen in einem Zug",
        r"Von den Würfeln kann",
        r"[Ss]tellt das Brett wie",
        r"weicht ab auf",
        r"\bhinaus\b|herausgenommen|ausgespielt|ausgewürfelt",
    ),
    "fr": (
        r"passe le tour|le tour passe|passe son tour",
        r"jouer davantage des dés",
        r"plus que les dés",
        r"[Rr]edress",
        r"^Est permis",
        r"^Posez-le",
        r"Mettez la position",
        r"de nouveau juste",
        r"\btablier",
        r"\{player\} joue \S+ sort\b",
    ),
    "es": (r"\bde \{source\} fuera\b", r"\bcubo\b(?! de doblar)"),
}
"""By language, patterns of wording that was used once and is wrong."""
BEARING_OFF = {"de": r"[Aa]b(ge)?trag|tr[äu]gt? .*ab\b", "fr": r"[Ss]ort", "es": r"[Ss]ac"}
"""By language, the one word for bearing off."""


def said(language: str) -> dict[str, str]:
    """What each message is in a language; the last form where there are several."""
    texts = parsed((LOCALE / f"{language}.po").read_text(encoding="utf-8"))
    return {message: words.split("\0")[-1] for message, words in texts.items() if message}


def test_in_french_a_no_break_space_precedes_every_colon_semicolon_and_mark():
    without_braces = (re.sub(r"\{\w+\}", "x", words) for words in said("fr").values())
    assert [words for words in without_braces if re.search(rf"(?<![{NO_BREAK}\d])[:;!?](?!\d)", words)] == []


@pytest.mark.parametrize("language", WRONG)
def test_wording_that_native_speakers_rejected_is_not_used(language):
    wrong = re.compile("|".join(WRONG[language]))
    assert [words for words in said(language).values() if wrong.search(words)] == []


@pytest.mark.parametrize("language", BEARING_OFF)
def test_bearing_off_is_one_word(language):
    word = re.compile(BEARING_OFF[language])
    told = {m: words for m, words in said(language).items() if re.search(r"\b(bear|bears|borne|bore) off|\} off$", m)}
    assert len(told) > 8
    assert [words for words in told.values() if not word.search(words)] == []


@pytest.mark.parametrize(
    ("language", "off", "mixed"),
    [
        ("de", "Weiß trägt einen Stein von sechs, einen von fünf ab.", "Weiß spielt Abtragen von sechs, "),
        ("fr", "Blanc sort un pion du six, un du cinq.", "Blanc joue sortie du six, "),
        ("es", "Blanco saca la del seis, la del cinco.", "Blanco juega sacando la del seis, "),
    ],
)
def test_a_play_that_bears_off_is_a_sentence(language, off, mixed):
    spoken = Language(language, Style.FRIENDLY)
    checkers = spoken.borne_off("6/off 5/off")
    assert spoken.say("spoken.bears_off", player=Side.WHITE, checkers=checkers) == off
    assert spoken.say("plays", player=Side.WHITE, play="6/off 5/4").startswith(mixed)


def test_the_sentence_about_a_passed_turn_is_idiomatic():
    facts = {"player": Side.WHITE, "opponent": Side.BLACK}
    assert Language("de", Style.FRIENDLY).say("spoken.no_play", **facts) == (
        "Weiß kann nichts spielen: Schwarz ist am Zug und würfelt."
    )
    assert Language("fr", Style.FRIENDLY).say("spoken.roll_passes") == "Roll donne la main."
