"""`boardside backup` and `boardside restore`: a table's state directory in one file, and back."""

from __future__ import annotations

import os
import time
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.record import StateBackupError, StateDirectory, default_path, replace_state, unpack_backup, write_backup

if TYPE_CHECKING:
    import argparse


def back_up_state(args: argparse.Namespace) -> int:
    """Write the backup of the state directory, which a table may be using, to a new file. Raises StateBackupError."""
    directory = args.state or default_path(os.environ)
    backup = write_backup(directory, Path(args.file), secrets=args.secrets, now_s=time.time())
    print(f"{args.file}: the backup of {directory}: {backup.words}.")
    return 0


def restore_state(args: argparse.Namespace) -> int:
    """Replace the content of the state directory by that of a backup; the old content is moved aside.

    Raises StateBackupError or StateError, and then nothing is changed.
    """
    with closing(StateDirectory.open(args.state)) as state:
        try:
            backup, aside = replace_state(state.path, partial(unpack_backup, Path(args.file)))
        except OSError as error:
            raise StateBackupError(f"cannot restore {args.file!r} into {str(state.path)!r}: {error}") from error
    made = f"{datetime.fromtimestamp(backup.made_at_s).astimezone():%Y-%m-%d %H:%M:%S}"
    print(f"{state.path}: restored as of {made}: {backup.words}; what was there is in {aside}.")
    return 0
