"""The players' own rule sheets at the start: an unreadable one is replaced by its copy from the last start."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.core import message
from companion.rules import SheetError, copy_of_own, keep_copies, load_sheet, with_own_sheets

if TYPE_CHECKING:
    from pathlib import Path

    from companion.core import Message

LOG = logging.getLogger(__name__)


def readable_sheet(name: str, own: Path) -> tuple[str, Message | None]:
    """The path of the sheet `name` in the folder `own`; if that is unreadable, of its copy, with a message.

    Other names and paths are returned unchanged. A copy of every readable sheet is stored. Raises SheetError.
    """
    named = with_own_sheets(name, own)
    copy = copy_of_own(named, own)
    try:
        load_sheet(named)
    except SheetError as error:
        if copy is None or not copy.is_file():
            raise
        load_sheet(str(copy))
        LOG.warning("The copy of a rule sheet is used: %s", error)
        return str(copy), message("sheet_copy", sheet=copy.stem)
    try:
        keep_copies(named, own)
    except OSError as error:
        LOG.warning("no copy of the rule sheet %s is kept: %s", named, error.strerror)
    return named, None
