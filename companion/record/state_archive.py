"""The backup of a state directory in one file: a zip archive with a list of its members and their hashes.

A zip, because its directory gives every member's name and size in advance, and it holds no links, devices or owners.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import zipfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO

from companion.core import (
    OWNER_ONLY,
    BoardsideError,
    one_line,
    parse_json,
    quoted,
    written_whole,
)
from companion.record.archives import ARCHIVE_DAMAGE, MOST_SAID, refuse_large
from companion.record.backup import connect, copy_record
from companion.record.faults import SQLITE_ERRORS, RecordError, is_damage
from companion.record.kept_files import RECORD, SECRETS, SHEETS, is_kept, kept_in
from companion.record.schema import is_sound, last_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LIST = "backup.json"
FORMAT, FORMAT_VERSION = "boardside backup", 1
MOST_BYTES = 1 << 30
"""Largest content of a backup. An evening's record takes 1 MB, an evening of disputes with their pictures 20 MB."""
MOST_FILES = 1000
LONGEST_LIST = 1 << 20
CHUNK = 1 << 20


class StateBackupError(BoardsideError):
    """A backup cannot be made or restored; the message names the file and says what to do."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    """The content of a backup.

    Attributes:
        made_at_s: when it was made, seconds since 1970.
        files: SHA-256 by path relative to the state directory.
        events: number of events in its record.
    """

    made_at_s: float
    files: Mapping[str, str]
    events: int

    @property
    def words(self) -> str:
        """The content in an English phrase, for the command line."""
        boards = sum(name.startswith("calibration-") for name in self.files)
        sheets = sum(name.startswith(f"{SHEETS}/") for name in self.files)
        secrets = " and ".join(sorted(SECRETS & set(self.files)))
        return (
            f"{self.events} event{'s' * (self.events != 1)}, {boards} learned board{'s' * (boards != 1)}, "
            f"{sheets} sheet{'s' * (sheets != 1)}, {f'with {secrets}' if secrets else 'without secrets'}"
        )


def write_backup(directory: Path, target: Path, *, secrets: bool, now_s: float) -> BackedUp:
    """Write the backup of `directory`, which a table may be using, to the new file `target` (mode 0600).

    The record is copied before the secrets, so that the backup has every secret that its events need. `now_s` is in
    seconds since 1970. Raises StateBackupError with nothing written.
    """
    if not directory.is_dir():
        raise StateBackupError(f"there is nothing to back up: {str(directory)!r} is no directory; name it with --state")
    if os.path.lexists(target):
        raise StateBackupError(f"cannot write {str(target)!r}: it exists; name another file")
    try:
        with written_whole(target, owner_only=True) as file:
            return _write_archive(directory, target.parent, file, secrets=secrets, now_s=now_s)
    except (OSError, *SQLITE_ERRORS, RecordError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        mend = "" if isinstance(error, RecordError) or is_damage(error) else "; name another file"
        raise StateBackupError(f"cannot back up {str(directory)!r} to {str(target)!r}: {why}{mend}") from error


def _write_archive(directory: Path, beside: Path, file: BinaryIO, *, secrets: bool, now_s: float) -> BackedUp:
    hashes: dict[str, str] = {}
    events = 0
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with _readable(directory):
            names = kept_in(directory, secrets=secrets)
        if RECORD in names:
            with TemporaryDirectory(dir=beside, prefix=".boardside-") as folder:
                copy = Path(folder) / RECORD
                events = copy_record(directory / RECORD, copy)
                hashes[RECORD] = _add_file(archive, RECORD, copy)
        for name in kept_in(directory, secrets=secrets):
            if name != RECORD:
                hashes[name] = _add_file(archive, name, directory / name)
        described = {"format": FORMAT, "version": FORMAT_VERSION, "made_at_s": now_s, "files": hashes, "events": events}
        archive.writestr(LIST, json.dumps(described, indent=1))
    return BackedUp(now_s, hashes, events)


def _add_file(archive: zipfile.ZipFile, name: str, path: Path) -> str:
    """Add the file at `path`, which is no link, under `name`; returns its SHA-256."""
    digest = hashlib.sha256()
    with _readable(path):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as source:  # noqa: PTH123  # a handle, not a name
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise StateBackupError(f"cannot back up {str(path)!r}: it is no plain file")
        with archive.open(name, "w", force_zip64=True) as member:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                member.write(chunk)
    return digest.hexdigest()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Convert an OSError of reading `path` to a StateBackupError."""
    try:
        yield
    except OSError as error:
        raise StateBackupError(
            f"cannot read {str(path)!r}: {error.strerror}; give the command as a user who may read it"
        ) from error


