"""Counts events lost in a power cut: `python benchmarks/unplugged.py [--cuts N]` (as root, with mkfs.ext4).

Two scripted players play on a memory card made of a file (ext4 on a loop device). At some of their write points the
file is copied. The copy is what a card holds after a power cut at this moment, because data that was written but not
synced has not reached it. The copy is mounted and opened as at a restart; it must hold every acknowledged event and the
secret of the dice. As a control, the same is done without syncing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from killed import RULES, TERMS, Acknowledged, take_turn
from write_points import watch_write_points

from companion.app.assembly import open_storage
from companion.interface import Stirred
from companion.record import open_commitments, recorded_entries
from companion.session import Session, SessionPorts, SessionStart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

CUTS = 120
CARD_BYTES = 8_000_000
EVERY = 3
"""Write points between two copies. A turn has about sixteen, so that every kind of point is reached."""


@contextmanager
def mounted(image: Path, where: Path) -> Iterator[Path]:
    """Mount the file system in `image` at `where`."""
    where.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(where)], check=True, capture_output=True)
    try:
        yield where
    finally:
        subprocess.run(["umount", str(where)], check=True, capture_output=True)


def at_one_moment(image: Path) -> bytes:
    """Content of `image`, read until two readings agree, because the system may write to it meanwhile."""
    before, content = b"", image.read_bytes()
    while content != before:
        before, content = content, image.read_bytes()
    return content


class Cuts:
    """Copies the card at write points, and checks what a start from the copy finds.

    Attributes:
        busy: whether write points are ignored, such as those of a check itself.
        done: number of copies checked.
        lost, extra: acknowledged events that were missing; events on the card that were not acknowledged yet.
        damaged, secrets: records that had to be recovered; secrets that were missing.
    """

    def __init__(self, folder: Path, image: Path) -> None:
        self._folder, self._image = folder, image
        self._points = 0
        self.busy = False
        self.acknowledged: list[dict[str, Any]] = []
        self.done = self.lost = self.extra = self.damaged = self.secrets = 0

    def around(self, name: str, write: Callable[..., Any]) -> Callable[..., Any]:
        """`write` with a write point before and after it."""
        del name

        def done(*args: Any, **options: Any) -> Any:
            self._point()
            result = write(*args, **options)
            self._point()
            return result

        return done

    def _point(self) -> None:
        if self.busy:
            return
        self._points += 1
        if self._points % EVERY == 0:
            self.busy = True
            self._cut()
            self.busy = False

    def _cut(self) -> None:
        copy = self._folder / "cut.img"
        copy.write_bytes(at_one_moment(self._image))
        with mounted(copy, self._folder / "after") as card, ExitStack() as stack:
            storage = open_storage(card, "fair", stack, lambda: None)
            entries = recorded_entries(card)
            found = [{k: v for k, v in entry.items() if k not in ("entry", "at_s")} for entry in entries]
            common = sum(a == b for a, b in zip(found, self.acknowledged, strict=False))
            self.lost += len(self.acknowledged) - common
            self.extra += max(len(found) - len(self.acknowledged), 0)
            self.damaged += storage.record.rescue is not None
            commitments = open_commitments(storage.record.entries())
            self.secrets += sum(storage.dice.secret(commitment) is None for commitment in commitments)  # type: ignore[attr-defined]
        self.done += 1


class AcknowledgedOnCard(Acknowledged):
    """A journal that adds each written event to the acknowledged ones of `cuts`."""

    def __init__(self, backup_worker: Any, cuts: Cuts) -> None:
        super().__init__(backup_worker, os.open(os.devnull, os.O_WRONLY))
        self._cuts = cuts

    def append_all(self, events: Sequence[tuple[dict[str, Any], float]], pictures: tuple[bytes, ...] = ()) -> int:
        """Write events, then acknowledge them."""
        number = super().append_all(events, pictures)
        self._cuts.acknowledged.extend(json.loads(json.dumps(event)) for event, _ in events)
        return number


def trial(cuts_wanted: int, *, synced: bool) -> Cuts:
    """Play until the wanted number of copies is checked; without `synced`, nothing is synced to the card."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = folder / "card.img"
        image.write_bytes(bytes(CARD_BYTES))
        subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)
        cuts = Cuts(folder, image)
        cuts.busy = True
        with mounted(image, folder / "card") as card, ExitStack() as stack:
            watch_write_points(cuts.around)
            if not synced:
                unsync(cuts)
            storage = open_storage(card, "fair", stack, lambda: None)
            if not synced:
                storage.record._connection.execute("PRAGMA synchronous = OFF")  # noqa: SLF001 - nothing else may
            session = Session(
                RULES,
                storage.dice,
                SessionPorts(AcknowledgedOnCard(storage.backup_worker, cuts)),
                SessionStart(terms=TERMS),
            )
            rng = random.Random(7)
            cuts.busy = False
            session.handle(Stirred(0.0))
            while cuts.done < cuts_wanted and session.game.match.winner is None:
                take_turn(session, rng)
            cuts.busy = True
        return cuts


def unsync(cuts: Cuts) -> None:
    """Replace fsync by a call that does nothing."""
    os.fsync = cuts.around("fsync", lambda _: None)  # type: ignore[assignment]


def main() -> int:
    """Run both trials and print the table; returns 1 if anything synced was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=CUTS, help="number of copies in each trial (default: %(default)s)")
    args = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        print("skipped: only root can mount a card made of a file (and mkfs.ext4 is needed)")
        return 0
    connect, fsync = sqlite3.connect, os.fsync
    print("                 cuts  acknowledged events lost  on the card before  damaged records  secrets lost")
    failed = False
    for name, synced in (("as it is", True), ("without syncing", False)):
        found = trial(args.cuts, synced=synced)
        sqlite3.connect, os.fsync = connect, fsync  # type: ignore[assignment]
        print(f"{name:15}  {found.done:4}  {found.lost:24}  {found.extra:18}  {found.damaged:15}  {found.secrets:12}")
        failed |= synced and bool(found.lost or found.damaged or found.secrets)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
