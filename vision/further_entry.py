"""Further entries in a learned board's file: what is known beside what its kind of board keeps."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.calibration_file import CalibrationError

if TYPE_CHECKING:
    from pathlib import Path

    from vision.boards import LearnedBoard
    from vision.calibration_file import Kept


def save_with(board: LearnedBoard, path: Path, name: str, value: object) -> None:
    """Write a board and one entry more (what JSON can say); the file appears whole or not at all.

    Raises CalibrationError.
    """
    partial = path.with_name(f"{path.name}.{name}")
    board.save(partial)
    entry = io.BytesIO()
    np.save(entry, np.array(json.dumps(value)))
    try:
        with zipfile.ZipFile(partial, "a") as file:
            file.writestr(f"{name}.npy", entry.getvalue())
        partial.replace(path)
    except OSError as error:
        raise CalibrationError(f"cannot write {path} ({error.strerror}): choose another place for it") from error


def entry_of(kept: Kept, name: str) -> Any:
    """What a file has under that name; None where it has nothing."""
    return json.loads(str(kept.arrays[name])) if name in kept.arrays else None
