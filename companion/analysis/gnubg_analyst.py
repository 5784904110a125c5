"""Analysis of games by gnubg: a child process reads the match as .mat text and answers decision by decision.

gnubg gives equities of all plays and of the cube, and the luck of rolls; `companion.analysis.totals` adds them up.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from companion.analysis.cube_decisions import CubeEquities, Stakes, cube_decision, cube_turned, play_decision
from companion.analysis.decisions import AnalysisError, Decision, DecisionKind, GameAnalysis, Option
from companion.analysis.finished_games import CubeTurned, FinishedGame, TurnTaken
from companion.core import Side
from companion.game import Beavered, Doubled
from companion.hints import EngineError, GnubgProcess, required_gnubg
from companion.notation import FORMATS, NotationError, Result
from companion.notation import GameScript as Script
from companion.transfer import TranscriptError, transcribe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.notation import MatchScript
    from companion.rules import Ruleset

    Records = Sequence[dict[str, Any]]

SCRIPT = Path(__file__).with_name("gnubg_match_script.py")
TIMEOUT_S = 120.0
"""Seconds for one decision: at 2 plies the slowest take 10 s on a Raspberry Pi, with a game being played on it."""
MOVE = "move"
ACTIONS = {"double": DecisionKind.DOUBLE, "take": DecisionKind.TAKE, "drop": DecisionKind.PASS}
PLAYERS = {"X": Side.WHITE, "O": Side.BLACK}
"""gnubg's letters: X is the left column of a match's text."""


class GnubgAnalyst:
    """Analyses games with one gnubg process. Not thread-safe."""

    def __init__(self, rules: Ruleset[Any], plies: int, program: str | None = None) -> None:
        """Look ahead that many `plies`. Raises EngineError if gnubg is not installed."""
        self._rules = rules
        self._plies = plies
        self._program = program or required_gnubg()
        self._process: GnubgProcess | None = None

    @property
    def name(self) -> str:
        """The program and its plies."""
        return f"GNU Backgammon, {self._plies}-ply"

    @property
    def version(self) -> str:
        """The program's size and date, which identify its version."""
        program = Path(shutil.which(self._program) or self._program).stat()
        return f"{self.name}, {program.st_size}, {program.st_mtime_ns}"

    def analyse(self, game: FinishedGame, progress: Callable[[int, int], None]) -> GameAnalysis:
        """Analyse a game. Raises EngineError if gnubg fails, AnalysisError if .mat cannot express the game."""
        script = _script(game, self._rules)
        with TemporaryDirectory(prefix=f"boardside-gnubg-{os.getpid()}-", ignore_cleanup_errors=True) as folder:
            file = Path(folder) / "match.mat"
            file.write_text(FORMATS["mat"].write(script), encoding="utf-8")
            try:
                records = self._records(file, len(script.games) - 1, game, progress)
            except EngineError:
                self._end_process()
                raise
        decisions = _RecordReading(game, self._rules, records).decisions()
        match = game.match
        return GameAnalysis(
            game.number, self.name, match.score, game.winner, game.points, game.result, tuple(decisions)
        )

    def _records(
        self, file: Path, index: int, game: FinishedGame, progress: Callable[[int, int], None]
    ) -> list[dict[str, Any]]:
        """Gnubg's answer for each record of the game."""
        jacoby = game.match.jacoby
        count = self._ask({"mat": str(file), "game": index, "plies": self._plies, "jacoby": jacoby})
        for k in range(count):
            progress(k, count)
            self._ask({"analyse": k})
        progress(count, count)
        return [self._ask({"record": k}) for k in range(count)]

    def _ask(self, question: dict[str, Any]) -> Any:
        if self._process is None:
            self._process = GnubgProcess(self._program, TIMEOUT_S, SCRIPT, own_session=False)
        (line,) = self._process.answers(question, 1)
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            raise EngineError("gnubg's answer is no JSON") from error

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def close(self) -> None:
        """End gnubg."""
        self._end_process()


def _script(game: FinishedGame, rules: Ruleset[Any]) -> MatchScript:
    """The match's script for gnubg with this game alone.

    If the Crawford game is over or the match has none, a game without moves is put before this one: gnubg takes the
    first game at that score for the Crawford game. Raises AnalysisError if .mat cannot express the game.
    """
    try:
        script = transcribe(game.events, rules)
    except TranscriptError as error:
        raise AnalysisError(str(error)) from error
    if script.cut:
        raise AnalysisError(script.cut)
    if len(script.games) != 1 or any(getattr(action, "note", "") for action in script.games[0].actions):
        raise AnalysisError(f"game {game.number} has an illegal play that stands, which gnubg does not analyse")
    match = game.match
    played = [replace(script.games[0], score=match.score)]
    if match.length and match.length - 1 in match.score and not match.is_crawford_game:
        played.insert(0, Script(result=Result(Side.WHITE, 1), score=match.score))
    return replace(script, games=tuple(played), white="White", black="Black", sheet="")


