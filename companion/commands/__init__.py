"""Commands that need no table, most of them on JSON lines: plays, verdicts, scores, hints, checks of dice.

Each is imported when it is first used: listing plays loads neither engines nor the record, and starts at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import lazy_face

if TYPE_CHECKING:
    from companion.commands.dice import verify_dice
    from companion.commands.line_commands import answer_hints, answer_lines, list_sheets, sheet_named

__all__ = ["answer_hints", "answer_lines", "list_sheets", "sheet_named", "verify_dice"]
_LINE_COMMANDS = dict.fromkeys(("answer_hints", "answer_lines", "list_sheets", "sheet_named"), "line_commands")
__getattr__ = lazy_face(__name__, {"verify_dice": "dice", **_LINE_COMMANDS})
