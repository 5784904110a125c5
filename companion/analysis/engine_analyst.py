"""Analysis with any engine of `companion.hints`: evaluates all plays of each roll by the rule sheet's points.

Luck of a roll is the equity of its best play less the mean over all rolls, as gnubg defines it (`LuckAnalysis`,
analysis.c). If a roll decided who begins, the first roll's luck includes that of beginning, as in gnubg's `LuckFirst`:
the mean is then over the first rolls of both players. These include doubles only if the starter rolls again. Equities
are without a cube.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from companion.analysis.cube_decisions import CubeEquities, Stakes, cube_decision, cube_turned, play_decision
from companion.analysis.decisions import Decision, DecisionKind, GameAnalysis, Option
from companion.analysis.finished_games import CubeTurned, FinishedGame, TurnTaken
from companion.core import Dice, Side
from companion.game import EVENING, Beavered, Doubled
from companion.hints import CubeQuestion, equity_of, worths_of
from companion.rules import BackgammonSheet, plays_opening_dice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.game import Match
    from companion.hints import Engine, RankedPlay
    from companion.rules import Ruleset

ROLLS = tuple(combinations_with_replacement(range(1, 7), 2))
"""The 21 different rolls of two dice."""
OPTIONS = 5
"""Most plays stored of each decision, besides the one made."""
FIGURES = 2
"""Version of this module's computation, part of `EngineAnalyst.version`; raised with every change of its results."""


