"""Commands that need no table: JSON lines in, JSON lines out."""

from __future__ import annotations

from companion.commands.dice import verify_dice
from companion.commands.hint_lines import HintLines
from companion.commands.json_lines import answer

__all__ = [
    "HintLines",
    "answer",
    "verify_dice",
]
