"""Reads zip archives from outside; names and sizes are checked before anything is unpacked."""

from __future__ import annotations

import zipfile
import zlib
from typing import TYPE_CHECKING

from companion.core import OutsideError, one_line

if TYPE_CHECKING:
    from pathlib import Path

ARCHIVE_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    AttributeError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)
"""Exceptions from reading a damaged archive or its members."""
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MOST_SAID = 200
"""Letters of another library's error in a message."""


def refuse_large(archive: zipfile.ZipFile, most_files: int, most_bytes: int) -> None:
    """Raise ValueError if an archive has too many members or bytes, or an unexpected compression."""
    members = archive.infolist()
    if len(members) > most_files or sum(member.file_size for member in members) > most_bytes:
        raise ValueError(f"more than {most_files} files or {most_bytes} bytes")
    if any(member.compress_type not in _COMPRESSIONS for member in members):
        raise ValueError("unknown compression")


def read_archive(path: Path, most_files: int, most_bytes: int) -> dict[str, bytes]:
    """The content of each file in a zip archive, by name. Raises OSError; OutsideError if it is not complete."""
    if not path.is_file():
        raise OutsideError("it is no file")
    try:
        with zipfile.ZipFile(path) as archive:
            refuse_large(archive, most_files, most_bytes)
            names = [member.filename for member in archive.infolist()]
            if len(set(names)) < len(names):
                raise ValueError("two files of one name")
            return {name: archive.read(name) for name in names}  # never more than the size stated in the archive
    except ARCHIVE_DAMAGE as error:
        raise OutsideError(f"it is no whole zip archive ({one_line(str(error), MOST_SAID)})") from error
