"""Analysis with the embedded engine: luck, losses, and the points of the sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from analysed import SHORT, games_of, random_position

from companion.analysis.analyst import FallbackAnalyst, choose_analyst, follows_standard_rules
from companion.analysis.decisions import AnalysisError, DecisionKind
from companion.analysis.engine_analyst import ROLLS, EngineAnalyst, ways
from companion.core import Dice, Side
from companion.game import Match
from companion.hints import EngineError, RankedPlay, choose_engine
from companion.rules import rules_named
from companion.transfer import transcribe

RULES = rules_named("standard")
PLAIN = EngineAnalyst(RULES, choose_engine(RULES, "embedded", 0))


def quiet(*_):
    """Ignore the progress."""


@pytest.mark.parametrize("seed", range(2))
def test_over_all_rolls_luck_is_zero(seed):
    position, side = random_position(seed, 9 + seed)
    luck = PLAIN.luck_of_rolls(position, side, Match(), first=False)
    assert sum(luck[roll] * ways(roll) for roll in ROLLS) == pytest.approx(0, abs=1e-9)
    assert max(luck.values()) > 0


def test_to_begin_is_luck_in_the_first_roll():
    luck = PLAIN.luck_of_rolls(RULES.start(), Side.WHITE, Match(), first=True)
    usual = PLAIN.luck_of_rolls(RULES.start(), Side.WHITE, Match(), first=False)
    assert set(luck) == {roll for roll in ROLLS if roll[0] != roll[1]}
    assert sum(luck.values()) > 0
    assert len({round(luck[roll] - usual[roll], 9) for roll in luck}) == 1


AGAIN = """
 0 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 63: 24/15                   51: 13/8 6/5
      Wins 1 point

 Game 2
 Ann : 1                        Ben : 0
  1) 63: 24/15                   51: 13/8 6/5
      Wins 1 point

 Game 3
 Ann : 2                        Ben : 0
  1) 33: 8/5(2) 6/3(2)           51: 13/8 6/5
      Wins 1 point
