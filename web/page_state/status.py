"""Headline, advice and status light in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Dice, Finding
from companion.dice import DiceName
from companion.game import SET_UP_WRONG, Phase
from companion.interface import Light

if TYPE_CHECKING:
    from companion.interface import Snapshot
    from web.texts import PageTexts


def headline(snapshot: Snapshot, words: PageTexts) -> str:
    """What happens now, in a few words."""
    player, checkers = snapshot.on_roll, snapshot.game == "checkers"
    match snapshot.phase:
        case Phase.WAITING:
            return words("headline.waiting")
        case Phase.OPENING:
            return words("headline.opening.checkers" if checkers else "headline.opening")
        case Phase.OVER:
            return _game_over(snapshot, words)
        case Phase.TO_ROLL if snapshot.offered_by is not None:
            return words("headline.doubled", player=snapshot.offered_by.opponent)
        case Phase.TO_ROLL | Phase.TO_MOVE if said := _of_opponent(snapshot, words):
            return said
        case Phase.TO_ROLL:
            return words("headline.to_roll", player=player) if player else words("headline.to_roll.anybody")
        case Phase.TO_MOVE:
            dice = str(Dice(snapshot.dice)) if snapshot.dice else ""
            return words("headline.to_play" if dice else "headline.to_move", player=player, dice=dice)


def _of_opponent(snapshot: Snapshot, words: PageTexts) -> str:
    """What Boardside does in its own turn; empty in another turn, and if it has no legal play."""
    side, verdict = snapshot.opponent, snapshot.verdict
    if side is None or snapshot.on_roll is not side:
        return ""
    if snapshot.announced is not None:
        return words("headline.plays", player=side, play=words.play(snapshot.announced))
    thinks = snapshot.phase is Phase.TO_ROLL or (verdict is not None and bool(verdict.plays))
    return words("headline.thinks", player=side) if thinks else ""


def advice(snapshot: Snapshot, words: PageTexts) -> str:
    """What to do after a legal play, in a sentence; at other times the verdict or the notice says it."""
    legal = snapshot.verdict is not None and snapshot.verdict.finding is Finding.LEGAL
    if not legal or snapshot.on_roll is None:
        return ""
    if snapshot.game == "checkers":
        return words("advice.passes")
    opponent = snapshot.on_roll.opponent
    if opponent is snapshot.opponent:
        return words("advice.done", player=snapshot.on_roll)
    source = None if snapshot.fairness is None else snapshot.fairness.source
    own = f".{source}" if source in (DiceName.CAMERA, DiceName.BY_HAND) else ""
    return words(f"advice.accepts{own}", opponent=opponent)


def light_words(snapshot: Snapshot, words: PageTexts) -> str:
    """The status light in words."""
    match snapshot.light:
        case Light.RED:
            return words(_red(snapshot))
        case Light.AMBER:
            return words(_amber(snapshot))
        case Light.GREEN if snapshot.phase is Phase.OVER:
            return words("light.over")
        case light:
            return words(f"light.{light}")


def _red(snapshot: Snapshot) -> str:
    """The key of the meaning of a red light: an illegal play only if there is a verdict."""
    if snapshot.storage:
        return "light.storage"
    if snapshot.camera:
        return "light.camera"
    if snapshot.verdict is not None:
        return "finding.unreadable" if snapshot.verdict.finding is Finding.UNREADABLE else "light.red"
    return "finding.unreadable" if snapshot.lost is None else "light.lost"


def _amber(snapshot: Snapshot) -> str:
    """The key of the meaning of an amber light: an unfinished turn only while a play is to be made."""
    finding = None if snapshot.verdict is None else snapshot.verdict.finding
    if snapshot.proposal is not None or snapshot.dispute is not None:
        offered = snapshot.proposal is not None and snapshot.proposal.offer is not None and snapshot.proposal.by
        return "light.offer" if offered else "light.agree"
    if finding is Finding.AMBIGUOUS:
        return "finding.ambiguous"
    if snapshot.offered_by is not None:
        return "light.beavered" if snapshot.match is not None and snapshot.match.beavered else "light.doubled"
    if finding is Finding.UNREADABLE:
        return "light.hand"
    if snapshot.phase is Phase.TO_MOVE:
        return "light.amber"
    return "light.unclear" if snapshot.seen is None else "light.set_up"


def _game_over(snapshot: Snapshot, words: PageTexts) -> str:
    ended = snapshot.ended
    if ended is None:
        return words("headline.over")
    if ended.winner is not None:
        return words("headline.won", player=ended.winner)
    if ended.kind == SET_UP_WRONG:
        return words("headline.again")
    return words("headline.drawn" if ended.kind.startswith("drawn") else "headline.unfinished")
