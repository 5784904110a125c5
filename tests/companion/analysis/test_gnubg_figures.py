"""The figures equal those of the installed gnubg for the same matches at 0 plies."""

from __future__ import annotations

import pytest
from analysed import MATCHES, SHORT, games_of
from gnubg_statistics import gnubg_statistics
from sweeps import sampled

from companion.analysis.decisions import DecisionKind
from companion.analysis.gnubg_analyst import GnubgAnalyst
from companion.analysis.grades import Luck, Rating
from companion.analysis.totals import totals
from companion.core import Side
from companion.hints import EngineError, find_gnubg
from companion.rules import rules_named

RATINGS = {"Awful!": Rating.AWFUL, "Beginner": Rating.BEGINNER, "Casual player": Rating.CASUAL}
LUCK = {
    "Go to bed": Luck.VERY_UNLUCKY,
    "Bad dice, man!": Luck.UNLUCKY,
    "None": Luck.NONE,
    "Good dice, man!": Luck.LUCKY,
    "Go to Las Vegas": Luck.VERY_LUCKY,
}
SUMS = ("play_loss", "play_cost", "cube_loss", "cube_cost", "luck", "luck_cost", "result", "adjusted")
needs_gnubg = pytest.mark.skipif(find_gnubg() is None, reason="gnubg is not installed")
RULES = rules_named("tournament")


@pytest.fixture(scope="module")
def analyst():
    gnubg = GnubgAnalyst(RULES, 0)
    yield gnubg
    gnubg.close()


NAMES, QUICK = sorted(path.stem for path in MATCHES.glob("*.mat")), ("to-1",)
GIVEN_UP = """ 0 point match

 Game 1
 White : 0                           Black : 0
  1) 52: 24/22 13/8                  65: 24/13
  2) 31: 8/5 6/5                      Doubles => 2
  3)  Takes
      Wins 2 points
"""


@needs_gnubg
@pytest.mark.parametrize("name", sampled(NAMES, QUICK))
def test_errors_and_luck_and_ratings_equal_those_of_gnubg(analyst, name, tmp_path):
    printed = gnubg_statistics(MATCHES / f"{name}.mat", tmp_path)
    _, games = games_of((MATCHES / f"{name}.mat").read_text(), "tournament")
    found = totals(analyst.analyse(game, lambda *_: None) for game in games)
    for side in Side:
        ours, theirs = found[side], printed[side]
        assert {key: getattr(ours, key) for key in SUMS} == pytest.approx({key: theirs[key] for key in SUMS}, abs=2e-4)
        assert (ours.moves, ours.unforced) == (theirs["moves"], theirs["unforced"])
        assert (ours.cubes, ours.close) == (theirs["cubes"], theirs["close"])
        assert ours.error_rate == pytest.approx(theirs["error_rate"], abs=0.051)
        assert ours.snowie_error_rate == pytest.approx(theirs["snowie"], abs=0.051)
        assert ours.rating is RATINGS[theirs["rating"]]
        assert ours.luck_class is LUCK[theirs["luck_rating"]]


@needs_gnubg
def test_a_game_is_analysed_decision_by_decision(analyst):
    _, (game,) = games_of(SHORT)
    steps = []
    found = analyst.analyse(game, lambda done, of: steps.append((done, of)))
    plays = [decision for decision in found.decisions if decision.kind is DecisionKind.PLAY]
    assert [decision.made for decision in plays] == [turn.play for turn in game.actions]
    assert plays[0].best == "24/23 13/11"
    assert plays[2].loss == 0.0
    assert plays[2].best == "bar/22*/17*" or plays[2].best == plays[2].made
    assert all(0.0 <= decision.value <= 1.0 for decision in plays)
    assert steps[-1] == (steps[-1][1], steps[-1][1])
    assert (found.winner, found.points, found.result) == (Side.BLACK, 1, -0.5)


@needs_gnubg
def test_a_resignation_right_after_a_take_is_read_as_it_was(analyst):
    _, (game,) = games_of(GIVEN_UP)
    found = analyst.analyse(game, lambda *_: None)
    assert [decision.kind for decision in found.decisions][-3:] == [
        DecisionKind.PLAY,
        DecisionKind.DOUBLE,
        DecisionKind.TAKE,
    ]
    assert found.points == 2


@needs_gnubg
def test_a_gnubg_that_exits_fails_one_game_and_the_next_has_a_new_one():
    _, (game,) = games_of(SHORT)
    analyst = GnubgAnalyst(RULES, 0, program="/bin/true")
    with pytest.raises(EngineError, match="ended"):
        analyst.analyse(game, lambda *_: None)
    analyst.close()
