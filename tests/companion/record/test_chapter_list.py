"""One chapter of a record is found without reading the whole record for each request."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from analysed import SHORT, entries_of

from companion.record import ChapterList, Record, RecordError, RecordReader, chapters

OTHER = SHORT.replace("1 point match", "3 point match")


class CountingReader(RecordReader):
    """Counts the events that are read."""

    read = 0

    def each(self, first, last, kinds=()):
        for entry in super().each(first, last, kinds):
            self.read += 1
            yield entry


def grown(path, *texts):
    with closing(Record.open(path)) as record:
        for text in texts:
            record.append_all((entry.event, entry.at_s) for entry in entries_of(text))


def test_the_list_has_the_chapters_of_a_growing_record(tmp_path):
    path = tmp_path / "record.db"
    found = ChapterList(RecordReader(path))
    assert found.of_entry(None) is None
    for texts in ((SHORT,), (OTHER, SHORT), (OTHER,)):
        grown(path, *texts)
        whole = chapters(RecordReader(path).entries(1, 10**6))
        for number, chapter in enumerate(whole, 1):
            for entry in (chapter[0].number, chapter[-1].number):
                assert found.of_entry(entry) == (number, chapter, number == len(whole))
        assert found.of_entry(None) == (len(whole), whole[-1], True)
    assert found.of_entry(0) is None
    assert found.of_entry(10**30) is None


def test_another_request_reads_only_the_last_match_again(tmp_path):
    path = tmp_path / "record.db"
    grown(path, SHORT, OTHER, SHORT)
    reader = CountingReader(path)
    found = ChapterList(reader)
    found.of_entry(None)
    whole = reader.read
    found.of_entry(None)
    assert reader.read == whole
    assert found.of_entry(1) is not None
    assert reader.read == whole + len(entries_of(SHORT))


def test_a_replaced_record_is_read_again(tmp_path):
    path, other = tmp_path / "record.db", tmp_path / "other.db"
    grown(path, SHORT, OTHER)
    found = ChapterList(RecordReader(path))
    assert found.of_entry(None) is not None
    grown(other, OTHER)
    other.replace(path)
    assert found.of_entry(None) == (1, RecordReader(path).entries(1, 100), True)


class InterruptedReader(RecordReader):
    """Fails after the `at`th event that is read from now on."""

    at = 0

    def each(self, first, last, kinds=()):
        for entry in super().each(first, last, kinds):
            yield entry
            self.at -= 1
            if self.at == 0:
                raise RecordError("disk I/O error")


def test_a_disk_error_while_reading_duplicates_nothing(tmp_path):
    path = tmp_path / "record.db"
    grown(path, SHORT)
    reader = InterruptedReader(path)
    found = ChapterList(reader)
    assert len(found) == 1
    grown(path, OTHER, SHORT)
    new = len(entries_of(OTHER)) + len(entries_of(SHORT))
    for reader.at in range(1, new + 1):
        with pytest.raises(RecordError, match="disk I/O error"):
            found.of_entry(None)
    whole = chapters(RecordReader(path).entries(1, 10**6))
    assert len(found) == len(whole) == 3
    for number, chapter in enumerate(whole, 1):
        assert found.numbered(number) == (number, chapter, number == 3)


@pytest.mark.parametrize("damage", ['{"event":"Rolled"', "[]"])
def test_an_event_whose_text_is_damaged_is_named(tmp_path, damage):
    path = tmp_path / "record.db"
    grown(path, SHORT)
    reader = RecordReader(path)
    with closing(Record.open(path)) as record, closing(sqlite3.connect(path)) as other:
        other.execute("UPDATE events SET event = ? WHERE number = 4", (damage,))
        other.commit()
        for read in (reader.entries, reader.links, lambda *_: record.entries()):
            with pytest.raises(RecordError, match=r"record\.db.*event 4 is damaged"):
                read(1, 10)
        assert reader.entries(1, 3)
    assert reader.last()[0] == len(entries_of(SHORT))
