"""The complete state of the page of a real table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.page_state import unversioned_state, versioned_state
from web.texts import ENGLISH_TEXTS

if TYPE_CHECKING:
    from companion.interface import Snapshot
    from web.texts import PageTexts


def page_state(snapshot: Snapshot, words: PageTexts = ENGLISH_TEXTS) -> dict[str, Any]:
    """The state as the page gets it from the feed, in two parts."""
    return {**versioned_state(snapshot, words), **unversioned_state(snapshot, None, words)}
