"""Converts a `Snapshot` to what the page draws: JSON with every word in it. The page itself decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Finding, Message, Side, Verdict, message
from companion.game import DisputeEvidence, Phase
from companion.texts import capital, render
from web.page_state.arrows import arrows_state, cube_state, play_arrows
from web.page_state.board import board_state, cell_labels
from web.page_state.dice import fairness_state
from web.page_state.match import buttons, clock_state, cube_advice, match_state, signed
from web.page_state.next_action import ANSWERS, next_actions
from web.page_state.players import is_analysed, players_state, result_state, result_words
from web.page_state.procedure import called, doubt_words, picture_path, procedure_state
from web.page_state.status import advice, headline, light_words
from web.page_state.turns import turns_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Disputed, RecordedVerdict
    from companion.hints import Lesson, Ranking
    from companion.interface import FilmState, PossibleAction, Snapshot
    from web.table_view import DraggableChecker
    from web.texts import PageTexts


def unversioned_state(
    snapshot: Snapshot, checkers: Sequence[DraggableChecker] | None, words: PageTexts, film: FilmState | None = None
) -> dict[str, Any]:
    """What changes without a new version of the snapshot: the clock, the checkers of a simulated table, and a film."""
    return {
        "film": _film_state(film, words),
        "clock": clock_state(snapshot.clock, words),
        "checkers": None if checkers is None else draggable_checkers(checkers),
    }


def versioned_state(snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
    """All the rest: the same for every page in one language while the version stays."""
    words = words.on(tiles=snapshot.tiles)
    labels = cell_labels(snapshot)
    board = board_state(snapshot, words)
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
        "layout": snapshot.layout.to_json(snapshot.game),
        "board": board,
        "players": players_state(snapshot, board, words),
        "next": next_actions(snapshot, words),
        "result": result_state(snapshot, words),
        "arrows": arrows_state(snapshot),
        "cube": cube_state(snapshot.match, over=snapshot.phase is Phase.OVER),
        "verdict": _live_verdict(snapshot, words),
        "notice": _notice(snapshot, words) or None,
        "camera": words.rendered(snapshot.camera) or None,
        "spoken": [{"id": line.number, "text": line.text, "language": line.language} for line in snapshot.spoken],
        "storage": words("storage.waits", why=words.rendered(snapshot.storage)) if snapshot.storage else None,
        "fairness": fairness_state(snapshot.fairness, words, snapshot.opponent),
        "hints": _hints(snapshot, words),
        "lesson": _lesson(snapshot.lesson, words),
        "dispute": _dispute(snapshot.dispute, snapshot.verdict, labels, words),
        **procedure_state(snapshot, labels, words),
        "score": None if snapshot.score is None else dict(zip(Side, snapshot.score, strict=True)),
        "match": match_state(snapshot.match, words),
        "deeds": buttons(_deeds(snapshot), snapshot.match, words),
        "picture": f"/picture/{snapshot.picture}.jpg" if snapshot.picture else None,
        "simulated": snapshot.simulated,
        "codes": [{"notation": code.notation, "code": code.code} for code in snapshot.ids],
        **turns_state(snapshot, words),
        "analysis": [words.rendered(line) for line in snapshot.analysis],
        "graph": "/matches/last/graph.json" if is_analysed(snapshot) else None,
        "false_moves": _false_moves(snapshot, words),
    }


def _film_state(film: FilmState | None, words: PageTexts) -> dict[str, Any] | None:
    """`{"deed", "label", "speed", "words", "over"}`, the first two for the first button; None without a film."""
    if film is None:
        return None
    deed = "restart" if film.over else "pause" if film.playing else "play"
    how_far = words("film.over") if film.over else words("film.turn", number=film.turn, count=film.turns)
    return {"deed": deed, "label": words(f"film.{deed}"), "speed": film.speed, "words": how_far, "over": film.over}


def _deeds(snapshot: Snapshot) -> list[PossibleAction]:
    """Actions besides the next one, without those of Boardside's side."""
    found = [one for one in snapshot.actions if one.kind not in ANSWERS]
    return [one for one in found if one.player is None or one.player is not snapshot.opponent]


def _notice(snapshot: Snapshot, words: PageTexts) -> str:
    """The notice, without the result and whose roll it is: the page shows these elsewhere."""
    rolls = snapshot.on_roll
    if rolls is not None and snapshot.notice == message("sentence", what=message("then.rolls", player=rolls)):
        return ""
    return words.rendered(snapshot.notice).removeprefix(result_words(snapshot, words)).strip()