class _RecordReading:
    """Converts gnubg's records of a game, one for each action, to decisions."""

    def __init__(self, game: FinishedGame, rules: Ruleset[Any], records: Records) -> None:
        self._rules = rules
        self._pairs = list(zip(game.actions, _records_of_actions(game, records), strict=True))
        self._value: float | None = None
        self._double: tuple[CubeEquities, Stakes] | None = None

    def decisions(self) -> list[Decision]:
        """All decisions of the game."""
        found: list[Decision] = []
        for turn, (action, record) in enumerate(self._pairs, 1):
            found += (
                self._turn(turn, action, record) if isinstance(action, TurnTaken) else self._cube(turn, action, record)
            )
        return found

    def _turn(self, turn: int, action: TurnTaken, record: dict[str, Any]) -> list[Decision]:
        stakes = Stakes.of(action.match, action.side)
        position = self._rules.to_json(action.before)
        found = []
        equities = _cube_equities(record, stakes, matched=bool(action.match.length))
        if equities is not None:
            found.append(cube_decision(turn, action.side, DecisionKind.NO_DOUBLE, position, (equities, stakes)))
        options = {int(place): option for place, option in record["options"].items()}
        plays = {place: Option(self._play(action, move), score) for place, (move, score) in options.items()}
        made = plays.get(-1 if record["played"] is None else record["played"])
        if made is not None:
            self._value = stakes.for_white(made.equity, action.side, matched=bool(action.match.length))
        found.append(
            play_decision(
                turn,
                action,
                position,
                plays.get(0),
                made,
                stakes=stakes,
                counts=record["count"] > 1,
                luck=record["luck"],
                value=self._value,
                options=[plays[place] for place in sorted(plays)],
            )
        )
        return found

    def _cube(self, turn: int, action: CubeTurned, record: dict[str, Any]) -> list[Decision]:
        if action.kind is Beavered:
            self._double = None
        elif action.kind is Doubled:
            stakes = Stakes.of(action.match, action.side)
            equities = _cube_equities(record, stakes, matched=bool(action.match.length))
            self._double = None if equities is None else (equities, stakes)
        return cube_turned(turn, action, self._rules.to_json(action.position), self._double)

    def _play(self, action: TurnTaken, move: Sequence[Sequence[int]]) -> str:
        """The play in standard notation for a move of gnubg's, pairs of (source, target) points."""
        text = " ".join(f"{'bar' if source == 25 else source}/{target or 'off'}" for source, target in move)
        try:
            successor = self._rules.find_play(action.before, action.side, action.dice, text)
        except NotationError:
            successor = None
        return text if successor is None else self._rules.write_play(successor.play)


def _records_of_actions(game: FinishedGame, records: Records) -> list[dict[str, Any]]:
    """The record of each action of the game, in order. Raises EngineError if gnubg has read another game.

    gnubg 1.07 reads a resignation right after a take as another double and the resignation: this double is removed.
    """
    invented = [record["action"] for record in records[-3:]] == ["take", "double", "resign"]
    played = [*records[:-2], records[-1]] if invented else records
    kept = [record for record in played if record["action"] in (MOVE, *ACTIONS)]
    if len(kept) != len(game.actions) or not all(map(_matches, game.actions, kept)):
        raise EngineError(f"gnubg has not read game {game.number} as it was played")
    return kept


def _matches(action: TurnTaken | CubeTurned, record: dict[str, Any]) -> bool:
    if PLAYERS.get(record["player"]) is not action.side:
        return False
    if isinstance(action, CubeTurned):
        return record["action"] in ACTIONS
    dice = () if action.dice is None else action.dice.values
    return record["action"] == MOVE and sorted(record["dice"]) == sorted(dice)


def _cube_equities(record: dict[str, Any], stakes: Stakes, *, matched: bool) -> CubeEquities | None:
    """Equities of the cube; gnubg gives chances to win the match, or equities in a series."""
    no_double, double_take = record["no_double"], record["double_take"]
    if no_double is None or double_take is None:
        return None
    if matched:
        return CubeEquities(stakes.equity(no_double), stakes.equity(double_take))
    return CubeEquities(no_double, double_take)
