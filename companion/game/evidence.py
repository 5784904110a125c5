"""Evidence recorded with a dispute or an answer: the verdict, the dice, the legal plays and the doubtful cells.

Fields that records of older versions lack have their defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import Cause, Dice, Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core import Verdict


@dataclass(frozen=True, slots=True)
class LikelyContent:
    """A possible content of a cell: (white, black) checkers.

    `percent` is its share of the likelihood, `nats` its log-likelihood relative to the likeliest (None in old records).
    """

    content: tuple[int, int]
    percent: float
    nats: float | None = None

    def to_json(self) -> list[Any]:
        """`[[white, black], percent, nats]`, without `nats` if it is None."""
        return [list(self.content), self.percent, *(() if self.nats is None else (self.nats,))]


@dataclass(frozen=True, slots=True)
class DoubtfulCell:
    """A cell of the board whose content is not certain, with its possible contents, the likeliest first.

    `label` is its name for both players: a point in White's numbers, "bar", "off" or a square.
    """

    cell: int
    label: int | str
    contents: tuple[LikelyContent, ...]

    def to_json(self) -> dict[str, Any]:
        """`{"cell", "label", "contents": [[[white, black], percent, nats], …]}`."""
        return {"cell": self.cell, "label": self.label, "contents": [one.to_json() for one in self.contents]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DoubtfulCell:
        """The cell that `to_json` wrote. Raises KeyError, TypeError or ValueError."""
        contents = tuple(
            LikelyContent((content[0], content[1]), percent, nats[0] if nats else None)
            for content, percent, *nats in value["contents"]
        )
        return cls(value["cell"], value["label"], contents)


@dataclass(frozen=True, slots=True)
class DisputeEvidence:
    """Evidence besides the pictures and the verdict, as it was when the referee was called.

    Attributes:
        at_s: the time in seconds since 1970, UTC.
        dice: the roll.
        plays: the legal plays in standard notation.
        doubts: the cells that were not certain.
        unsure: why the position seen cannot be played on from; None if it can.
        judged_by: which code made the verdict (`companion.referee.judging_code`); empty in records that do not say it.
    """

    at_s: float | None = None
    dice: Dice | None = None
    plays: tuple[str, ...] = ()
    doubts: tuple[DoubtfulCell, ...] = ()
    unsure: str | None = None
    judged_by: str = ""

    def to_json(self) -> dict[str, Any]:
        """`{"at_s", "dice", "plays", "doubts", "unsure"}`; "judged_by", if any."""
        return {
            "at_s": self.at_s,
            "dice": None if self.dice is None else list(self.dice.values),
            "plays": list(self.plays),
            "doubts": [doubt.to_json() for doubt in self.doubts],
            "unsure": self.unsure,
            **({"judged_by": self.judged_by} if self.judged_by else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> DisputeEvidence:
        """The evidence that `to_json` wrote. Raises KeyError, TypeError or ValueError."""
        dice = value.get("dice")
        return cls(
            at_s=value.get("at_s"),
            dice=None if dice is None else Dice(tuple(dice)),
            plays=tuple(value.get("plays") or ()),
            doubts=tuple(map(DoubtfulCell.from_json, value.get("doubts") or ())),
            unsure=value.get("unsure"),
            judged_by=value.get("judged_by") or "",
        )


def reading_id(verdict: Verdict[Any] | RecordedVerdict) -> str:
    """What identifies a reading of a board: its finding, what was played, and the rule broken."""
    return f"{verdict.finding}|{verdict.play or verdict.made or ''}|{verdict.reason or ''}"


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """A verdict in the record; the fields are those of `companion.core.Verdict`, the message is English text."""

    finding: Finding
    message: str = ""
    reason: str | None = None
    also: tuple[str, ...] = ()
    play: str | None = None
    plays: tuple[str, ...] = ()
    made: str | None = None
    cells: tuple[int, ...] = ()
    cause: Cause | None = None
    reply: str | None = None

    @classmethod
    def of(cls, verdict: Verdict[Any], text: str) -> RecordedVerdict:
        """The record of `verdict`; `text` is its message in English."""
        return cls(
            finding=verdict.finding,
            message=text,
            reason=verdict.reason,
            also=verdict.also,
            play=verdict.play,
            plays=verdict.plays,
            made=verdict.made,
            cells=verdict.cells,
            cause=verdict.cause,
            reply=verdict.reply,
        )

    def to_json(self) -> dict[str, Any]:
        """`{"finding", "reason", "also", "message", "play", "plays", "made", "cells", "cause"}`; "reply", if any."""
        return {
            "finding": self.finding.value,
            "reason": self.reason,
            "also": list(self.also),
            "message": self.message,
            "play": self.play,
            "plays": list(self.plays),
            "made": self.made,
            "cells": list(self.cells),
            "cause": None if self.cause is None else self.cause.value,
            **({} if self.reply is None else {"reply": self.reply}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RecordedVerdict:
        """The verdict that `to_json` wrote. Raises KeyError, TypeError or ValueError."""
        cause = value.get("cause")
        return cls(
            finding=Finding(value["finding"]),
            message=value.get("message") or "",
            reason=value.get("reason"),
            also=tuple(value.get("also") or ()),
            play=value.get("play"),
            plays=tuple(value.get("plays") or ()),
            made=value.get("made"),
            cells=tuple(value.get("cells") or ()),
            cause=None if cause is None else Cause(cause),
            reply=value.get("reply"),
        )


@dataclass(frozen=True, slots=True)
class NamedReading:
    """The reading that players name where the picture leaves several.

    Attributes:
        verdict: the verdict on it.
        offered: `reading_id` of every reading that the picture left, the likeliest first.
        nats: its log-likelihood less that of the likeliest reading.
        picture: name of the picture kept as evidence; None if there is none.
        evidence: the time, the dice and the doubtful cells.
    """

    verdict: RecordedVerdict
    offered: tuple[str, ...] = ()
    nats: float = 0.0
    picture: str | None = None
    evidence: DisputeEvidence | None = None

    @property
    def place(self) -> int:
        """Its number among those offered, from 1; 0: it is not among them."""
        chosen = reading_id(self.verdict)
        return 1 + self.offered.index(chosen) if chosen in self.offered else 0

    def to_json(self) -> dict[str, Any]:
        """`{"verdict", "offered", "nats", "picture", "evidence"}`."""
        return {
            "verdict": self.verdict.to_json(),
            "offered": list(self.offered),
            "nats": self.nats,
            "picture": self.picture,
            "evidence": None if self.evidence is None else self.evidence.to_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> NamedReading:
        """The reading that `to_json` wrote. Raises KeyError, TypeError or ValueError."""
        evidence = value.get("evidence")
        return cls(
            verdict=RecordedVerdict.from_json(value["verdict"]),
            offered=tuple(value.get("offered") or ()),
            nats=value.get("nats") or 0.0,
            picture=value.get("picture"),
            evidence=None if evidence is None else DisputeEvidence.from_json(evidence),
        )
