"""The card of a result summarises the analysis of the last game."""

from __future__ import annotations

from companion.analysis.analysed_matches import card
from companion.analysis.decisions import Decision, DecisionKind, GameAnalysis, MatchAnalysis
from companion.core import Side


def test_a_player_without_decisions_has_no_line_on_the_card():
    play = Decision(1, Side.WHITE, DecisionKind.PLAY, None, (3, 1), "8/5 6/5", "8/5 6/5", counts=True)
    game = GameAnalysis(1, "GNU Backgammon, 2-ply", (0, 0), Side.WHITE, 1, 1.0, (play,))
    assert [line.facts["player"] for line in card(MatchAnalysis("backgammon", 0, (game,)))] == [Side.WHITE]
