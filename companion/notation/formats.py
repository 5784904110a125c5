"""The text formats of matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import quoted
from companion.notation.mat import format_mat, parse_mat
from companion.notation.match_script import ScriptError
from companion.notation.pdn import format_pdn_match, parse_pdn_match
from companion.notation.sgf import format_sgf, parse_sgf

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.notation.match_script import MatchScript

JSON = "json"
"""The name of the record's own format, one event in JSON a line."""


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of one game; `write` and `read` raise ScriptError."""

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


def format_named(chosen: str | None, file_name: str) -> str:
    """The chosen format, or (None) the one of the file's ending. Raises ScriptError for an unknown one."""
    if chosen is not None:
        if chosen not in NAMES:
            raise ScriptError(f"unknown format {quoted(chosen)}: expected one of {', '.join(NAMES)}")
        return chosen
    ending = file_name.rpartition(".")[2].lower() if "." in file_name else ""
    if ending not in ENDINGS:
        raise ScriptError(f"{quoted(file_name)} does not end in one of {', '.join(ENDINGS)}: say which with --format")
    return ENDINGS[ending]