def unpack_backup(source: Path, into: Path) -> BackedUp:
    """Unpack the backup `source` into the new directory `into` and check all of it.

    Raises StateBackupError if it is no backup, damaged, of a newer version, or too large; OSError of the disk.
    """
    if not source.is_file():
        raise StateBackupError(f"cannot restore {str(source)!r}: it is no file; name one that `boardside backup` wrote")
    try:
        with zipfile.ZipFile(source) as archive:
            backup = _read_list(archive)
            for name, digest in backup.files.items():
                _unpack(archive, name, digest, into / name)
        _check_record(into / RECORD, backup.events, here=RECORD in backup.files)
    except RecordError as error:
        raise StateBackupError(f"cannot restore {str(source)!r}: its record cannot be used: {error}") from error
    except (*ARCHIVE_DAMAGE, *SQLITE_ERRORS) as error:
        raise StateBackupError(
            f"cannot restore {str(source)!r}: it is no whole backup ({one_line(str(error), MOST_SAID)}); "
            "nothing was changed"
        ) from error
    return backup


def _read_list(archive: zipfile.ZipFile) -> BackedUp:
    """Read the list of members and check it against them. Raises StateBackupError and those of ARCHIVE_DAMAGE."""
    members = archive.infolist()
    refuse_large(archive, MOST_FILES, MOST_BYTES)
    with archive.open(LIST) as file:
        described: dict[str, Any] = parse_json(file.read(LONGEST_LIST))
    if described["format"] != FORMAT:
        raise ValueError("another program's")
    if described["version"] != FORMAT_VERSION:
        raise StateBackupError(
            f"cannot restore {str(archive.filename)!r}: it has version {quoted(described['version'], 20)}, "
            f"this Boardside reads {FORMAT_VERSION}: update Boardside"
        )
    files = {str(name): str(digest) for name, digest in described["files"].items()}
    if sorted([*files, LIST]) != sorted(member.filename for member in members):
        raise ValueError("its list does not name what is in it")
    for name in files:
        if not is_kept(name):
            raise ValueError(f"{quoted(name)} does not belong into a state directory")
    return BackedUp(float(described["made_at_s"]), files, int(described["events"]))


def _unpack(archive: zipfile.ZipFile, name: str, digest: str, target: Path) -> None:
    """Write one member to `target` and sync it. Raises ValueError if its hash is wrong."""
    target.parent.mkdir(parents=True, exist_ok=True)
    found = hashlib.sha256()
    with archive.open(name) as member, target.open("xb") as file:
        os.fchmod(file.fileno(), OWNER_ONLY)
        while chunk := member.read(CHUNK):  # never more than the size stated in the archive
            found.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if found.hexdigest() != digest:
        raise ValueError(f"the checksum of {name} is wrong")


def _check_record(path: Path, events: int, *, here: bool) -> None:
    """Raises RecordError if the record at `path`, if there is one, is damaged or newer than this Boardside."""
    if not here:
        return
    with closing(connect(path, "ro")) as connection:
        if not is_sound(connection) or last_number(connection) != events:
            raise RecordError("it is damaged")
