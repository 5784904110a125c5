"""Converts recorded events of a match or series to a `MatchScript` for text formats.

Disputes, pictures and the sources of dice are left out. Positions set up by hand and plays that no format can express
raise TranscriptError.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Dice, Side
from companion.game import (
    Beavered,
    Corrected,
    Doubled,
    Drawn,
    Ended,
    Game,
    MatchBegan,
    OpeningRolled,
    Passed,
    Phase,
    Resigned,
    Ruled,
    Started,
    Taken,
    TakenBack,
    evolve,
)
from companion.notation import (
    CubeTurn,
    CubeWord,
    GameScript,
    MatchScript,
    Result,
    ScriptTurn,
    WhyItStands,
    single_steps,
)
from companion.rules import BASES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core import Board, Play
    from companion.game import Event, Turn
    from companion.notation import Action
    from companion.rules import Ruleset

CUBE_WORDS = {
    Doubled: CubeWord.DOUBLES,
    Beavered: CubeWord.BEAVERS,
    Taken: CubeWord.TAKES,
    Passed: CubeWord.PASSES,
}
NONE = (0, 0)
"""No checkers: also of a cell that is out of view."""
JSON_ONLY = "only the record itself can hold that: --format json"


class TranscriptError(BoardsideError):
    """No text format can express an event of the match; the message names game and turn."""


@dataclass(slots=True)
class _GameSheet:
    """The script of one game while it is written: actions, each with the number of turns before it."""

    number: int
    score: tuple[int, int]
    start: str = ""
    actions: list[tuple[int, Action]] = field(default_factory=list)
    result: Result | None = None

    def closed(self) -> GameScript:
        return GameScript(tuple(action for _, action in self.actions), self.result, self.score, self.start)


def transcribe(events: Iterable[Event[Any]], rules: Ruleset[Any]) -> MatchScript:
    """Script of the match or series of `events`, all under one sheet, as far as a text can express it.

    Where it ends early, its `cut` says why. Raises TranscriptError if not even one turn can be written.
    """
    game: Game[Any] = Game()
    began = MatchBegan(0)
    sheets: list[_GameSheet] = []
    cut = ""
    for event in events:
        before, game = game, evolve(game, event)
        if isinstance(event, MatchBegan):
            began = event
            continue
        try:
            _write_event(sheets, event, before, game, rules)
        except TranscriptError as error:
            if not any(sheet.actions for sheet in sheets):
                raise
            cut = str(error)
            break
    if sheets and not cut and game.phase is Phase.TO_MOVE:
        _write_bare_roll(sheets[-1], game)
    return MatchScript(
        rules.sheet.game,
        tuple(sheet.closed() for sheet in sheets),
        began.length,
        white=began.white,
        black=began.black,
        sheet="" if rules.sheet.name in BASES.values() else rules.sheet.name,
        stake=began.stake,
        win_points=began.win_points,
        draw_points=began.draw_points,
        change_colours=began.change_colours,
        jacoby=began.jacoby,
        beavers=began.beavers,
        crawford=began.crawford,
        cut=cut,
    )


def _write_event(
    sheets: list[_GameSheet], event: Event[Any], before: Game[Any], game: Game[Any], rules: Ruleset[Any]
) -> None:
    """Apply one event to the sheet of its game. Raises TranscriptError."""
    if isinstance(event, Started):
        sheets.append(_opened(event, len(sheets) + 1, game.score, rules))
    elif sheets:
        _write(sheets[-1], event, before, game, rules)


def written(rules: Ruleset[Any], play: Play) -> str:
    """A legal play as scripts write it: single steps in a game with dice, else the game's notation."""
    return single_steps(play) if rules.dice_count(rules.start(), Side.WHITE) else rules.write_play(play)


def _opened(event: Started[Any], number: int, score: tuple[int, int], rules: Ruleset[Any]) -> _GameSheet:
    """A new game sheet; only checkers can express another starting position."""
    usual, _ = rules.with_turn(rules.start(), event.on_roll)
    if event.position == rules.start():
        return _GameSheet(number, score)
    fen = rules.to_json(event.position)
    if not isinstance(fen, str):
        where = "another player to move" if event.position == usual else "a position set up by hand"
        raise TranscriptError(f"game {number} begins with {where}: {JSON_ONLY}")
    return _GameSheet(number, score, start=fen)


