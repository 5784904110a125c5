"""Every message that the product emits has a text, and every text is used."""

from __future__ import annotations

import ast
import re
from functools import cache
from string import Formatter

import pytest
from places import ROOT

from companion.core import Cause, Dice, Part, Side, both, either, message, unreadable
from companion.game import Remedy
from companion.rules.reasons import BACKGAMMON_REASONS, CHECKERS_REASONS
from companion.texts import CORRECTIONS, LANGUAGES, TEXTS, render
from companion.texts.catalogue import translations
from companion.texts.procedure import REMEDIES
from companion.texts.rendering import TextError
from companion.texts.tiles import TEXTS as ON_TILES
from companion.texts.verdicts import CAUSES, MENDS, PARTS, REASONS

PRODUCT = [path for room in ("companion", "hardware", "vision", "web") for path in (ROOT / room).rglob("*.py")]


SPEAKING = ("message", "say", "sentence")
"""What takes a key in `companion.speech`."""


@cache
def emitted() -> tuple[set[str], set[str]]:
    """The keys in all messages, and the beginnings of those that are put together."""
    keys, beginnings = set(), set()
    for path in PRODUCT:
        code = path.read_text()
        if not any(f"{name}(" in code for name in SPEAKING):
            continue
        for call in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name not in (SPEAKING if "speech" in path.parts else ("message",)) or not call.args:
                continue
            speaker = getattr(call.func, "value", None)
            if getattr(speaker, "attr", getattr(speaker, "id", "")).lstrip("_") == "voice":
                continue  # a loudspeaker says lines
            key = call.args[0]
            if isinstance(key, ast.Constant):
                keys.add(key.value)
            elif isinstance(key, ast.JoinedStr) and isinstance(key.values[0], ast.Constant):
                beginnings.add(key.values[0].value)
            else:
                raise AssertionError(f"{path}:{call.lineno}: the key of a message begins with its table's name")
    return keys, beginnings


def test_every_message_has_a_text():
    keys, beginnings = emitted()
    assert keys - set(TEXTS) == set()
    assert [one for one in beginnings if not any(key.startswith(one) for key in TEXTS)] == []


def test_every_text_is_used():
    keys, beginnings = emitted()
    used = {key for key in TEXTS if {key, key.removesuffix(".terse")} & keys or key.startswith(tuple(beginnings))}
    assert set(TEXTS) - used == set()


def braces(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_texts_for_tiles_have_the_same_facts_as_the_texts_they_replace():
    assert set(ON_TILES) <= set(TEXTS)
    assert {key: braces(text) for key, text in ON_TILES.items()} == {key: braces(TEXTS[key]) for key in ON_TILES}
    said = {word for text in ON_TILES.values() for word in re.findall("[a-z]+", re.sub("{.*?}", "", text))}
    assert said & {"bar", "point", "points", "checker", "checkers"} == set()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_texts_for_tiles_are_translated(language):
    assert [text for text in ON_TILES.values() if translations(language).gettext(text) == text] == []


def test_on_tiles_spaces_are_counted_forward():
    went = message("backgammon.went.landed", checker=message("backgammon.checker.from", source=24), target=18)
    both_ways = message("backgammon.blocked_point", went=went, held=2, other=Side.BLACK)
    assert (
        render(both_ways, tiles=True) == "The cube from space 1 landed on space 7, which is held by 2 of Black's cubes."
    )
    assert render(message("plays", player=Side.WHITE, play="bar/20* 8/4(2) 6/off"), tiles=True) == (
        "White plays in/5* 17/21(2) 19/off."
    )
    assert render(message("backgammon.points", numbers="6, 8"), "de", tiles=True) == "Den Feldern 19, 17"


def test_the_tables_have_exactly_the_known_reasons_causes_and_parts():
    assert set(REASONS) == {*BACKGAMMON_REASONS, *CHECKERS_REASONS}
    assert set(CORRECTIONS) <= set(REASONS)
    assert set(CAUSES) == set(MENDS) == set(Cause)
    assert set(PARTS) == set(Part)
    assert set(REMEDIES) == {f"remedy.{remedy}" for remedy in Remedy}
    assert {key for key in TEXTS if key.startswith("checkers.")} >= {f"checkers.{code}" for code in CHECKERS_REASONS}


def test_no_two_keys_outside_of_advice_have_the_same_text():
    said = [text for key, text in TEXTS.items() if not key.startswith("mend.")]
    assert sorted({text for text in said if said.count(text) > 1}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_rendered_in_every_language(language):
    for key, text in TEXTS.items():
        names = [name for _, name, _, _ in Formatter().parse(text) if name]
        words = render(message(key, **dict.fromkeys(names, "7")), language)
        assert words, key
        assert "{" not in words, key


def test_facts_are_rendered_as_words():
    players = message("comma", first=Side.WHITE, last=Dice((2, 5)))
    assert render(message("list", facts=(players, 3, "13/8")), "de") == "Weiß, 5-2, 3 und 13/8"
    assert render(message("unreadable.glare", part=Part.UPPER_RIGHT), "fr").startswith(
        "Le plateau reflète la lumière, en haut à droite"
    )
    assert render(message("sentence", what=either(["13/8", "6/5", "6/4"])), "es") == "13/8, 6/5 o 6/4."


def test_every_sentence_begins_with_a_capital_and_plays_are_unchanged():
    said = both(message("backgammon.not_moved"), message("backgammon.so_far", made="bar/20"))
    assert render(said) == "No checker has moved. bar/20 so far: there is more to play."
    assert render(message("reading.illegal", play="8/4", reason=message("reason.too_far"))) == (
        "8/4 (illegal: a piece moved too far)"
    )


def test_in_french_a_no_break_space_precedes_a_colon():
    assert render(unreadable(Cause.BLUR), "fr").startswith("L'image est floue\u00a0: ")


def test_a_message_without_a_text_or_without_a_fact_is_an_error():
    with pytest.raises(TextError, match=r"'no\.such'"):
        render(message("no.such"))
    with pytest.raises(TextError, match=r"'plays'.*'play'"):
        render(message("plays", player=Side.WHITE))


def test_on_tiles_no_sentence_mentions_checkers():
    elsewhere = ("checkers.", "sheet.", "dice_land.")  # another game, and what a sheet of rules says
    said = {key: re.sub(r"\{\w+\}", "", str(text)) for key, text in TEXTS.items() if not key.startswith(elsewhere)}
    of_checkers = {key for key, text in said.items() if "checker" in text}
    assert of_checkers - set(ON_TILES) == {"position.count.most"}  # in checkers alone pieces may become fewer
