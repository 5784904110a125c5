"""Converts snapshots and recorded matches to what a page draws: JSON values with all words in them."""

from __future__ import annotations

from web.page_state.dice import rolls_to_check
from web.page_state.page import draggable_checkers, unversioned_state, versioned_state
from web.page_state.review import game_state
from web.page_state.turns import game_turns

__all__ = ["draggable_checkers", "game_state", "game_turns", "rolls_to_check", "unversioned_state", "versioned_state"]
