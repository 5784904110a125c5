"""The evidence of a dispute: an unchanged file passes, and any change is found for the right reason."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from disputed_match import dispute_of, disputed, evidence_of, finished
from forged_evidence import checked, read, rewritten, wrong
from fuzz_commands import command_line
from kept_matches import jpeg

from companion.core import BoardsideError
from companion.history import HistoryError
from companion.history.evidence_file import (
    LIST,
    MOST_BYTES,
    MOST_LISTED,
    RECORD,
    Evidence,
    packed,
    read_evidence,
)


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[bytes, bytes]:
    """The evidence during the game, and once the secret was revealed."""
    table = disputed(tmp_path_factory.mktemp("state"))
    early = evidence_of(table)
    return early, evidence_of(finished(table))


@pytest.fixture
def evidence(files, tmp_path) -> Evidence:
    return read(files[1], tmp_path)


def without_the_first(evidence: Evidence) -> Evidence:
    """The evidence from the second event on."""
    return replace(evidence, before=evidence.links[0].chain, links=evidence.links[1:])


def with_link(evidence: Evidence, at: int, **changes: object) -> Evidence:
    links = list(evidence.links)
    links[at] = replace(links[at], **changes)
    return replace(evidence, links=tuple(links))


REASON_OF_ANOTHER = {"verdict": lambda said: {**said, "reason": "too_many", "made": "13/1"}}


def judged_by(version: str) -> dict[str, object]:
    return {"evidence": lambda stated: {**stated, "judged_by": version}}


def verdict_lines(evidence: Evidence) -> list[tuple[bool | None, str]]:
    return [(line.holds, line.words) for line in checked(evidence) if "the position that was seen" in line.words]


@pytest.mark.parametrize("version", ["", "0123456789abcdef"])
def test_a_reason_from_another_version_of_the_rules_is_noted_and_not_wrong(evidence, version):
    ((holds, words),) = verdict_lines(rewritten(evidence, "Disputed", **REASON_OF_ANOTHER, **judged_by(version)))
    assert holds is None
    assert "That the play is illegal follows" in words
    assert "the record says illegal, too_many; here it is illegal, " in words


def test_the_same_reason_holds_whichever_version_gave_it(evidence):
    ((holds, _),) = verdict_lines(rewritten(evidence, "Disputed", **judged_by("0123456789abcdef")))
    assert holds


@pytest.mark.parametrize("finding", ["legal", "not_moved"])
def test_another_finding_is_wrong_whatever_the_version_of_the_rules(evidence, finding):
    other = {"verdict": lambda said: {**said, "finding": finding, "reason": None, "play": "13/7 8/7"}}
    ((holds, words),) = verdict_lines(rewritten(evidence, "Disputed", **other, **judged_by("")))
    assert holds is False
    assert "The verdict does not follow" in words


def test_an_unchanged_file_passes_every_check(evidence):
    lines = checked(evidence)
    assert [line.words for line in lines if line.holds is False] == []
    held = " / ".join(line.words for line in lines if line.holds)
    for said in (
        "Every part of the file has the SHA-256",
        "follow from each other by their hashes",
        "the text is the one that comes with this Boardside",
        "Every play of the match is legal",
        "before.jpg is the picture that the record names",
        "after.jpg is the picture that the record names",
        "legal plays are those that the rules give",
        "The verdict follows from the rules",
        "rolls follow from the secret committed to before them",
    ):
        assert said in held


def test_limits_of_the_evidence_are_stated(evidence):
    untold = " / ".join(line.words for line in checked(evidence) if line.holds is None)
    assert "Dispute 1, " in untold
    assert "called by white" in untold
    assert "No file tells whether the pictures show this table" in untold


def test_an_unrevealed_secret_is_in_no_file(files, tmp_path):
    early = read(files[0], tmp_path)
    assert not any("DiceRevealed" in link.text for link in early.links)
    lines = checked(early)
    assert [line for line in lines if line.holds is False] == []
    assert any("is not told yet" in line.words for line in lines)


CHANGES = {
    "a digest": (lambda e: replace(e, wrong=("after.jpg",)), "Not what the list of this file states: after.jpg"),
    "a picture": (
        lambda e: replace(e, pictures={**e.pictures, "after.jpg": jpeg(9999)}),
        "after.jpg is not the picture that the record names",
    ),
    "an event": (
        lambda e: with_link(e, 5, text=e.links[5].text.replace("white", "black")),
        "does not follow from the one before it",
    ),
    "a time": (lambda e: with_link(e, 7, at_s=e.links[7].at_s + 1), "does not follow from the one before it"),
    "a missing event": (
        lambda e: replace(e, links=(*e.links[:6], *e.links[7:])),
        "does not follow from the one before it",
    ),
    "the dice of a roll": (lambda e: rewritten(e, "Rolled", dice=[6, 6]), "The dice of the dispute are not"),
    "an earlier tap": (
        lambda e: rewritten(e, "OpeningRolled", proof=lambda proof: {**proof, "tapped_ms": 1}),
        "does not hold: from the secret follows",
    ),
    "the secret": (lambda e: rewritten(e, "DiceRevealed", secret="ab" * 32), "does not match the commitment"),
    "the verdict": (
        lambda e: rewritten(e, "Disputed", verdict=lambda said: {**said, "reason": "too_many"}),
        "The verdict does not follow",
    ),
    "what was seen": (
        lambda e: rewritten(e, "Disputed", seen=lambda seen: {**seen, "points": seen["points"][::-1]}),
        "The verdict does not follow",
    ),
    "the legal plays": (
        lambda e: rewritten(e, "Disputed", evidence=lambda one: {**one, "plays": one["plays"][1:]}),
        "are not those that the rules give",
    ),
    "a play": (
        lambda e: rewritten(e, "Played", after=lambda after: {**after, "points": after["points"][::-1]}),
        "The game was not played by the rules",
    ),
    "the sheet's text": (
        lambda e: replace(e, sheet_text=e.sheet_text + "\n# changed\n"),
        "the text is not the one that comes with Boardside",
    ),
    "the sheet": (lambda e: replace(e, sheet="tournament"), "is not the one that comes with Boardside"),
    "the dispute's number": (lambda e: replace(e, dispute=e.dispute + 1), "opens no dispute"),
    "the match's number": (lambda e: replace(e, match=e.match + 1), "begins no match"),
    "a roll without its proof": (
        lambda e: rewritten(e, "Rolled", proof=None, source="by hand"),
        "without a proof, though a commitment was open",
    ),
    "a roll as if it was repeated": (
        lambda e: rewritten(e, "Rolled", proof=None, source="as before"),
        "no roll that was to be played again",
    ),
    "a roll without proof, and the commitment left out": (
        lambda e: without_the_first(rewritten(e, "Rolled", proof=None)),
        "said to be Boardside’s, but have no proof",
    ),
    "a sheet's name of many bytes": (lambda e: replace(e, sheet="\U00020000" * 80), "is no rule sheet"),
    "the hash before": (lambda e: replace(e, before="0" * 64), "does not follow from the one before it"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_found_for_the_right_reason(change, evidence):
    alter, said = CHANGES[change]
    assert said in " / ".join(wrong(alter(evidence)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "entry 3 is none: expected events such as"),
        ("{", "entry 3 is none: "),
        ('{"event": "Rolled", "entry": 9}', "entry 3 states another number or time"),
    ],
)
def test_an_invalid_event_is_named(text, said, evidence):
    assert said in wrong(with_link(evidence, 2, text=text))[-1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"verdict": None}, "The record holds no verdict"),
        ({"evidence": None}, "The record does not say which plays were legal"),
        ({"before": None, "after": None}, "The record names no picture"),
        ({"verdict": lambda said: {**said, "message": "All was well."}}, "that only the record vouches for: All was"),
    ],
)
def test_missing_parts_of_a_file_are_not_taken_for_wrong_ones(changes, said, evidence):
    lines = checked(replace(rewritten(evidence, "Disputed", **changes), pictures={}))
    assert said in " / ".join(line.words for line in lines if line.holds is None)


def test_each_byte_of_a_picture_counts(files, tmp_path):
    """Changes in the archive itself, whose list then has another digest."""
    evidence = read(files[1], tmp_path)
    forged = packed(replace(evidence, pictures={"after.jpg": evidence.pictures["after.jpg"] + b"x"}))
    lines = checked(read(forged, tmp_path))
    found = [line.words for line in lines if line.holds is False]
    assert found == ["after.jpg is not the picture that the record names"]
    assert "before.jpg: the record names a picture that is not in the file" in [line.words for line in lines]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no whole zip archive"),
        (b"PK\x03\x04" * 50, "no whole zip archive"),
        (b"x" * 5000, "no whole zip archive"),
    ],
)
def test_a_file_that_is_not_evidence_is_refused_in_one_line(content, said, tmp_path):
    with pytest.raises(BoardsideError, match=said):
        read(content, tmp_path)


def test_a_list_that_would_take_all_memory_is_refused_unread(tmp_path):
    with ZipFile(tmp_path / "evidence.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr(LIST, "[" + "[]," * MOST_LISTED + "[]]")
    with pytest.raises(BoardsideError, match="a list of more than"):
        read_evidence(tmp_path / "evidence.zip")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    chunk = b"\0" * 1_000_000
    with ZipFile(tmp_path / "evidence.zip", "w", ZIP_DEFLATED) as archive, archive.open(RECORD, "w") as member:
        for _ in range(MOST_BYTES // len(chunk) + 1):
            member.write(chunk)
    with pytest.raises(BoardsideError, match="more than"):
        read_evidence(tmp_path / "evidence.zip")


def test_the_command_prints_what_holds_and_ends_with_a_sum(files, evidence, tmp_path):
    (tmp_path / "true.zip").write_bytes(files[1])
    status, printed, _ = command_line(["verify", str(tmp_path / "true.zip")])
    assert status == 0
    assert printed.splitlines()[-1].startswith("Nothing in it is wrong.")
    forged = rewritten(evidence, "Disputed", evidence=lambda one: {**one, "plays": []})
    (tmp_path / "forged.zip").write_bytes(packed(forged))
    status, printed, _ = command_line(["verify", str(tmp_path / "forged.zip")])
    assert status == 1
    assert printed.splitlines()[-1] == "1 of the lines above does not hold."
    assert sum(line.startswith("WRONG") for line in printed.splitlines()) == 1


def test_there_is_evidence_of_disputes_only(tmp_path):
    table = disputed(tmp_path)
    match, number = dispute_of(table)
    with pytest.raises(HistoryError, match="opens no dispute"):
        table.history.evidence(match, number + 1, 0.0)
    finished(table)


def test_the_record_in_the_file_is_the_one_of_the_table(evidence):
    numbers = [link.number for link in evidence.links]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
    assert json.loads(evidence.links[0].text)["event"] == "DiceSealed"
    assert json.loads(evidence.links[-1].text)["event"] == "DiceRevealed"
