"""From a `Snapshot` to what the page draws: plain JSON with every word in it; the page itself decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Finding, Message, Side, Verdict
from companion.game import DisputeEvidence, Phase
from companion.texts import render
from web.page_state.board import board_state, point_labels, square_labels
from web.page_state.dice import fairness_state
from web.page_state.match import buttons, clock_state, cube_advice, match_state, signed
from web.page_state.procedure import called, doubt_words, picture_path, procedure_state
from web.page_state.status import advice, headline, light_words
from web.texts import ENGLISH_TEXTS, TEXTS, capital

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Disputed, RecordedVerdict, Turn
    from companion.hints import Ranking
    from companion.interface import Snapshot
    from web.table_view import LooseChecker
    from web.texts import PageTexts


def page_state(
    snapshot: Snapshot, checkers: Sequence[LooseChecker] | None, words: PageTexts = ENGLISH_TEXTS
) -> dict[str, Any]:
    """Everything the page draws; `checkers` are those of a simulated table, None for a real one."""
    return {**lasting_state(snapshot, words), **passing_state(snapshot, checkers, words)}


def passing_state(snapshot: Snapshot, checkers: Sequence[LooseChecker] | None, words: PageTexts) -> dict[str, Any]:
    """What may change while the snapshot's version stays: the clock, and the checkers of a simulated table."""
    return {
        "clock": clock_state(snapshot.clock, words),
        "checkers": None if checkers is None else loose_checkers(checkers),
    }