def _write(sheet: _GameSheet, event: Event[Any], before: Game[Any], game: Game[Any], rules: Ruleset[Any]) -> None:
    """Apply one event to the sheet."""
    turns = len(game.history)
    if turns < len(before.history):
        sheet.actions = [(at, a) for at, a in sheet.actions if at < turns or (at == turns and isinstance(a, CubeTurn))]
    elif turns > len(before.history):
        sheet.actions.append((turns - 1, _turn(sheet, before, game, rules)))
    elif isinstance(event, Doubled) and event.early:
        return  # it is written where it counts
    elif isinstance(event, Doubled | Beavered | Taken | Passed):
        offers = game if isinstance(event, Doubled | Beavered) else before
        sheet.actions.append((turns, CubeTurn(event.side, CUBE_WORDS[type(event)], 2 * offers.match.cube)))
    elif isinstance(event, Corrected | Ruled) and _set_by_hand(before, game):
        raise TranscriptError(f"game {sheet.number}, after turn {turns}: the players set the board up; {JSON_ONLY}")
    elif isinstance(event, OpeningRolled) and game.match.cube != before.match.cube:
        raise TranscriptError(f"game {sheet.number} begins with an automatic double: {JSON_ONLY}")
    if isinstance(event, TakenBack) and event.end:
        sheet.result = None
        last = sheet.actions[-1][1] if sheet.actions else None
        if isinstance(last, CubeTurn) and last.word is CubeWord.PASSES:
            sheet.actions.pop()  # the pass was taken back; its double waits again
    if isinstance(event, Ended | Resigned | Drawn | Passed) and game.ended is not None:
        unfinished = game.ended.winner is None and not isinstance(event, Drawn)
        sheet.result = None if unfinished else Result(game.ended.winner, game.ended.points)


def _turn(sheet: _GameSheet, before: Game[Any], game: Game[Any], rules: Ruleset[Any]) -> ScriptTurn:
    """The turn just played, with a note if an illegal play stands."""
    turn = game.history[-1]
    dice = _sorted(turn.dice)
    successors = rules.successors(before.position, turn.side, turn.dice)
    stands = rules.visible(game.position)
    legal = next((s for s in successors if rules.visible(s.after) == stands), None)
    if legal is not None and not turn.note.startswith(WhyItStands.CONDONED):
        return ScriptTurn(turn.side, dice, written(rules, legal.play))
    if not successors and game.position == before.position:
        return ScriptTurn(turn.side, dice, "")
    if not _leads_there(rules, before.position, turn, stands):
        number = len(game.history)
        raise TranscriptError(
            f"game {sheet.number}, turn {number}: what the players accepted is not a play; {JSON_ONLY}"
        )
    return ScriptTurn(turn.side, dice, turn.play, turn.note or WhyItStands.STANDS.note(None))


def _leads_there(rules: Ruleset[Any], position: Any, turn: Turn, stands: Board) -> bool:
    """Whether the play as it is written leads to the board that stands: players may accept what no play makes."""
    try:
        reached = rules.board_after(position, turn.side, turn.play)
    except BoardsideError:
        return False
    return bool(turn.play) and [cell or NONE for cell in reached] == [cell or NONE for cell in stands]


def _write_bare_roll(sheet: _GameSheet, game: Game[Any]) -> None:
    """Append the last roll, whose play has not been made."""
    if game.dice is not None and game.on_roll is not None:
        sheet.actions.append((len(game.history), ScriptTurn(game.on_roll, _sorted(game.dice), "")))


def _set_by_hand(before: Game[Any], game: Game[Any]) -> bool:
    return (before.position, before.on_roll) != (game.position, game.on_roll)


def _sorted(dice: Dice | None) -> Dice | None:
    return None if dice is None else Dice(dice.written)
