"""Recorded matches: their list from the record's outline, and the review of each."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace

import pytest
from kept_matches import BEGAN_S, KeptTable, anna_and_ben, kept_evening, play_some
from played_table import BLACK, WHITE
from scripted_dice import ScriptedDice

from companion.game import Ended, Remedy, match_under
from companion.history import History, MomentKind, formats_of
from companion.interface import Proposes
from companion.notation import FORMATS
from companion.record import Record, RecordError
from companion.rules import rules_named
from companion.transfer.importer import reenact

DAY_S = 24 * 3600.0


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A match of two games, and the folder of its record."""
    folder = tmp_path_factory.mktemp("state")
    return kept_evening(folder), folder


@pytest.fixture
def review(evening):
    history, _ = evening
    return history.review(history.matches()[0])


def kinds(game):
    return [moment.kind for moment in game.moments]


def test_a_match_is_listed_with_players_and_terms_and_result(evening):
    history, folder = evening
    (match,) = history.matches()
    assert (match.game, match.sheet, match.match.length) == ("backgammon", "standard", 3)
    assert match.match.names == ("Anna (red)", "Ben")
    assert (match.match.score, match.match.winner, match.over) == ((3, 0), WHITE, True)
    assert [game.score for game in match.games] == [(0, 0), (2, 0)]
    assert match.games[0].ended == Ended(WHITE, 2, "single, resigned")
    assert [game.disputes for game in match.games] == [1, 0]
    with closing(Record.open(folder / "record.db")) as record:
        first, *_, last = record.entries()
    assert BEGAN_S <= match.began_s == first.at_s < last.at_s


def test_the_list_agrees_with_the_whole_record(evening, review):
    (match,) = evening[0].matches()
    assert match.match == review.games[-1].moments[-1].game.match


def test_plays_and_rolls_are_not_read_for_the_list(evening):
    _, folder = evening
    with closing(Record.open(folder / "record.db")) as record:
        entries = record.entries()
    read = list(evening[0]._reader.each(1, len(entries), ("MatchBegan", "Started")))  # noqa: SLF001 - what the list asks for
    assert [entry for entry in entries if entry.event["event"] in ("MatchBegan", "Started")] == read


def test_a_game_is_reviewed_from_its_start_to_its_end(review):
    first, second = review.games
    assert review.trouble == ""
    assert kinds(first)[:3] == [MomentKind.START, MomentKind.OPENING, MomentKind.TURN]
    assert kinds(first)[-1] == MomentKind.END
    assert [kind for kind in kinds(first) if kind is MomentKind.TURN].count(MomentKind.TURN) == 8
    assert MomentKind.DOUBLE in kinds(first)
    assert kinds(first).index(MomentKind.TAKE) == kinds(first).index(MomentKind.DOUBLE) + 1
    assert kinds(first).index(MomentKind.RULING) == kinds(first).index(MomentKind.DISPUTE) + 1
    assert second.moments[0].game.score == (2, 0)


def test_each_turn_has_the_picture_by_which_it_was_judged(evening, review):
    turns = [m for game in review.games for m in game.moments if m.kind is MomentKind.TURN]
    names = [moment.pictures[1] for moment in turns]
    assert len(set(names)) == len(names) == 12
    assert all(evening[0].picture(name) for name in names)


def test_a_dispute_has_the_pictures_before_and_after(evening, review):
    (dispute,) = [m for m in review.games[0].moments if m.kind is MomentKind.DISPUTE]
    assert all(evening[0].picture(name) for name in dispute.pictures)
    assert dispute.dispute.verdict.reason == "wrong_distance"


def test_an_unfinished_match_ends_with_the_last_roll(tmp_path):
    table = anna_and_ben(tmp_path)
    with closing(table):
        play_some(table, 2)
        (match,) = table.history.matches()
        moments = table.history.review(match).games[0].moments
        assert (moments[-1].kind, moments[-1].side, moments[-1].dice) == (
            MomentKind.ROLL,
            table.game.on_roll,
            table.game.dice,
        )
        assert (match.over, match.last) == (False, None)


def test_the_list_follows_a_record_that_grows(tmp_path):
    table = anna_and_ben(tmp_path)
    with closing(table):
        assert table.history.matches() == []
        play_some(table, 1)
        assert table.history.matches()[0].games[0].ended is None
        table.resigns(BLACK)
        assert table.history.matches()[0].games[0].ended.winner is WHITE
    later = anna_and_ben(tmp_path, 5, began_s=BEGAN_S + DAY_S)
    with closing(later):
        play_some(later, 1)
        newest, oldest = table.history.matches()
        assert (newest.match.length, oldest.match.length) == (5, 3)
        assert (newest.number, oldest.last) == (oldest.last + 1, newest.number - 1)


