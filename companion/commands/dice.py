"""`boardside dice verify RECORD`: verify recorded dice offline."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion.dice import check
from companion.record import default_path, recorded_entries

if TYPE_CHECKING:
    import argparse


def verify_dice(args: argparse.Namespace) -> int:
    """Print the result for each roll; returns 1 if a roll does not hold. Raises RecordedError, DiceCheckError."""
    answer = check(recorded_entries(args.record or default_path(os.environ)))
    for line in answer.lines:
        if not args.brief or line.holds is False:
            print(line.mark, line.words)
    print(answer.summary)
    return 0 if answer.holds else 1
