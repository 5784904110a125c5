"""Which files of a state directory go into a backup and are replaced by a restore."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RECORD = "record.db"
LOCK = "lock"
SHEETS = "sheets"
SECRETS = frozenset({"dice.secrets", "seats.json"})
"""Files whose reader could predict the dice or act as a player."""
_OWN = re.compile(
    r"record\.db|(clock|settings)\.json|calibration-[a-z0-9-]+\.npz|[\w-]+\.toml|sheets/[^/\\.\x00-\x1f][^/\\\x00-\x1f]*\.toml"
)
_OF_RECORD = re.compile(r"record\.db([.-].*)?")
LONGEST_NAME = 200


def is_kept(name: str, *, secrets: bool = True) -> bool:
    """Whether a path relative to the state directory (with "/") may be in a backup; no other path is ever written."""
    return len(name) <= LONGEST_NAME and (bool(_OWN.fullmatch(name)) or (secrets and name in SECRETS))


def kept_in(directory: Path, *, secrets: bool) -> list[str]:
    """Relative paths of the files in `directory` that go into a backup, sorted; links are left out."""
    found = [path for path in directory.iterdir() if path.is_file()]
    sheets = directory / SHEETS
    if sheets.is_dir() and not sheets.is_symlink():
        found += [path for path in sheets.iterdir() if path.is_file()]
    names = (path.relative_to(directory).as_posix() for path in found if not path.is_symlink())
    return sorted(name for name in names if is_kept(name, secrets=secrets))


def replaced_in(directory: Path, restored: frozenset[str]) -> Iterator[Path]:
    """The files that a restore moves away; `restored` are the top-level names in the backup.

    All files that a backup may contain, and SQLite's files of the record; secrets only if the backup has them.
    """
    for path in sorted(directory.iterdir()):
        name = path.name
        if name == SHEETS or name in restored or _OF_RECORD.fullmatch(name) or is_kept(name, secrets=False):
            yield path


def misplaced_in(directory: Path) -> list[Path]:
    """Entries of `directory` of the wrong type, such as a folder or a pipe with the name of a file."""
    wrong = [path for path in directory.iterdir() if _is_expected_file(path.name) and path.exists()]
    wrong = [path for path in wrong if not path.is_file()]
    sheets = directory / SHEETS
    return sorted(wrong) + [sheets] * (sheets.exists() and not sheets.is_dir())


def _is_expected_file(name: str) -> bool:
    own = name.removesuffix(".new")
    return ".damaged-" not in name and (own == LOCK or is_kept(own) or _OF_RECORD.fullmatch(own) is not None)


def free_name(path: Path) -> Path:
    """The first free name that is `path` with a number."""
    number = 1
    while os.path.lexists(target := path.with_name(f"{path.name}-{number}")):
        number += 1
    return target


def damaged_name(path: Path) -> Path:
    """A free name for putting aside the file at `path`."""
    return free_name(path.with_name(f"{path.name}.damaged"))
