"""The embedded engine ranks as players do, by what the sheet and the match count."""

from __future__ import annotations

import json

import numpy as np
import pytest

from companion.core import Dice, Side
from companion.game import Match
from companion.hints import CubeQuestion, EngineError
from companion.hints.network import NetworkEngine, lookahead
from companion.hints.network.evaluation import WEIGHTS, chances, rough_chances
from companion.hints.network.lookahead import after_both_rolls, best_replies
from companion.hints.network.plays import PlayGenerator
from companion.hints.network.rows import rows_of
from companion.hints.scoring import worths_of
from companion.rules import BackgammonPosition, rules_named

RULES = rules_named("standard")
ENGINES = {level: NetworkEngine(RULES, level) for level in (0, 2)}
LEVELS = pytest.mark.parametrize("level", ENGINES)


def best(position, side, *dice, level=2):
    return ENGINES[level].rank(position, side, Dice(dice), 1).plays[0].play


@LEVELS
def test_the_engine_opens_with_usual_plays(level):
    assert best(RULES.start(), Side.WHITE, 3, 1, level=level) == "8/5 6/5"
    assert best(RULES.start(), Side.BLACK, 6, 1, level=level) == "13/7 8/7"
    assert best(RULES.start(), Side.WHITE, 4, 2, level=level) == "8/4 6/4"
    assert best(RULES.start(), Side.BLACK, 6, 5, level=level) == "24/13"


def test_plays_come_best_first_with_chances_and_no_more_than_asked_for():
    ranking = ENGINES[2].rank(RULES.start(), Side.WHITE, Dice((6, 4)), 4)
    assert ranking.engine == "Boardside's network"
    assert len(ranking.plays) == 4
    assert [play.equity for play in ranking.plays] == sorted((play.equity for play in ranking.plays), reverse=True)
    for play in ranking.plays:
        assert 1 >= play.win >= play.gammon >= play.backgammon >= 0
        money = 2 * play.win - 1 + play.gammon + play.backgammon - play.lose_gammon - play.lose_backgammon
        assert play.equity == pytest.approx(money, abs=1e-5)


def test_the_strength_of_an_engine_is_stated_only_as_measured() -> None:
    stated = {level: engine.rank(RULES.start(), Side.WHITE, Dice((6, 4)), 1).loss for level, engine in ENGINES.items()}
    assert stated[0] is None
    assert stated[2] > 0


@LEVELS
def test_in_a_race_it_bears_off_rather_than_moves_down(level):
    home = BackgammonPosition((3, 3, 3, 2, 2, 2, *[0] * 12, *[-3] * 5, 0))
    assert best(home, Side.WHITE, 2, 1, level=level) == "2/off 1/off"


@LEVELS
def test_the_last_checkers_off_win_for_certain(level):
    last = BackgammonPosition((1, 1, *[0] * 16, -3, -3, -3, -3, -3, 0), (0, 0), (13, 0))
    play = ENGINES[level].rank(last, Side.WHITE, Dice((6, 5)), 1).plays[0]
    assert (play.win, play.gammon, play.backgammon, play.equity) == (1.0, 1.0, 0.0, 2.0)


def test_a_flipped_position_has_the_same_value_for_the_other_player():
    white = [play.equity for play in ENGINES[2].rank(RULES.start(), Side.WHITE, Dice((5, 2)), 5).plays]
    assert white == [play.equity for play in ENGINES[2].rank(RULES.start(), Side.BLACK, Dice((5, 2)), 5).plays]


def test_without_a_legal_play_there_is_none_to_rank():
    closed = BackgammonPosition((2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6), (1, 0), (2, 3))
    assert ENGINES[2].rank(closed, Side.WHITE, Dice((6, 1)), 5).plays == ()


def test_gammons_that_do_not_count_are_not_evaluated():
    engine = NetworkEngine(rules_named("travel-set"))
    (play,) = engine.weigh([RULES.start()], Side.WHITE, Match())
    assert play.equity == pytest.approx(2 * play.win - 1, abs=1e-5)


def test_many_positions_are_evaluated_in_their_order():
    successors = RULES.successors(RULES.start(), Side.WHITE, Dice((3, 1)))
    positions = [successor.after for successor in successors]
    weighed = ENGINES[2].weigh(positions, Side.WHITE)
    assert [play.after for play in weighed] == positions
    alone = ENGINES[2].weigh(positions[:1], Side.WHITE)
    assert weighed[0].equity == pytest.approx(alone[0].equity, abs=1e-5)


# --- looking ahead ---

MONEY = (-1, 2, 1, 1, -1, -1)


def bear_off(white, black):
    """Checkers left on the first points of each player's home board."""
    points = [*white, *[0] * (24 - len(white) - len(black)), *[-n for n in reversed(black)]]
    return BackgammonPosition(tuple(points), (0, 0), (15 - sum(white), 15 - sum(black)))


@pytest.mark.parametrize(("black", "wins"), [((4,), 30 / 36), ((0, 3), 31 / 36)])
def test_a_race_that_ends_within_a_roll_of_both_is_exact(black, wins):
    """White's last two come off with any roll; Black's four need a double, three on the 2 point any but 1-1."""
    rows = rows_of([bear_off((2,), black)], Side.BLACK)
    own = after_both_rolls(rows[0], MONEY, MONEY, PlayGenerator(RULES.sheet))
    assert own == pytest.approx([wins, 0, 0, 0, 0], abs=1e-6)


