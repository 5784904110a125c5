"""Backgammon matches in Jellyfish's format (`.mat`): text in two columns, White's on the left.

There is no specification. The writer follows gnubg: rows `%3d) %-27s %s`, the result on its own line in the winner's
column, an empty line after each game. The reader accepts any spacing that separates the columns, `25` for the bar and
`0` for off. Facts without a field in the format are comments: `; [Sheet "no-doubling"]`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.core import Dice, Side, quoted
from companion.notation.match_script import (
    ENDS,
    NAMELESS,
    Action,
    CubeTurn,
    CubeWord,
    GameScript,
    MatchScript,
    Result,
    ScriptError,
    ScriptTurn,
    doubled,
    read_names,
    stake_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LETTERS = 1_000_000
"""Longest text, in letters; a match of 25 points takes 60,000."""
LEFT_WIDTH = 27
"""Characters of the left column, as in gnubg's rows."""
LEFT_COLUMN, RIGHT_COLUMN = 6, 34
"""Text columns at which White's and Black's results begin."""
RIGHT_FROM = 20
"""Text column; the only entry of a row belongs to the right-hand player if it begins here or later."""

_LENGTH = re.compile(r"\s*(\d{1,6})\s+point match", re.IGNORECASE)
_TAG = re.compile(r';\s*\[(\w+)\s+"([^"]*)"\]')
_GAME = re.compile(r"\s*Game\s+\d+\s*$", re.IGNORECASE)
_SCORE = re.compile(r":\s*+(\d{1,6})(?!\S)")
"""The text after a player's name; names may contain colons."""
_TRIP = r"(?:bar|off|\d++)(?:/(?:bar|off|\d++)\*?)++(?:\([1-4]\))?"
"""Possessive (`++`): numbers without a space could be split into trips in too many ways."""
_ENTRY = re.compile(
    rf"(?P<dice>[1-6]{{2}}):(?P<play>(?:\s*+{_TRIP})*+)(?!\S)|(?P<double>Doubles?|Redoubles?)\s*=>\s*(?P<cube>\d{{1,6}})"
    r"|(?P<beaver>Beavers?)(?:\s*=>\s*\d+)?|(?P<take>Takes?|Accepts?)|(?P<drop>Drops?|Passe?s?)"
    r"|Wins?\s+(?P<wins>\d{1,6})\s+points?(?:\s+and the match)?",
    re.IGNORECASE,
)
_ROW_NUMBER = re.compile(r"\s*\d+\)")
_WORDS = {"beaver": CubeWord.BEAVERS, "take": CubeWord.TAKES, "drop": CubeWord.PASSES}
_SIDES = (Side.WHITE, Side.BLACK)


def format_mat(script: MatchScript) -> str:
    """Write a match. Raises ScriptError for what `lacking_in_mat` names."""
    tags = {"Sheet": script.sheet, "Stake": f"{script.stake:g}" if script.stake else ""}
    tags |= {"Jacoby": "true" if script.jacoby else "", "Beavers": "true" if script.beavers else ""}
    tags |= {"Crawford": "" if script.crawford else "false"}
    tags |= {ENDS: script.cut.replace('"', "'")}
    head = "".join(f'; [{name} "{value}"]\n' for name, value in tags.items() if value)
    names = (_name(script.white, NAMELESS[0]), _name(script.black, NAMELESS[1]))
    games = (_game(number, game, names) for number, game in enumerate(script.games, 1))
    return f"{head}\n {script.length} point match\n\n{''.join(games)}"


def parse_mat(text: str) -> MatchScript:
    """Read a match. Raises ScriptError naming the line."""
    if len(text) > MOST_LETTERS:
        raise ScriptError(f"a .mat text of more than {MOST_LETTERS:,} letters: give one match only")
    lines = text.lstrip("\ufeff").splitlines()
    tags = {tag[1].lower(): tag[2] for line in lines if (tag := _TAG.match(line.strip()))}
    length = next((int(found[1]) for line in lines if (found := _LENGTH.match(line))), None)
    begins = [number for number, line in enumerate(lines) if _GAME.match(line)]
    if length is None or not begins:
        raise ScriptError('this is not a .mat text: expected a line such as " 7 point match", and later " Game 1"')
    games, names = [], ("", "")
    for first, end in pairwise([*begins, len(lines)]):
        game, names = _parsed_game([(n + 1, lines[n]) for n in range(first + 1, end) if lines[n].strip()], first + 1)
        games.append(game)
    white, black = read_names(*names)
    return MatchScript(
        "backgammon",
        tuple(games),
        length,
        white=white,
        black=black,
        sheet=tags.get("sheet", ""),
        stake=stake_in(tags.get("stake", "0")),
        jacoby=tags.get("jacoby") == "true",
        beavers=tags.get("beavers") == "true",
        crawford=tags.get("crawford", "true").lower() not in ("false", "off"),
        cut=tags.get(ENDS.lower(), ""),
    )


