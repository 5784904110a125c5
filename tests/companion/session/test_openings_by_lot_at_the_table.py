"""Openings drawn by lot: the ballot, its dice, the board that is set so, and the second game with changed colours."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from memory_secrets import MemorySecrets
from played_table import fill_after_one
from said import keys_of

from companion.core import Side
from companion.dice import check
from companion.dice.sources import FairDice, HandDice
from companion.game import SET_UP_WRONG, DiceSealed, Ended, OpeningDrawn, Phase, Started, match_under, replay
from companion.hints.checkers import CheckersEngine
from companion.interface import SecretAsked
from companion.rules import drawn, openings, rules_named
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.texts import render
from companion.transfer.exporter import transcribe
from companion.transfer.importer import reenact

WHITE, BLACK = Side.WHITE, Side.BLACK
ACF = rules_named("acf")


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "ballot.toml"
    path.write_text('base = "acf"\nopening = "three_move_ballot"\n')
    return str(path)


def seated(sit_down, sheet, dice=(1, 1, 5), **options):
    """The players have set up the start and tapped: the fifth opening is drawn."""
    players = sit_down(sheet, dice, **options)
    players.sets()
    players.taps()
    return players


# --- the list ---


def test_every_opening_is_legal_and_leads_to_a_distinct_position():
    for first in Side:
        found = set()
        for opening in openings(first):
            position, _ = ACF.with_turn(ACF.start(), first)
            for move in opening.split():
                successor = ACF.find_play(position, position.to_move, None, move)
                assert successor is not None, opening
                position = successor.after
            assert position.to_move is first.opponent
            found.add(position)
        assert len(found) == len(openings(first))


@pytest.mark.parametrize("sample", [slice(0, None, 12), pytest.param(slice(None), marks=pytest.mark.slow)])
def test_no_opening_loses_a_man_at_once(sample):
    engine = CheckersEngine(ACF, 0)
    for opening in openings(BLACK)[sample]:
        position = ACF.start()
        for move in opening.split():
            position = ACF.find_play(position, position.to_move, None, move).after
        while len(forced := ACF.successors(position, position.to_move)) == 1:
            position = forced[0].after
        (best,) = engine.rank(position, position.to_move, None, 1).plays
        assert abs(best.equity) < 1, opening


def test_all_openings_are_equally_likely():
    count = len(openings(BLACK))
    results = Counter(drawn(thrown, count) for thrown in product(range(1, 7), repeat=3))
    assert 216 - results.pop(None, 0) == count
    assert set(results) == set(range(count))
    assert set(results.values()) == {1}


# --- at the table ---


def test_the_opening_is_recorded_and_the_players_set_it_up(sit_down, sheet):
    players = seated(sit_down, sheet)
    opening = openings(BLACK)[4]
    assert isinstance(players.events[0], Started)
    assert players.events[1] == OpeningDrawn(opening, 5, len(openings(BLACK)), "115")
    assert [turn.play for turn in players.game.history] == opening.split()
    shown = players.snapshot
    assert (shown.phase, shown.on_roll, shown.lost) == (Phase.TO_MOVE, "white", None)
    assert shown.verdict.finding == "unfinished"
    assert render(shown.verdict.message) == (
        f"The opening drawn is {opening}: make these moves on the board, then White is to move."
    )
    shown = players.sets(players.game.position)
    assert shown.verdict.finding == "not_moved"
    shown = players.plays_anything()
    assert shown.verdict.finding == "legal"
    assert players.taps().on_roll == "black"
    assert replay(players.events) == players.game


def test_on_a_full_disk_no_game_is_recorded_without_its_opening(sit_down, sheet):
    """The same holds for a power cut: they are written in one transaction."""
    players = sit_down(sheet, (1, 1, 5))
    players.sets()
    fill_after_one(players)
    players.taps()
    assert [turn.play for turn in players.game.history] == openings(BLACK)[4].split()
    assert replay(players.events) == players.game


def test_setting_up_the_opening_is_not_judged_as_an_illegal_play(sit_down, sheet):
    players = seated(sit_down, sheet)
    first = ACF.find_play(ACF.start(), BLACK, None, openings(BLACK)[4].split()[0]).after
    assert players.sees(first).verdict.message.key == "ballot.drawn"
    assert players.taps().on_roll == "white"
    players.sets(players.game.position)
    assert players.sees(first).verdict.finding == "illegal"


def test_dice_that_draw_no_opening_are_thrown_again(sit_down, sheet):
    count = len(openings(BLACK))
    if count == 216:
        pytest.skip("every result draws an opening")
    players = sit_down(sheet, TwiceThrown())
    players.sets()
    players.taps()
    assert players.events[1].thrown == "666111"
    assert players.events[1].number == 1


class TwiceThrown:
    """Fair in name only: 6-6-6, then 1-1-1."""

    name = "scripted"

    def roll(self, count, inputs=None):  # noqa: ARG002
        return (6, 6, 6, 1, 1, 1)[:count]


def test_it_is_spoken(sit_down, sheet):
    players = seated(sit_down, sheet)
    lines = {}
    for style in (Style.TERSE, Style.FRIENDLY):
        announcer = Announcer(Language("en", style))
        lines[style] = [line.text for snapshot, _ in players.shown for line in announcer.see(snapshot)]
    assert any(line.startswith("Opening: ") for line in lines[Style.TERSE])
    assert any(
        line.startswith("The opening drawn is ") and "make these moves" in line for line in lines[Style.FRIENDLY]
    )


def test_in_a_match_the_same_opening_is_played_twice_with_exchanged_colours(sit_down, sheet):
    players = seated(sit_down, sheet, (1, 1, 5, 1, 2, 1), terms=match_under(rules_named(sheet).sheet, 9))
    players.resigns(WHITE, "win")
    players.sets()
    players.taps()
    players.resigns(WHITE, "win")
    players.sets()
    players.taps()
    lots = [event for event in players.events if isinstance(event, OpeningDrawn)]
    assert [(lot.number, lot.thrown) for lot in lots] == [(5, "115"), (5, ""), (7, "121")]
    assert players.game.match.score == (2, 2)


@pytest.mark.parametrize("kind", [SET_UP_WRONG, "unfinished"])
def test_a_second_game_that_is_restarted_has_the_same_opening(sit_down, sheet, kind):
    players = seated(sit_down, sheet, (1, 1, 5), terms=match_under(rules_named(sheet).sheet, 9))
    players.resigns(WHITE, "win")
    players.sets()
    players.taps()
    again = sit_down(sheet, (1, 2, 1), terms=players.game.match, resume=[*players.events, Ended(None, 0, kind)])
    again.sets()
    again.taps()
    (lot,) = (event for event in again.events if isinstance(event, OpeningDrawn))
    assert (lot.opening, lot.thrown) == (openings(BLACK)[4], "")
    assert again.game.match.colours_changed


def test_a_first_game_that_is_restarted_has_a_new_opening(sit_down, sheet):
    players = seated(sit_down, sheet, (1, 1, 5), terms=match_under(rules_named(sheet).sheet, 9))
    ended = Ended(None, 0, SET_UP_WRONG)
    again = sit_down(sheet, (1, 2, 1), terms=players.game.match, resume=[*players.events, ended])
    again.sets()
    again.taps()
    assert [event.thrown for event in again.events if isinstance(event, OpeningDrawn)] == ["121"]


def test_if_white_begins_the_openings_are_mirrored(sit_down, tmp_path):
    path = tmp_path / "white.toml"
    path.write_text('base = "acf"\nopening = "three_move_ballot"\nfirst_mover = "white"\n')
    players = seated(sit_down, str(path))
    assert [turn.play for turn in players.game.history] == openings(WHITE)[4].split()
    assert players.snapshot.on_roll == "black"


def test_a_restart_during_the_opening_continues_it(sit_down, sheet):
    players = seated(sit_down, sheet)
    again = sit_down(sheet, resume=players.events)
    assert again.game == players.game
    assert again.sees(ACF.start()).verdict.message.key == "ballot.drawn"


def test_a_game_with_a_drawn_opening_is_exported_to_pdn_and_imported(sit_down, sheet):
    players = seated(sit_down, sheet)
    rules = rules_named(sheet)
    again = replay(reenact(transcribe(players.events, rules), rules))
    assert again.position == players.game.position


# --- the dice behind it ---


def test_the_drawn_opening_follows_from_a_secret_committed_to_before(sit_down, sheet):
    players = sit_down(sheet, FairDice(MemorySecrets()))
    shown = players.sets()
    assert isinstance(players.events[0], DiceSealed)
    assert shown.fairness.commitment == players.events[0].commitment
    players.taps()
    players.resigns(WHITE, "win")
    players.does(SecretAsked(9.0))
    entries = [players.codec.encode(event) for event in players.events]
    result = check(entries)
    assert result.holds, result.lines
    assert any("is the one that these dice draw" in line.words for line in result.lines)


@pytest.mark.parametrize("change", [{"number": 3}, {"thrown": "113"}, {"of": 0}])
def test_a_recorded_opening_that_the_dice_do_not_draw_fails_verification(sit_down, sheet, change):
    players = sit_down(sheet, FairDice(MemorySecrets()))
    players.sets()
    players.taps()
    players.resigns(WHITE, "win")
    players.does(SecretAsked(9.0))
    entries = [players.codec.encode(event) for event in players.events]
    changed = [entry | change if entry["event"] == "OpeningDrawn" else entry for entry in entries]
    assert check(entries).holds
    if changed != entries:
        assert not check(changed).holds


def test_without_boardsides_dice_drawing_an_opening_is_refused(sit_down, sheet):
    players = sit_down(sheet, HandDice())
    players.sets()
    shown = players.taps()
    assert "ballot.no_dice" in keys_of(shown.notice)
    assert shown.fairness.enter is None
    assert not players.game.running
