"""The commands `moves`, `judge`, `score`, `hint` and `sheets` of the command line.

Each imports what it needs when it runs: listing plays loads neither engines nor the record.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any


def answer_lines(args: argparse.Namespace) -> int:
    """Answer `moves`, `judge` or `score` line by line; returns 1 after an error line."""
    from companion.commands.json_lines import answer

    sheet = sheet_named(args.sheet)
    return answer_each(lines_of(sys.stdin), lambda line: answer(args.lines, line, sheet))


def answer_hints(args: argparse.Namespace) -> int:
    """Answer `hint` line by line; returns 1 after an error line."""
    from companion.commands.hint_lines import HintLines
    from companion.commands.json_lines import answer

    options = {key: value for key in ("engine", "level") if (value := getattr(args, key)) is not None}
    hints, sheet = HintLines(), sheet_named(args.sheet)
    try:
        return answer_each(lines_of(sys.stdin), lambda line: answer(hints.answer, line, sheet, options))
    finally:
        hints.close()


def sheet_named(name: str, state: Path | None = None) -> str:
    """The sheet's name or file; a name is also searched among the players' own sheets."""
    from companion.rules import shipped_sheets, with_own_sheets

    if not name or name in shipped_sheets():
        return name
    from companion.record import default_path, sheets_in

    return with_own_sheets(name, sheets_in(state or default_path(os.environ)))


def list_sheets(args: argparse.Namespace) -> int:
    """Describe rule sheets, or check one's examples. Raises SheetError."""
    from companion.record import default_path, sheets_in
    from companion.rules import check_examples, load_sheet, own_sheets, shipped_sheets
    from companion.views import described, sheet_json

    wanted = sheet_named(args.name or args.sheet, args.state)
    if args.check:
        known = "/" in args.check or args.check in shipped_sheets()
        wanted = args.check if known else f"./{args.check}"
    own = own_sheets(sheets_in(args.state or default_path(os.environ)))
    for sheet in map(load_sheet, [wanted] if wanted else [*shipped_sheets(), *own]):
        print(json.dumps(sheet_json(sheet), ensure_ascii=False) if args.json else described(sheet))
        if args.check:
            print(f"{sheet.name}: its examples hold, {check_examples(sheet)} of them")
    return 0


def lines_of(stream: TextIO | None) -> Iterator[str]:
    """The lines of a stream; bytes that are not UTF-8 become surrogates, and a line that is too long is the last.

    Raises LineError for None, the standard input if the caller has closed it.
    """
    from companion.commands.json_lines import MOST_LETTERS, LineError

    if stream is None:
        raise LineError("the standard input is closed: send JSON lines to it, one for each question")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    while line := stream.readline(MOST_LETTERS + 1):
        yield line
        if len(line) > MOST_LETTERS:
            return


def answer_each(lines: Iterable[str], answer: Callable[[str], Mapping[str, Any]]) -> int:
    """Print one JSON line for each line that is not blank, flushed at once; returns 1 after an error, else 0."""
    status = 0
    for line in lines:
        if not line.strip():
            continue
        answered = answer(line)
        # backslashes: a lone surrogate cannot be printed
        print(json.dumps(answered, ensure_ascii=False).encode(errors="backslashreplace").decode(), flush=True)
        if "error" in answered:
            status = 1
    return status
