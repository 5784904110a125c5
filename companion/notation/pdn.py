"""PDN: checkers games as text with tags and moves.

In English draughts `1-0` means that Black, who moves first, has won. The reader accepts what real files contain:
`-` for `x`, move numbers without a space, and jumps without their intermediate squares.
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
"""PDN's GameType number."""
RESULTS = {"1-0": Side.BLACK, "0-1": Side.WHITE, "1/2-1/2": None, "*": None}
LINE_WIDTH = 79
"""Characters."""

_TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
_ASIDE = re.compile(r"\{[^}]*\}|\([^()]*\)|\$\d+|;[^\n]*")
_NUMBER = re.compile(r"\d+\.(?:\.\.)?")
_MARKS = "!?+#"


class PdnError(BoardsideError):
    """A PDN text cannot be read; the message quotes the offending word."""


@dataclass(frozen=True, slots=True)
class PdnGame:
    """One game; `moves` are the words of the text, `result` is `*` where there is none."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = "*"

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
    """Squares of one move. Raises PdnError."""
    try:
        return parse_move(word)
    except BoardsideError as error:
        raise PdnError(f"{word!r} is neither a move nor a result ({', '.join(RESULTS)})") from error


def _words(text: str) -> Iterator[str]:
    while True:  # variations may be nested
        bare = _ASIDE.sub(" ", text)
        if bare == text:
            break
        text = bare
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
    body = textwrap.fill(" ".join([*words, game.result]), LINE_WIDTH, break_on_hyphens=False)
    return f"{head}\n{body}\n"
