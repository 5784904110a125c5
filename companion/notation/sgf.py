"""Backgammon matches as SGF (game 6).

Letters are White's points (`a` the 1 point, `x` the 24 point), `y` the bar, `z` off (SGF's page on backgammon; GNU
Backgammon's files). White is gnubg's player 0. Facts without a property in the format are lines of the game's comment
`GC`, such as `Sheet: no-doubling`. The reason why an illegal play stands is the comment of its node.

Only the first variation of each tree, the game as played, is read.
"""

from __future__ import annotations

import re
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
    note_in,
    read_names,
    stake_in,
    whole_number,
)
from companion.notation.play import BAR, OFF, parse_play

if TYPE_CHECKING:
    from collections.abc import Iterator


Node = dict[str, list[str]]
"""Properties of a node: name to values, unescaped; at least one value, which may be empty."""

BACKGAMMON = "6"
"""SGF's game number."""
MOST_TOKENS = 200_000
"""Brackets, names and values of a file; gnubg writes 20 for a turn with its analysis."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\])", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LETTERS = {Side.WHITE: "W", Side.BLACK: "B"}
_SIDES = {letter: side for side, letter in _LETTERS.items()}
_WORDS = {CubeWord.DOUBLES: "double", CubeWord.BEAVERS: "double", CubeWord.TAKES: "take", CubeWord.PASSES: "drop"}
_SETUP = ("AE", "AW", "AB", "CV", "CP")
"""Properties that set up a position."""


def parse_trees(text: str) -> list[list[Node]]:
    """The nodes of each game tree along its first variation. Raises ScriptError."""
    trees: list[list[Node]] = []
    depth, main_line_over = 0, False
    for token in _tokens(text):
        bracket = token[1]
        if bracket == "(":
            if depth == 0:
                trees.append([])
                main_line_over = False
            depth += 1
        elif depth == 0:
            raise ScriptError(f"SGF: {quoted(token[0].strip(), 20)} stands outside every game tree")
        elif bracket == ")":
            depth, main_line_over = depth - 1, True
        elif not main_line_over:
            _add(trees[-1], token)
    if depth:
        raise ScriptError("SGF: the last game tree is not closed")
    return [[{name: values or [""] for name, values in node.items()} for node in nodes] for nodes in trees]


def escaped(text: str) -> str:
    """Escape text for use as a property's value."""
    return re.sub(r"([\]\\:])", r"\\\1", text)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    place, end = max(text.find("("), 0), len(text.rstrip())
    for _ in range(MOST_TOKENS):
        if place >= end:
            return
        token = _TOKEN.match(text, place)
        if token is None:
            raise ScriptError(f"SGF: {quoted(text[place:end], 20)} is not a bracket, a node or a property")
        yield token
        place = token.end()
    raise ScriptError(f"SGF: more than {MOST_TOKENS:,} brackets, names and values: leave the analysis out")


def _add(nodes: list[Node], token: re.Match[str]) -> None:
    """Append a node, a property name or a value to the nodes read so far."""
    bracket, word, value = token.groups()
    if bracket == ";":
        nodes.append({})
    elif not nodes:
        raise ScriptError(f"SGF: {quoted(token[0].strip(), 20)} stands before the first node")
    elif word:  # older files spell names out; only capitals count
        nodes[-1].setdefault("".join(letter for letter in word if letter.isupper()), [])
    elif not nodes[-1]:
        raise ScriptError(f"SGF: {quoted(token[0].strip(), 20)} is a value without a property")
    else:
        nodes[-1][next(reversed(nodes[-1]))].append("".join(_ESCAPED.split(value)))


def format_sgf(script: MatchScript) -> str:
    """Write a match, one tree a game. Raises ScriptError for a turn with one die."""
    crawford_over = False
    trees = []
    for number, game in enumerate(script.games):
        crawford = script.crawford and script.length > 1 and script.length - 1 in game.score and not crawford_over
        crawford_over = crawford_over or crawford
        trees.append(_tree(script, number, game, crawford=crawford))
    return "".join(trees)


