"""gnubg's own statistics of a match at 0 plies, from its Python and `show statistics match`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gnubg_runs import printed_by_gnubg

from companion.core import Side

if TYPE_CHECKING:
    from pathlib import Path

MARK = "statistics: "
COMMANDS = (
    "set threads 1",
    "set analysis chequerplay evaluation plies 0",
    "set analysis cubedecision evaluation plies 0",
    'import mat "match.mat"',
    "analyse match",
    "show statistics match",
)
SCRIPT = f"""import gnubg, json
for command in {COMMANDS!r}:
    gnubg.command(command)
print({MARK!r} + json.dumps(gnubg.match(1, 0, 1, 0)["stats"]))
"""
LABEL, COLUMN = 39, 24
"""Characters of a row's label, and of each player's column after it."""


def gnubg_statistics(match: Path, folder: Path) -> dict[Side, dict[str, Any]]:
    """The figures of both players; White is the match's first. `folder` is an empty one, for gnubg's files."""
    folder.joinpath("match.mat").write_text(match.read_text())
    printed = printed_by_gnubg(SCRIPT, folder)
    (line,) = (line for line in printed if line.startswith(MARK))
    stats = json.loads(line.removeprefix(MARK))
    # Labels of several sections stay with the last one, the overall statistics.
    table = {line[:LABEL].strip(): (line[LABEL : LABEL + COLUMN], line[LABEL + COLUMN :]) for line in printed}
    return {
        Side.WHITE: _figures(stats["X"], {label: first for label, (first, _) in table.items()}),
        Side.BLACK: _figures(stats["O"], {label: second for label, (_, second) in table.items()}),
    }


def _figures(stats: dict[str, dict[str, Any]], table: dict[str, str]) -> dict[str, Any]:
    moves, cube, dice = stats["moves"], stats["cube"], stats["dice"]
    return {
        "moves": moves["total-moves"],
        "unforced": moves["unforced-moves"],
        "cubes": cube["total-cube"],
        "close": cube["close-cube"],
        "play_loss": moves["error-skill"],
        "play_cost": moves["error-cost"],
        "cube_loss": sum(cube[key] for key in cube if key.startswith("err-") and key.endswith("-skill")),
        "cube_cost": sum(cube[key] for key in cube if key.startswith("err-") and key.endswith("-cost")),
        "luck": dice["luck"],
        "luck_cost": dice["luck-cost"],
        "result": dice["actual-result"],
        "adjusted": dice["luck-adjusted-result"],
        "error_rate": -float(table["Error rate mEMG (MWC)"].split()[0]),
        "snowie": -float(table["Snowie error rate"].split()[0]),
        "rating": table["Overall rating"].strip(),
        "luck_rating": table["Luck rating"].strip(),
    }
