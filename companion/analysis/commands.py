"""`boardside analyse`: writes the analysis of a recorded match to a file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.analysis.decisions import AnalysisError
from companion.analysis.match_to_analyse import analysed, recorded_match
from companion.analysis.report import report_file
from companion.analysis.store import AnalysisStore
from companion.analysis.totals import totals
from companion.analysis.wording import Wording
from companion.core import quoted, written_whole
from companion.record import default_path
from companion.texts import language_of

if TYPE_CHECKING:
    import argparse

    from companion.analysis.decisions import MatchAnalysis
    from companion.analysis.match_to_analyse import MatchToAnalyse

LOWEST_PRIORITY = 19
"""Niceness of a background analysis: everything else comes first (nice(2))."""


def analyse_match(args: argparse.Namespace) -> int:
    """Analyse a match and write the file; with `--progress` only store the analysis, and print the progress."""
    ending = "" if args.file is None else args.file.rpartition(".")[2].lower()
    if not args.progress and ending not in ("html", "json"):
        raise AnalysisError(f"{quoted(args.file or '')} does not end in .html or .json: name the file to write")
    if args.file is not None and Path(args.file).exists():
        raise AnalysisError(f"cannot write {args.file!r}: it exists; name another file")
    if args.progress:
        os.nice(LOWEST_PRIORITY)
    state = args.state or default_path(os.environ)
    recorded = recorded_match(state, args.match, entry=args.entry)
    store = AnalysisStore(state)
    errors: list[OSError] = []
    not_kept = None if args.file is None else errors.append  # with a file, storing is optional
    try:
        found = analysed(recorded, store, args.engine, args.level, _print if args.progress else None, not_kept)
    except OSError as error:
        raise AnalysisError(_not_kept(store, error)) from error
    if errors:
        print(f"boardside: {_not_kept(store, errors[0])}", file=sys.stderr)
    if args.file is not None:
        wording = Wording(language_of(args.language), recorded.names, recorded.tiles)
        text = (
            report_file(found, wording)
            if ending == "html"
            else json.dumps(match_json(found, recorded), indent=1) + "\n"
        )
        _write(Path(args.file), text)
    return 0


def match_json(found: MatchAnalysis, recorded: MatchToAnalyse) -> dict[str, Any]:
    """`{"match", "game", "sheet", "length", "players", "totals", "games"}`."""
    sums = totals(found.games, men=found.in_men)
    return {
        "match": recorded.number,
        "game": found.game,
        "sheet": recorded.rules.sheet.name,
        "length": found.length,
        "players": {side.value: sums[side].to_json() for side in sums},
        "games": [game.to_json() for game in found.games],
    }


def _print(game: int, games: int, done: int, of: int) -> None:
    sys.stdout.write(json.dumps({"game": game, "games": games, "done": done, "of": of}) + "\n")
    sys.stdout.flush()


def _not_kept(store: AnalysisStore, error: OSError) -> str:
    return (
        f"cannot keep the analysis in {str(store.folder)!r}, so that it is made again each time: {error.strerror}; "
        "free some space there, or make the directory writable"
    )


def _write(path: Path, text: str) -> None:
    try:
        with written_whole(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise AnalysisError(f"cannot write {str(path)!r}: {error.strerror}; name another file") from error
