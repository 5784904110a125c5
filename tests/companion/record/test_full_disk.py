"""A full or read-only disk: the table gives a message, waits, and continues when it can write."""

import os
import resource
import shutil
import subprocess
from contextlib import ExitStack

import pytest
from said import notice_of, words_of
from sessions import session_of

from companion.app.assembly import open_storage
from companion.core import CellReading, Observation, Side
from companion.interface import Button, Light, RecordRetry, Saw, Stirred, Tapped
from companion.record import events_of, recorded_entries
from companion.rules import rules_named

RULES = rules_named("standard")
SMALL = "size=400k"


def mount(*arguments):
    return subprocess.run(["mount", *arguments], check=False, capture_output=True, text=True)


@pytest.fixture
def disk(tmp_path):
    """A separate file system of 400 kB; skipped if mounting is not allowed."""
    if os.geteuid() != 0 or mount("-t", "tmpfs", "-o", SMALL, "boardside-test", str(tmp_path)).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


class TableOnFullDisk:
    """A table on a state directory, whose players make the first legal play."""

    def __init__(self, path, stack):
        self.path = path
        self.storage = open_storage(path, "fair", stack, lambda: None)
        self.shown = None
        events = events_of(self.storage.entries, RULES)
        self.session = session_of(
            RULES, self.storage.dice, record=self.storage.backup_worker, publish=self._publish, resume=events
        )

    def _publish(self, snapshot):
        self.shown = snapshot

    def looks(self):
        game = self.session.game
        successors = RULES.successors(game.position, game.on_roll, game.dice) if game.dice else ()
        position = successors[0].after if successors else game.position or RULES.start()
        cells = tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position))
        self.session.handle(Stirred(1.0))
        self.session.handle(Saw(Observation(cells), 2.0, os.urandom(3000)))

    def taps(self, button=Button.ROLL):
        self.session.handle(Tapped(button, 3.0))
        return self.shown

    def plays(self, turns):
        """Play that many turns; more if both players rolled alike at the opening, again and again."""
        while turns > 0 or not self.session.game.history:
            self.looks()
            self.taps()
            turns -= 1
        return self.session.game

    def retries(self):
        self.session.handle(RecordRetry(4.0))
        return self.shown


@pytest.fixture
def stack():
    with ExitStack() as stack:
        yield stack


