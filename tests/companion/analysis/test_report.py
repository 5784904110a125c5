"""The report is self-contained, names decisions in each language, and escapes players' names."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from analysed import SHORT, games_of, recorded_at

from companion.analysis import Wording, report_file
from companion.analysis.decisions import MatchAnalysis
from companion.analysis.engine_analyst import EngineAnalyst
from companion.cli import main
from companion.core.names import PlayerName
from companion.hints import choose_engine
from companion.rules import rules_named
from companion.texts import LANGUAGES

RULES = rules_named("standard")
VOID = {"meta", "link", "br", "path", "circle", "rect", "polyline"}


@pytest.fixture(scope="module")
def found():
    _, games = games_of(SHORT)
    analyst = EngineAnalyst(RULES, choose_engine(RULES, "embedded", 0))
    return MatchAnalysis("backgammon", 1, tuple(analyst.analyse(game, lambda *_: None) for game in games))


class Reader(HTMLParser):
    """Checks that elements are nested; collects references and texts."""

    def __init__(self):
        super().__init__()
        self.open, self.refers, self.words, self.tags = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.refers += [
            value for name, value in attrs if name in ("src", "href", "xlink:href", "style", "srcset", "data")
        ]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(text):
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_is_self_contained_and_has_a_graph_and_boards(found, language):
    text = report_file(found, Wording(language))
    reader = read(text)
    assert reader.refers == []
    assert not re.search(r"https?:|url\(|@import|<script", text)
    assert reader.tags.count("svg") > 2
    assert "table" in reader.tags
    assert "title" in reader.tags


def test_names_cannot_be_markup(found):
    names = (PlayerName("<b>&", "white"), PlayerName('"><script>', "black"))
    text = report_file(found, Wording("en", names))
    assert "<b>&" not in text
    assert "<script" not in text
    read(text)


def test_numbers_are_written_as_the_language_does():
    assert Wording("de").number(-0.1234) == "−0,123"
    assert Wording("en").number(0.5, 1, sign=True) == "+0.5"
    assert Wording("en").number(-0.0001) == "0.000"
    assert Wording("en").number(None) == "–"


def test_if_the_analysis_cannot_be_stored_the_report_is_written_with_a_warning(tmp_path, capsys):
    state = recorded_at(tmp_path / "state", SHORT)
    (state / "analysis").write_bytes(b"")  # the folder cannot be made, as on a read-only disk
    options = ["--state", str(state), "--engine", "embedded"]
    assert main(["analyse", str(tmp_path / "a.html"), *options]) == 0
    read((tmp_path / "a.html").read_text())
    said = capsys.readouterr().err
    assert "cannot keep the analysis" in said
    assert "free some space there, or make the directory writable" in said
    assert main(["analyse", "--progress", *options]) == 1, "there is nothing else that it does"


def test_the_command_writes_both_kinds_of_files(tmp_path, capsys):
    state = recorded_at(tmp_path / "state", SHORT)
    for name in ("a.html", "a.json"):
        assert main(["analyse", str(tmp_path / name), "--state", str(state), "--engine", "embedded"]) == 0
    figures = json.loads((tmp_path / "a.json").read_text())
    assert figures["match"] == 1
    assert set(figures["players"]) == {"white", "black"}
    read((tmp_path / "a.html").read_text())
    assert main(["analyse", str(tmp_path / "a.html"), "--state", str(state)]) == 1
    assert main(["analyse", str(tmp_path / "a.txt"), "--state", str(state)]) == 1
    assert main(["analyse", str(tmp_path / "b.html"), "--match", "2", "--state", str(state)]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in errors] == ["boardside"] * 3