def parse_sgf(text: str) -> MatchScript:
    """Read a match. Raises ScriptError."""
    trees = parse_trees(text)
    roots = [nodes[0] for nodes in trees if nodes]
    if not roots or any(root.get("GM", [BACKGAMMON])[0].strip() != BACKGAMMON for root in roots):
        raise ScriptError("this is not SGF for backgammon: expected trees that begin with (;FF[4]GM[6]")
    root = roots[0]
    facts = dict(line.split(": ", 1) for line in root.get("GC", [""])[0].splitlines() if ": " in line)
    white, black = read_names(root.get("PW", [""])[0], root.get("PB", [""])[0])
    return MatchScript(
        "backgammon",
        tuple(_parsed_game(number, nodes) for number, nodes in enumerate(trees, 1) if nodes),
        _match_info(root).get("length", 0),
        white=white,
        black=black,
        sheet=facts.get("Sheet", ""),
        stake=stake_in(facts.get("Stake", "0")),
        jacoby="Jacoby" in root.get("RU", [""])[0],
        beavers=facts.get("Beavers") == "true",
        crawford=facts.get("Crawford") != "false",
        cut=ends.removeprefix(f"{ENDS}: ") if (ends := roots[-1].get("C", [""])[0]).startswith(f"{ENDS}: ") else "",
    )


def _tree(script: MatchScript, number: int, game: GameScript, *, crawford: bool) -> str:
    white, black = game.score
    head = "(;FF[4]GM[6]CA[UTF-8]AP[Boardside]"
    head += f"MI[length:{script.length}][game:{number}][ws:{white}][bs:{black}]"
    head += f"PW[{escaped(script.white or NAMELESS[0])}]PB[{escaped(script.black or NAMELESS[1])}]"
    facts = {"Sheet": script.sheet, "Stake": f"{script.stake:g}" if script.stake else ""}
    facts |= {"Beavers": "true" if script.beavers else "", "Crawford": "" if script.crawford else "false"}
    if number == 0 and any(facts.values()):
        head += "GC[" + escaped("\n".join(f"{name}: {value}" for name, value in facts.items() if value)) + "]"
    if script.length > 1 and script.crawford:
        head += "RU[Crawford:CrawfordGame]" if crawford else "RU[Crawford]"
    elif script.jacoby:
        head += "RU[Jacoby]"
    result = game.result
    if result is not None and result.winner is not None:
        resigned = "R" * _resigned(game)
        head += f"RE[{_LETTERS[result.winner]}+{result.points}{resigned}]"
    if script.cut and number == len(script.games) - 1:
        head += f"C[{escaped(f'{ENDS}: {script.cut}')}]"
    nodes = "".join("\n" + _node(action, number + 1, last=action is game.actions[-1]) for action in game.actions)
    return f"{head}{nodes}\n)\n"


def _resigned(game: GameScript) -> bool:
    """Whether the loser resigned: no double was passed, and the winner did not bear off fifteen checkers."""
    last = game.actions[-1] if game.actions else None
    if isinstance(last, CubeTurn):
        return last.word is not CubeWord.PASSES
    winner = None if game.result is None else game.result.winner
    turns = (action for action in game.actions if isinstance(action, ScriptTurn) and action.side is winner)
    off = sum(turn.play.count("/off") for turn in turns)
    return off < 15 or last is None or last.side is not winner


def _node(action: Action, game: int, *, last: bool) -> str:
    letter = _LETTERS[action.side]
    if isinstance(action, CubeTurn):
        return f";{letter}[{_WORDS[action.word]}]"
    why = lacking_in_sgf(action)
    if why or action.dice is None:
        raise ScriptError(f"game {game}, {action}: {why}")
    dice = "".join(map(str, action.dice.values))
    if last and not action.play:
        return f";PL[{letter}]DI[{dice}]"
    points = "".join(
        _letter(step.source, action.side) + _letter(step.target, action.side) for step in parse_play(action.play)
    )
    comment = f"C[{escaped(action.note)}]" if action.note else ""
    return f";{letter}[{dice}{points}]{comment}"


