"""Checks the verdict in the evidence of a dispute: it must follow from the rules and the position that was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Finding, one_line
from companion.dice import CheckLine
from companion.game import Phase
from companion.referee import judging_code, possible_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import Verdict
    from companion.game import Disputed, Game, RecordedVerdict
    from companion.rules import Ruleset

JUDGED = (Finding.LEGAL, Finding.ILLEGAL, Finding.UNFINISHED, Finding.NOT_MOVED)
"""Findings on a position that was read with certainty."""


def check_verdict(
    game: Game[Any], dispute: Disputed[Any], taken_back: Sequence[int], rules: Ruleset[Any]
) -> Iterator[CheckLine]:
    """One line on whether the verdict of `dispute` follows; `taken_back` as in `possible_verdicts`.

    Another version of the rules may give another reason for an illegal play. A reason is wrong only if the record says
    that it was given by this version.
    """
    said = dispute.verdict
    if said is None:
        yield CheckLine("The record holds no verdict of the referee")
        return
    if game.phase is not Phase.TO_MOVE:
        yield CheckLine("The record holds a verdict, though nobody was to move", holds=False)
        return
    if dispute.seen is None or said.finding not in JUDGED:
        yield CheckLine("The verdict rests on what the camera saw: it cannot be worked out from the record")
        return
    board = rules.visible(dispute.seen)
    found = list(possible_verdicts(rules, game, board, taken_back))
    anywhere = possible_verdicts(rules, game, board, range(len(board)))
    stated, here = _named(said), " or ".join(sorted(set(map(_named, found))))
    judged_here = dispute.evidence is not None and dispute.evidence.judged_by == judging_code()
    if _compared(said) in map(_compared, found):
        yield CheckLine(f"The verdict follows from the rules and the position that was seen: {stated}", holds=True)
    elif _compared(said) in map(_compared, anywhere):
        yield CheckLine(
            f"The verdict rests on what stood on the board when the turn was taken back: {stated}; that is not in the "
            "record"
        )
    elif said.finding is Finding.ILLEGAL and not judged_here and any(one.finding is said.finding for one in found):
        yield CheckLine(
            "That the play is illegal follows from the rules and the position that was seen, but another version of "
            f"the rules gave the reason: the record says {stated}; here it is {here}"
        )
    else:
        yield CheckLine(
            f"The verdict does not follow (it is {here}) from the rules and the position that was seen: {stated}",
            holds=False,
        )


def _compared(verdict: Verdict[Any] | RecordedVerdict) -> tuple[Finding, str | None, str | None, str | None]:
    """The parts of a verdict that are compared."""
    return verdict.finding, verdict.reason, verdict.play, verdict.made


def _named(verdict: Verdict[Any] | RecordedVerdict) -> str:
    """The finding and the reason."""
    return verdict.finding.value if verdict.reason is None else f"{verdict.finding.value}, {one_line(verdict.reason)}"