class EngineAnalyst:
    """Analyses games by evaluating the positions after all plays. Not thread-safe."""

    def __init__(self, rules: Ruleset[Any], engine: Engine, quick: Engine | None = None) -> None:
        """`engine` evaluates plays and the cube; `quick` (default: `engine`) evaluates all rolls, for luck."""
        self._rules = rules
        self._engine = engine
        self._quick = quick or engine

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._engine.name

    @property
    def version(self) -> str:
        """The names of the engines and the number of the computation."""
        return f"{self._engine.name}, {self._quick.name}, {FIGURES}"

    def analyse(self, game: FinishedGame, progress: Callable[[int, int], None]) -> GameAnalysis:
        """Analyse a game. Raises EngineError."""
        decisions: list[Decision] = []
        double: tuple[CubeEquities, Stakes] | None = None
        for turn, action in enumerate(game.actions, 1):
            progress(turn - 1, len(game.actions))
            if isinstance(action, TurnTaken):
                decisions += self._turn(turn, action, first=turn == 1 and game.begun_by_a_roll)
            else:
                if action.kind in (Doubled, Beavered):
                    double = self._double(action) if action.kind is Doubled else None
                decisions += cube_turned(turn, action, self._rules.to_json(action.position), double)
        progress(len(game.actions), len(game.actions))
        return GameAnalysis(
            game.number,
            self.name,
            game.match.score,
            game.winner,
            game.points,
            0.0 if self._in_men() else game.result,
            tuple(decisions),
            game.match.colours_changed,
        )

    def close(self) -> None:
        """Close the engines."""
        self._engine.close()
        self._quick.close()

    def luck_of_rolls(self, position: Any, side: Side, match: Match, *, first: bool) -> dict[tuple[int, ...], float]:
        """Luck of each possible roll, in equity; `first`: the first roll of a game, after a roll decided who begins."""
        kept = first and plays_opening_dice(self._rules.sheet)
        possible = [roll for roll in ROLLS if not kept or roll[0] != roll[1]]
        own = self._best_of_rolls(position, side, match.for_stakes)
        mean = _mean(own, possible)
        if first:
            other = self._best_of_rolls(position, side.opponent, match.for_stakes)
            mean = (mean - _mean(other, possible)) / 2
        return {roll: own[roll] - mean for roll in possible}

    def _in_men(self) -> bool:
        return not isinstance(self._rules.sheet, BackgammonSheet)

    def _turn(self, turn: int, action: TurnTaken, *, first: bool) -> list[Decision]:
        """The decisions of a turn: not to double, and the play; `first`: as for `luck_of_rolls`."""
        position = self._rules.to_json(action.before)
        stakes = Stakes(0.0, 1.0) if self._in_men() else Stakes.of(action.match, action.side)
        found = []
        if not self._in_men() and action.before != self._rules.start():
            may = action.match.no_double_because(action.side) is None
            equities = self._cube(action.before, action.side, action.match) if may else None
            if equities is not None:
                found.append(cube_decision(turn, action.side, DecisionKind.NO_DOUBLE, position, (equities, stakes)))
        successors = self._rules.successors(action.before, action.side, action.dice)
        weighed = self._engine.weigh([s.after for s in successors], action.side) if successors else []
        write = self._rules.write_play
        options = [
            Option(write(s.play), self._equity(play, action.side, action.match.for_stakes))
            for s, play in zip(successors, weighed, strict=True)
        ]
        seen = self._rules.visible(action.after)
        reached = zip(options, successors, strict=True)
        made = next((option for option, s in reached if self._rules.visible(s.after) == seen), None)
        ranked = sorted(options, key=lambda option: -option.equity)
        shown = ranked[:OPTIONS]
        value = None
        if made is not None:
            matched = bool(action.match.length) and not self._in_men()
            value = stakes.for_white(made.equity, action.side, matched=matched)
            shown += [] if made in shown else [made]
        found.append(
            play_decision(
                turn,
                action,
                position,
                ranked[0] if ranked else None,
                made,
                stakes=stakes,
                counts=made is not None and len(options) > 1,
                luck=self._luck_of(action, first=first),
                value=value,
                options=shown,
            )
        )
        return found

    def _luck_of(self, action: TurnTaken, *, first: bool) -> float | None:
        if action.dice is None or len(action.dice.values) != 2 or self._in_men():
            return None
        low, high = sorted(action.dice.values)
        first = first and action.before == self._rules.start()
        return self.luck_of_rolls(action.before, action.side, action.match, first=first).get((low, high))

    def _best_of_rolls(self, position: Any, side: Side, counted: bool) -> dict[tuple[int, ...], float]:
        """Equity of the best play of each of ROLLS; for a roll without a play, of the unchanged position."""
        reached = {
            roll: [s.after for s in self._rules.successors(position, side, Dice(roll[::-1]))] or [position]
            for roll in ROLLS
        }
        distinct = list(dict.fromkeys(after for positions in reached.values() for after in positions))
        weighed = self._quick.weigh(distinct, side)
        equity = {after: self._equity(play, side, counted) for after, play in zip(distinct, weighed, strict=True)}
        return {roll: max(equity[after] for after in positions) for roll, positions in reached.items()}

    def _equity(self, play: RankedPlay, side: Side, counted: bool) -> float:
        """Expected points under the sheet (`counted`: gammons count); the engine's equity if it gives no chances."""
        chances = (play.win, play.gammon, play.backgammon, play.lose_gammon, play.lose_backgammon)
        win, gammon, backgammon, lose_gammon, lose_backgammon = (chance or 0.0 for chance in chances)
        if None in chances:
            return play.equity
        known = (win, gammon, backgammon, lose_gammon, lose_backgammon)
        return equity_of(known, worths_of(self._rules, side, None if counted else EVENING))

    def _double(self, action: CubeTurned) -> tuple[CubeEquities, Stakes] | None:
        equities = self._cube(action.position, action.side, action.match)
        return None if equities is None else (equities, Stakes.of(action.match, action.side))

    def _cube(self, position: Any, side: Side, match: Match) -> CubeEquities | None:
        """The engine's equities of a double; None if it gives none."""
        advice = self._engine.cube(CubeQuestion(position, side, match))
        return None if advice is None else CubeEquities(advice.no_double, advice.double_take)


def _mean(equities: Mapping[tuple[int, ...], float], rolls: Sequence[tuple[int, ...]]) -> float:
    """The mean over throws of two dice that give one of `rolls`."""
    return sum(equities[roll] * ways(roll) for roll in rolls) / sum(map(ways, rolls))


def ways(roll: Sequence[int]) -> int:
    """The number of the 36 throws of two dice that give a roll."""
    return 1 if roll[0] == roll[1] else 2
