"""Converts a `MatchScript` to events by replaying it under the rules.

A play impossible with the dice, a score that does not follow from the games before, or a result that does not follow
from the position raises ReenactError. The error names the game, the turn, the text and the reason.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Side, one_line
from companion.game import (
    Beavered,
    Doubled,
    Drawn,
    Ended,
    Event,
    Game,
    OpeningRolled,
    Passed,
    Played,
    Resigned,
    Rolled,
    Started,
    Taken,
    beginning_of,
    evolve,
    game_score,
    match_under,
    resignation_score,
)
from companion.notation import CubeTurn, CubeWord, ScriptTurn, WhyItStands, parse_play
from companion.rules import cell_of_point, has_cube, levels_of, plays_opening_dice, starter
from companion.texts import error_text, render

if TYPE_CHECKING:
    from companion.core import Board, Dice
    from companion.game import Match
    from companion.notation import GameScript, MatchScript, Result
    from companion.rules import Ruleset

SOURCE = "imported"
MOST_SHOWN = 80
"""Most letters of a turn in a message."""
CUBE_EVENTS: dict[CubeWord, type[Beavered | Taken | Passed]] = {
    CubeWord.BEAVERS: Beavered,
    CubeWord.TAKES: Taken,
    CubeWord.PASSES: Passed,
}


class ReenactError(BoardsideError):
    """A match breaks the rules; the message names the game, the turn and the reason."""


def reenact(script: MatchScript, rules: Ruleset[Any]) -> list[Event[Any]]:
    """Events of the match under `rules`. Raises ReenactError, or MatchError for terms the sheet forbids."""
    if script.game != rules.sheet.game:
        raise ReenactError(f"a match of {script.game}, but sheet {rules.sheet.name!r} is for {rules.sheet.game}")
    terms = match_under(
        rules.sheet,
        script.length,
        stake=script.stake,
        jacoby=script.jacoby,
        beavers=script.beavers,
        crawford=script.crawford or not script.length,
    )
    match = replace(
        terms,
        win_points=script.win_points,
        draw_points=script.draw_points,
        change_colours=script.change_colours,
        names=(script.white, script.black),
    )
    play = _Reenactment(rules, match)
    for number, game in enumerate(script.games, 1):
        play.replay_game(number, game, last=number == len(script.games))
    return play.events


class _Reenactment:
    """A replay in progress: events so far and the resulting game."""

    def __init__(self, rules: Ruleset[Any], match: Match) -> None:
        self.events: list[Event[Any]] = []
        self._rules = rules
        self._game: Game[Any] = Game()
        self._where = "the beginning"
        self._append(beginning_of(match))

    def replay_game(self, number: int, script: GameScript, *, last: bool) -> None:
        """Replay one game; only the last one may be unfinished."""
        self._where = f"game {number}"
        if self._game.match.winner is not None:
            self._refuse("the match is over before it begins")
        score = self._game.match.next_game().score
        if script.score != score:
            stated, added = ("-".join(map(str, points)) for points in (script.score, score))
            self._refuse(f"it begins at {stated}, but the games before it make {added}")
        self._start_game(script)
        for turn, action in enumerate(script.actions, 1):
            self._where = f"game {number}, turn {turn} ({one_line(str(action), MOST_SHOWN)})"
            if self._game.ended is not None:
                self._refuse("the game is over before it")
            self._apply(action, last=turn == len(script.actions))
        self._where = f"the end of game {number}"
        self._end_game(script.result, last=last)

    def _start_game(self, script: GameScript) -> None:
        rules, sheet = self._rules, self._rules.sheet
        ended, first = self._game.ended, script.actions[0] if script.actions else None
        begins = starter(sheet, previous_winner=self._game.last_winner)
        if ended is not None and ended.winner is None and first is not None and first.side is not begins:
            begins = starter(sheet)  # older versions rolled for the start after a game that nobody won
        if begins is None and isinstance(first, CubeTurn) and not plays_opening_dice(sheet):
            begins = first.side  # who doubles before the first roll has won the roll for the start, which no text has
        position, on_roll = rules.start(), begins
        if script.start:
            position, on_roll = rules.from_json(script.start), None
        rolls = rules.dice_count(rules.start(), Side.WHITE) > 0
        position, on_roll = rules.with_turn(position, on_roll)
        self._append(Started(sheet.game, sheet.name, position, on_roll, cube=has_cube(sheet), rolls=rolls))

    def _apply(self, action: ScriptTurn | CubeTurn, *, last: bool) -> None:
        try:
            if isinstance(action, CubeTurn):
                self._cube(action)
            else:
                self._turn(action, last=last)
        except ReenactError:
            raise
        except BoardsideError as error:  # not a play, a wrong number of dice, no checker to move
            self._refuse(error_text(error))

    def _cube(self, action: CubeTurn) -> None:
        if action.word is CubeWord.DOUBLES:
            if action.cube != 2 * self._game.match.cube:
                self._refuse(f"the cube shows {self._game.match.cube}, so a double is to {2 * self._game.match.cube}")
            self._append(Doubled(action.side))
        else:
            self._append(CUBE_EVENTS[action.word](action.side))

    def _turn(self, turn: ScriptTurn, *, last: bool) -> None:
        rules, position = self._rules, self._game.position
        if turn.dice is not None:
            self._roll(turn.side, turn.dice)
        elif self._game.on_roll is not turn.side:
            self._refuse(f"it is {self._game.on_roll} who moves")
        dice = self._game.dice
        if not turn.play:
            plays = rules.successors(position, turn.side, dice)
            if not plays:
                self._append(Played(turn.side, "", position))
            elif not last:
                self._refuse(f"nothing was played, but there is {rules.write_play(plays[0].play)}")
            return
        legal = rules.find_play(position, turn.side, dice, turn.play)
        if legal is not None and not turn.note.startswith(WhyItStands.CONDONED):
            self._append(Played(turn.side, rules.write_play(legal.play), legal.after))
        else:
            self._accept_illegal(turn, dice)
        outcome = rules.outcome(self._game.position)
        if outcome is not None:
            score = game_score(self._game.match, rules, outcome)
            self._append(Ended(outcome.winner, score.points, score.kind))

    def _roll(self, side: Side, dice: Dice) -> None:
        if self._game.on_roll is None and plays_opening_dice(self._rules.sheet):
            higher, lower = dice.values
            if higher == lower:
                self._refuse("the opening roll is a tie, which is rolled again")
            white, black = (higher, lower) if side is Side.WHITE else (lower, higher)
            self._append(OpeningRolled(white, black))
        else:
            self._append(Rolled(side, dice, SOURCE))

    def _accept_illegal(self, turn: ScriptTurn, dice: Dice | None) -> None:
        """Accept an illegal play with a note why it stands; refuse it without one."""
        rules, position = self._rules, self._game.position
        board = rules.board_after(position, turn.side, turn.play)
        if turn.note:
            after = rules.from_json(rules.board_to_json(board), turn.side.opponent)
            reason = turn.note.partition(": ")[2] or turn.note
            play = turn.play if dice is None else _with_hits(rules, position, turn, board)
            self._append(Played(turn.side, play, after, condoned=reason))
            return
        verdict = rules.explain(position, turn.side, dice, board, done=True)
        self._refuse(render(verdict.message))

    def _end_game(self, result: Result | None, *, last: bool) -> None:
        ended = self._game.ended
        if result is None:
            if ended is None and not last:
                self._append(Ended(None, 0, "unfinished"))
            return
        if ended is not None:
            if (result.winner, result.points) != (ended.winner, ended.points):
                self._refuse(
                    f"{_result_text(result.winner, result.points)}, but {_result_text(ended.winner, ended.points)}"
                )
        elif result.winner is not None:
            self._resign(result.winner.opponent, result.points)
        elif self._rules.has_draws:
            self._append(Drawn(self._rules.draw_claim(self._game.past) or "agreement"))
        else:
            self._refuse(f"there are no draws in {self._rules.sheet.game}")

    def _resign(self, loser: Side, points: int) -> None:
        """End the game by a resignation at the level that counts `points`."""
        match = replace(self._game.match, offered_by=None)
        scores = [resignation_score(match, self._rules, loser, kind) for kind in levels_of(self._rules.sheet)]
        score = next((score for score in scores if score.points == points), None)
        if score is None:
            counted = " or ".join(dict.fromkeys(str(score.points) for score in scores))
            self._refuse(f"{points} points for {loser.opponent.value}, but a game given up now counts {counted}")
        else:
            self._append(Resigned(loser, score.kind, score.points))

    def _append(self, event: Event[Any]) -> None:
        try:
            self._game = evolve(self._game, event)
        except BoardsideError as error:
            self._refuse(error_text(error))
        self.events.append(event)

    def _refuse(self, why: str) -> None:
        raise ReenactError(f"{self._where}: {why}")


def _with_hits(rules: Ruleset[Any], position: Any, turn: ScriptTurn, after: Board) -> str:
    """An illegal play as the referee writes it: not every format marks hits, or joins the steps of a checker."""
    theirs = 1 if turn.side is Side.WHITE else 0
    changed = enumerate(zip(rules.visible(position), after, strict=True))
    hit = {cell for cell, (then, now) in changed if then and now and then[theirs] == 1 and not now[theirs]}
    steps = []
    for step in parse_play(turn.play):
        cell = cell_of_point(step.target, turn.side)
        steps.append(replace(step, captured=step.target if cell in hit else None))
        hit.discard(cell)
    return rules.write_play(tuple(steps))


def _result_text(winner: Side | None, points: int) -> str:
    return "a draw" if winner is None else f"{winner.value} wins {points} point{'s' * (points != 1)}"
