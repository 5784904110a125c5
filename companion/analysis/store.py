"""Stores analyses of games on the disk, by the game's hash and the engine's version."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING

from companion.analysis.decisions import AnalysisError, GameAnalysis
from companion.core import OutsideError, parse_json, read_text, written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from companion.analysis.finished_games import FinishedGame

LOG = logging.getLogger(__name__)
FOLDER = "analysis"
"""Folder in the state directory. It may be deleted: its content can be computed again."""
MOST_BYTES = 2_000_000
"""Largest file of a game's analysis, in bytes; that of a long game has 100,000."""
MOST_FILES = 1000
"""Most files; the oldest are deleted first."""


class AnalysisStore:
    """The folder of analyses in a state directory."""

    def __init__(self, state: Path) -> None:
        """`state` is the state directory."""
        self.folder = state / FOLDER

    def load(self, game: FinishedGame, version: str) -> GameAnalysis | None:
        """The analysis of a game by an engine of that version; None if there is none, or it is damaged."""
        try:
            return _read(read_text(self._path(game, version), MOST_BYTES))
        except FileNotFoundError:
            return None
        except (OSError, OutsideError, AnalysisError, ValueError) as error:
            LOG.warning("The analysis of game %d is made again: %s", game.number, error)
            return None

    def save(self, game: FinishedGame, version: str, analysis: GameAnalysis) -> None:
        """Store an analysis. Raises OSError."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        with written_whole(self._path(game, version)) as file:
            text = json.dumps(analysis.to_json(), separators=(",", ":"))
            file.write(f"{_checksum(text)}\n{text}".encode())
        kept = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[: max(0, len(kept) - MOST_FILES)]:
            path.unlink(missing_ok=True)

    def _path(self, game: FinishedGame, version: str) -> Path:
        name = hashlib.sha256(f"{game.digest} {version}".encode()).hexdigest()
        return self.folder / f"{name}.json"


def _read(text: str) -> GameAnalysis:
    """The analysis in a file, whose first line is its checksum. Raises AnalysisError, OutsideError."""
    checksum, _, analysis = text.partition("\n")
    if checksum != _checksum(analysis):
        raise AnalysisError("its file is damaged")
    return GameAnalysis.from_json(parse_json(analysis))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
