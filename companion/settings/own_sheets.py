"""Rule sheets of the players' own: stored in their folder after a check, and removed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.core import BoardsideError, OutsideError, Refusal, message, parse_toml, quoted, written_whole
from companion.rules import check_examples, rules_named, sheet_from, shipped_sheets

if TYPE_CHECKING:
    from pathlib import Path

    from companion.rules import Sheet

MOST_SHEET_BYTES = 12_000
"""Largest sheet that a page may send, in bytes; those that come with Boardside have up to 9,000."""
MOST_SHEETS = 20
MOST_EXAMPLES = 40
"""Most examples of a sheet; judging one takes some hundredths of a second on a Raspberry Pi."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def add_own_sheet(folder: Path, file_name: str, text: str) -> Sheet:
    """Check the sheet `text` as `boardside sheets --check` does, and store it in `folder` under its name.

    Raises Refusal, which says what is wrong, and then nothing is stored.
    """
    if len(text.encode()) > MOST_SHEET_BYTES:
        raise Refusal(message("settings.sheet.large", most=MOST_SHEET_BYTES))
    try:
        sheet = _checked(text, _plain(file_name))
    except Refusal:
        raise
    except (BoardsideError, OutsideError) as error:
        raise Refusal(message("settings.sheet.unsound", why=str(error).rstrip("."))) from error
    _keep(folder, sheet.name, text)
    return sheet


def remove_own_sheet(folder: Path, name: str) -> None:
    """Remove the sheet of that name from `folder`. Raises Refusal if there is none, or it cannot be removed."""
    path = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise Refusal(message("settings.sheet.none", sheet=quoted(name)))
    try:
        path.unlink()
    except OSError as error:
        raise Refusal(message("settings.not_written", why=str(error.strerror))) from error


def _plain(file_name: str) -> str:
    """The sheet's name for a file's name: "my-rules" for "My Rules.toml"."""
    plain = re.sub(r"[^a-z0-9_]+", "-", file_name.lower().removesuffix(".toml")).strip("-")
    return plain[:40] or "own"


def _checked(text: str, name: str) -> Sheet:
    """The sheet of a text after a check of its examples. Raises BoardsideError or OutsideError."""
    data = parse_toml(text)
    base, examples = data.get("base", ""), data.get("example", ())
    if base and base not in shipped_sheets():  # a path would read any file
        raise Refusal(message("settings.sheet.base", base=quoted(base), known=", ".join(shipped_sheets())))
    if isinstance(examples, list) and len(examples) > MOST_EXAMPLES:
        raise Refusal(message("settings.sheet.examples", count=len(examples), most=MOST_EXAMPLES))
    sheet = sheet_from(data, name)
    if not _NAME.fullmatch(sheet.name):
        raise Refusal(message("settings.sheet.name", sheet=quoted(sheet.name)))
    check_examples(sheet)
    return sheet


def _keep(folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.toml"
    if name in shipped_sheets() or path.exists():
        raise Refusal(message("settings.sheet.taken", sheet=quoted(name)))
    if folder.is_dir() and len(list(folder.glob("*.toml"))) >= MOST_SHEETS:
        raise Refusal(message("settings.sheet.many", most=MOST_SHEETS))
    try:
        folder.mkdir(exist_ok=True)
        with written_whole(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise Refusal(message("settings.not_written", why=str(error.strerror))) from error
    rules_named.cache_clear()  # it may hold an earlier sheet of this name
