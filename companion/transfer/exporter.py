"""Converts recorded events of a match or series to a `MatchScript` for text formats.

Disputes, pictures and the sources of dice are left out. Positions set up by hand and plays that no format can express
raise TranscriptError.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Dice
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

    from companion.core import Board
    from companion.game import Event, Turn
    from companion.notation import Action
    from companion.rules import Ruleset

CUBE_WORDS = {Doubled: CubeWord.DOUBLES, Beavered: CubeWord.BEAVERS, Taken: CubeWord.TAKES, Passed: CubeWord.PASSES}
EMPTY = (0, 0)
"""The content of an empty cell, and of one out of view."""
JSON_ONLY = "only the record itself can hold that: --format json"


class TranscriptError(BoardsideError):
    """No text format can express an event of the match; the message names game and turn."""


@dataclass(slots=True)
class _GameDraft:
    """The script of one game under construction; `actions` have the number of turns before each."""

    number: int
    score: tuple[int, int]
    start: str = ""
    actions: list[tuple[int, Action]] = field(default_factory=list)
    result: Result | None = None

    def script(self) -> GameScript:
        return GameScript(tuple(action for _, action in self.actions), self.result, self.score, self.start)


def transcribe(events: Iterable[Event[Any]], rules: Ruleset[Any]) -> MatchScript:
    """Script of the match or series of `events`, all under one sheet, as far as a text can express it.

    Where it ends early, its `cut` says why. Raises TranscriptError if not even one turn can be written.
    """
    game: Game[Any] = Game()
    began = MatchBegan(0)
    drafts: list[_GameDraft] = []
    cut = ""
    for event in events:
        before, game = game, evolve(game, event)
        if isinstance(event, MatchBegan):
            began = event
            continue
        try:
            _write_event(drafts, event, before, game, rules)
        except TranscriptError as error:
            if not any(draft.actions for draft in drafts):
                raise
            cut = str(error)
            break
    if drafts and not cut and game.phase is Phase.TO_MOVE:
        _append_last_roll(drafts[-1], game)
    return MatchScript(
        rules.sheet.game,
        tuple(draft.script() for draft in drafts),
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
    drafts: list[_GameDraft], event: Event[Any], before: Game[Any], game: Game[Any], rules: Ruleset[Any]
) -> None:
    """Add one event to the draft of its game. Raises TranscriptError."""
    if isinstance(event, Started):
        drafts.append(_new_draft(event, len(drafts) + 1, game.score, rules))
    elif drafts:
        _write(drafts[-1], event, before, game, rules)


def _new_draft(event: Started[Any], number: int, score: tuple[int, int], rules: Ruleset[Any]) -> _GameDraft:
    """The draft of a new game; only checkers can express another starting position."""
    usual, _ = rules.with_turn(rules.start(), event.on_roll)
    if event.position == rules.start():
        return _GameDraft(number, score)
    fen = rules.to_json(event.position)
    if not isinstance(fen, str):
        where = "another player to move" if event.position == usual else "a position set up by hand"
        raise TranscriptError(f"game {number} begins with {where}: {JSON_ONLY}")
    return _GameDraft(number, score, start=fen)


def _write(draft: _GameDraft, event: Event[Any], before: Game[Any], game: Game[Any], rules: Ruleset[Any]) -> None:
    """Add one event to the draft."""
    turns = len(game.history)
    if turns < len(before.history):
        draft.actions = [(at, a) for at, a in draft.actions if at < turns or (at == turns and isinstance(a, CubeTurn))]
    elif turns > len(before.history):
        draft.actions.append((turns - 1, _turn(draft, before, game, rules)))
    elif isinstance(event, Doubled) and event.early:
        return  # it is added once it counts
    elif isinstance(event, Doubled | Beavered | Taken | Passed):
        offers = game if isinstance(event, Doubled | Beavered) else before
        draft.actions.append((turns, CubeTurn(event.side, CUBE_WORDS[type(event)], 2 * offers.match.cube)))
    elif isinstance(event, Corrected | Ruled) and _set_by_hand(before, game):
        raise TranscriptError(f"game {draft.number}, after turn {turns}: the players set the board up; {JSON_ONLY}")
    elif isinstance(event, OpeningRolled) and game.match.cube != before.match.cube:
        raise TranscriptError(f"game {draft.number} begins with an automatic double: {JSON_ONLY}")
    if isinstance(event, TakenBack) and event.end:
        draft.result = None
        last = draft.actions[-1][1] if draft.actions else None
        if isinstance(last, CubeTurn) and last.word is CubeWord.PASSES:
            draft.actions.pop()  # the pass was taken back; its double waits again
    if isinstance(event, Ended | Resigned | Drawn | Passed) and game.ended is not None:
        unfinished = game.ended.winner is None and not isinstance(event, Drawn)
        draft.result = None if unfinished else Result(game.ended.winner, game.ended.points)


def _turn(draft: _GameDraft, before: Game[Any], game: Game[Any], rules: Ruleset[Any]) -> ScriptTurn:
    """The last turn, with a note if its play is illegal and stands."""
    turn = game.history[-1]
    dice = _sorted(turn.dice)
    successors = rules.successors(before.position, turn.side, turn.dice)
    stands = rules.visible(game.position)
    legal = next((s for s in successors if rules.visible(s.after) == stands), None)
    if legal is not None and not turn.note.startswith(WhyItStands.CONDONED):
        play = rules.write_play(legal.play) if dice is None else single_steps(legal.play)
        return ScriptTurn(turn.side, dice, play)
    if not successors and game.position == before.position:
        return ScriptTurn(turn.side, dice, "")
    if not _leads_there(rules, before.position, turn, stands):
        number = len(game.history)
        raise TranscriptError(
            f"game {draft.number}, turn {number}: what the players accepted is not a play; {JSON_ONLY}"
        )
    return ScriptTurn(turn.side, dice, turn.play, turn.note or WhyItStands.STANDS.note(None))


def _leads_there(rules: Ruleset[Any], position: Any, turn: Turn, stands: Board) -> bool:
    """Whether the written play leads to the accepted board: players may accept a board that no play leads to."""
    try:
        reached = rules.board_after(position, turn.side, turn.play)
    except BoardsideError:
        return False
    return bool(turn.play) and [cell or EMPTY for cell in reached] == [cell or EMPTY for cell in stands]


def _append_last_roll(draft: _GameDraft, game: Game[Any]) -> None:
    """Add the last roll, whose play has not been made."""
    if game.dice is not None and game.on_roll is not None:
        draft.actions.append((len(game.history), ScriptTurn(game.on_roll, _sorted(game.dice), "")))


def _set_by_hand(before: Game[Any], game: Game[Any]) -> bool:
    return (before.position, before.on_roll) != (game.position, game.on_roll)


def _sorted(dice: Dice | None) -> Dice | None:
    return None if dice is None else Dice(dice.written)
