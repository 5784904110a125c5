"""Calibration files: NumPy arrays, and JSON with the version and the kind of board.

A file is an .npz archive followed by a SHA-256 digest of it. The digest is checked before anything is parsed.
Files written before there was a digest are read too; there, the checksum of every member is checked first.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from tokenize import TokenError
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion.core import BoardsideError, one_line, read_bytes, written_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

MOST_BYTES = 100_000_000
"""Of a calibration file, and of its arrays together; those of a picture of 12 million pixels take 40 MB."""
_LONGEST_PX = 20_000
_LARGEST = 1e5
"""Of a measure in board units, and of a focal length in pixels."""
_VERSION = 1
_FIRST_KIND = "points"
"""Kind of files without a kind: they were written when there was only one."""
_REMEDY = "calibrate again with `boardside calibrate`"
DIGEST_MARK = b"\nsha-256 of all before this line: "
_SEALED = "sealed"
"""Key in the JSON part: a digest follows the archive. Files of older versions have neither."""
_ZIP_END = b"PK\x05\x06"
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    EOFError,
    ArithmeticError,
    MemoryError,
    SyntaxError,
    TokenError,
    zlib.error,
    zipfile.BadZipFile,
    RuntimeError,
    cv2.error,
)
"""Errors that a damaged file causes: in the checks, in `zipfile` (a flipped bit may ask for a password: RuntimeError)
and `zlib`, in the header of an array (SyntaxError, TokenError), or when an entry is missing or malformed."""


class CalibrationError(BoardsideError):
    """A board cannot be calibrated, or a calibration file cannot be used; the text says what to do."""


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """The content of a calibration file.

    Attributes:
        kind: the kind of board.
        meta: the JSON values by name.
        arrays: the arrays by name.
    """

    kind: str
    meta: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def check(self, shapes: Mapping[str, str]) -> None:
        """Raise ValueError or KeyError unless the arrays have these shapes, and they and the description hold numbers.

        Shapes by name: numbers, and letters that mean the same number everywhere. "?" is before the name of an
        array that a file may lack.
        """
        _check_description(self.meta)
        sizes: dict[str, int] = {}
        for name, shape in shapes.items():
            key, wanted = name.removeprefix("?"), shape.split()
            if key != name and key not in self.arrays:
                continue
            array = self.arrays[key]
            fits = array.ndim == len(wanted) and array.size > 0 and array.dtype.kind in "uif"
            for size, side in zip(array.shape, wanted, strict=False):
                fits = fits and size == (int(side) if side.isdecimal() else sizes.setdefault(side, size))
            if not fits or not np.isfinite(array).all():
                raise ValueError(f"{key} has the shape {array.shape}, or what it holds is no number")

    def entry(self, name: str) -> Any:
        """The `extra` value that `write` stored under this name, or None."""
        return json.loads(str(self.arrays[name])) if name in self.arrays else None


def write_calibration(
    path: Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], **extra: object
) -> None:
    """Write a calibration file atomically: it is complete or not there. Raises CalibrationError.

    Args:
        path: of the file.
        kind: the kind of board.
        meta: JSON values by name.
        arrays: the arrays by name.
        extra: JSON values by name, different from the arrays' names; `SavedCalibration.entry` reads them.
    """
    entries = {name: np.array(json.dumps(value)) for name, value in extra.items()}
    description = np.array(json.dumps({"version": _VERSION, "kind": kind, _SEALED: True, **meta}))
    archive = io.BytesIO()
    np.savez_compressed(archive, meta=description, **arrays, **entries)  # type: ignore[arg-type]
    try:
        with written_whole(path) as file:
            file.write(archive.getbuffer())
            file.write(DIGEST_MARK + _digest(archive.getbuffer()))
    except OSError as error:
        raise CalibrationError(f"cannot write {path} ({error.strerror}): choose another folder") from error


@contextmanager
def open_calibration(path: Path) -> Iterator[SavedCalibration]:
    """Open a calibration file; errors inside the `with` block (missing or malformed entries) count as damage.

    Raises CalibrationError if the file is missing, damaged or of another version.
    """
    try:
        archive, is_sealed = _intact_archive(read_bytes(path, MOST_BYTES))
        _check_room(archive)
        with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
            meta = json.loads(str(arrays["meta"]))
            if meta.get(_SEALED, False) and not is_sealed:
                raise ValueError("its checksum is missing")
            if meta["version"] != _VERSION:
                raise CalibrationError(
                    f"calibration {path} has version {meta['version']}, expected {_VERSION}: {_REMEDY}"
                )
            yield SavedCalibration(meta.get("kind", _FIRST_KIND), meta, arrays)
    except OSError as error:
        raise CalibrationError(f"calibration {path} cannot be read ({error.strerror or error}): {_REMEDY}") from error
    except _DAMAGED as error:
        raise CalibrationError(f"calibration {path} is damaged ({one_line(str(error), 200)}): {_REMEDY}") from error


def _check_description(meta: Mapping[str, Any]) -> None:
    """Raise ValueError or KeyError unless a board's size in pixels, its measures and its pose are plausible numbers."""
    width, height = meta["size"]
    if not all(type(side) is int and 0 < side <= _LONGEST_PX for side in (width, height)):
        raise ValueError(f"its size is {width!r} x {height!r}")
    for part in ("layout", "squares", "pose"):
        for name, value in meta.get(part, {}).items():
            if not isinstance(value, int | float) or not -_LARGEST < value < _LARGEST:
                raise ValueError(f"{name} is {value!r}")


def _intact_archive(content: bytes) -> tuple[bytes, bool]:
    """The .npz archive in a file's content, and whether a digest proves it whole.

    Raises ValueError, BadZipFile, RuntimeError or zlib.error where a checksum is wrong.
    """
    archive, mark, digest = content.rpartition(DIGEST_MARK)
    if mark:
        if _digest(archive) != digest:
            raise ValueError("its checksum is wrong")
        return archive, True
    _check_members(content)
    return content, False


def _check_members(content: bytes) -> None:
    """Check every member's checksum, and that the directory at the archive's end lists as many members as it states."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if any(member.compress_type not in _COMPRESSIONS for member in members):
            raise zipfile.BadZipFile("unknown compression")
        count_at = content.rfind(_ZIP_END) + 10  # two bytes, little-endian (APPNOTE.TXT 4.3.16)
        if int.from_bytes(content[count_at : count_at + 2], "little") != len(members):
            raise zipfile.BadZipFile("a member is missing")
        if (name := archive.testzip()) is not None:
            raise zipfile.BadZipFile(f"the checksum of {name} is wrong")


def _check_room(archive: bytes) -> None:
    """Raise ValueError where the members would take more than MOST_BYTES unpacked."""
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        if sum(member.file_size for member in members.infolist()) > MOST_BYTES:
            raise ValueError(f"it unpacks to more than {MOST_BYTES:,} bytes")


def _digest(archive: bytes | memoryview) -> bytes:
    return hashlib.sha256(archive).hexdigest().encode("ascii")
