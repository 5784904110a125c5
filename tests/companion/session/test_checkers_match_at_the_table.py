"""An evening of checkers: a match of games in which the players change colours, with points, draws and crowns."""

from __future__ import annotations

import random

import pytest
from said import keys_of, notice_of

from companion.core import Side
from companion.game import Drawn, Ended, Match, MatchBegan, Resigned, Started, match_under, replay
from companion.interface import SetUp, Tapped
from companion.interface.messages import Button
from companion.rules import CheckersPosition, rules_named
from companion.speech import Style
from companion.speech.announcer import Announcer
from companion.speech.language import Language
from companion.texts import render
from companion.transfer.exporter import transcribe
from companion.transfer.importer import reenact

WHITE, BLACK = Side.WHITE, Side.BLACK
ACF = rules_named("acf")
SEED = 162
"""Of random moves that end a game soon."""


@pytest.fixture
def players(sit_down):
    """A match to four points; Black is to move in its first game."""
    return seated(sit_down, 4)


def seated(sit_down, length, sheet="acf", **options):
    players = sit_down(sheet, terms=match_under(rules_named(sheet).sheet, length), **options)
    players.sets()
    players.taps()
    return players


def next_game(players):
    players.sets()
    return players.taps()


def said(players, style=Style.FRIENDLY):
    announcer = Announcer(Language("en", style))
    return [line.text for snapshot, _ in players.shown for line in announcer.see(snapshot)]


# --- points and colours ---


def test_a_win_scores_two_points_and_the_players_change_colours(players):
    shown = players.resigns(WHITE, "win")
    assert players.events[-1] == Resigned(WHITE, "win", 2)
    assert (shown.score, shown.match.winner) == ((0, 2), None)
    assert {"wins", "points", "match.change"} <= keys_of(shown.notice)
    shown = next_game(players)
    assert shown.score == (2, 0)
    assert shown.match.colours_changed
    assert shown.on_roll == "black"


def test_false_moves_stay_with_a_player_who_changes_colour(players):
    players.shows(players.rules.board_after(players.game.position, BLACK, "11-18"))
    players.taps()
    assert players.snapshot.false_moves == (0, 1)
    players.resigns(WHITE, "win")
    assert next_game(players).false_moves == (1, 0)


def test_a_draw_scores_one_point_for_each_player(players):
    players.plays("11-15")
    shown = players.draws()
    assert players.events[-1] == Drawn("agreement")
    assert shown.score == (1, 1)
    assert "Each player gets one point." in notice_of(shown)


def test_an_abandoned_game_scores_nothing_and_the_colours_stay(players):
    players.plays("11-15")
    players.taps()
    players.sets()
    players.taps()
    players.does(Tapped(Button.ROLL, 9.0))
    assert players.events[-2] == Ended(None, 0, "unfinished")
    assert (players.game.match.score, players.game.match.colours_changed) == ((0, 0), False)


def test_the_match_is_won_by_the_player_with_enough_points_in_either_colour(players):
    players.resigns(WHITE, "win")
    next_game(players)
    shown = players.resigns(BLACK, "win")
    assert (shown.score, shown.match.winner) == ((4, 0), WHITE)
    assert {"wins.match"} <= keys_of(shown.notice)
    assert "match.change" not in keys_of(shown.notice)


def test_at_equal_points_the_match_continues(sit_down):
    players = seated(sit_down, 1)
    shown = players.draws()
    assert (shown.score, shown.match.winner) == ((1, 1), None)
    next_game(players)
    shown = players.resigns(WHITE, "win")
    assert (shown.score, shown.match.winner) == ((1, 3), BLACK)


def test_after_the_match_games_score_as_before_it(sit_down):
    players = sit_down("acf")
    players.sets()
    players.taps()
    assert players.resigns(WHITE, "win").score == (0, 1)
    assert next_game(players).score == (0, 1)