def fill(disk):
    """Use all free space; returns the file that uses it."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return filler


def test_on_a_full_disk_the_game_waits_with_a_message_and_continues_when_there_is_space(disk, stack, caplog):
    table = TableOnFullDisk(disk, stack)
    before = table.plays(6)
    told = len(recorded_entries(disk))
    filler = fill(disk)
    table.looks()
    for _ in range(40):  # what is left of the last pages takes an event or two
        shown = table.taps()
        if shown.storage:
            break
        table.looks()
    held = table.session.game
    assert "full" in words_of(shown.storage)
    assert "Free some space" in words_of(shown.storage)
    assert (shown.light, shown.notice) == (Light.RED, shown.storage)
    assert caplog.text.count("The game waits") == 1
    assert table.taps().storage
    assert table.session.game == held
    assert table.retries().storage
    filler.unlink()
    assert table.retries().storage is None
    assert "goes on" in caplog.text
    after = table.plays(3)
    assert len(after.history) > len(before.history)
    entries = recorded_entries(disk)
    assert len(entries) > told
    with ExitStack() as again:
        stack.close()
        assert TableOnFullDisk(disk, again).session.game == after


@pytest.fixture
def card(tmp_path):
    """A memory card (a file with ext4 in it) under `tmp_path / "card"`; skipped where mounting is not allowed."""
    image, card = tmp_path / "card.img", tmp_path / "card"
    card.mkdir()
    image.write_bytes(bytes(4_000_000))
    made = (
        shutil.which("mkfs.ext4") and not subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=False).returncode
    )
    if os.geteuid() != 0 or not made or mount("-o", "loop", str(image), str(card)).returncode:
        pytest.skip("mounting a file system in a file is not allowed here")
    yield image, card
    subprocess.run(["umount", "--lazy", str(card)], check=True)


def test_on_a_card_that_became_read_only_the_game_waits_and_nothing_is_lost(card, tmp_path, caplog):
    image, folder = card
    with ExitStack() as stack:
        table = TableOnFullDisk(folder, stack)
        table.plays(4)
        table.looks()
        before = table.session.game
        assert mount("-o", "remount,abort", str(folder)).returncode == 0
        shown = table.taps()
        assert shown.storage is not None
        assert shown.light is Light.RED
        assert table.retries().storage is not None
        assert table.session.game == before
        assert "The game waits" in caplog.text
    whole = tmp_path / "whole"
    whole.mkdir()
    assert mount("-o", "loop", str(shutil.copy(image, tmp_path / "copy.img")), str(whole)).returncode == 0
    try:
        with ExitStack() as stack:
            assert TableOnFullDisk(whole, stack).session.game == before
    finally:
        subprocess.run(["umount", "--lazy", str(whole)], check=True)


def test_a_backup_without_space_keeps_the_old_one_and_does_not_stop_the_game(disk, stack, caplog):
    table = TableOnFullDisk(disk, stack)
    table.plays(3)
    table.storage.backup_worker.back_up()
    old = (disk / "record.db.backup").read_bytes()
    table.plays(3)
    filler = fill(disk)
    table.storage.backup_worker.back_up()
    assert "without a new backup" in caplog.text
    assert (disk / "record.db.backup").read_bytes() == old
    filler.unlink()
    assert table.plays(2).running


def test_the_first_commitment_is_made_as_soon_as_there_is_space(disk, stack):
    table = TableOnFullDisk(disk, stack)
    filler = fill(disk)
    table.looks()
    shown = table.taps()
    assert "Free some space" in notice_of(shown)
    assert table.session.game.number == 0
    filler.unlink()
    table.looks()
    assert table.shown.fairness.commitment is not None
    assert table.taps().on_roll in (*map(str, Side), None)
    assert table.session.game.number == 1


def test_at_the_file_size_limit_the_game_waits_too(tmp_path, stack, caplog):
    """For machines without permission to mount: the system limits the size of files."""
    table = TableOnFullDisk(tmp_path, stack)
    before = table.plays(3)
    table.looks()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "record.db-wal").stat().st_size, limits[1]))
    try:
        shown = table.taps()
        assert shown.storage is not None
        assert shown.light is Light.RED
        assert table.session.game == before
        assert table.retries().storage is not None
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "The game waits" in caplog.text
    assert table.retries().storage is None
    after = table.plays(2)
    assert len(after.history) == len(before.history) + 2
    with ExitStack() as again:
        stack.close()
        assert TableOnFullDisk(tmp_path, again).session.game == after


def test_remounting_read_only_is_refused_while_the_table_runs_and_with_a_write_lock_the_game_waits(card, caplog):
    """The kernel refuses the remount while the record is open (busy). What stops writing to open files is a flag."""
    _, folder = card
    with ExitStack() as stack:
        table = TableOnFullDisk(folder, stack)
        before = table.plays(3)
        assert "busy" in mount("-o", "remount,ro", str(folder)).stderr
        table.looks()
        files = [str(path) for path in (folder / "record.db", folder / "record.db-wal")]
        assert subprocess.run(["chattr", "+i", *files], check=False).returncode == 0
        try:
            shown = table.taps()
            assert shown.storage is not None
            assert shown.light is Light.RED
            assert "The game waits" in caplog.text
            assert table.retries().storage is not None
            assert table.session.game == before
        finally:
            subprocess.run(["chattr", "-i", *files], check=True)
        assert table.retries().storage is None
        after = table.plays(2)
        assert len(after.history) > len(before.history)
        stack.close()
        with ExitStack() as again:
            assert TableOnFullDisk(folder, again).session.game == after
