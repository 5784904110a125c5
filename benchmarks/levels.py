"""Plays the opponent's levels against each other: `python benchmarks/levels.py [GAMES]` (20 a pair; use hundreds).

Each level plays the one below it, in pairs of games with the same dice and exchanged sides; without a cube. Columns:
wins in per cent, with draws as half, and points per game.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any

from companion.core import Dice, Side
from companion.hints import BEST_LEVEL, DecisionRequest, Player, choose_engine, choose_weaker_engine
from companion.rules import rules_named

if TYPE_CHECKING:
    from companion.rules import Ruleset

GAMES = 20
LONGEST = 400
"""Turns after which a game is a draw."""
OPENING_MOVES = 3
"""Random moves at the start of a game of checkers, so that games differ."""


def played(rules: Ruleset[Any], players: dict[Side, Player], seed: int) -> tuple[Side | None, int]:
    """The winner of one game (None: a draw), and the points."""
    thrown, checkers = random.Random(seed), rules.sheet.game == "checkers"
    position, past = rules.start(), [rules.start()]
    side = Side.BLACK if checkers else thrown.choice(list(Side))
    for turn in range(LONGEST):
        dice = None if checkers else Dice((thrown.randint(1, 6), thrown.randint(1, 6)))
        if checkers and turn < OPENING_MOVES:
            play = rules.write_play(thrown.choice(rules.successors(position, side, None)).play)
        else:
            play = players[side].decide(DecisionRequest(position, side, dice, turn, f"{seed} {turn} {side}")).play
        successor = rules.find_play(position, side, dice, play) if play else None
        position = position if successor is None else successor.after
        past.append(position)
        outcome = rules.outcome(position)
        if outcome is not None:
            return outcome.winner, rules.score(outcome, cube=1, for_stakes=True).points
        if rules.draw_claim(past) is not None:
            break
        side = side.opponent
    return None, 0


def match_score(rules: Ruleset[Any], stronger: Player, weaker: Player, games: int) -> tuple[float, float]:
    """The stronger player's share of wins, and points per game."""
    wins = points = 0.0
    for game in range(games):
        side = list(Side)[game % 2]
        winner, count = played(rules, {side: stronger, side.opponent: weaker}, game // 2)
        wins += 0.5 if winner is None else float(winner is side)
        points += 0 if winner is None else count if winner is side else -count
    return wins / games, points / games


def main() -> None:
    """Print a line for each pair of neighbouring levels of both games."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    print(f"{'game':<12}{'levels':<10}{'wins %':>8}{'points a game':>16}   ({games} games each)")
    for sheet in ("standard", "acf"):
        rules = rules_named(sheet)
        weaker, best = choose_weaker_engine(rules), choose_engine(rules, "embedded")
        players = [Player(rules, best, weaker, level) for level in range(1, BEST_LEVEL + 1)]
        for level in range(BEST_LEVEL - 1, 0, -1):
            wins, points = match_score(rules, players[level], players[level - 1], games)
            print(f"{rules.sheet.game:<12}{f'{level + 1} : {level}':<10}{100 * wins:>8.1f}{points:>+16.2f}", flush=True)


if __name__ == "__main__":
    main()
