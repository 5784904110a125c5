"""The text formats of matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core import quoted
from companion.notation.mat import format_mat, lacking_in_mat, parse_mat
from companion.notation.match_script import ScriptError, cut_short
from companion.notation.pdn import format_pdn_match, lacking_in_pdn, parse_pdn_match
from companion.notation.sgf import format_sgf, lacking_in_sgf, parse_sgf

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.notation.match_script import Action, MatchScript

JSON = "json"
"""The name of the record's own format, one event in JSON a line."""


@dataclass(frozen=True, slots=True)
class Format:
    """A text format of one game; `read` raises ScriptError, `lacks` returns why an action cannot be written, or ""."""

    name: str
    game: str
    formatted: Callable[[MatchScript], str]
    read: Callable[[str], MatchScript]
    lacks: Callable[[Action], str]

    def cut(self, script: MatchScript) -> MatchScript:
        """The part of the match that the format can express; its `cut` says why it ends. Raises ScriptError if none."""
        return cut_short(script, self.lacks)

    def write(self, script: MatchScript) -> str:
        """The text of that part. Raises ScriptError."""
        return self.formatted(self.cut(script))


FORMATS = {
    known.name: known
    for known in (
        Format("mat", "backgammon", format_mat, parse_mat, lacking_in_mat),
        Format("sgf", "backgammon", format_sgf, parse_sgf, lacking_in_sgf),
        Format("pdn", "checkers", format_pdn_match, parse_pdn_match, lacking_in_pdn),
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