"""


def first_lucks(sheet: str, text: str = AGAIN) -> list[float]:
    """The luck of the first roll of each game."""
    _, games = games_of(text, sheet)
    analyst = EngineAnalyst(rules_named(sheet), choose_engine(RULES, "plain", 0))
    return [analyst.analyse(game, quiet).decisions[0].luck for game in games]


def gain(sheet: str, roll: tuple[int, int], *, begins: bool) -> float:
    """The gain of a first roll over the mean of the player's 36 first rolls, or (`begins`) of both players'."""
    rules = rules_named(sheet)
    engine = choose_engine(RULES, "plain", 0)
    best = {}
    for dice in ROLLS:
        reached = [successor.after for successor in rules.successors(rules.start(), Side.WHITE, Dice(dice))]
        weighed = engine.weigh(reached, Side.WHITE)
        best[dice] = max(2 * one.win - 1 + one.gammon - one.lose_gammon for one in weighed)
    mean = sum(best[dice] * ways(dice) for dice in ROLLS) / 36
    return best[roll] - (0.0 if begins else mean)


def test_if_the_winner_begins_the_first_roll_is_one_of_36():
    first, second, third = first_lucks("no-doubling")
    assert first == pytest.approx(gain("no-doubling", (3, 6), begins=True))
    assert second == pytest.approx(gain("no-doubling", (3, 6), begins=False))
    assert third == pytest.approx(gain("no-doubling", (3, 3), begins=False))


def test_the_right_to_begin_is_luck_in_every_game_that_a_roll_begins():
    first, second = first_lucks("standard", AGAIN[: AGAIN.index(" Game 3")])
    assert first == second
    assert first == pytest.approx(PLAIN.luck_of_rolls(RULES.start(), Side.WHITE, Match(), first=True)[3, 6])


def test_luck_of_another_opening_is_not_taken_from_gnubg(tmp_path):
    path = tmp_path / "winner.toml"
    path.write_text('base = "standard"\nnext_game_starter = "previous_winner"\n')
    assert not follows_standard_rules(rules_named(str(path)).sheet, Match())


def test_the_best_play_of_a_roll_loses_nothing_and_every_other_loses_something():
    _, (game,) = games_of(SHORT)
    found = PLAIN.analyse(game, quiet)
    assert [decision.made for decision in found.decisions] == [turn.play for turn in game.actions]
    for decision in found.decisions:
        assert decision.loss >= 0
        mine = next(option.equity for option in decision.options if option.play == decision.made)
        assert decision.loss == pytest.approx(decision.options[0].equity - mine)
        assert decision.counts is (len(decision.options) > 1)
    assert found.engine == PLAIN.name


class OnlyGammons:
    """An engine for which every position is a gammon, won by the player who moved."""

    name = "gammons"

    def weigh(self, positions, _side):
        return [RankedPlay("", position, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0) for position in positions]

    def cube(self, _question):
        return None

    def close(self):
        """Nothing to release."""


@pytest.mark.parametrize(("sheet", "points"), [("standard", 2.0), ("green-box", 1.0), ("travel-set", 1.0)])
def test_a_gammon_counts_what_the_sheet_counts(sheet, points):
    _, (game,) = games_of(SHORT.replace("1 point match", "0 point match"), sheet)
    found = EngineAnalyst(rules_named(sheet), OnlyGammons()).analyse(game, quiet)
    assert found.decisions[0].options[0].equity == points


def test_a_move_of_checkers_is_judged_in_men_without_luck():
    text = '[White "a"]\n[Black "b"]\n[Result "*"]\n\n1. 11-15 23-19 2. 8-11 22-17 1-0'
    _, (game,) = games_of(text.replace('"*"', '"1-0"'), "acf", "pdn")
    rules = rules_named("acf")
    found = EngineAnalyst(rules, choose_engine(rules, "embedded", 0)).analyse(game, quiet)
    assert len(found.decisions) == 4
    assert {decision.luck for decision in found.decisions} == {None}
    assert {decision.kind for decision in found.decisions} == {DecisionKind.PLAY}


class Broken:
    """An analyst whose engine has crashed."""

    name = version = "broken"

    def analyse(self, _game, _progress):
        raise EngineError("it crashed")

    def close(self):
        """Nothing to release."""


def test_if_the_strong_engine_fails_the_other_is_used_with_a_note():
    _, (game,) = games_of(SHORT)
    found = FallbackAnalyst(Broken(), PLAIN).analyse(game, quiet)
    assert found.note == "it crashed"
    assert found.engine == PLAIN.name


class WithoutCube(OnlyGammons):
    """An engine that crashes when it is asked about the cube."""

    def cube(self, _question):
        raise EngineError("it crashed at the cube")


def test_an_engine_that_fails_at_the_cube_is_replaced_by_the_other():
    _, (game,) = games_of(SHORT.replace("1 point match", "3 point match"))
    without = EngineAnalyst(RULES, WithoutCube())
    with pytest.raises(EngineError, match="at the cube"):
        without.analyse(game, quiet)
    found = FallbackAnalyst(without, PLAIN).analyse(game, quiet)
    assert found.note == "it crashed at the cube"
    assert DecisionKind.NO_DOUBLE in {decision.kind for decision in found.decisions}


@pytest.mark.parametrize(
    ("sheet", "standard"), [("standard", True), ("tournament", True), ("green-box", False), ("no-doubling", False)]
)
def test_gnubg_analyses_only_sheets_with_the_standard_rules(sheet, standard):
    assert follows_standard_rules(rules_named(sheet).sheet, Match()) is standard
    assert not follows_standard_rules(rules_named(sheet).sheet, Match(has_cube=False))


def test_a_match_longer_than_the_table_of_equities_is_refused():
    with pytest.raises(AnalysisError, match="up to 25"):
        choose_analyst(RULES, Match(length=26), "embedded")


def test_an_illegal_play_that_stands_is_not_counted_and_not_for_gnubg():
    _, (game,) = games_of(SHORT)
    illegal = replace(game.actions[0], after=RULES.start())
    game.actions_by_turn[0] = (0, illegal)
    found = PLAIN.analyse(game, quiet).decisions[0]
    assert (found.loss, found.counts, found.value) == (0.0, False, None)
    assert found.best


def test_one_game_alone_can_be_written_for_gnubg():
    _, games = games_of(SHORT)
    assert len(transcribe(games[0].events, RULES).games) == 1
