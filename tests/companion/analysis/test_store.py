"""Analyses are stored by game and engine version; a damaged one is made again."""

from __future__ import annotations

import pytest
from analysed import SHORT, games_of, recorded_at

from companion.analysis.decisions import AnalysisError, GameAnalysis
from companion.analysis.engine_analyst import EngineAnalyst
from companion.analysis.match_to_analyse import RecordedMatches, analysed, kept_analysis, recorded_match
from companion.analysis.store import AnalysisStore
from companion.hints import choose_engine
from companion.rules import rules_named

RULES = rules_named("standard")


@pytest.fixture
def game():
    return games_of(SHORT)[1][0]


@pytest.fixture
def analysis(game):
    return EngineAnalyst(RULES, choose_engine(RULES, "embedded", 0)).analyse(game, lambda *_: None)


def test_a_stored_analysis_is_read_unchanged(tmp_path, game, analysis):
    store = AnalysisStore(tmp_path)
    store.save(game, "1", analysis)
    assert store.load(game, "1").to_json() == analysis.to_json()


def test_another_engine_version_or_game_is_analysed_again(tmp_path, game, analysis):
    store = AnalysisStore(tmp_path)
    store.save(game, "1", analysis)
    other = games_of(SHORT.replace("22/16 17/15", "22/14"))[1][0]
    assert store.load(game, "2") is None
    assert store.load(other, "1") is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": 1}', b"\xff\xfe", b'{"format": 0}'])
def test_a_damaged_file_is_treated_as_missing(tmp_path, game, analysis, damage):
    store = AnalysisStore(tmp_path)
    store.save(game, "1", analysis)
    (file,) = store.folder.iterdir()
    file.write_bytes(damage)
    assert store.load(game, "1") is None


@pytest.mark.parametrize("place", [0, 70, 500, -3])
def test_a_flipped_bit_is_noticed(tmp_path, game, analysis, place):
    store = AnalysisStore(tmp_path)
    store.save(game, "1", analysis)
    (file,) = store.folder.iterdir()
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    assert store.load(game, "1") is None


def test_an_invalid_analysis_is_refused_whatever_its_checksum(analysis):
    sound = analysis.to_json()
    assert GameAnalysis.from_json(sound).to_json() == sound
    for wrong in (None, [], {}, {**sound, "format": 0}, {**sound, "score": [1]}, {**sound, "decisions": [{}]}):
        with pytest.raises(AnalysisError):
            GameAnalysis.from_json(wrong)


def test_a_match_is_analysed_once_and_then_read_from_the_store(tmp_path, monkeypatch):
    state = recorded_at(tmp_path, SHORT)
    match, store = recorded_match(state), AnalysisStore(state)
    assert kept_analysis(match, store, "embedded").games == ()
    steps = []
    found = analysed(match, store, "embedded", progress=lambda *at: steps.append(at))
    assert steps[-1] == (1, 1, 6, 6) or steps[-1][2] == steps[-1][3]
    monkeypatch.setattr(EngineAnalyst, "analyse", None)
    assert analysed(match, store, "embedded") == kept_analysis(match, store, "embedded")
    assert analysed(match, store, "embedded").games[0].to_json() == found.games[0].to_json()


UNFINISHED = SHORT.replace("1 point match", "3 point match")


def test_nothing_is_reported_of_an_unfinished_match_until_another_has_begun(tmp_path):
    state = recorded_at(tmp_path, UNFINISHED)
    store = AnalysisStore(state)
    for ask in (analysed, kept_analysis):
        with pytest.raises(AnalysisError, match="not over"):
            ask(recorded_match(state), store, "embedded")
    recorded_at(state, SHORT)
    assert len(analysed(recorded_match(state, 1), store, "embedded").games) == 1


def test_a_match_is_reviewed_again_only_once_the_record_has_grown(tmp_path):
    matches = RecordedMatches(recorded_at(tmp_path, SHORT))
    first = matches.match()
    assert matches.match() is first
    recorded_at(tmp_path, SHORT)
    assert (matches.match().number, matches.match(1).number, matches.match(1).is_last) == (2, 1, False)


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_missing_match_is_refused(tmp_path, number):
    state = recorded_at(tmp_path, SHORT)
    if number:
        with pytest.raises(AnalysisError, match="holds 1"):
            recorded_match(state, number)
