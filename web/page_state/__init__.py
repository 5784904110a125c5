"""What a page draws of a snapshot, as values for JSON."""

from __future__ import annotations

from web.page_state.page import lasting_state, loose_checkers, page_state, passing_state

__all__ = ["lasting_state", "loose_checkers", "page_state", "passing_state"]
