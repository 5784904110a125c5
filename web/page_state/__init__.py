"""What a page draws of a snapshot, or of a recorded match, as values for JSON."""

from __future__ import annotations

from web.page_state.dice import told_rolls
from web.page_state.page import lasting_state, loose_checkers, passing_state
from web.page_state.review import game_state
from web.page_state.turns import game_turns

__all__ = [
    "game_state",
    "game_turns",
    "lasting_state",
    "loose_checkers",
    "passing_state",
    "told_rolls",
]
