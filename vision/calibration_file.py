"""Files that keep what was learned of a board: arrays, and a little JSON that says which kind of board it is."""

from __future__ import annotations

import json
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.model import BoardsideError
from companion.whole_file import written_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

_VERSION = 1
_FIRST_KIND = "points"
"""What files hold that were written before there were kinds."""
_MEND = "make it anew with `boardside calibrate`"
_DAMAGED = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    EOFError,
    zlib.error,
    zipfile.BadZipFile,
    RuntimeError,
)
"""What damage raises: on its way through NumPy, `zipfile` (a flipped bit names another compression, or a password:
RuntimeError) and `zlib`, or where what it left is taken out."""


class CalibrationError(BoardsideError):
    """The board cannot be learned from this picture, or a calibration not be read; the text says what to do."""


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """What a file holds.

    Attributes:
        kind: of board.
        meta: what JSON can say of it.
        arrays: by name.
    """

    kind: str
    meta: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def entry(self, name: str) -> Any:
        """What `write` was given besides under that name; None where it was given nothing."""
        return json.loads(str(self.arrays[name])) if name in self.arrays else None


def write(path: Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], **extra: object) -> None:
    """Write a file; it appears whole or not at all. Raises CalibrationError.

    Args:
        path: the file.
        kind: of board.
        meta: what JSON can say of it.
        arrays: by name.
        extra: JSON values by name, different from the arrays' names; `SavedCalibration.entry` reads them.
    """
    entries = {name: np.array(json.dumps(value)) for name, value in extra.items()}
    told = np.array(json.dumps({"version": _VERSION, "kind": kind, **meta}))
    try:
        with written_whole(path) as file:
            np.savez_compressed(file, meta=told, **arrays, **entries)  # type: ignore[arg-type]
    except OSError as error:
        raise CalibrationError(f"cannot write {path} ({error.strerror}): choose another place for it") from error


@contextmanager
def opened(path: Path) -> Iterator[SavedCalibration]:
    """A file's content, to be taken out within the `with`: what is missing or of a wrong form there makes it damaged.

    Raises CalibrationError where the file is missing, damaged or of another version.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            meta = json.loads(str(arrays["meta"]))
            if meta["version"] != _VERSION:
                raise CalibrationError(
                    f"calibration {path} is of version {meta['version']}, this is {_VERSION}: {_MEND}"
                )
            yield SavedCalibration(meta.get("kind", _FIRST_KIND), meta, arrays)
    except OSError as error:
        raise CalibrationError(f"calibration {path} cannot be read ({error.strerror or error}): {_MEND}") from error
    except _DAMAGED as error:
        raise CalibrationError(f"calibration {path} is damaged ({error}): {_MEND}") from error
