"""Which text formats a match can be written in and read from: the one table of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.notation.mat import format_mat, parse_mat
from companion.notation.pdn_match import format_pdn_match, parse_pdn_match
from companion.notation.script import ScriptError
from companion.notation.sgf import format_sgf, parse_sgf

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.notation.script import MatchScript

JSON = "json"
"""The record itself, an event a line: no text format, but asked for by name like one."""


@dataclass(frozen=True, slots=True)
class Format:
    """A text format: the game it is for, and how it is written and read; both raise ScriptError."""

    name: str
    game: str
    write: Callable[[MatchScript], str]
    read: Callable[[str], MatchScript]


FORMATS = {
    known.name: known
    for known in (
        Format("mat", "backgammon", format_mat, parse_mat),
        Format("sgf", "backgammon", format_sgf, parse_sgf),
        Format("pdn", "checkers", format_pdn_match, parse_pdn_match),
    )
}
ENDINGS = {"mat": "mat", "txt": "mat", "sgf": "sgf", "pdn": "pdn", "json": JSON, "jsonl": JSON}
NAMES = (JSON, *FORMATS)


def format_named(wanted: str | None, file_name: str) -> str:
    """The format asked for, else the one that the file's ending means. Raises ScriptError where neither says."""
    if wanted is not None:
        if wanted not in NAMES:
            raise ScriptError(f"unknown format {wanted!r}: expected one of {', '.join(NAMES)}")
        return wanted
    ending = file_name.rpartition(".")[2].lower() if "." in file_name else ""
    if ending not in ENDINGS:
        raise ScriptError(f"{file_name!r} does not end in one of {', '.join(ENDINGS)}: say which with --format")
    return ENDINGS[ending]
