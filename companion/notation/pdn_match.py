"""A checkers match as PDN games, with the square numbers and results of English draughts.

PDN has no tags for a match's length, rule sheet or stake: `Match`, `Sheet` and `Stake` of the first game hold them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.model import Side
from companion.notation.fen import parse_fen
from companion.notation.pdn import ENGLISH_DRAUGHTS, PdnGame, format_pdn, parse_pdn
from companion.notation.script import CubeTurn, GameScript, MatchScript, Result, ScriptError, ScriptTurn

if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULTS = {Side.BLACK: "1-0", Side.WHITE: "0-1", None: "1/2-1/2"}


def format_pdn_match(script: MatchScript) -> str:
    """Write a match. Raises ScriptError for an illegal move that stands."""
    return "\n".join(format_pdn(game) for game in _games(script))


def parse_pdn_match(text: str) -> MatchScript:
    """Read the games of a PDN text as one match or series. Raises ScriptError or PdnError."""
    found = parse_pdn(text)
    if not found:
        raise ScriptError('this is not PDN: expected tags such as [Event "…"] and moves such as 1. 11-15 23-19')
    games: list[GameScript] = []
    score = (0, 0)
    for number, game in enumerate(found, 1):
        games.append(_script(number, game, score))
        score = _added(score, games[-1].result)
    tags = found[0].tags
    length, stake = tags.get("Match", "0"), tags.get("Stake", "0")
    if not length.isdecimal() or not stake.replace(".", "", 1).isdecimal():
        raise ScriptError(f"[Match {length!r}] and [Stake {stake!r}]: expected numbers")
    return MatchScript(
        "checkers",
        tuple(games),
        int(length),
        white=tags.get("White", ""),
        black=tags.get("Black", ""),
        sheet=tags.get("Sheet", ""),
        stake=float(stake),
    )


def _games(script: MatchScript) -> Iterator[PdnGame]:
    for number, game in enumerate(script.games, 1):
        tags = {"Event": "Boardside", "Round": str(number)}
        tags |= {"Black": _quotable(script.black or "Black"), "White": _quotable(script.white or "White")}
        if number == 1:
            said = {"Match": script.length, "Sheet": script.sheet, "Stake": f"{script.stake:g}" if script.stake else ""}
            tags |= {name: _quotable(str(value)) for name, value in said.items() if value}
        if game.start:
            tags |= {"SetUp": "1", "FEN": game.start}
        result = "*" if game.result is None else _RESULTS[game.result.winner]
        yield PdnGame(tags, tuple(_move(number, action) for action in game.actions), result)


def _move(game: int, action: ScriptTurn | CubeTurn) -> str:
    if isinstance(action, CubeTurn) or action.note:
        raise ScriptError(f"game {game}, {action}: an illegal move that stands cannot be written in PDN: use json")
    return action.play


def _script(number: int, game: PdnGame, score: tuple[int, int]) -> GameScript:
    kind = game.tags.get("GameType", ENGLISH_DRAUGHTS).split(",")[0]
    if kind != ENGLISH_DRAUGHTS:
        raise ScriptError(f"game {number}: GameType {kind!r} is not {ENGLISH_DRAUGHTS} (English draughts)")
    start = game.tags.get("FEN", "")
    first = parse_fen(start).to_move if start else Side.BLACK
    sides = (first, first.opponent)
    actions = tuple(ScriptTurn(sides[ply % 2], None, move) for ply, move in enumerate(game.moves))
    result = None if game.result == "*" else Result(game.winner, 0 if game.winner is None else 1)
    return GameScript(actions, result, score, start)


def _added(score: tuple[int, int], result: Result | None) -> tuple[int, int]:
    if result is None or result.winner is None:
        return score
    white, black = score
    return (white + result.points, black) if result.winner is Side.WHITE else (white, black + result.points)


def _quotable(text: str) -> str:
    return " ".join(text.replace('"', "'").split())
