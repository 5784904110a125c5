"""Runs the gnubg of this machine with a script in its own Python."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from companion.hints import required_gnubg

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_S = 120


def printed_by_gnubg(script: str, folder: Path) -> list[str]:
    """Lines that gnubg prints while it runs `script` in `folder`, which is also the home for its own files."""
    (folder / "script.py").write_text(script, encoding="utf-8")
    ended = subprocess.run(
        [required_gnubg(), "-t", "-q", "-r", "-p", "script.py"],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST_S,
        check=True,
    )
    return ended.stdout.splitlines()
