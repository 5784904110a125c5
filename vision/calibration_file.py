"""Files that keep what was learned of a board: arrays, and a little JSON that says which kind of board it is."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.model import BoardsideError

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
class Kept:
    """What a file holds.

    Attributes:
        kind: of board.
        meta: what JSON can say of it.
        arrays: by name.
    """

    kind: str
    meta: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]


def write(path: Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file; it appears whole or not at all. Raises CalibrationError."""
    told = json.dumps({"version": _VERSION, "kind": kind, **meta})
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("wb") as file:
            np.savez_compressed(file, meta=np.array(told), **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise CalibrationError(f"cannot write {path} ({error.strerror}): choose another place for it") from error


@contextmanager
def opened(path: Path) -> Iterator[Kept]:
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
            yield Kept(meta.get("kind", _FIRST_KIND), meta, arrays)
    except OSError as error:
        raise CalibrationError(f"calibration {path} cannot be read ({error.strerror or error}): {_MEND}") from error
    except _DAMAGED as error:
        raise CalibrationError(f"calibration {path} is damaged ({error}): {_MEND}") from error
