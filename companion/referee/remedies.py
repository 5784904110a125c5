"""The remedies that the players may agree on now, each with its message, or with the reason why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.core import Finding, PositionT, message, verbatim
from companion.game import Phase, Remedy
from companion.referee.assessment import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import Dice, Message, Side
    from companion.game import Disputed, Game
    from companion.referee.assessment import Assessment
    from companion.rules import Ruleset

ENTERED, LOST = "misread", "lost"
"""Why a position was agreed on: a player entered it because the camera misread it, or no play led to what was seen."""

NOT_CERTAIN, NOTHING_MOVED = message("offer.not_certain"), message("offer.nothing_moved")


@dataclass(frozen=True, slots=True)
class Offer(Generic[PositionT]):
    """A remedy that may be proposed.

    Attributes:
        remedy: which.
        words: what happens if both agree, as the end of a sentence.
        position: the new position; None if it does not change.
        refused: why it cannot be, as the end of a sentence; None where it can.
        play, reply: the plays that count, where the remedy names them.
    """

    remedy: Remedy
    words: Message
    position: PositionT | None = None
    refused: Message | None = None
    play: str = ""
    reply: str = ""


BEGIN_AGAIN: Offer[Any] = Offer(Remedy.SET_UP, message("offer.set_up"))
"""A wrong set-up that is found late: either the game is begun again, or what is on the board is the position."""


def offers(
    assessment: Assessment[PositionT], rules: Ruleset[PositionT], seen: PositionT | None
) -> tuple[Offer[PositionT], ...]:
    """All remedies possible now, in the order in which the Referee button goes through them.

    `seen` is the position that is certainly on the board now; None where none is.
    """
    game = assessment.game
    if game.position is None or (game.running and game.on_roll is None):
        return ()
    found = [takeback(game, rules)]
    if game.running and game.on_roll is not None:
        rulings = (*_both_plays(assessment, game.on_roll), *_rulings(game, game.on_roll, rules))
        found = [*rulings, *found, _position(game, game.on_roll, rules, seen), BEGIN_AGAIN]
    return tuple(found)


def _both_plays(assessment: Assessment[PositionT], mover: Side) -> Iterator[Offer[PositionT]]:
    """A play and its reply, made before the play was accepted; in a dispute, those when the referee was called."""
    dispute = assessment.game.dispute
    verdict = assessment.verdict if dispute is None else dispute.verdict
    if verdict is not None and verdict.made is not None and verdict.reply is not None:
        words = both_count(mover, verdict.made, verdict.reply)
        yield Offer(Remedy.BOTH, words, play=verdict.made, reply=verdict.reply)


def both_count(mover: Side, play: str, reply: str) -> Message:
    """A play and its reply count."""
    plays = (
        message("checkers.replied.move", player=mover, play=play),
        message("checkers.replied.move", player=mover.opponent, play=reply),
    )
    return message("offer.that_is", what=message("remedy.both"), then=message("list", facts=plays))


def _rulings(game: Game[PositionT], mover: Side, rules: Ruleset[PositionT]) -> Iterator[Offer[PositionT]]:
    dispute = game.dispute
    if dispute is None:
        return
    seen = dispute.seen
    uncertain = _uncertain(dispute, rules) if seen is None else None
    if game.phase is not Phase.TO_MOVE:
        then = goes_on(game, mover, turn_over=False)
        unmoved = NOTHING_MOVED if seen is not None and _is_position_of_record(game, rules, seen) else None
        board = message("offer.board") if unmoved is None else message("offer.and", what=unmoved, then=then)
        counts = message("offer.that_is", what=message("offer.counts"), then=then)
        yield Offer(Remedy.CORRECTED, board)
        yield Offer(Remedy.STANDS, counts, seen, unmoved or uncertain)
        return
    if dispute.verdict is not None and dispute.verdict.finding is Finding.NOT_MOVED:
        yield from _rulings_without_move(game, mover)
        return
    anew = _plays_again(mover, game.dice)
    yield Offer(Remedy.CORRECTED, message("offer.and", what=message("remedy.corrected"), then=anew))
    yield Offer(Remedy.STANDS, message("offer.counts.play", player=mover), seen, uncertain)
    if dispute.verdict is not None and dispute.verdict.finding is Finding.LEGAL:
        yield Offer(Remedy.OVERRULED, overruled(message("offer.and", what=message("offer.not_legal"), then=anew)))
    else:
        yield Offer(Remedy.OVERRULED, overruled(message("offer.is_play", player=mover)), seen, uncertain)


def _rulings_without_move(game: Game[PositionT], mover: Side) -> Iterator[Offer[PositionT]]:
    """The rulings if nothing was moved, so that no play could stand or be legal; one can still be named on the page."""
    plays = message("then.moves", player=mover)
    if game.dice is not None:
        plays = message("then.has", player=mover, dice=game.dice)
    yield Offer(Remedy.CORRECTED, message("offer.and", what=NOTHING_MOVED, then=plays))
    yield Offer(Remedy.STANDS, message("offer.counts.play", player=mover), refused=NOTHING_MOVED)
    yield Offer(Remedy.OVERRULED, overruled(message("offer.is_play", player=mover)), refused=NOTHING_MOVED)


def _is_position_of_record(game: Game[PositionT], rules: Ruleset[PositionT], seen: PositionT) -> bool:
    """Whether `seen` looks the same as the position of record."""
    return game.position is not None and rules.visible(seen) == rules.visible(game.position)


def _uncertain(dispute: Disputed[PositionT], rules: Ruleset[PositionT]) -> Message:
    """Why the board of a dispute cannot count; in English only where the record holds nothing but an English text."""
    evidence = dispute.evidence
    if evidence is not None and evidence.doubts:
        cells = tuple(doubt.cell for doubt in evidence.doubts)
        return message("unsure.places", places=places(rules, cells, dispute.side))
    return verbatim(evidence.unsure) if evidence is not None and evidence.unsure else NOT_CERTAIN


def overruled(then: Message) -> Message:
    """The referee is overruled, and what that means for the play."""
    return message("offer.that_is", what=message("remedy.overruled"), then=then)


def takeback(game: Game[PositionT], rules: Ruleset[PositionT]) -> Offer[PositionT]:
    """Taking the last turn back, or what ended the game."""
    if game.ended is not None and not ended_by_play(game, rules):
        return Offer(Remedy.TAKEBACK, message("offer.end"))
    if not game.history:
        return Offer(Remedy.TAKEBACK, message("remedy.takeback"), refused=message("offer.no_turn"))
    last = game.history[-1]
    again = _plays_again(last.side, last.dice)
    match = game.match if game.before_end is None else game.before_end.match
    turned = match.offered_by is not None or match.cube != last.cube
    refused = message("offer.cube_turned") if turned else None
    return Offer(Remedy.TAKEBACK, message("offer.and", what=last.taken_back, then=again), refused=refused)


def ended_by_play(game: Game[PositionT], rules: Ruleset[PositionT]) -> bool:
    """Whether the game that is over was won on the board."""
    return game.ended is not None and game.position is not None and rules.outcome(game.position) is not None


def _position(
    game: Game[PositionT], mover: Side, rules: Ruleset[PositionT], seen: PositionT | None
) -> Offer[PositionT]:
    """The game goes on from the position on the board, with the same player on roll."""
    then = goes_on(game, mover, turn_over=False)
    refused = None
    if seen is None:
        refused = NOT_CERTAIN
    elif _is_position_of_record(game, rules, seen):
        refused = message("offer.unchanged")
    return Offer(Remedy.POSITION, message("offer.and", what=message("remedy.position"), then=then), seen, refused)


def goes_on(game: Game[PositionT], mover: Side, *, turn_over: bool) -> Message:
    """What comes after an agreed position, as the end of a sentence; `mover` is on roll."""
    if game.match.offered_by is not None:
        return message("then.answers", player=game.match.asked)
    if game.phase is not Phase.TO_MOVE:
        return message("then.rolls", player=mover)
    if turn_over:
        other = mover.opponent
        return message("then.rolls", player=other) if game.rolls else message("then.moves", player=other)
    if game.dice is None:
        return message("then.from_it.move", player=mover)
    return message("then.from_it", player=mover, dice=game.dice)


def next_offer(
    found: tuple[Offer[PositionT], ...], proposed: Remedy | None, *, disputed: bool
) -> Offer[PositionT] | None:
    """The offer that a tap on Referee comes to after `proposed`; None after the last, where no dispute is open.

    A game is begun again from the page; on the panel by setting up the start and a tap of each on Roll.
    """
    possible = [offer for offer in found if offer.refused is None and offer is not BEGIN_AGAIN]
    remedies = [offer.remedy for offer in possible]
    after = remedies.index(proposed) + 1 if proposed in remedies else 0
    if after == len(possible) and disputed:
        after = 0
    return possible[after] if after < len(possible) else None


def _plays_again(side: Side, dice: Dice | None) -> Message:
    return message("then.again.move", player=side) if dice is None else message("then.again", player=side, dice=dice)
