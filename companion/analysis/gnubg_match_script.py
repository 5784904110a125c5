"""Script run by GNU Backgammon's Python (`gnubg -t -q -r -p FILE`) to analyse one game of a match.

In, one JSON line each, out one line with MARK each:
{"mat": file, "game": index, "plies": n, "jacoby": true}: reads the match and goes to the start of that game; answers
the number of its records.
{"analyse": k}: analyses record k, which follows the one before; answers null.
{"record": k}: answers the analysis of that record.
Ends at the end of its input. Other output of gnubg has no MARK.
"""

import json
import sys
from typing import Any

import gnubg  # type: ignore[import-not-found]  # only inside gnubg

MARK = "@boardside "
OPTIONS_SHOWN = 5


def answer(value: Any) -> None:
    """Write one answer."""
    print("\n" + MARK + json.dumps(value))
    sys.stdout.flush()


def opened(asked: dict[str, Any]) -> int:
    """Read the match and go to the game's start; the number of its records."""
    for command in (
        "set display off",
        "set automatic game off",
        "set threads 1",
        "set jacoby " + ("on" if asked["jacoby"] else "off"),
        f"set analysis chequerplay evaluation plies {asked['plies']}",
        f"set analysis cubedecision evaluation plies {asked['plies']}",
        'import mat "' + asked["mat"] + '"',
        "first game",
    ):
        gnubg.command(command)
    for _ in range(asked["game"]):
        gnubg.command("next game")
    return len(gnubg.match(0, 0, 0, 0)["games"][asked["game"]]["game"])


def record_of(found: dict[str, Any]) -> dict[str, Any]:
    """The analysis of one record, with its best plays and the one made."""
    analysis = found.get("analysis") or {}
    moves = analysis.get("moves") or ()
    played = analysis.get("imove")
    shown = sorted({*range(min(len(moves), OPTIONS_SHOWN)), *(() if played is None else (played,))})
    return {
        "action": found["action"],
        "player": found.get("player"),
        "dice": found.get("dice"),
        "luck": analysis.get("luck-value"),
        "played": played,
        "count": len(moves),
        "options": {k: [moves[k]["move"], moves[k]["score"]] for k in shown if k < len(moves)},
        "no_double": analysis.get("nd-cubeful-eq"),
        "double_take": analysis.get("dt-cubeful-eq"),
    }


game = 0
records = None
for line in sys.stdin:
    question = json.loads(line)
    if "mat" in question:
        game, records = question["game"], None
        answer(opened(question))
    elif "analyse" in question:
        gnubg.command("analyse move")
        gnubg.command("next")
        answer(None)
    else:
        if records is None:
            records = gnubg.match(1, 0, 0, 0)["games"][game]["game"]
        answer(record_of(records[question["record"]]))
