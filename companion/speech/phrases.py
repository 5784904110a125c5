"""What is said of the table itself: whose turn it is and what is waited for, doubles, agreements, results, hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Finding, Side
from companion.game import Phase
from companion.interface import ActionKind
from companion.speech.verdict_phrases import places, verdict_line
from companion.texts import AGREED_DRAW, DRAWN, PROPOSED

if TYPE_CHECKING:
    from companion.game import Match
    from companion.interface import Snapshot
    from companion.speech.language import Language


def state_line(now: Snapshot, tongue: Language) -> str:
    """What the table waits for: for every state that a player can be in there is a line."""
    for line in (_hindrance(now, tongue), question_line(now, tongue)):
        if line:
            return line
    match now.phase:
        case Phase.TO_MOVE:
            verdict = verdict_line(now, tongue)
            return " ".join(filter(None, (turn_line(now, tongue), verdict[:1].upper() + verdict[1:])))
        case Phase.TO_ROLL:
            return turn_line(now, tongue)
        case Phase.OPENING:
            return _opening(now, tongue)
        case Phase.WAITING | Phase.OVER:
            return tongue.say("Set up the starting position.", "Set up the starting position, then tap Roll.")


def question_line(now: Snapshot, tongue: Language) -> str:
    """What waits for an answer of the players: a proposal, a dispute, a double; empty where nothing does."""
    if now.proposal is not None:
        asked = tongue.say(PROPOSED[now.proposal.remedy])
        return f"{asked} {tongue.say('Roll: yes. Hint: no.', 'Each player agrees with Roll; Hint is no.')}"
    if now.dispute is not None:
        return tongue.say(
            "Referee. Roll: put it right. Referee: more.",
            "The referee was called. Roll puts the play right; Referee goes through what else there is.",
        )
    match = now.match
    if match is None or match.offered_by is None:
        return ""
    asking = match.offered_by
    return tongue.say(
        "{player} doubles to {number}: {opponent} takes or passes.",
        player=tongue.player(asking),
        opponent=tongue.opponent(asking),
        number=tongue.number(2 * match.cube),
    )


def turn_line(now: Snapshot, tongue: Language) -> str:
    """Whose turn it is, and with what; empty between games."""
    if now.on_roll is None or now.phase not in (Phase.TO_ROLL, Phase.TO_MOVE):
        return ""
    player = tongue.player(now.on_roll)
    if now.phase is Phase.TO_ROLL:
        return tongue.say("{player} rolls.", "{player} is to roll.", player=player)
    if now.dice is None or now.game == "checkers":
        return tongue.say("{player} moves.", "{player} is to move.", player=player)
    return tongue.say("{player}: {dice}.", "{player} has {dice} to play.", player=player, dice=tongue.dice(now.dice))


def own_dice_line(now: Snapshot, tongue: Language) -> str:
    """What to do with the set's own dice where they are to be thrown next; empty where Boardside rolls."""
    source = "" if now.fairness is None else now.fairness.source
    legal = now.verdict is not None and now.verdict.finding is Finding.LEGAL
    if source not in ("camera", "hand") or (now.phase is Phase.TO_MOVE and not legal):
        return ""
    if source == "camera":
        return tongue.say("Throw the dice, then tap Roll.")
    return tongue.say("Throw the dice and enter them on the page.")


def rolled_line(before: Snapshot, now: Snapshot, tongue: Language) -> str:
    """What was rolled, and by whom."""
    dice = now.dice or ()
    if now.phase is Phase.OPENING and len(dice) == 2:
        return tongue.say("Both rolled {number}: tap Roll again.", number=tongue.number(dice[0]))
    player, words = tongue.player(now.on_roll or Side.WHITE), tongue.dice(dice)
    if before.on_roll is None or before.phase in (Phase.WAITING, Phase.OPENING, Phase.OVER):
        return tongue.say("{player} begins: {dice}.", "{player} begins with {dice}.", player=player, dice=words)
    return tongue.say("{player}: {dice}.", "{player} rolled {dice}.", player=player, dice=words)


