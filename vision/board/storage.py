"""Calibration files: NumPy arrays, and JSON with the version and the kind of board.

A file is an .npz archive followed by a SHA-256 digest of it, which is checked before anything is parsed.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, replace
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, ClassVar

import cv2
import numpy as np

from companion.core import BoardsideError, one_line, read_bytes, written_whole
from vision.geometry import CameraPose, move_pose, project

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

    from vision.arrays import Floats

MOST_BYTES = 100_000_000
"""Largest size of a calibration file, and of its unpacked arrays; those of a 12-megapixel picture take 40 MB."""
_LONGEST_PX = 20_000
_LARGEST = 1e5
"""Largest plausible value in the description: measures are in board units, the focal length in picture widths."""
_VERSION = 1
_REMEDY = "calibrate again with `boardside calibrate`"
DIGEST_MARK = b"\nsha-256 of all before this line: "
FIRST_ENTRY, HEADER_BYTES = b"corners.npy", 64
"""Name of the archive's first member, and the number of bytes searched for it (it starts at 30). A damaged file with it
or with DIGEST_MARK is reported as a damaged board file, any other as none."""
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
"""Errors that a damaged file raises: in the checks, in `zipfile` (a flipped bit may ask for a password: RuntimeError)
and `zlib`, in the header of an array (SyntaxError, TokenError), or when an entry is missing or malformed."""


class CalibrationError(BoardsideError):
    """A board cannot be calibrated, or a calibration file cannot be used; the text says what to do."""


@dataclass(frozen=True)
class BoardInView(ABC):
    """Where one camera sees a board: what the calibrations of all kinds have in common.

    Attributes:
        kind: name of the kind of board in files; the rule sheets' field `board` uses the same.
        shapes: of the arrays of `contents` (see `SavedCalibration.check`).
        size: width and height of the pictures it holds for.
        corners: 4 x 2 pixels, bottom-left, bottom-right, top-right, top-left of the playing area as White sits.
        pose: the camera.
        fit: how well the known position fits, -1 to 1.
    """

    size: tuple[int, int]
    corners: Floats
    pose: CameraPose
    fit: float
    kind: ClassVar[str]
    shapes: ClassVar[Mapping[str, str]]

    @abstractmethod
    def contents(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """What else is saved for this kind of board: JSON values and arrays, each by name."""

    @classmethod
    @abstractmethod
    def restored(cls, kept: SavedCalibration) -> Self:
        """Inverse of `contents`."""

    def transformed(self, motion: Floats) -> Self:
        """Copy moved by a homography (3 x 3) of the bed from old to new pixels, without cached properties.

        Raises NoPoseError.
        """
        pose = move_pose(self.pose, motion, self.size)
        return replace(self, corners=project(motion, self.corners), pose=pose)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load from a file. Raises CalibrationError if it is missing, damaged or of another version."""
        with open_calibration(path) as kept:
            kept.check(cls.shapes)
            return cls.restored(kept)

    def save(self, path: Path, **extra: object) -> None:
        """Write to a file atomically: it is complete or not there. Raises CalibrationError.

        `extra`: JSON values by name, different from the arrays' names; `SavedCalibration.entry` reads them.
        """
        meta, arrays = self.contents()
        pose = {"depth": self.pose.depth, "focal": self.pose.focal, "misfit_px": self.pose.misfit_px}
        described = {"version": _VERSION, "kind": self.kind, "size": self.size, "fit": self.fit, "pose": pose, **meta}
        placed = {"corners": self.corners, "matrix": self.pose.matrix, "centre": self.pose.centre}
        entries = {name: np.array(json.dumps(value)) for name, value in {"meta": described, **extra}.items()}
        archive = io.BytesIO()
        np.savez_compressed(archive, **placed, **arrays, **entries)  # type: ignore[arg-type]
        try:
            with written_whole(path) as file:
                file.write(archive.getbuffer())
                file.write(digest_line(archive.getbuffer()))
        except OSError as error:
            raise CalibrationError(f"cannot write {path} ({error.strerror}): choose another folder") from error


