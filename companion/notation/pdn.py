"""Checkers games and matches as PDN.

In English draughts `1-0` means that Black, who moves first, has won. The reader also accepts what real files contain:
`-` for `x`, move numbers without a space, and jumps without their intermediate squares. The match's length, rule sheet
and stake, for which PDN has no tags, are in `Match`, `Sheet` and `Stake` of the first game.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core import BoardsideError, Side, quoted
from companion.notation.fen import parse_fen, parse_move
from companion.notation.match_script import (
    ENDS,
    NAMELESS,
    CubeTurn,
    GameScript,
    MatchScript,
    Result,
    ScriptError,
    ScriptTurn,
    read_names,
    stake_in,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


ENGLISH_DRAUGHTS = "21"
"""PDN's GameType number."""
ALTERNATE = "alternate"
"""Tag Colours of the first game of a match in which the players change colours after every game."""
LONGEST_POINTS = 5
"""Characters of the tag Points."""
MOST_TOKENS = 80_000
"""Tags, words, comments and brackets of a text; a game takes 200."""
LONGEST_WORD = 60
"""Characters; a move number and a king's twelve jumps take 42."""
RESULTS = {"1-0": Side.BLACK, "0-1": Side.WHITE, "1/2-1/2": None, "*": None}
"""The winner by result; None for a draw and an unfinished game."""
LINE_WIDTH = 79
"""Characters."""

_RESULT_TEXTS = {Side.BLACK: "1-0", Side.WHITE: "0-1", None: "1/2-1/2"}
_TOKEN = re.compile(
    r'\[\s*+(?P<tag>\w++)\s++"(?P<value>[^"]*+)"\s*+\]'
    r"|(?P<comment>\{[^}]*+\}|\$\d++|;[^\n]*+)|(?P<bracket>[({)])|(?P<word>[^\s(){;$\[]++|\S)"
)
"""A tag; a comment or annotation code; the edge of a variation, or a comment that is never closed; a word."""
_NUMBER = re.compile(r"\d+\.(?:\.\.)?")
_ENDS = re.compile(rf"\{{{ENDS}: ([^}}]*+)\}}")
_MARKS = "!?+#"


class PdnError(BoardsideError):
    """A PDN text cannot be read; the message quotes the offending word."""


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game; `moves` as written in the text, `result` `*` where there is none; `ends`: why the text ends here."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = "*"
    ends: str = ""

    @property
    def winner(self) -> Side | None:
        """The winner; None for a draw or a game that is not over."""
        return RESULTS[self.result]


def parse_pdn(text: str) -> tuple[PdnGame, ...]:
    """Read the games of a PDN text. Raises PdnError."""
    return tuple(_games(text.lstrip("\ufeff")))


def _games(text: str) -> Iterator[PdnGame]:
    tags: dict[str, str] = {}
    moves: list[str] = []
    for token in _main_line(text):
        if token["tag"]:
            if moves:
                yield PdnGame(tags, tuple(moves), _tagged_result(tags))
                tags, moves = {}, []
            tags[token["tag"]] = token["value"]
            continue
        for word in _words(token["word"]):
            if word in RESULTS:
                yield PdnGame(tags, tuple(moves), word)
                tags, moves = {}, []
            else:
                _check_move(word)
                moves.append(word)
    if tags or moves:
        yield PdnGame(tags, tuple(moves), _tagged_result(tags))


def _main_line(text: str) -> Iterator[re.Match[str]]:
    """The tags and words outside every comment and variation."""
    depth = 0
    for number, token in enumerate(_TOKEN.finditer(text)):
        bracket = token["bracket"]
        if number == MOST_TOKENS:
            raise PdnError(f"more than {MOST_TOKENS:,} words: give the games of one match only")
        if bracket == "{" or (bracket == ")" and not depth):
            raise PdnError(f"{quoted(text[token.start() :], 20)} is a comment or a variation without its other end")
        if bracket:
            depth += 1 if bracket == "(" else -1
        elif not depth and not token["comment"]:
            yield token
    if depth:
        raise PdnError("a variation is not closed: a ) is missing")


def _tagged_result(tags: dict[str, str]) -> str:
    result = tags.get("Result", "*")
    return result if result in RESULTS else "*"


def _check_move(word: str) -> None:
    """Raise PdnError unless the word is a move."""
    try:
        parse_move(word)
    except BoardsideError as error:
        raise PdnError(f"{quoted(word)} is neither a move nor a result ({', '.join(RESULTS)})") from error


def _words(text: str) -> Iterator[str]:
    """The moves and results in a word such as `1.11-15!`. Raises PdnError."""
    if len(text) > LONGEST_WORD:
        raise PdnError(f"{quoted(text)} is neither a move nor a result ({', '.join(RESULTS)})")
    for word in _NUMBER.sub(" ", text).split():
        stripped = word.rstrip(_MARKS)
        if stripped:
            yield stripped