def _hindrance(now: Snapshot, tongue: Language) -> str:
    """Why the game waits; empty where nothing is in its way."""
    if now.storage is not None:
        return tongue.say("Nothing can be recorded: the game waits.")
    if now.camera is not None:
        return tongue.say("The camera gives no picture.", "The camera gives no picture: see to its cable.")
    if now.lost is not None:
        return lost_line(now, tongue)
    return ""


def lost_line(now: Snapshot, tongue: Language) -> str:
    """Where the board differs from the game, and what to do."""
    where = places(() if now.lost is None else now.lost.cells, now, tongue)
    if not where:
        return tongue.say("The board differs from the game.", "The board differs from the game: put it right.")
    return tongue.say(
        "The board differs on {places}.",
        "The board differs from the game on {places}: put that right, or tap Referee to agree on what stands there.",
        places=where,
    )


def _opening(now: Snapshot, tongue: Language) -> str:
    if any(deed.kind is ActionKind.BEGIN for deed in now.deeds):
        return tongue.say("The players agree who begins.", "The players agree who begins, and that one taps Roll.")
    if now.dice is not None and len(now.dice) == 2 and now.dice[0] == now.dice[1]:
        return tongue.say("Both rolled {number}: tap Roll again.", number=tongue.number(now.dice[0]))
    return tongue.say("Tap Roll.", "The starting position stands: tap Roll to begin.")


def result_line(now: Snapshot, tongue: Language) -> str:
    """How the game ended, and the match where that is over too."""
    ended, match = now.ended, now.match
    if ended is None:
        return ""
    if ended.winner is None:
        line = tongue.say(DRAWN.get(ended.kind, AGREED_DRAW))
    else:
        line = tongue.say(
            "{player} wins {kind}{points}.",
            player=tongue.player(ended.winner),
            kind=_kind(ended.kind, tongue),
            points=tongue.count("one point", "{number} points", ended.points),
        )
    if match is None or match.winner is None:
        return line
    low, high = (tongue.number(points) for points in sorted(match.score))
    won = tongue.say(
        "{player} wins the match, {high} to {low}.", player=tongue.player(match.winner), high=high, low=low
    )
    return f"{line} {won}"


def _kind(kind: str, tongue: Language) -> str:
    if "backgammon" in kind:
        return tongue.say("a backgammon, ")
    return tongue.say("a gammon, ") if "gammon" in kind else ""


def cube_line(before: Match | None, now: Snapshot, tongue: Language) -> str:
    """What became of a double that waited; `before` is the match as it was. Empty where nothing did."""
    match = now.match
    if match is None or match.offered_by is not None or now.ended is not None:
        return ""
    if before is None or before.offered_by is None or match.cube == before.cube:
        return ""
    return tongue.say(
        "{player} takes at {number}.",
        "{player} takes: the cube stands at {number}.",
        player=tongue.opponent(before.offered_by),
        number=tongue.number(match.cube),
    )


def hints_line(now: Snapshot, tongue: Language) -> str:
    """The best plays, and what to do with the cube."""
    said = []
    hints = now.hints
    if hints is None:
        return ""
    for place, ranked in enumerate(hints.plays[: 1 if tongue.terse else 2]):
        play = tongue.play(ranked.play)
        said.append(tongue.say("Best: {play}.", play=play) if not place else tongue.say("Or {play}.", play=play))
    cube = hints.cube
    if cube is not None:
        doubler, taker = tongue.player(cube.side), tongue.opponent(cube.side)
        said.append(
            tongue.say("{player} should double.", player=doubler)
            if cube.doubles
            else tongue.say("{player} should not double.", player=doubler)
        )
        said.append(
            tongue.say("{player} should take.", player=taker)
            if cube.takes
            else tongue.say("{player} should pass.", player=taker)
        )
    return " ".join(said) or tongue.say("There is nothing to hint at.")