def draggable_checkers(checkers: Sequence[DraggableChecker]) -> list[dict[str, Any]]:
    """Checkers of a simulated table; `x` and `y` are in column widths."""
    return [
        {"id": c.id, "side": c.side.value, "x": round(c.x, 3), "y": round(c.y, 3), "layer": c.layer} for c in checkers
    ]


def _dice(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Each die's number and player, the larger first; in an opening roll each player has one."""
    if snapshot.opening is not None:
        own: list[tuple[int, Side | None]] = [*zip(snapshot.opening, Side, strict=True)]
        rolled = sorted(own, key=lambda die: -die[0])
    else:
        rolled = [(number, snapshot.on_roll) for number in snapshot.dice or ()]
    return [{"number": number, "player": player} for number, player in rolled]


def _live_verdict(snapshot: Snapshot, words: PageTexts) -> dict[str, Any] | None:
    """The verdict on the present board, with arrows for each of its plays."""
    shown = _verdict(snapshot.verdict, words)
    if shown is None or snapshot.verdict is None:
        return None
    return {**shown, "arrows": [play_arrows(play, snapshot.on_roll, snapshot.game) for play in snapshot.verdict.plays]}


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
    """A sentence on where the readings differ, without the readings."""
    look = verdict.message.facts.get("look")
    return words.rendered(look if isinstance(look, Message) else verdict.message)


def _hints(snapshot: Snapshot, words: PageTexts) -> dict[str, Any] | None:
    ranking = snapshot.hints
    if ranking is None:
        return None
    best = ranking.plays[0].equity if ranking.plays else 0.0
    rows = [
        {
            "play": words.play(ranked.play),
            "arrows": play_arrows(ranked.play, snapshot.on_roll, snapshot.game),
            "equity": signed(ranked.equity, words),
            "gives_away": signed(best - ranked.equity, words, ""),
            "why": words.because(ranked.why),
        }
        for ranked in ranking.plays
    ]
    cube = None if ranking.cube is None else cube_advice(ranking.cube, words)
    return {"engine": ranking.engine, "by": _by(ranking, snapshot.game, words), "rows": rows, "cube": cube}


def _by(ranking: Ranking, game: str, words: PageTexts) -> str:
    """The engine that advises, with its strength if that was measured."""
    if not ranking.engine:
        return ""
    if ranking.loss is None:
        return words("hints.by", engine=ranking.engine)
    key = "hints.by.men" if game == "checkers" else "hints.by.points"
    return words(key, engine=ranking.engine, loss=words.decimal(str(ranking.loss)))


def _lesson(lesson: Lesson | None, words: PageTexts) -> str:
    """What the last play gave away, and the better play with the reason."""
    if lesson is None:
        return ""
    play = words.play(lesson.play)
    if lesson.better is None or not lesson.doubtful:
        return words("lesson.best" if lesson.better is None else "lesson.good", player=lesson.side, play=play)
    key, lost = "lesson.lost.men" if lesson.in_men else "lesson.lost", signed(lesson.lost, words, "")
    said = words(key, player=lesson.side, play=play, lost=lost, better=words.play(lesson.better.play))
    why = words.because(lesson.better.why)
    return f"{said} {why}." if why else said


def _dispute(
    dispute: Disputed[Any] | None, verdict: Verdict[Any] | None, labels: Sequence[int], words: PageTexts
) -> dict[str, Any] | None:
    """The open dispute; `verdict` is the present one, shown if it equals the recorded one, which is in English only."""
    if dispute is None:
        return None
    evidence = dispute.evidence or DisputeEvidence()
    recorded = dispute.verdict
    same = (
        verdict is not None and recorded is not None and render(verdict.message, names=words.names) == recorded.message
    )
    dice = "" if evidence.dice is None else str(evidence.dice)
    player = "" if dispute.side is None else words.player(dispute.side)
    return {
        "id": dispute.number,
        "called": called(dispute, words),
        "turn": words("dispute.rolled", player=player, dice=dice) if player and dice else player,
        "doubts": [doubt_words(doubt, labels, words) for doubt in evidence.doubts],
        "before": picture_path(dispute.before),
        "after": picture_path(dispute.after),
        "dice": [] if evidence.dice is None else list(evidence.dice.written),
        "player": player,
        "plays": [words.play(play) for play in evidence.plays],
        "verdict": _verdict(verdict if same else recorded, words),
    }


def _false_moves(snapshot: Snapshot, words: PageTexts) -> str:
    """The number of false moves of each player; empty if there was none."""
    white, black = snapshot.false_moves
    if not white + black:
        return ""
    return words("false_moves", first=Side.WHITE, white=white, last=Side.BLACK, black=black)