def format_pdn(game: PdnGame) -> str:
    """Write a game: tags with GameType and Result, then the moves in lines of LINE_WIDTH."""
    tags = {**game.tags, "GameType": ENGLISH_DRAUGHTS, "Result": game.result}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    black_first = not game.tags.get("FEN", "B").startswith("W")
    words = []
    for ply, move in enumerate(game.moves):
        turn, second = divmod(ply + (not black_first), 2)
        words.append(move if second and ply else f"{turn + 1}.{'..' if second else ''} {move}")
    comment = ["{" + f"{ENDS}: {game.ends}" + "}"] if game.ends else []
    body = textwrap.fill(" ".join([*words, *comment, game.result]), LINE_WIDTH, break_on_hyphens=False)
    return f"{head}\n{body}\n"


def format_pdn_match(script: MatchScript) -> str:
    """Write a match. Raises ScriptError for an illegal move that stands."""
    return "\n".join(format_pdn(game) for game in _games_of(script))


def parse_pdn_match(text: str) -> MatchScript:
    """Read the games of a PDN text as one match or series. Raises ScriptError or PdnError."""
    found = parse_pdn(text)
    if not found:
        raise ScriptError('this is not PDN: expected tags such as [Event "…"] and moves such as 1. 11-15 23-19')
    tags = found[0].tags
    counts, changing = _points(tags.get("Points", "1-0")), tags.get("Colours") == ALTERNATE
    games: list[GameScript] = []
    score = (0, 0)
    for number, game in enumerate(found, 1):
        games.append(_script(number, game, score, counts))
        score = _added(score, games[-1].result)
        if changing and games[-1].result is not None:
            score = score[::-1]
    white, black = read_names(tags.get("White", ""), tags.get("Black", ""))
    return MatchScript(
        "checkers",
        tuple(games),
        whole_number(tags.get("Match", "0"), "[Match]"),
        white=white,
        black=black,
        sheet=tags.get("Sheet", ""),
        stake=stake_in(tags.get("Stake", "0")),
        win_points=counts[0],
        draw_points=counts[1],
        change_colours=changing,
        cut=" ".join(ends[1].split()) if (ends := _ENDS.search(text)) else "",
    )


def _points(text: str) -> tuple[int, int]:
    """What a win and a draw count, from `2-1`. Raises ScriptError."""
    win, dash, draw = text.partition("-")
    if not (dash and win.isdecimal() and draw.isdecimal() and len(text) <= LONGEST_POINTS):
        raise ScriptError(f"[Points {quoted(text)}]: expected what a win and a draw count, such as 2-1")
    return int(win), int(draw)


def _games_of(script: MatchScript) -> Iterator[PdnGame]:
    names = (script.black or NAMELESS[1], script.white or NAMELESS[0])
    for number, game in enumerate(script.games, 1):
        tags = {"Event": "Boardside", "Round": str(number)}
        tags |= {"Black": _quotable(names[0]), "White": _quotable(names[1])}
        if script.change_colours and game.result is not None and script.white and script.black:
            names = names[::-1]
        if number == 1:
            stake = f"{script.stake:g}" if script.stake else ""
            facts = {"Match": script.length, "Sheet": script.sheet, "Stake": stake}
            counts = (script.win_points, script.draw_points)
            facts |= {"Points": "-".join(map(str, counts)) if counts != (1, 0) else ""}
            facts |= {"Colours": ALTERNATE if script.change_colours else ""}
            tags |= {name: _quotable(str(value)) for name, value in facts.items() if value}
        if game.start:
            tags |= {"SetUp": "1", "FEN": game.start}
        result = "*" if game.result is None else _RESULT_TEXTS[game.result.winner]
        ends = script.cut.replace("}", ")") if number == len(script.games) else ""
        yield PdnGame(tags, tuple(_move(number, action) for action in game.actions), result, ends)


def _move(game: int, action: ScriptTurn | CubeTurn) -> str:
    why = lacking_in_pdn(action)
    if why or isinstance(action, CubeTurn):
        raise ScriptError(f"game {game}, {action}: {why}")
    return action.play


def lacking_in_pdn(action: ScriptTurn | CubeTurn) -> str:
    """Why the format cannot express an action; empty where it can."""
    if isinstance(action, CubeTurn) or action.note:
        return "an illegal move that stands cannot be written in PDN: use json"
    return ""


def _script(number: int, game: PdnGame, score: tuple[int, int], counts: tuple[int, int]) -> GameScript:
    """One game that begins at `score`; `counts`: what a win counts, and a draw for each player."""
    kind = game.tags.get("GameType", ENGLISH_DRAUGHTS).split(",")[0]
    if kind != ENGLISH_DRAUGHTS:
        raise ScriptError(f"game {number}: GameType {quoted(kind)} is not {ENGLISH_DRAUGHTS} (English draughts)")
    start = game.tags.get("FEN", "")
    first = parse_fen(start).to_move if start else Side.BLACK
    sides = (first, first.opponent)
    actions = tuple(ScriptTurn(sides[ply % 2], None, move) for ply, move in enumerate(game.moves))
    result = None if game.result == "*" else Result(game.winner, counts[1] if game.winner is None else counts[0])
    return GameScript(actions, result, score, start)


def _added(score: tuple[int, int], result: Result | None) -> tuple[int, int]:
    if result is None:
        return score
    white, black = score
    if result.winner is None:
        return white + result.points, black + result.points
    return (white + result.points, black) if result.winner is Side.WHITE else (white, black + result.points)


def _quotable(text: str) -> str:
    return " ".join(text.replace('"', "'").split())