def _name(name: str, default: str) -> str:
    """A player's name without colons, which end a name in this format."""
    return " ".join(name.replace(":", " ").split()) or default


def _game(number: int, game: GameScript, names: tuple[str, str]) -> str:
    white, black = game.score
    rows = [f" Game {number}", f" {f'{names[0]} : {white}':<30} {names[1]} : {black}"]
    left: str | None = None
    count = 0
    for action in game.actions:
        entry = _entry(action, number)
        if action.side is Side.WHITE:
            if left is not None:
                rows.append(_row(count, left))
            left, count = entry, count + 1
            continue
        if left is None:
            left, count = "", count + 1
        rows.append(_row(count, left, entry))
        left = None
    wins = _wins(game.result)
    if left is not None and left.endswith("Drops"):
        rows.append(_row(count, left, wins))  # gnubg accepts a win after White's drop only in the same row
    elif left is not None:
        rows.append(_row(count, left))
    if wins and not (left or "").endswith("Drops"):
        rows.append(" " * (LEFT_COLUMN if game.result and game.result.winner is Side.WHITE else RIGHT_COLUMN) + wins)
    return "\n".join(rows) + "\n\n"


def _wins(result: Result | None) -> str:
    if result is None or result.winner is None:
        return ""
    return f"Wins {result.points} point{'s' * (result.points != 1)}"


def _row(count: int, left: str, right: str = "") -> str:
    return f"{count:3d}) {left:<{LEFT_WIDTH}} {right}".rstrip() if right else f"{count:3d}) {left}".rstrip()


def _entry(action: Action, game: int) -> str:
    if isinstance(action, CubeTurn):
        return {
            CubeWord.DOUBLES: f" Doubles => {action.cube}",
            CubeWord.BEAVERS: f" Beavers => {action.cube}",
            CubeWord.TAKES: " Takes",
            CubeWord.PASSES: " Drops",
        }[action.word]
    why = lacking_in_mat(action)
    if why or action.dice is None:
        raise ScriptError(f"game {game}, {action}: {why}")
    return f"{action.dice.values[0]}{action.dice.values[1]}: {action.play}".rstrip() + " " * (not action.play)


def lacking_in_mat(action: Action) -> str:
    """Why the format cannot express an action; empty where it can."""
    if isinstance(action, ScriptTurn) and action.note:
        return "an illegal play that stands cannot be written in .mat: use json"
    if isinstance(action, ScriptTurn) and (action.dice is None or len(action.dice.values) != 2):
        return "a turn with one die cannot be written in .mat: use json"
    return ""


def _parsed_game(lines: list[tuple[int, str]], heading: int) -> tuple[GameScript, tuple[str, str]]:
    scores = list(_SCORE.finditer(lines[0][1])) if lines else []
    if len(scores) < len(_SIDES) or lines[0][1][scores[-1].end() :].strip():
        raise ScriptError(f'line {heading + 1}: expected the players and their points, such as " Ann : 0     Bob : 3"')
    actions: list[Action] = []
    result: Result | None = None
    cube = 1
    for number, line in lines[1:]:
        if line.lstrip().startswith(";"):
            continue
        for side, found in _entries(number, line):
            if found["wins"]:
                result = Result(side, int(found["wins"]))
                continue
            action = _action(side, found, cube)
            if isinstance(action, CubeTurn):
                cube = action.cube
            actions.append(action)
    white, black = scores[0], scores[-1]
    names = lines[0][1][: white.start()].strip(), lines[0][1][white.end() : black.start()].strip()
    return GameScript(tuple(actions), result, (int(white[1]), int(black[1]))), names


def _entries(number: int, line: str) -> Iterator[tuple[Side, re.Match[str]]]:
    """The entries of one row, each with its player."""
    row = _ROW_NUMBER.match(line)
    begin = row.end() if row else 0
    found = list(_ENTRY.finditer(line, begin))
    rest = _ENTRY.sub("", line[begin:]).strip()
    if rest or not 1 <= len(found) <= 3:
        if not rest and row:
            return  # a row with a number and nothing else
        raise ScriptError(f"line {number}: {quoted(rest or line.strip())} is not a roll, double, take, drop or win")
    right = found[0].start() >= RIGHT_FROM
    for place, entry in enumerate(found):
        if entry["wins"] and place:
            right = entry.start() >= RIGHT_FROM
        yield _SIDES[right], entry
        right = True


def _action(side: Side, found: re.Match[str], cube: int) -> Action:
    if found["dice"]:
        dice = Dice(tuple(sorted(map(int, found["dice"]), reverse=True)))
        play = re.sub(r"\b25/", "bar/", found["play"])
        return ScriptTurn(side, dice, " ".join(re.sub(r"/0\b", "/off", play).split()))
    if found["double"]:
        return CubeTurn(side, CubeWord.DOUBLES, int(found["cube"]))
    word = next(word for name, word in _WORDS.items() if found[name])
    return CubeTurn(side, word, doubled(cube) if word is CubeWord.BEAVERS else cube)
