"""Commands on JSON lines: one line in, one answer out; a bad line gives an error answer, not an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Dice, OutsideError, Side, one_line, parse_json, quoted
from companion.notation import completed
from companion.rules import base_sheet, laid_of_tiles, rules_named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.rules import Ruleset

    Command = Callable[[Mapping[str, Any], Ruleset[Any]], dict[str, Any]]
    """Answers a parsed question under the rules it names."""

Answer = dict[str, Any]
MOST_LETTERS = 1_000_000
"""Most letters of a line."""


class LineError(BoardsideError):
    """A line cannot be answered; the message quotes what is wrong."""


def answer(
    command: str | Command, line: str, default_sheet: str = "", options: Mapping[str, Any] | None = None
) -> Answer:
    """Answer one line of `moves`, `judge` or `score`, or of another `command`; `{"error": text}` for a bad line.

    `default_sheet` (a name or a path, "" for the game's base sheet) is used by lines that name none. `options` are
    default values for every line.
    """
    try:
        question = {**(options or {}), **_parsed(line)}
        answered = COMMANDS[command] if isinstance(command, str) else command
        rules = _rules(question, default_sheet)
        return answered(_completed(question, rules), rules)
    except BoardsideError as error:
        return {"error": one_line(str(error))}


def moves(question: Mapping[str, Any], rules: Ruleset[Any]) -> Answer:
    """Every distinct legal play with the position after it."""
    position, side = turn_of(question, rules)
    successors = rules.successors(position, side, dice_of(question, rules))
    plays = [{"play": rules.write_play(s.play), "after": rules.to_json(s.after)} for s in successors]
    return {"plays": plays}


def judge(question: Mapping[str, Any], rules: Ruleset[Any]) -> Answer:
    """The verdict on the position after a turn."""
    from companion.texts import verdict_to_json

    position, side = turn_of(question, rules)
    done = question.get("done", True)
    if not isinstance(done, bool):
        raise LineError(f'"done" is {quoted(done)}; expected true or false')
    if "after" not in question:
        raise LineError('there is no "after": give the position that stands on the board')
    seen = rules.board_from_json(question["after"], side)
    verdict = rules.explain(position, side, dice_of(question, rules), seen, done=done)
    return verdict_to_json(verdict, tiles=laid_of_tiles(rules.sheet))


def score(question: Mapping[str, Any], rules: Ruleset[Any]) -> Answer:
    """Score of a finished game."""
    position = rules.from_json(_position(question), _optional_side(question, "player"))
    cube = question.get("cube")
    if cube is not None and (type(cube) is not int or cube < 1 or cube & (cube - 1)):
        raise LineError(f'"cube" is {quoted(cube)}; expected 1, 2, 4, 8 …')
    stake = question.get("stake")
    if stake is not None and (isinstance(stake, bool) or not isinstance(stake, int | float) or stake < 0):
        raise LineError(f'"stake" is {quoted(stake)}; expected a number, or null where nothing is played for')
    winner = _optional_side(question, "winner")
    outcome = rules.outcome(position) or (rules.won_by(position, winner) if winner else None)
    if outcome is None:
        raise LineError('the game is not over in this position: give the "winner"')
    if winner and outcome.winner is not winner:
        raise LineError(f'"winner" is {quoted(winner)}, but {outcome.winner} has won in this position')
    result = rules.score(outcome, cube=cube or 1, for_stakes=bool(stake))
    return {"points": result.points, "kind": result.kind}


COMMANDS: dict[str, Command] = {"moves": moves, "judge": judge, "score": score}


def _parsed(line: str) -> dict[str, Any]:
    if len(line) > MOST_LETTERS:
        raise LineError(f"{quoted(line)} is a line of more than {MOST_LETTERS:,} letters: no line after it is read")
    try:
        question = parse_json(line)
    except OutsideError as error:
        raise LineError(f"{quoted(line.strip())} is not JSON: {error}") from error
    if not isinstance(question, dict):
        raise LineError(f'{quoted(line.strip())} is not an object such as {{"game", "position", "player", "dice"}}')
    return question


def _rules(question: Mapping[str, Any], default_sheet: str) -> Ruleset[Any]:
    name = question.get("sheet") or default_sheet
    game = question.get("game")
    if not isinstance(name, str):
        raise LineError(f'"sheet" is {quoted(name)}; expected a name or the path of a .toml file')
    if game is None and not name:
        game = "checkers" if "fen" in question else "backgammon"
    if not name:
        if not isinstance(game, str):
            raise LineError(f'"game" is {quoted(game)}; expected "backgammon" or "checkers"')
        name = base_sheet(game)
    rules = rules_named(name)
    if game not in (None, rules.sheet.game):
        raise LineError(f'"game" is {quoted(game)}, but sheet {quoted(name)} is for {rules.sheet.game}')
    return rules


def _completed(question: Mapping[str, Any], rules: Ruleset[Any]) -> Mapping[str, Any]:
    """The question, with missing player, dice and cube taken from its position's XGID or Match ID."""
    position = question.get("position")
    if rules.sheet.game != "backgammon" or not isinstance(position, dict):
        return question
    return completed(question, position)


def turn_of(question: Mapping[str, Any], rules: Ruleset[Any]) -> tuple[Any, Side]:
    """The position and the player to move."""
    side = _optional_side(question, "player")
    if side is None and rules.sheet.game == "checkers":
        position = rules.from_json(_position(question))
        return position, position.to_move
    if side is None:
        raise LineError('there is no "player": say "white" or "black"')
    return rules.from_json(_position(question), side), side


def _position(question: Mapping[str, Any]) -> object:
    for key in ("position", "fen"):
        if key in question:
            return question[key]
    raise LineError('there is no "position" (backgammon) or "fen" (checkers)')


def _optional_side(question: Mapping[str, Any], key: str) -> Side | None:
    value = question.get(key)
    if value is None:
        return None
    if value not in ("white", "black"):
        raise LineError(f'"{key}" is {quoted(value)}; expected "white" or "black"')
    return Side(value)


def dice_of(question: Mapping[str, Any], rules: Ruleset[Any]) -> Dice | None:
    """The roll; None in a game without dice."""
    if rules.sheet.game != "backgammon":
        return None
    values = question.get("dice")
    if values is None:
        raise LineError('there are no "dice": give two numbers from 1 to 6, such as [6, 1]')
    if not isinstance(values, list):
        raise LineError(f'"dice" is {quoted(values)}; expected two numbers from 1 to 6, such as [6, 1]')
    try:
        return Dice(tuple(values))
    except ValueError as error:
        raise LineError(str(error)) from error
