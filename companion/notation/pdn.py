"""PDN: games of checkers as text, tags and moves. Read leniently, written strictly.

In English draughts `1-0` says that Black, who moves first, has won. Real files often have `-` where `x` belongs, glue
numbers to moves and leave out what comes between the squares of a jump.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.model import BoardsideError, Side
from companion.notation.checkers_move import parse_move

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGLISH_DRAUGHTS = "21"
RESULTS = {"1-0": Side.BLACK, "0-1": Side.WHITE, "1/2-1/2": None, "*": None}
LINE_WIDTH = 79

_TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
_ASIDE = re.compile(r"\{[^}]*\}|\([^()]*\)|\$\d+|;[^\n]*")
_NUMBER = re.compile(r"\d+\.(?:\.\.)?")
_MARKS = "!?+#"


class PdnError(BoardsideError):
    """A PDN text cannot be read; the text quotes the offending word."""


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game: its tags, its moves as PDN wrote them, and its result (`*` where there is none)."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = "*"

    @property
    def winner(self) -> Side | None:
        """Who won, None for a draw or a game that is not over."""
        return RESULTS[self.result]


def parse_pdn(text: str) -> tuple[PdnGame, ...]:
    """Read the games of a PDN text. Raises PdnError."""
    return tuple(_games(text.lstrip("\ufeff")))


def _games(text: str) -> Iterator[PdnGame]:
    tags: dict[str, str] = {}
    moves: list[str] = []
    for part in re.split(r'(\[\s*\w+\s+"[^"]*"\s*\])', text):
        tag = _TAG.fullmatch(part)
        if tag:
            if moves:
                yield PdnGame(tags, tuple(moves), tags.get("Result", "*") if tags.get("Result") in RESULTS else "*")
                tags, moves = {}, []
            tags[tag[1]] = tag[2]
            continue
        for word in _words(part):
            if word in RESULTS:
                yield PdnGame(tags, tuple(moves), word)
                tags, moves = {}, []
            else:
                parse_move_or_quote(word)
                moves.append(word)
    if tags or moves:
        yield PdnGame(tags, tuple(moves), tags.get("Result", "*") if tags.get("Result") in RESULTS else "*")


def parse_move_or_quote(word: str) -> tuple[int, ...]:
    """The squares of one move. Raises PdnError."""
    try:
        return parse_move(word)
    except BoardsideError as error:
        raise PdnError(f"{word!r} is neither a move nor a result ({', '.join(RESULTS)})") from error


def _words(text: str) -> Iterator[str]:
    while True:  # variations may hold variations
        bare = _ASIDE.sub(" ", text)
        if bare == text:
            break
        text = bare
    for word in _NUMBER.sub(" ", text).split():
        stripped = word.rstrip(_MARKS)
        if stripped:
            yield stripped


def format_pdn(game: PdnGame) -> str:
    """Write a game: its tags, with GameType and Result, then the moves in lines."""
    tags = {**game.tags, "GameType": ENGLISH_DRAUGHTS, "Result": game.result}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    black_first = not game.tags.get("FEN", "B").startswith("W")
    words = []
    for ply, move in enumerate(game.moves):
        turn, second = divmod(ply + (not black_first), 2)
        words.append(move if second and ply else f"{turn + 1}.{'..' if second else ''} {move}")
    body = textwrap.fill(" ".join([*words, game.result]), LINE_WIDTH, break_on_hyphens=False)
    return f"{head}\n{body}\n"
