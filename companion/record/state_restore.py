"""Replaces the content of a state directory by that of a backup; an interrupted restore is completed at the next start.

A restore has three steps, and the name of its folder states the current one: the backup is unpacked and checked, the
old files are moved into the folder, and the restored files are moved out of it.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, TypeVar

from companion.core import sync_directory
from companion.record.kept_files import free_name, replaced_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

UnpackedT = TypeVar("UnpackedT")
UNPACKING, CHECKED, MOVING = "restore.unpacking", "restore.checked", "restore.moving"
NEW = "new"
ASIDE = "before-restore"


def replace_state(directory: Path, unpack: Callable[[Path], UnpackedT]) -> tuple[UnpackedT, Path]:
    """Replace the locked `directory`'s files by those that `unpack(folder)` writes.

    Returns what `unpack` returns, and where the old files are. If `unpack` raises, nothing was changed.
    Raises OSError.
    """
    finish_restore(directory)
    folder = directory / UNPACKING
    folder.mkdir(mode=0o700)
    try:
        (folder / NEW).mkdir()
        unpacked = unpack(folder / NEW)
        _match_owner(directory, folder)
        _sync_all(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _move(folder, directory / CHECKED)
    aside = finish_restore(directory)
    assert aside is not None  # noqa: S101  # the restore was begun above
    return unpacked, aside


def finish_restore(directory: Path) -> Path | None:
    """Complete an interrupted restore, or undo one whose backup was not checked yet. Raises OSError.

    Returns the folder with the old files; None if no restore was to be completed.
    """
    unfinished = directory / UNPACKING
    if unfinished.exists():
        shutil.rmtree(unfinished)
    checked, moving = directory / CHECKED, directory / MOVING
    if checked.exists():
        for path in replaced_in(directory, frozenset(path.name for path in (checked / NEW).iterdir())):
            _move(path, checked / path.name)
        _move(checked, moving)
    if not moving.exists():
        return None
    if (moving / NEW).exists():
        for path in sorted((moving / NEW).iterdir()):
            _move(path, directory / path.name)
        (moving / NEW).rmdir()
    return _move(moving, free_name(directory / ASIDE))


def _move(path: Path, target: Path) -> Path:
    """Rename `path` to `target` and sync both directories; returns `target`."""
    os.replace(path, target)  # noqa: PTH105 - the tests interrupt calls of os.replace
    for folder in {path.parent, target.parent}:
        if folder.exists():
            sync_directory(folder)
    return target


def _match_owner(directory: Path, folder: Path) -> None:
    """As root, give the files to the owner of `directory`, which is the service's user."""
    owner = directory.stat()
    if os.geteuid() != 0:
        return
    for path in (folder, *folder.rglob("*"), *directory.glob("lock")):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _sync_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            sync_directory(path)
