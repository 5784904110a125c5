"""The matches of a record, as the page requests them."""

from __future__ import annotations

import json
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core import WHITE_AND_BLACK, BoardsideError, boardside_version
from companion.game import DiceSealed, Disputed
from companion.history.evidence_file import PICTURES, Evidence, packed, segment
from companion.history.joint_requests import JointRequests
from companion.history.matches import OUTLINE, summary
from companion.history.review import reviewed
from companion.notation import FORMATS, JSON
from companion.record import (
    OF_DICE,
    GrowingChapters,
    RecordReader,
    delete_pictures,
    events_in,
    exported,
    pictures_named,
)
from companion.rules import SheetError, names_on_record, rules_on_record, sheet_files, sheet_on_record, sheet_text
from companion.transfer import transcribe

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from companion.core import Names
    from companion.history.matches import RecordedMatch
    from companion.history.review import Review
    from companion.record import Entry, KeptPictures
    from companion.rules import Ruleset

LAST_NUMBER = 2**62
"""Event numbers are smaller than this."""


class HistoryError(BoardsideError):
    """A match cannot be shown or written; the message says why."""


class History:
    """The matches of a record, to which a table may be writing. Thread-safe."""

    def __init__(
        self,
        record: Path,
        own_sheets: Path,
        pictures: KeptPictures,
        delete: Callable[[Collection[str]], int] | None = None,
    ) -> None:
        """Read the record at `record`; `own_sheets` is the folder of the players' own rule sheets.

        `delete(names)` deletes pictures from the record (None: directly, as nobody uses the record).
        """
        self.pictures = pictures
        self.joint_requests = JointRequests()
        self._delete = delete or partial(delete_pictures, record)
        self._reader = RecordReader(record)
        self._own_sheets = own_sheets
        self._matches = GrowingChapters(self._reader, summary, OUTLINE)
        self._lock = threading.Lock()
        self._reviewed: tuple[tuple[int, str, int], Review] | None = None

    def matches(self) -> list[RecordedMatch]:
        """All matches, the newest first. Raises RecordError."""
        with self._lock:
            return self._matches.all()[::-1]

    def match(self, number: int) -> RecordedMatch | None:
        """The match with that number; None: there is none. Raises RecordError."""
        return next((match for match in self.matches() if match.number == number), None)

    def review(self, match: RecordedMatch) -> Review:
        """The review of a match; the last one is cached. Raises RecordError and SheetError."""
        number, link = self._reader.last()
        key = (match.number, self._reader.link_of(match.last) if match.last else link, match.last or number)
        with self._lock:
            if self._reviewed is None or self._reviewed[0] != key:
                self._reviewed = key, reviewed(self.entries(match), self.rules(match.sheet))
            return self._reviewed[1]

    def entries(self, match: RecordedMatch) -> list[Entry]:
        """The events of a match. Raises RecordError."""
        return self._reader.entries(match.number, match.last or LAST_NUMBER)

    def evidence(self, match: RecordedMatch, dispute: int, now_s: float) -> bytes:
        """The file with the evidence of the dispute that event number `dispute` of a match opened.

        Raises HistoryError where it opened none, RecordError and SheetError.
        """
        links = self._reader.links(self._first_of_dice(match), LAST_NUMBER)
        opened = next((link for link in links if link.number == dispute), None)
        event = {} if opened is None else json.loads(opened.text)
        if event.get("event") != Disputed.__name__ or not match.number <= dispute <= (match.last or dispute):
            raise HistoryError(f"entry {dispute} opens no dispute of this match")
        part = links[: segment(links, dispute) + 1]
        sheet, *bases = map(str, sheet_files(sheet_on_record(match.sheet, self._own_sheets)))
        names = zip(PICTURES, (event.get("before"), event.get("after")), strict=True)
        pictures = {name: self.picture(recorded) for name, recorded in names if isinstance(recorded, str)}
        return packed(
            Evidence(
                made_at_s=now_s,
                boardside=boardside_version(),
                sheet=match.sheet,
                match=match.number,
                dispute=dispute,
                before=self._reader.link_of(part[0].number - 1),
                links=tuple(part),
                sheet_text=sheet_text(sheet),
                base_texts=tuple(map(sheet_text, bases)),
                pictures={name: jpeg for name, jpeg in pictures.items() if jpeg is not None},
            )
        )

    def _first_of_dice(self, match: RecordedMatch) -> int:
        """Number of the entry from which the dice of a match can be checked: its first commitment.

        If that was made in a match whose end was taken back and which went on, the first commitment of that match:
        rolls made before it may have been played again after it.
        """
        sealed = [entry.number for entry in self._reader.each(1, match.number, (DiceSealed.__name__,))]
        if not sealed:
            return match.number
        within = next((one for one in self.matches() if one.number < sealed[-1] <= (one.last or LAST_NUMBER)), None)
        after = () if within is None else self._reader.each(sealed[-1], match.number - 1)
        went_on = any(entry.event["event"] not in OF_DICE for entry in after)
        return self._first_of_dice(within) if within is not None and went_on else sealed[-1]

    def rules(self, sheet: str) -> Ruleset[Any]:
        """The rules of a sheet: one that comes with Boardside, the players' own, or the copy kept of it.

        Raises SheetError.
        """
        return rules_on_record(sheet, self._own_sheets)

    def names(self, match: RecordedMatch) -> Names:
        """The players' names in the order of the match's score, White first."""
        try:
            sheet = self.rules(match.sheet).sheet
        except SheetError:
            return WHITE_AND_BLACK
        return names_on_record(sheet, match.match.names, colours_changed=match.match.colours_changed)

    def picture(self, name: str) -> bytes | None:
        """The picture by which a turn or a dispute was judged; None if it is not stored. Raises RecordError."""
        return self.pictures.picture(name) or self._reader.picture(name)

    def picture_names(self) -> set[str]:
        """Names of all stored pictures. Raises RecordError."""
        return self.pictures.names() | self._reader.picture_names()

    def delete_pictures(self, match: RecordedMatch) -> int:
        """Delete the pictures of a match for good; returns how many there were. Raises RecordError and OSError."""
        names = set(pictures_named(self.entries(match)))
        return self.pictures.delete(names) + self._delete(names)

    def text(self, match: RecordedMatch, name: str) -> str:
        """The match in one of `formats_of(match)`. Raises HistoryError; TranscriptError if that cannot express it."""
        entries = self.entries(match)
        if name == JSON:
            return exported(entries)
        if name not in formats_of(match):
            raise HistoryError(f"{name} is not for {match.game}: use {', '.join(formats_of(match))}")
        rules, events = events_in(entries, self.rules)
        return FORMATS[name].write(transcribe(events, rules))


def formats_of(match: RecordedMatch) -> tuple[str, ...]:
    """The names of the formats that hold matches of this game."""
    return (*(known.name for known in FORMATS.values() if known.game == match.game), JSON)
