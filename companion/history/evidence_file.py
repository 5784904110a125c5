"""The evidence of a dispute as one file: a zip archive that anybody can check with `boardside verify`.

It holds the part of the record that the dispute and its dice follow from, with every hash, the pictures, and the rule
sheet's text. A secret that is not revealed yet is not in the record, and so not in the file.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, OutsideError, parse_json, quoted
from companion.game import Corrected, DiceRevealed, Drawn, Ended, Resigned, Ruled, TakenBack
from companion.record import Link, read_archive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LIST, RECORD, SHEET = "evidence.json", "record.jsonl", "sheet.toml"
BASES = tuple(f"base-{number}.toml" for number in range(1, 10))
"""The players' own sheets that the sheet builds on, the nearest first."""
PICTURES = ("before.jpg", "after.jpg")
FORMAT, VERSION = "boardside evidence", 1
SETTLES = frozenset(kind.__name__ for kind in (Ruled, Corrected, TakenBack, Ended, Resigned, Drawn))
"""Events that close a dispute."""
MOST_FILES = 16
MOST_BYTES = 128_000_000
"""Largest content in bytes: two pictures and the events of a very long evening."""


class EvidenceError(BoardsideError):
    """A file is no evidence of a dispute; the message names it and what was expected."""


MOST_LISTED = 100_000
"""Largest list in bytes: reading JSON takes fifty times its size in memory, and the list has one line for each file."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The content of an evidence file.

    Attributes:
        made_at_s: when it was made, in seconds since 1970.
        boardside: the version of Boardside that made it.
        sheet: name of the rule sheet, whose text is `sheet_text`; `base_texts` are those of `BASES`.
        match: number of the first event of the match.
        dispute: number of the event that opened the dispute.
        before: hash of the event before the first one.
        links: events of the record, in order.
        pictures: JPEG by name in the archive.
        wrong: names of files that differ from the list.
    """

    made_at_s: float
    boardside: str
    sheet: str
    match: int
    dispute: int
    before: str
    links: tuple[Link, ...]
    sheet_text: str
    pictures: Mapping[str, bytes]
    wrong: tuple[str, ...] = ()
    base_texts: tuple[str, ...] = ()


def packed(evidence: Evidence) -> bytes:
    """The file with this evidence."""
    rows = ([link.number, link.at_s, link.text, link.chain] for link in evidence.links)
    files = {
        RECORD: "".join(f"{json.dumps(row)}\n" for row in rows).encode(),
        SHEET: evidence.sheet_text.encode(),
        **{name: text.encode() for name, text in zip(BASES, evidence.base_texts, strict=False)},
        **evidence.pictures,
    }
    described = {
        "format": FORMAT,
        "version": VERSION,
        "made_at_s": evidence.made_at_s,
        "boardside": evidence.boardside,
        "sheet": evidence.sheet,
        "match": evidence.match,
        "dispute": evidence.dispute,
        "before": evidence.before,
        "files": {name: _digest(content) for name, content in files.items()},
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {LIST: json.dumps(described, indent=1).encode(), **files}.items():
            archive.writestr(name, content)
    return written.getvalue()


def read_evidence(path: Path) -> Evidence:
    """The evidence in a file. Raises EvidenceError if it is none."""
    try:
        return unpacked(read_archive(path, MOST_FILES, MOST_BYTES))
    except OSError as error:
        raise EvidenceError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (OutsideError, KeyError, TypeError, ValueError, AttributeError) as error:
        why = str(error) if isinstance(error, OutsideError) else quoted(str(error))
        raise EvidenceError(
            f"{str(path)!r} is no evidence of a dispute: {why}; expected a file that the page of a match gives"
        ) from error


def unpacked(files: Mapping[str, bytes]) -> Evidence:
    """The evidence in these files. Damaged files raise various errors, a newer version EvidenceError."""
    if len(files[LIST]) > MOST_LISTED:
        raise ValueError(f"a list of more than {MOST_LISTED} bytes")
    listed: dict[str, Any] = parse_json(files[LIST])
    if listed["format"] != FORMAT:
        raise ValueError("another program's")
    if listed["version"] != VERSION:
        raise EvidenceError(
            f"it has version {quoted(listed['version'], 20)}, this Boardside reads {VERSION}: update Boardside"
        )
    digests: dict[str, Any] = dict(listed["files"])
    known = {RECORD, SHEET, *BASES, *PICTURES}
    wrong = {name for name, content in files.items() if name != LIST and digests.get(name) != _digest(content)}
    strange = (files.keys() | digests.keys()) - known - {LIST}
    missing = digests.keys() - files.keys()
    return Evidence(
        made_at_s=_number(listed["made_at_s"]),
        boardside=str(listed["boardside"])[:40],
        sheet=str(listed["sheet"])[:80],
        match=_whole(listed["match"]),
        dispute=_whole(listed["dispute"]),
        before=str(listed["before"])[:64],
        links=tuple(_link(line) for line in files[RECORD].decode().splitlines()),
        sheet_text=files[SHEET].decode(),
        pictures={name: files[name] for name in PICTURES if name in files},
        wrong=tuple(sorted(wrong | strange | missing)),
        base_texts=tuple(files[name].decode() for name in BASES if name in files),
    )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _link(line: str) -> Link:
    number, at_s, text, chain = parse_json(line)
    if not isinstance(text, str) or not isinstance(chain, str):
        raise TypeError(f"{RECORD} holds no events")
    return Link(_whole(number), _number(at_s), text, chain)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{quoted(value)} is no whole number")
    return value


def _number(value: object) -> float:
    if type(value) not in (int, float):
        raise TypeError(f"{quoted(value)} is no number")
    return float(value)  # type: ignore[arg-type]


def segment(links: Sequence[Link], dispute: int) -> int:
    """Index in `links` of the last event needed to check the dispute of that number and its dice.

    That is the event that revealed the secret behind the dice; if it is still secret, the ruling.
    """
    at = next(place for place, link in enumerate(links) if link.number == dispute)
    kinds = [json.loads(link.text).get("event") for link in links]
    revealed = next((place for place in range(at, len(links)) if kinds[place] == DiceRevealed.__name__), None)
    settled = next((place for place in range(at, len(links)) if kinds[place] in SETTLES), len(links) - 1)
    return settled if revealed is None else revealed
