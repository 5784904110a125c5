"""Checks the evidence of a dispute: computes its hashes, dice, legal plays and verdict again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, OutsideError, differing_cells, one_line, parse_json
from companion.dice import CheckLine, DiceName
from companion.dice import check as check_dice
from companion.game import DiceSealed, Disputed, DisputeEvidence, Game, Phase, Played, evolve
from companion.history.evidence_file import PICTURES, RECORD, Evidence, EvidenceError
from companion.history.evidence_sheet import check_sheet, rules_of
from companion.history.evidence_verdict import check_verdict
from companion.record import (
    LAST_S,
    OF_DICE,
    ChapterError,
    Entry,
    EventJson,
    RecordError,
    chain_hash,
    chapters,
    check,
    picture_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.record import Link
    from companion.rules import Ruleset

MOST_WRONG = 5
"""Most wrong rolls that are listed, besides the last."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The game when the referee was called, and the circumstances.

    `taken_back` are the cells that were changed by turns taken back since the last play.
    """

    game: Game[Any]
    dispute: Disputed[Any]
    taken_back: tuple[int, ...]


def check_evidence(evidence: Evidence, boardside: str) -> Iterator[CheckLine]:
    """One line for each check: it holds, it does not, or it is not possible; `boardside` is the checking version.

    Stops after a line that makes further checks impossible.
    """
    if evidence.wrong:
        yield CheckLine(
            f"Not what the list of this file states: {', '.join(map(one_line, evidence.wrong))}", holds=False
        )
    else:
        yield CheckLine("Every part of the file has the SHA-256 that its list states", holds=True)
    yield from _chain(evidence)
    try:
        entries = [_entry(link) for link in evidence.links]
    except EvidenceError as error:
        yield CheckLine(f"{RECORD} holds no events: {one_line(str(error))}", holds=False)
        return
    yield from check_sheet(evidence, boardside)
    try:
        rules = rules_of(evidence)
        match = _match(entries, evidence)
        moment = _moment(match, evidence, rules)
    except (BoardsideError, OutsideError) as error:
        yield CheckLine(one_line(str(error)), holds=False)
        return
    yield from _played(match, rules)
    yield from _facts(moment, rules)
    yield from _pictures(evidence, moment.dispute)
    yield from _plays(moment, rules)
    yield from check_verdict(moment.game, moment.dispute, moment.taken_back, rules)
    yield from _dice(entries, evidence)
    yield CheckLine(
        "No file tells whether the pictures show this table, or whether a whole record was written anew: compare the "
        f"hash of entry {evidence.links[-1].number}, {evidence.links[-1].chain[:16]}…, with the table's own record"
    )


def _chain(evidence: Evidence) -> Iterator[CheckLine]:
    if not evidence.links:
        yield CheckLine("The file holds no event of the record", holds=False)
        return
    first = evidence.links[0].number
    link = evidence.before
    for expected, one in enumerate(evidence.links, first):
        link = chain_hash(link, one.number, one.at_s, one.text)
        if one.number != expected or one.chain != link:
            yield CheckLine(
                f"Entry {expected} does not follow from the one before it: an entry was changed or left out",
                holds=False,
            )
            return
    yield CheckLine(
        f"Entries {first} to {evidence.links[-1].number} of the record follow from each other by their hashes",
        holds=True,
    )
    if first > 1:
        yield CheckLine(f"What stood in the record before entry {first} is not in the file; its hash is")
    elif evidence.before:
        yield CheckLine("The first entry of a record follows from nothing, and here it does", holds=False)


def _entry(link: Link) -> Entry:
    """The entry that a link of the chain holds. Raises EvidenceError."""
    try:
        entry = Entry.from_json(parse_json(link.text), link.number, link.at_s)
    except (OutsideError, RecordError) as error:
        raise EvidenceError(f"entry {link.number} is none: {error}") from error
    if (entry.number, entry.at_s) != (link.number, link.at_s):
        raise EvidenceError(f"entry {link.number} states another number or time")
    return entry


def _match(entries: list[Entry], evidence: Evidence) -> list[Entry]:
    """The entries of the match. Raises EvidenceError if they are not in the file."""
    for chapter in chapters(entries):
        played = [entry for entry in chapter if entry.event["event"] not in OF_DICE]
        if played[0].number == evidence.match:
            return played
    raise EvidenceError(f"Entry {evidence.match} begins no match")


def _moment(match: list[Entry], evidence: Evidence, rules: Ruleset[Any]) -> _Moment:
    """The dispute. Raises BoardsideError if there is none, or the game does not lead to it."""
    codec = EventJson(rules.to_json, rules.from_json)
    game: Game[Any] = Game()
    taken_back: set[int] = set()
    for entry in match:
        event = codec.decode(entry.event)
        if entry.number == evidence.dispute:
            if not isinstance(event, Disputed):
                break
            return _Moment(game, event, tuple(taken_back))
        game = evolve(game, event)
        if game.sheet not in ("", evidence.sheet):
            raise EvidenceError(f"The game was played by the rule sheet {one_line(game.sheet)}, not {evidence.sheet}")
        if game.taken_back is None or game.position is None:
            taken_back.clear()
        else:
            taken_back.update(differing_cells(rules.visible(game.position), rules.visible(game.taken_back)))
    raise EvidenceError(f"Entry {evidence.dispute} opens no dispute")


def _played(match: list[Entry], rules: Ruleset[Any]) -> Iterator[CheckLine]:
    try:
        check(match, lambda _: rules)
    except ChapterError as error:
        yield CheckLine(f"The game was not played by the rules: {one_line(str(error))}", holds=False)
        return
    yield CheckLine("Every play of the match is legal, or was accepted by the players", holds=True)
    condoned = sum(entry.event["event"] == Played.__name__ and bool(entry.event.get("condoned")) for entry in match)
    if condoned:
        yield CheckLine(f"Of these plays {condoned} were accepted though they were illegal, as the record says")


def _facts(moment: _Moment, rules: Ruleset[Any]) -> Iterator[CheckLine]:
    """The facts of the dispute, as recorded."""
    dispute, game = moment.dispute, moment.game
    evidence = dispute.evidence or DisputeEvidence()
    when = "" if evidence.at_s is None else f", {_when(evidence.at_s)}"
    by = "" if dispute.by is None else f", called by {dispute.by.value}"
    dice = "" if game.dice is None else f" {'-'.join(map(str, game.dice.values))}"
    side = "nobody" if game.on_roll is None else game.on_roll.value
    yield CheckLine(f"Dispute {dispute.number}{when}{by}: {side}{dice} in {json.dumps(rules.to_json(game.position))}")
    if dispute.verdict is not None:
        said = one_line(dispute.verdict.message or dispute.verdict.finding)
        yield CheckLine(f"The referee had said, in words that only the record vouches for: {said}")
    for doubt in evidence.doubts:
        likely = ", ".join(
            f"{one.content[0]} white {one.content[1]} black {one.percent} %"
            + ("" if one.nats is None else f" ({one.nats} nats)")
            for one in doubt.contents
        )
        yield CheckLine(f"The camera was not certain of {one_line(str(doubt.label))}: {likely}")


def _pictures(evidence: Evidence, dispute: Disputed[Any]) -> Iterator[CheckLine]:
    if dispute.before is None and dispute.after is None:
        yield CheckLine("The record names no picture of the dispute")
    for name, recorded in zip(PICTURES, (dispute.before, dispute.after), strict=True):
        jpeg = evidence.pictures.get(name)
        if jpeg is None and recorded is not None:
            yield CheckLine(f"{name}: the record names a picture that is not in the file")
        elif jpeg is not None and recorded is None:
            yield CheckLine(f"{name}: the record names no such picture", holds=False)
        elif jpeg is not None:
            holds = picture_name(jpeg) == recorded
            yield CheckLine(f"{name} is {'the' if holds else 'not the'} picture that the record names", holds=holds)


def _plays(moment: _Moment, rules: Ruleset[Any]) -> Iterator[CheckLine]:
    game, evidence = moment.game, moment.dispute.evidence
    if game.on_roll is None or game.phase is not Phase.TO_MOVE:
        yield CheckLine("Nobody was to move: there are no legal plays to work out")
        return
    if evidence is None:
        yield CheckLine("The record does not say which plays were legal: there is nothing to compare")
        return
    if evidence.dice != game.dice:
        yield CheckLine("The dice of the dispute are not those that were rolled", holds=False)
        return
    found = sorted(rules.write_play(one.play) for one in rules.successors(game.position, game.on_roll, game.dice))
    holds = found == sorted(evidence.plays)
    words = "are those that the rules give" if holds else "are not those that the rules give"
    yield CheckLine(f"The {len(found)} legal plays {words}", holds=holds)


def _dice(entries: list[Entry], evidence: Evidence) -> Iterator[CheckLine]:
    lines = [entry.to_json() for entry in entries]
    before = [entry for entry in lines if entry["entry"] < evidence.dispute]
    rolls: list[dict[str, Any]] = [e for e in before if e["event"] in ("Rolled", "OpeningRolled", "OpeningDrawn")]
    rolled = rolls[-1] if rolls else {}
    of_dice = next((e["event"] for e in reversed(before) if e["event"] in OF_DICE), None)
    if rolled.get("proof") is None and of_dice != DiceSealed.__name__:
        fair = rolled.get("source") == DiceName.FAIR
        words = "said to be Boardside’s, but have no proof" if fair else "not said to be Boardside’s: nothing to check"
        yield CheckLine(f"The dice are {words}", holds=False if fair else None)
        return
    try:
        result = check_dice(lines, part=True)
    except BoardsideError as error:
        yield CheckLine(f"The dice cannot be checked: {one_line(str(error))}", holds=False)
        return
    wrong = [line for line in result.lines if line.holds is False]
    yield from wrong[:MOST_WRONG] + wrong[MOST_WRONG:][-1:]
    if not wrong and result.unrevealed:
        yield CheckLine("The secret behind the dice is not told yet: get the file again once it is, and check it then")
    elif not wrong:
        yield CheckLine(f"All {result.rolls} rolls follow from the secret committed to before them", holds=True)


def _when(at_s: float) -> str:
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d %H:%M:%S} UTC" if 0 <= at_s < LAST_S else "at no time"