_IN_VIEW = {"corners": "4 2", "matrix": "3 4", "centre": "3"}
"""Shapes of the arrays that all kinds have in their files."""


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """The content of a calibration file: the kind of board, JSON values and arrays, each by name."""

    kind: str
    meta: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def check(self, shapes: Mapping[str, str]) -> None:
        """Raise ValueError or KeyError unless the arrays have these shapes, and they and the description hold numbers.

        `shapes`: by name, sizes separated by spaces; a letter is one size in all shapes. An array whose name has a "?"
        may be missing. `_IN_VIEW` is checked too.
        """
        _check_description(self.meta)
        sizes: dict[str, int] = {}
        for name, shape in {**_IN_VIEW, **shapes}.items():
            if name.endswith("?") and name[:-1] not in self.arrays:
                continue
            array, wanted = self.arrays[name.removesuffix("?")], shape.split()
            fits = array.ndim == len(wanted) and array.size > 0 and array.dtype.kind in "uif"
            for size, side in zip(array.shape, wanted, strict=False):
                fits = fits and size == (int(side) if side.isdecimal() else sizes.setdefault(side, size))
            if not fits or not np.isfinite(array).all():
                raise ValueError(f"{name} has the shape {array.shape}, or what it holds is no number")

    @property
    def in_view(self) -> tuple[tuple[int, int], Floats, CameraPose, float]:
        """The attributes of `BoardInView`."""
        pose = CameraPose(self.arrays["matrix"], self.arrays["centre"], **self.meta["pose"])
        return tuple(self.meta["size"]), self.arrays["corners"], pose, float(self.meta["fit"])

    def entry(self, name: str) -> Any:
        """The `extra` value that `BoardInView.save` stored under this name, or None."""
        return json.loads(str(self.arrays[name])) if name in self.arrays else None


@contextmanager
def open_calibration(path: Path) -> Iterator[SavedCalibration]:
    """Open a calibration file; errors inside the `with` block (missing or malformed entries) count as damage.

    Raises CalibrationError if the file is missing, damaged or of another version.
    """
    content = b""
    try:
        content = read_bytes(path, MOST_BYTES)
        archive = _intact_archive(content)
        _check_room(archive)
        with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
            meta = json.loads(str(arrays["meta"]))
            if meta["version"] != _VERSION:
                raise CalibrationError(
                    f"calibration {path} has version {meta['version']}, expected {_VERSION}: {_REMEDY}"
                )
            yield SavedCalibration(meta["kind"], meta, arrays)
    except OSError as error:
        raise CalibrationError(f"calibration {path} cannot be read ({error.strerror or error}): {_REMEDY}") from error
    except _DAMAGED as error:
        if content and FIRST_ENTRY not in content[:HEADER_BYTES] and DIGEST_MARK not in content:
            raise CalibrationError(f"{path} is not a board file: give one that `boardside calibrate` wrote") from error
        raise CalibrationError(f"calibration {path} is damaged ({one_line(str(error), 200)}): {_REMEDY}") from error


def _check_description(meta: Mapping[str, Any]) -> None:
    """Raise ValueError or KeyError unless a board's size in pixels, its measures and its pose are plausible numbers."""
    width, height = meta["size"]
    if not all(type(side) is int and 0 < side <= _LONGEST_PX for side in (width, height)):
        raise ValueError(f"its size is {width!r} x {height!r}")
    for part in ("layout", "squares", "pose", "contrast"):
        for name, value in meta.get(part, {}).items():
            if not isinstance(value, int | float) or not -_LARGEST < value < _LARGEST:
                raise ValueError(f"{name} is {value!r}")


def _intact_archive(content: bytes) -> bytes:
    """The .npz archive in a file's content. Raises ValueError where the digest is missing or wrong."""
    archive, mark, digest = content.rpartition(DIGEST_MARK)
    if mark + digest != digest_line(archive):
        raise ValueError("its checksum is missing or wrong")
    return archive


def _check_room(archive: bytes) -> None:
    """Raise ValueError where the members would take more than MOST_BYTES unpacked."""
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        if sum(member.file_size for member in members.infolist()) > MOST_BYTES:
            raise ValueError(f"it unpacks to more than {MOST_BYTES:,} bytes")


def digest_line(archive: bytes | memoryview) -> bytes:
    """The digest line that follows the .npz archive in a file."""
    return DIGEST_MARK + hashlib.sha256(archive).hexdigest().encode("ascii")