def test_taking_back_the_end_of_a_game_removes_its_points(players):
    players.resigns(WHITE, "win")
    players.taps(Button.REFEREE)
    players.taps()
    players.does(Tapped(Button.ROLL, 9.0))
    assert (players.game.match.score, players.game.match.colours_due) == ((0, 0), False)
    assert players.game.running


def test_after_a_restart_each_player_has_their_points(sit_down, players):
    players.resigns(WHITE, "win")
    next_game(players)
    again = sit_down("acf", terms=match_under(ACF.sheet, 4), resume=players.events)
    assert again.game == players.game
    assert again.game.match.score == (2, 0)


def test_a_sheet_may_keep_the_colours_and_count_wins_only(sit_down, tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text('base = "acf"\nmatch_colours = "kept"\ndraw_counts = "nothing"\n')
    players = seated(sit_down, 2, str(path))
    assert players.draws().score == (0, 0)
    next_game(players)
    assert players.resigns(WHITE, "win").score == (0, 1)
    assert next_game(players).score == (0, 1)


def test_a_match_of_an_older_version_continues_under_its_old_terms():
    events = [MatchBegan(3), Started("checkers", "acf", ACF.start(), BLACK, cube=False, rolls=False)]
    game = replay([*events, Resigned(WHITE, "win", 1), events[1], Drawn("agreement")])
    assert game.match == Match(3, score=(0, 1), has_cube=False)


def test_an_older_match_under_way_is_not_restarted(sit_down):
    events = [MatchBegan(3), Started("checkers", "acf", ACF.start(), BLACK, cube=False, rolls=False)]
    events.append(Resigned(WHITE, "win", 1))
    players = sit_down("acf", terms=match_under(ACF.sheet, 3), resume=events)
    next_game(players)
    assert players.game.match.score == (0, 1)


# --- what is said ---


def test_points_and_the_change_of_colours_are_spoken(players):
    players.resigns(WHITE, "win")
    assert "Black wins two points. White resigned. The players change colours for the next game." in said(players)
    assert "Black wins two points. White resigned. Change colours." in said(players, Style.TERSE)


@pytest.mark.parametrize(
    ("style", "line"),
    [
        (Style.FRIENDLY, "White plays six to one. Crown the man on one. Tap Roll to pass the turn."),
        (Style.TERSE, "Six to one. Crown it."),
    ],
)
def test_a_man_on_the_last_row_has_to_be_crowned(sit_down, style, line):
    players = sit_down("acf")
    players.does(SetUp(CheckersPosition.from_fen("W:W6,32:B12"), None, 0.0))
    players.sets(players.game.position)
    shown = players.plays("6-1")
    assert render(shown.verdict.message) == "White plays 6-1. Crown the man on 1."
    assert said(players, style)[-1] == line


# --- an evening ---


def test_a_match_of_two_games_is_played_to_the_end(sit_down):
    players = seated(sit_down, 3)
    chance = random.Random(SEED)
    while players.game.running:  # the first game, to its end on the board
        players.plays_anything(chance.randrange(1000))
        players.taps()
    first = players.game.ended
    assert first.winner is not None
    assert first.points == 2
    leader = first.winner.opponent  # who has won has the other colour now
    shown = next_game(players)
    assert shown.score[list(Side).index(leader)] == 2
    players.sees(two_plies(players, "11-15", "23-19"))  # both before the tap
    players.taps(player=BLACK)
    players.taps(player=WHITE)
    assert [turn.play for turn in players.game.history] == ["11-15", "23-19"]
    shown = players.draws()
    assert sorted(shown.score) == [1, 3]
    assert shown.match.winner is leader
    assert "wins.match" in keys_of(shown.notice)
    assert replay(players.events) == players.game
    script = transcribe(players.events, ACF)
    again = reenact(script, ACF)
    assert replay(again).match.score == players.game.match.score
    assert transcribe(again, ACF) == script


def two_plies(players, first, second):
    rules, game = players.rules, players.game
    middle = rules.find_play(game.position, game.on_roll, None, first).after
    return rules.find_play(middle, middle.to_move, None, second).after