def lacking_in_sgf(action: Action) -> str:
    """Why the format cannot express an action; empty where it can."""
    if isinstance(action, ScriptTurn) and (action.dice is None or len(action.dice.values) != 2):
        return "a turn with one die cannot be written in SGF: use json"
    return ""


def _letter(point: int, side: Side) -> str:
    if point == BAR:
        return "y"
    if point == OFF:
        return "z"
    return chr(ord("a") + point - 1) if side is Side.WHITE else chr(ord("x") - point + 1)


def _parsed_game(number: int, nodes: list[Node]) -> GameScript:
    root = nodes[0]
    info = _match_info(root)
    actions: list[Action] = []
    cube, offered = 1, False
    for node in nodes[1:]:
        if setup := [name for name in _SETUP if name in node]:
            raise ScriptError(f"game {number}: {setup[0]} sets up a position in mid-game, which cannot be imported")
        action = _action(number, node, cube, offered=offered)
        if action is None:
            continue
        offered = isinstance(action, CubeTurn) and action.word in (CubeWord.DOUBLES, CubeWord.BEAVERS)
        cube = action.cube if isinstance(action, CubeTurn) else cube
        actions.append(action)
    score = (info.get("ws", 0), info.get("bs", 0))
    return GameScript(tuple(actions), _result(number, root), score)


def _action(game: int, node: Node, cube: int, *, offered: bool) -> Action | None:
    note = note_in(node.get("C", [""])[0].strip())
    if "DI" in node:
        side = _SIDES.get(node.get("PL", ["W"])[0][:1])
        return None if side is None else ScriptTurn(side, _dice(game, node["DI"][0]), "", note)
    letter = next((letter for letter in _SIDES if letter in node), None)
    if letter is None:
        return None
    side, value = _SIDES[letter], node[letter][0].strip()
    if value == "double":
        return CubeTurn(side, CubeWord.BEAVERS if offered else CubeWord.DOUBLES, doubled(cube))
    if value in ("take", "drop"):
        return CubeTurn(side, CubeWord.TAKES if value == "take" else CubeWord.PASSES, cube)
    points = value[2:]
    if len(points) % 2 or len(points) > 8 or any(not "a" <= point <= "z" for point in points):
        raise ScriptError(f"game {game}: {letter} {quoted(value)} is not a turn; expected dice and letters: W[31hefe]")
    moves = (f"{_point(points[n], side)}/{_point(points[n + 1], side)}" for n in range(0, len(points), 2))
    return ScriptTurn(side, _dice(game, value[:2]), " ".join(moves), note)


def _point(letter: str, side: Side) -> str:
    if letter in "yz":
        return {"y": "bar", "z": "off"}[letter]
    return str(ord(letter) - ord("a") + 1 if side is Side.WHITE else ord("x") - ord(letter) + 1)


def _dice(game: int, text: str) -> Dice:
    if len(text) != 2 or any(digit not in "123456" for digit in text):
        raise ScriptError(f"game {game}: {quoted(text)} are not dice; expected two digits from 1 to 6")
    return Dice(tuple(sorted(map(int, text), reverse=True)))


def _match_info(root: Node) -> dict[str, int]:
    """The whole numbers of `MI[length:7][game:0]…`, by name."""
    pairs = (value.split(":", 1) for value in root.get("MI", []) if ":" in value)
    numbers = ((name.strip(), value.strip()) for name, value in pairs if value.strip().isdecimal())
    return {name: whole_number(value, f"MI[{quoted(name, 20)}]") for name, value in numbers}


def _result(game: int, root: Node) -> Result | None:
    """The result in `RE[W+2R]`; None where there is none."""
    text = root.get("RE", [""])[0].strip()
    if not text or text in ("?", "Void"):
        return None
    winner, points = _SIDES.get(text[0]), text[2:].rstrip("Rr")
    if winner is None or text[1:2] != "+":
        raise ScriptError(f"game {game}: RE {quoted(text)} is not a result such as W+2 or B+1R")
    return Result(winner, whole_number(points, f"game {game}: the points in RE"))