def test_a_stopped_look_ahead_answers_with_the_look_over_one_roll():
    engine = NetworkEngine(RULES, 2)
    engine.stop()
    stopped = engine.rank(RULES.start(), Side.WHITE, Dice((2, 1)), 3)
    assert stopped.plays == NetworkEngine(RULES, 1).rank(RULES.start(), Side.WHITE, Dice((2, 1)), 3).plays
    engine.ready()
    assert engine.rank(RULES.start(), Side.WHITE, Dice((2, 1)), 3).plays != stopped.plays


def test_the_small_network_keeps_the_best_reply(monkeypatch):
    rows = rows_of([RULES.start(), bear_off((3, 3, 4, 2), (2, 3, 3, 3))], Side.WHITE)
    kept, _ = best_replies(rows, MONEY, PlayGenerator(RULES.sheet))
    monkeypatch.setattr(lookahead, "REPLIES", 100)
    best, _ = best_replies(rows, MONEY, PlayGenerator(RULES.sheet))
    assert (kept == best).all(axis=2).sum() >= 38, "of 42 rolls"


def test_the_small_network_too_knows_who_has_won():
    won = bear_off((), (2, 1))
    assert rough_chances(rows_of([won], Side.WHITE))[0, 0] == 1
    assert rough_chances(rows_of([won], Side.BLACK))[0, 0] == 0


# --- what counts ---


@pytest.mark.parametrize(
    ("sheet", "match", "worths"),
    [
        ("standard", Match(), (-1, 2, 1, 1, -1, -1)),
        ("no-doubling", Match(), (-1, 2, 1, 0, -1, 0)),  # no triple game
        ("green-box", Match(), (-1, 2, 0, 0, 0, 0)),  # no gammons
        ("travel-set", Match(), (-1, 2, 0, 0, 0, 0)),  # gammons count at a stake only
        ("travel-set", Match(stake=1.0), (-1, 2, 1, 1, -1, -1)),
        ("standard", Match(length=7, score=(6, 6)), (-1, 2, 0, 0, 0, 0)),  # one point is enough for either
    ],
)
def test_outcomes_count_what_the_sheet_and_the_match_count(sheet, match, worths):
    assert worths_of(rules_named(sheet), Side.WHITE, match) == pytest.approx(worths, abs=1e-5)


def test_a_player_who_needs_two_points_plays_for_the_gammon_and_a_leader_does_not():
    match = Match(length=7, score=(5, 6), crawford_over=True, cube=1)
    white, black = (worths_of(RULES, side, match) for side in Side)
    assert white[2] == pytest.approx(2 * 1, abs=1.0)
    assert white[2] > 0.5
    assert black[2] == pytest.approx(0, abs=1e-5)


def test_the_best_play_depends_on_what_a_gammon_counts():
    """White may hit a second checker and risk the game: worth it only where a gammon counts."""
    gammonless = NetworkEngine(rules_named("green-box"), 0)
    counted = gambles = 0
    lots = np.random.default_rng(4)
    position, side = RULES.start(), Side.WHITE
    for _ in range(60):
        dice = Dice(tuple(int(n) for n in lots.integers(1, 7, 2)))
        plays = ENGINES[0].rank(position, side, dice, 1).plays
        other = gammonless.rank(position, side, dice, 1).plays
        if plays:
            counted += plays[0].after != other[0].after
            gambles += other[0].win > plays[0].win
            assert other[0].win >= plays[0].win
            position = plays[0].after
        side = side.opponent
        if RULES.outcome(position):
            position, side = RULES.start(), Side.WHITE
    assert counted == gambles > 0


# --- cube ---


def question(points, off, side=Side.WHITE):
    return CubeQuestion(BackgammonPosition(tuple(points), (0, 0), off), side, Match())


@pytest.mark.parametrize(
    ("white", "black", "doubles", "takes"),
    [
        ((3, 3, 2), (3, 3, 4), True, False),  # a roll ahead, and on roll
        ((3, 3, 4, 3), (3, 3, 4, 2), False, True),
    ],
)
def test_the_engine_advises_on_the_cube(white, black, doubles, takes):
    points = [*white, *[0] * (24 - len(white) - len(black)), *[-n for n in reversed(black)]]
    advice = ENGINES[2].cube(question(points, (15 - sum(white), 15 - sum(black))))
    assert (advice.doubles, advice.takes) == (doubles, takes)
    assert json.dumps([advice.doubles, advice.takes, advice.no_double, advice.double_take]), "plain numbers, for files"


# --- the networks ---


def test_probabilities_keep_to_what_is_possible():
    position = BackgammonPosition((2, 2, 2, 2, 2, 2, *[0] * 10, *[-2] * 4, -1, -1, -1, -1), (0, 0), (3, 3))
    (found,) = chances(rows_of([position], Side.WHITE))
    assert found[1] == found[2] == found[3] == found[4] == 0, "both have borne off: no gammon"


def test_the_weights_are_small():
    assert WEIGHTS.stat().st_size < 2_000_000


def test_rules_of_another_game_are_refused():
    with pytest.raises(EngineError, match="networks for backgammon"):
        NetworkEngine(rules_named("acf"))
