"""Replaces the content of a state directory by that of a backup; an interrupted restore is completed at the next start.

A restore has three steps, and the name of its folder says which one it is at: the backup is unpacked and checked, what
was there is moved into the folder, and the restored files are moved out of it.
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

    Returns what `unpack` returns, and where the old files are. Where `unpack` raises, nothing was changed.
    Raises OSError.
    """
    finish_restore(directory)
    folder = directory / UNPACKING
    folder.mkdir(mode=0o700)
    try:
        (folder / NEW).mkdir()
        unpacked = unpack(folder / NEW)
        _owned_like(directory, folder)
        _sync_all(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _renamed(folder, directory / CHECKED)
    aside = finish_restore(directory)
    assert aside is not None  # noqa: S101  # it is begun above
    return unpacked, aside


def finish_restore(directory: Path) -> Path | None:
    """Complete an interrupted restore; returns where the old files are, None where there was none.

    One whose backup was not checked yet is undone. Raises OSError.
    """
    unfinished = directory / UNPACKING
    if unfinished.exists():
        shutil.rmtree(unfinished)
    checked, moving = directory / CHECKED, directory / MOVING
    if checked.exists():
        for path in replaced_in(directory, frozenset(path.name for path in (checked / NEW).iterdir())):
            _renamed(path, checked / path.name)
        _renamed(checked, moving)
    if not moving.exists():
        return None
    if (moving / NEW).exists():
        for path in sorted((moving / NEW).iterdir()):
            _renamed(path, directory / path.name)
        (moving / NEW).rmdir()
    return _renamed(moving, free_name(directory / ASIDE))


def _renamed(path: Path, target: Path) -> Path:
    """Rename and sync."""
    os.replace(path, target)  # noqa: PTH105 - one name for the tests to stop at
    for folder in {path.parent, target.parent}:
        if folder.exists():
            sync_directory(folder)
    return target


def _owned_like(directory: Path, folder: Path) -> None:
    """Where root restores, give the files to the owner of `directory`, as whom the service runs."""
    owner = directory.stat()
    if os.geteuid() != 0:
        return
    for path in (folder, *folder.rglob("*"), *directory.glob("lock")):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _sync_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if path.is_dir():
            sync_directory(path)
