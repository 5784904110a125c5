"""Rule sheets in words, for the page and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.rules import differences
from companion.texts import render

if TYPE_CHECKING:
    from companion.rules import Sheet


def described(sheet: Sheet) -> str:
    """A description of a sheet in several lines, in English: title, source, base and differences."""
    above = f"as {sheet.built_on.title}, except:" if sheet.built_on else f"all rules (a base for {sheet.game}):"
    source = f"  source: {sheet.source}" if sheet.source else "  source: not given"
    says = (f"  - {render(text)}" for text in differences(sheet))
    return "\n".join([f"{sheet.name}: {sheet.title}", source, f"  {above}", *says])


def sheet_json(sheet: Sheet, language: str = "en") -> dict[str, Any]:
    """A sheet for the page and for scripts; `says` are its differences from its base in words, in `language`."""
    return {
        "name": sheet.name,
        "title": sheet.title,
        "game": sheet.game,
        "base": sheet.base,
        "source": sheet.source,
        "stated": {field: getattr(sheet, field) for field in sorted(sheet.stated)},
        "says": [render(text, language) for text in differences(sheet)],
    }
