"""Checks the rule sheet in the evidence of a dispute, and the players' own sheets on which it is based."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core import one_line, parse_toml
from companion.dice import CheckLine
from companion.history.evidence_file import Evidence, EvidenceError
from companion.rules import ruleset_for, sheet_from, sheet_text, shipped_sheets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.rules import Ruleset, Sheet

MOST_LETTERS = 64_000
"""Most letters of a rule sheet."""
MOST_NAME_BYTES = 200
"""Longest name of a rule sheet in bytes; a file is named after it."""


def check_sheet(evidence: Evidence, boardside: str) -> Iterator[CheckLine]:
    """One line on whether the sheet’s text belongs to its name; `boardside` is the checking version."""
    name = one_line(evidence.sheet)
    if evidence.sheet not in shipped_sheets():
        yield CheckLine(f"Rule sheet {name}: a sheet of the players’ own; whether this is its text, they have to say")
    elif evidence.sheet_text == sheet_text(evidence.sheet):
        yield CheckLine(f"Rule sheet {name}: the text is the one that comes with this Boardside", holds=True)
    elif evidence.boardside == boardside:
        yield CheckLine(
            f"Rule sheet {name}: the text is not the one that comes with Boardside {boardside}", holds=False
        )
    else:
        made = one_line(evidence.boardside)
        yield CheckLine(f"Rule sheet {name}: the text is another than this version’s; Boardside {made} may have had it")


def rules_of(evidence: Evidence) -> Ruleset[Any]:
    """The rules of the sheets in the file. Raises BoardsideError if one is invalid, or based on another file."""
    texts = (evidence.sheet_text, *evidence.base_texts)
    too_long = max(map(len, texts)) > MOST_LETTERS or len(evidence.sheet.encode()) > MOST_NAME_BYTES
    if too_long or not evidence.sheet.replace("-", "").replace("_", "").isalnum():
        raise EvidenceError(f"{one_line(evidence.sheet)} is no rule sheet")
    sheet = _sheet_of(texts, evidence.sheet)
    if sheet.name != evidence.sheet:
        raise EvidenceError(f"The rule sheet calls itself {sheet.name}, not {evidence.sheet}")
    return ruleset_for(sheet)


def _sheet_of(texts: Sequence[str], name: str) -> Sheet:
    """The sheet of the first text, which is based on the next, and so on to the last. Raises BoardsideError."""
    data = parse_toml(texts[0])
    base = data.get("base")
    own = base is not None and base not in shipped_sheets()
    if own and not texts[1:]:
        raise EvidenceError(f"The rule sheet builds on {one_line(str(base))}, which is not in the file")
    if texts[1:] and not own:
        raise EvidenceError("The file holds a rule sheet on which the others do not build")
    return sheet_from(data, name, _sheet_of(texts[1:], Path(str(base)).stem) if own else None)