def test_an_end_that_was_taken_back_leaves_the_match_unfinished(tmp_path):
    table = anna_and_ben(tmp_path)
    with closing(table):
        play_some(table, 2)
        table.resigns(BLACK)
        table.does(Proposes(Remedy.TAKEBACK, 5.0, WHITE))
        table.accepts(BLACK)
        (match,) = table.history.matches()
        assert (match.games[0].ended, match.match.score) == (None, (0, 0))


def test_series_without_a_match_are_separated_by_pauses(tmp_path):
    for evening in range(2):
        table = KeptTable(tmp_path, began_s=BEGAN_S + evening * DAY_S)
        with closing(table):
            play_some(table, 2)
            table.resigns(BLACK)
    assert [len(match.games) for match in table.history.matches()] == [1, 1]


def test_an_exported_match_is_imported_equal(evening):
    history, _ = evening
    (match,) = history.matches()
    assert formats_of(match) == ("mat", "sgf", "json")
    for name in ("mat", "sgf"):
        script = FORMATS[name].read(history.text(match, name))
        assert len(reenact(script, rules_named("standard"))) > 20
    lines = [json.loads(line) for line in history.text(match, "json").splitlines()]
    assert lines[0]["event"] == "MatchBegan"
    assert len(lines) == lines[-1]["entry"]


def test_a_match_of_checkers_is_recorded_too(tmp_path):
    table = KeptTable(tmp_path, sheet="acf", dice=ScriptedDice([]))
    with closing(table):
        table.sets()
        table.taps()
        for turn in range(4):
            table.plays_anything(turn)
            table.taps()
        (match,) = table.history.matches()
        review = table.history.review(match)
        assert formats_of(match) == ("pdn", "json")
        assert kinds(review.games[0]).count(MomentKind.TURN) == 4
        assert review.games[0].moments[1].position["fen"]
        assert "1. " in table.history.text(match, "pdn")


def test_an_invalid_record_is_shown_as_far_as_possible(tmp_path):
    table = anna_and_ben(tmp_path)
    with closing(table):
        play_some(table, 2)
    with closing(Record.open(tmp_path / "record.db")) as record:
        record.append({"event": "Taken", "side": "white"}, BEGAN_S + 1000)
    (match,) = table.history.matches()
    review = table.history.review(match)
    assert kinds(review.games[0]).count(MomentKind.TURN) == 2
    assert "entry" in review.trouble


def test_a_file_that_is_no_record_is_an_error_with_a_remedy(tmp_path):
    table = anna_and_ben(tmp_path)
    table.close()
    for name in ("record.db", "record.db.backup"):
        (tmp_path / name).write_bytes(b"not a database at all" * 100)
    with pytest.raises(RecordError, match="Start Boardside again"):
        table.history.matches()


def test_a_table_without_a_record_has_no_matches(evening, tmp_path):
    assert History(tmp_path / "none.db", tmp_path, evening[0].pictures).matches() == []


def opened_again(folder, table, sheet="standard", **options):
    """A table reopened after a game, as after a change of settings, and a further game."""
    resume = table.events
    table.close()
    terms = replace(match_under(rules_named(sheet).sheet, 3), names=("Anna (red)", "Ben"))
    again = KeptTable(folder, sheet=sheet, terms=terms, resume=resume, began_s=BEGAN_S + 3600, **options)
    play_some(again, 4)
    again.resigns(BLACK)
    again.close()
    return again


@pytest.fixture
def one_game(tmp_path):
    """A match to three points, after White has won the first game."""
    table = anna_and_ben(tmp_path, 3)
    play_some(table, 4)
    table.resigns(BLACK)
    return table


@pytest.mark.parametrize("ask_hint", [None, print])
def test_the_match_goes_on_with_and_without_hints(one_game, tmp_path, ask_hint):
    table = opened_again(tmp_path, one_game, ask_hint=ask_hint)
    (match,) = table.history.matches()
    assert table.game.match.score == match.match.score == (2, 0)
    assert len(match.games) == 2


def test_under_another_sheet_another_match_begins_for_the_table_and_for_the_record(one_game, tmp_path):
    table = opened_again(tmp_path, one_game, "tournament")
    later, earlier = table.history.matches()
    assert (earlier.sheet, earlier.match.score, later.sheet, later.match.score) == (
        "standard",
        (1, 0),
        "tournament",
        (1, 0),
    )
    assert (later.match.length, later.match.names, table.game.match.score) == (3, ("Anna (red)", "Ben"), (1, 0))
