"""The players' own rule sheets at the start: an unreadable one is replaced by its copy from the last start."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.core import message, written_whole
from companion.rules import SheetError, copy_of_own, load_sheet, sheet_files, with_own_sheets

if TYPE_CHECKING:
    from pathlib import Path

    from companion.core import Message

LOG = logging.getLogger(__name__)


def readable_sheet(name: str, own: Path) -> tuple[str, Message | None]:
    """The path of the sheet `name` in the folder `own`, or of its copy, with a message, if it cannot be read.

    Another name or path is returned as it is. A copy of a sheet in `own` is kept. Raises SheetError.
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
    if copy is not None:
        for file in sheet_files(named):  # those that it builds on are needed as much
            if (kept_as := copy_of_own(str(file), own)) is not None:
                _keep(file, kept_as)
    return named, None


def _keep(sheet: Path, copy: Path) -> None:
    """Keep a copy; a failure is only logged."""
    try:
        content = sheet.read_bytes()
        if copy.is_file() and copy.read_bytes() == content:
            return
        copy.parent.mkdir(exist_ok=True)
        with written_whole(copy) as file:
            file.write(content)
    except OSError as error:
        LOG.warning("no copy of the rule sheet %s is kept: %s", sheet, error.strerror)
