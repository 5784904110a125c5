"""From a `Snapshot` to what the page draws: plain JSON with every word in it; the page itself decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Finding
from companion.game import DisputeEvidence, Phase
from companion.texts import render
from web.board_state import board_state, point_labels, square_labels
from web.clock_state import clock_state
from web.dice_words import fairness_state
from web.match_words import buttons, cube_advice, match_state
from web.procedure_words import called, doubt_words, picture_path, procedure_state
from web.words import CAUSES, FINDINGS, PLAYERS, advice, headline, light_words, note_words, reason_words, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Verdict
    from companion.game import Disputed, RecordedVerdict, Turn
    from companion.hints import Ranking
    from companion.interface import Snapshot
    from web.table_view import LooseChecker


def page_state(snapshot: Snapshot, checkers: Sequence[LooseChecker] | None) -> dict[str, Any]:
    """Everything the page draws; `checkers` are those of a simulated table, None for a real one."""
    labels = square_labels() if snapshot.game == "checkers" else point_labels(snapshot.on_roll)
    return {
        "version": snapshot.version,
        "phase": snapshot.phase.value,
        "game": snapshot.game,
        "sheet": snapshot.sheet,
        "headline": headline(snapshot),
        "advice": "" if snapshot.notice else advice(snapshot),
        "light": {"colour": snapshot.light.value, "words": light_words(snapshot)},
        "on_roll": snapshot.on_roll,
        "dice": _dice(snapshot),
        "board": board_state(snapshot),
        "verdict": _verdict(snapshot.verdict),
        "notice": None if snapshot.notice is None else render(snapshot.notice),
        "camera": None if snapshot.camera is None else render(snapshot.camera),
        "spoken": [{"id": line.number, "text": line.text, "language": line.language} for line in snapshot.spoken],
        "storage": None if snapshot.storage is None else f"The game waits: {render(snapshot.storage)}",
        "fairness": fairness_state(snapshot.fairness),
        "hints": _hints(snapshot.hints),
        "dispute": _dispute(snapshot.dispute, labels),
        **procedure_state(snapshot, labels),
        "score": None if snapshot.score is None else dict(zip(PLAYERS, snapshot.score, strict=True)),
        "match": match_state(snapshot.match),
        "deeds": buttons(snapshot.deeds, snapshot.match),
        "clock": clock_state(snapshot.clock),
        "picture": f"/picture/{snapshot.picture}.jpg" if snapshot.picture else None,
        "simulated": snapshot.simulated,
        "checkers": None if checkers is None else loose_checkers(checkers),
        "history": [_turn(turn) for turn in snapshot.history],
    }


def loose_checkers(checkers: Sequence[LooseChecker]) -> list[dict[str, Any]]:
    """Checkers of a simulated table, each where it lies (column widths)."""
    return [
        {"id": c.id, "side": c.side.value, "x": round(c.x, 3), "y": round(c.y, 3), "layer": c.layer} for c in checkers
    ]


def _dice(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Each die's number and whose it is, where the two players rolled one each."""
    dice = snapshot.dice or ()
    each_their_own = snapshot.phase is Phase.OPENING and len(dice) == 2
    players = [*PLAYERS] if each_their_own else [snapshot.on_roll] * len(dice)
    return [{"number": number, "player": player} for number, player in zip(dice, players, strict=True)]


def _verdict(verdict: Verdict[Any] | RecordedVerdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    finding, reason, play = verdict.finding, verdict.reason, verdict.play
    message = verdict.message if isinstance(verdict.message, str) else render(verdict.message)
    if finding is Finding.LEGAL and play and play in message:
        message = ""  # the play itself is shown
    cause = CAUSES[verdict.cause] if verdict.cause is not None and not message else play or ""
    return {
        "finding": finding.value,
        "title": FINDINGS[finding],
        "reason": reason,
        "detail": reason_words(reason) if reason else cause,
        "also": [reason_words(code) for code in verdict.also],
        "message": message,
        "play": play,
        "plays": list(verdict.plays),
        "plays_title": "It could be" if finding is Finding.AMBIGUOUS else "Legal plays",
    }


def _hints(ranking: Ranking | None) -> dict[str, Any] | None:
    if ranking is None:
        return None
    best = ranking.plays[0].equity if ranking.plays else 0.0
    rows = [
        {"play": ranked.play, "equity": signed(ranked.equity), "gives_away": signed(best - ranked.equity, "")}
        for ranked in ranking.plays
    ]
    cube = None if ranking.cube is None else cube_advice(ranking.cube)
    return {"engine": ranking.engine, "rows": rows, "cube": cube}


def _dispute(dispute: Disputed[Any] | None, labels: Sequence[int]) -> dict[str, Any] | None:
    if dispute is None:
        return None
    evidence = dispute.evidence or DisputeEvidence()
    return {
        "id": dispute.number,
        "called": called(dispute),
        "doubts": [doubt_words(doubt, labels) for doubt in evidence.doubts],
        "before": picture_path(dispute.before),
        "after": picture_path(dispute.after),
        "dice": [] if evidence.dice is None else list(evidence.dice.values),
        "player": "" if dispute.side is None else PLAYERS[dispute.side],
        "plays": list(evidence.plays),
        "verdict": _verdict(dispute.verdict),
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "player": turn.side,
        "name": PLAYERS[turn.side],
        "dice": "" if turn.dice is None else "-".join(map(str, turn.dice.values)),
        "play": turn.play or "no play",
        "note": note_words(turn.note),
    }
