"""The language of answers, and that no text on the page is left in English."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from string import Formatter

import pytest
from places import ROOT
from scripted_table import WHITE_TO_MOVE
from verdicts import verdict
from whole_page import page_state

from companion.core import Side, player_names
from companion.game import Disputed, RecordedVerdict
from companion.interface import ClockView
from companion.texts import LANGUAGES, render
from web import create_app, feed
from web.feed import Feed
from web.refusals import REFUSALS
from web.texts import SETTINGS_IN_BROWSER, TEXTS, PageTexts, browser_texts
from web.texts.browser import BROWSER_TEXTS
from web.texts.page import COUNTED

WEB = ROOT / "web"
SCRIPTS = sorted((WEB / "static").glob("*.js"))
HEADLINES = {"en": "White to play 4-3", "de": "Weiß spielt 4-3", "fr": "À Blanc de jouer 4-3", "es": "Blanco juega 4-3"}


@pytest.fixture(autouse=True)
def turn(evening):
    """White is to play 4-3."""
    evening.show()


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de", "de"),
        ("de-CH", "de"),
        ("fr-CA,en;q=0.5", "fr"),
        ("nl,es;q=0.3,de;q=0.2", "es"),
        ("en-GB,de", "en"),
        ("nl", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_that_it_prefers(client, asked, language):
    answer = client.get("/", headers={"Accept-Language": asked})
    assert f'<html lang="{language}">' in answer.text
    assert f'<h2 id="headline">{HEADLINES[language]}</h2>' in answer.text
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]


def test_the_language_in_the_settings_comes_first(evening):
    client = create_app(evening.table, language="fr").test_client()
    answer = client.get("/", headers={"Accept-Language": "de"})
    assert '<html lang="fr">' in answer.text
    assert HEADLINES["fr"] in answer.text


def test_a_page_may_state_its_language(client):
    assert client.get("/state.json?language=es", headers={"Accept-Language": "de"}).json["language"] == "es"
    assert client.get("/state.json?language=xx", headers={"Accept-Language": "de"}).json["language"] == "de"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_state_names_its_language(client, language):
    state = client.get("/state.json", headers={"Accept-Language": language}).json
    assert (state["language"], state["headline"]) == (language, HEADLINES[language])


def test_refusals_and_error_pages_are_translated(client):
    asked = {"Accept-Language": "de", "Accept": "application/json"}
    refused = client.post("/simulated/drag", json={"id": 999, "x": 1, "y": 1}, headers=asked)
    assert refused.json["error"] == '"id" ist 999: so einen Stein gibt es auf dem Tisch nicht.'
    page = client.get("/nowhere", headers={"Accept-Language": "es", "Accept": "text/html"})
    assert '<html lang="es">' in page.text
    assert "Aquí no hay nada." in page.text
    assert "Volver a la mesa" in page.text


def test_a_stream_has_the_language_of_its_page(evening):
    streams = Feed(evening.table)
    for language in LANGUAGES:
        stream, sent = streams.open(None, PageTexts(language)), []
        stream.start(lambda data, sent=sent: sent.append(data) is None)
        stream.close()
        data = sent[0].partition(b"data: ")[2]
        assert json.loads(data)["headline"] == HEADLINES[language]


def test_a_snapshot_is_rendered_once_for_each_language_in_use(evening, monkeypatch):
    made = []

    def counted(snapshot, words):
        made.append((snapshot.version, words.language))
        return {}

    monkeypatch.setattr(feed, "versioned_state", counted)
    streams = Feed(evening.table)
    first = evening.show()
    for _ in range(3):
        for language in ("de", "en"):
            streams.state(evening.table.snapshot(), PageTexts(language))
    second = evening.show()
    streams.state(evening.table.snapshot(), PageTexts("de"))
    assert made == [(first, "de"), (first, "en"), (second, "de")]


def test_a_page_that_connects_later_gets_the_present_clock(evening):
    streams, words, shown = Feed(evening.table), PageTexts(), evening.table.snapshot()
    for left_s in (100.0, 90.0):
        clock = ClockView(reserve_s=(left_s, 120.0), delay_s=(0.0, 0.0), running=Side.WHITE)
        assert streams.state(replace(shown, clock=clock), words)["clock"]["players"][0]["reserve_s"] == left_s


def test_a_dispute_is_shown_in_each_language_though_the_record_is_in_english():
    said = verdict("illegal", "unused", reason="blocked_point")
    recorded = RecordedVerdict.of(said, render(said.message))
    dispute = Disputed(1, Side.WHITE, None, recorded, None, None)
    open_now = replace(WHITE_TO_MOVE, dispute=dispute, verdict=said)
    assert page_state(open_now, PageTexts("de"))["dispute"]["verdict"]["message"] == render(said.message, "de")
    later = page_state(replace(open_now, verdict=None), PageTexts("de"))["dispute"]["verdict"]
    assert (later["detail"], later["message"]) == ("Der Gegner hält diesen Punkt", "")


# --- nothing is left in English --------------------------------------------------------------------------------------


def test_the_scripts_use_every_text_they_are_given_and_no_other():
    sources = "\n".join(path.read_text() for path in SCRIPTS)
    keys = {key for call in re.findall(r"\bsay\(([^;]*)", sources) for key in re.findall(r'"([a-z.]+\.?\w*)"', call)}
    beginnings = tuple(re.findall(r"`([a-z]+\.)\$\{", sources))
    given = BROWSER_TEXTS | SETTINGS_IN_BROWSER
    assert [key for key in given if key not in keys and not key.startswith(beginnings)] == []
    assert [key for key in keys if "." in key and key not in given] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_holds_a_sentence(path):
    source = re.sub(r"^\s*//.*$|\s// .*$|/\*.*?\*/", "", path.read_text(), flags=re.MULTILINE)
    literals = [text for groups in re.findall(r'"([^"\n]*)"|`([^`]*)`', source) for text in groups if text]
    words = [re.sub(r"\$\{[^}]*\}", "", text) for text in literals]
    assert [
        text for text in words if re.search(r"\b[A-Z]?[a-z]{2,} [a-z]{2,} [a-z]{2,}|\b[A-Z][a-z]+ [a-z]+", text)
    ] == []


@pytest.mark.parametrize("path", sorted((WEB / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_no_template_shows_a_text_that_is_not_translated(path):
    own_names = {"Boardside", "Roll", "Hint", "Referee", "boardside dice verify"}
    source = re.sub(r"{%.*?%}|{{.*?}}|<!doctype html>", "", path.read_text(), flags=re.DOTALL)
    shown = [text.strip(" ·\n") for text in re.findall(r">([^<]*)<", source)]
    titled = re.findall(r'(?:aria-label|aria-roledescription|alt|title|placeholder|data-question)="([^"]*)"', source)
    assert {text for text in (*shown, *titled) if re.search("[A-Za-z]", text)} <= own_names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_page_can_be_filled_in_every_language(language):
    words = PageTexts(language)
    for key, text in TEXTS.items():
        facts = dict.fromkeys((name for _, name, _, _ in Formatter().parse(text) if name), "7")
        assert "{" not in words(key, **facts)
    for key in COUNTED:
        assert words.count(key, 1) != words.count(key, 2)
    for text in (*BROWSER_TEXTS.values(), *REFUSALS.values()):
        assert words.translated(text)


def test_numbers_and_lists_are_written_as_in_the_language():
    assert PageTexts("de").decimal("+0.159") == "+0,159"
    assert PageTexts("en").decimal("+0.159") == "+0.159"
    assert PageTexts("fr").listed(["6", "5", "4"]) == "6, 5 et 4"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Blue’s bar"), ("de", "Bar von Blau"), ("fr", "Barre de Bleu"), ("es", "Barra de Azul")],
)
def test_the_page_calls_the_players_by_their_names_and_draws_their_colours(evening, language, said):
    players = player_names(["Anna (red)", "(blue)"], ("white", "black"))
    evening.show(names=players)
    client = create_app(evening.table, language=language).test_client()
    page = client.get("/").get_data(as_text=True)
    assert 'data-white="red" data-black="blue"' in page
    texts = json.loads(re.search(r'id="texts">(.*?)</script>', page, re.DOTALL)[1])
    assert texts["score"].startswith("Anna (")
    assert "Anna" in texts["seat.white"]
    assert "Anna" in client.get("/state.json").get_json()["headline"]
    assert PageTexts(language, players)("place.bar", player=Side.BLACK) == said
    words = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert not re.search(r"\b(White|Black|Weiß|Schwarz|Blanc|Noir|Blanco|Negro)\b", words + " ".join(texts.values()))


def test_on_tiles_the_scripts_speak_of_cubes_and_spaces():
    said = browser_texts(PageTexts(tiles=True))
    assert said["correction.white.few"] == "White has {found} of {total} cubes: {number} too few."
    assert [key for key, text in said.items() if "checker" in text or "point" in text] == []
    assert browser_texts(PageTexts()).keys() == said.keys()