def lasting_state(snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
    """All the rest; it is the same for each page in one language."""
    words = words.on(tiles=snapshot.tiles)
    labels = square_labels() if snapshot.game == "checkers" else point_labels(snapshot.on_roll, words)
    return {
        "version": snapshot.version,
        "language": words.language,
        "names": [words.player_in_full(side) for side in Side],
        "phase": snapshot.phase.value,
        "game": snapshot.game,
        "game_name": words(f"game.{snapshot.game}"),
        "sheet": snapshot.sheet,
        "headline": headline(snapshot, words),
        "advice": "" if snapshot.notice else advice(snapshot, words),
        "light": {"colour": snapshot.light.value, "words": light_words(snapshot, words)},
        "on_roll": snapshot.on_roll,
        "dice": _dice(snapshot),
        "board": board_state(snapshot, words),
        "verdict": _verdict(snapshot.verdict, words),
        "notice": words.rendered(snapshot.notice) or None,
        "camera": words.rendered(snapshot.camera) or None,
        "spoken": [{"id": line.number, "text": line.text, "language": line.language} for line in snapshot.spoken],
        "storage": words("storage.waits", why=words.rendered(snapshot.storage)) if snapshot.storage else None,
        "fairness": fairness_state(snapshot.fairness, words),
        "hints": _hints(snapshot.hints, words),
        "dispute": _dispute(snapshot.dispute, snapshot.verdict, labels, words),
        **procedure_state(snapshot, labels, words),
        "score": None if snapshot.score is None else dict(zip(Side, snapshot.score, strict=True)),
        "match": match_state(snapshot.match, words),
        "deeds": buttons(snapshot.actions, snapshot.match, words),
        "picture": f"/picture/{snapshot.picture}.jpg" if snapshot.picture else None,
        "simulated": snapshot.simulated,
        "codes": [{"notation": code.notation, "code": code.code} for code in snapshot.ids],
        "history": [_turn(turn, words) for turn in snapshot.history],
        "false_moves": _false_moves(snapshot, words),
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
    players = [*Side] if each_their_own else [snapshot.on_roll] * len(dice)
    return [{"number": number, "player": player} for number, player in zip(dice, players, strict=True)]


def _verdict(verdict: Verdict[Any] | RecordedVerdict | None, words: PageTexts) -> dict[str, Any] | None:
    if verdict is None:
        return None
    finding, reason = verdict.finding, verdict.reason
    play = None if verdict.play is None else words.play(verdict.play)
    message = (
        words.rendered(verdict.message) if isinstance(verdict.message, Message) else words.recorded(verdict.message)
    )
    if finding is Finding.AMBIGUOUS and isinstance(verdict, Verdict) and verdict.readings:
        message = _where_to_look(verdict, words)  # the readings themselves are buttons
    if finding is Finding.LEGAL and play and play in message:
        message = ""  # the play itself is shown
    cause = capital(words.cause(verdict.cause)) if verdict.cause is not None and not message else play or ""
    return {
        "finding": finding.value,
        "title": words(f"finding.{finding}"),
        "reason": reason,
        "detail": capital(words.reason(reason)) if reason else cause,
        "also": [capital(words.reason(code)) for code in verdict.also],
        "message": message,
        "play": play,
        "plays": [words.play(one) for one in verdict.plays],
        "plays_title": words("verdict.could_be" if finding is Finding.AMBIGUOUS else "verdict.legal_plays"),
    }


def _where_to_look(verdict: Verdict[Any], words: PageTexts) -> str:
    """Where the readings differ, without the readings."""
    look = verdict.message.facts.get("look")
    return words.rendered(look if isinstance(look, Message) else verdict.message)


def _hints(ranking: Ranking | None, words: PageTexts) -> dict[str, Any] | None:
    if ranking is None:
        return None
    best = ranking.plays[0].equity if ranking.plays else 0.0
    rows = [
        {
            "play": words.play(ranked.play),
            "equity": signed(ranked.equity, words),
            "gives_away": signed(best - ranked.equity, words, ""),
        }
        for ranked in ranking.plays
    ]
    cube = None if ranking.cube is None else cube_advice(ranking.cube, words)
    return {"engine": ranking.engine, "rows": rows, "cube": cube}


def _dispute(
    dispute: Disputed[Any] | None, verdict: Verdict[Any] | None, labels: Sequence[int], words: PageTexts
) -> dict[str, Any] | None:
    """The open dispute; `verdict` is the one that stands now, whose words are known in every language."""
    if dispute is None:
        return None
    evidence = dispute.evidence or DisputeEvidence()
    recorded = dispute.verdict
    same = (
        verdict is not None and recorded is not None and render(verdict.message, names=words.names) == recorded.message
    )
    dice = "-".join(map(str, evidence.dice.values)) if evidence.dice is not None else ""
    player = "" if dispute.side is None else words.player(dispute.side)
    return {
        "id": dispute.number,
        "called": called(dispute, words),
        "turn": words("dispute.rolled", player=player, dice=dice) if player and dice else player,
        "doubts": [doubt_words(doubt, labels, words) for doubt in evidence.doubts],
        "before": picture_path(dispute.before),
        "after": picture_path(dispute.after),
        "dice": [] if evidence.dice is None else list(evidence.dice.values),
        "player": player,
        "plays": [words.play(play) for play in evidence.plays],
        "verdict": _verdict(verdict if same else recorded, words),
    }


def _false_moves(snapshot: Snapshot, words: PageTexts) -> str:
    """How many false moves each player has made; empty where none was."""
    white, black = snapshot.false_moves
    if not white + black:
        return ""
    return words("false_moves", first=Side.WHITE, white=white, last=Side.BLACK, black=black)


def _turn(turn: Turn, words: PageTexts) -> dict[str, Any]:
    return {
        "player": turn.side,
        "name": words.player(turn.side),
        "dice": "" if turn.dice is None else "-".join(map(str, turn.dice.values)),
        "play": words.play(turn.play) or words("history.no_play"),
        "note": _note(turn.note, words),
    }


def _note(note: str, words: PageTexts) -> str:
    """What the history notes of a turn; "stands: too_far" is "Stands by agreement: that is too far"."""
    how, _, code = note.partition(": ")
    if not how:
        return ""
    what = words(key) if (key := f"note.{how}") in TEXTS else how
    return words("words.because", what=what, why=words.reason(code)) if code else what
