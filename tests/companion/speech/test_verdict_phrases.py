"""Every reason, finding and cause has a sentence in every language and style."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from verdicts import verdict

from companion.core import Cause, Finding, Side
from companion.game import Phase
from companion.interface import Light, Snapshot
from companion.rules.reasons import BACKGAMMON_REASONS, CHECKERS_REASONS
from companion.speech import Style
from companion.speech.language import Language
from companion.speech.verdict_phrases import verdict_line
from companion.texts import LANGUAGES
from companion.texts.verdicts import REASONS

STYLES = (Style.TERSE, Style.FRIENDLY)
REASONED = [("backgammon", code) for code in BACKGAMMON_REASONS] + [("checkers", code) for code in CHECKERS_REASONS]
PLAYS = {"backgammon": ("13/9", ["13/8 6/4", "8/1"]), "checkers": ("11-20", ["11-15", "22x15"])}


def line(spoken: Language, game: str, **facts: Any) -> str:
    dice = (5, 2) if game == "backgammon" else None
    shown = verdict(**{"finding": "illegal", **facts})
    now = Snapshot(1, Phase.TO_MOVE, Light.RED, game, "standard", on_roll=Side.WHITE, dice=dice, verdict=shown)
    return verdict_line(now, spoken)


def test_there_is_a_sentence_for_every_reason_and_for_nothing_else():
    assert set(REASONS) == {*BACKGAMMON_REASONS, *CHECKERS_REASONS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
def test_every_reason_is_spoken_without_gaps(language, style):
    spoken = Language(language, style)
    for (game, reason), shown in product(REASONED, range(3)):
        made, plays = PLAYS[game]
        facts = ({"made": made, "plays": plays}, {"made": "", "plays": plays[:1]}, {"made": None, "plays": []})[shown]
        words = line(spoken, game, reason=reason, **facts)
        assert words.endswith("."), (reason, words)
        assert "{" not in words, (reason, words)
        assert not any(character.isdigit() for character in words), (reason, words)
        assert "  " not in words, (reason, words)


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_no_reason_sounds_english_in_another_language(reason):
    told = {line(Language(language, Style.TERSE), "backgammon", reason=reason) for language in LANGUAGES}
    assert len(told) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("finding", [Finding.LEGAL, Finding.UNFINISHED, Finding.NOT_MOVED, Finding.AMBIGUOUS])
@pytest.mark.parametrize("game", ["backgammon", "checkers"])
def test_every_other_finding_is_spoken(language, style, finding, game):
    assert line(Language(language, style), game, finding=finding.value, cells=[0, 9]).endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cause", Cause)
def test_every_cause_is_spoken(language, cause):
    words = line(Language(language, Style.TERSE), "backgammon", finding="unreadable", cause=cause.value)
    assert ":" in words


def test_a_correction_is_spoken_without_naming_a_play():
    terse = Language("en", Style.TERSE)
    words = line(terse, "backgammon", reason="hit_checker_not_on_bar", made="13/8*", plays=["13/8*", "6/1"])
    assert words == "Not legal: thirteen to eight and hits. The checker that was hit is not on the bar. Put it there."


def test_the_only_legal_play_is_named_in_terse_style_too():
    words = line(Language("en", Style.TERSE), "checkers", reason="must_capture", made="11-15", plays=["22x15"])
    assert words == (
        "Not legal: eleven to fifteen. A capture must be made. Only a jump from twenty-two to fifteen is legal."
    )
