"""What the players may agree on now: every remedy with its words, or with the reason why it cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from companion.core import Finding, PositionT, name
from companion.game import Phase, Remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.game import Game
    from companion.referee.assessment import Assessment
    from companion.rules import Ruleset

ENTERED, LOST = "misread", "lost"
"""Why a position was agreed on: a player entered what the camera misread, or what it saw fitted no play."""

NOT_CERTAIN = "what stands on the board is not certain"


@dataclass(frozen=True, slots=True)
class Offer(Generic[PositionT]):
    """A remedy that may be proposed.

    Attributes:
        remedy: which.
        words: what happens if both agree, as the end of a sentence.
        position: what then stands; None where that does not change.
        refused: why it cannot be, as the end of a sentence; None where it can.
    """

    remedy: Remedy
    words: str
    position: PositionT | None = None
    refused: str | None = None


def offers(
    standing: Assessment[PositionT], rules: Ruleset[PositionT], seen: PositionT | None
) -> tuple[Offer[PositionT], ...]:
    """All remedies of this moment, in the order in which the Referee button goes through them.

    `seen` is the position that now certainly stands on the board.
    """
    game = standing.game
    if game.position is None or (game.running and game.on_roll is None):
        return ()
    found = [*_rulings(game), takeback(game, rules)]
    if game.running:
        found.append(_position(game, rules, seen))
    return tuple(found)


def _rulings(game: Game[PositionT]) -> Iterator[Offer[PositionT]]:
    dispute = game.dispute
    if dispute is None or not game.running:
        return
    seen, unsure = dispute.seen, None if dispute.evidence is None else dispute.evidence.unsure
    uncertain = None if seen is not None else unsure or NOT_CERTAIN
    if game.phase is not Phase.TO_MOVE:
        yield Offer(Remedy.CORRECTED, "the board is put right, as the game has it")
        yield Offer(Remedy.STANDS, f"what stood there counts: {_to_roll(game)}", seen, uncertain)
        return
    anew, mover = _plays(game, "anew"), _mover(game)
    yield Offer(Remedy.CORRECTED, f"the play is put right, and {anew}")
    yield Offer(Remedy.STANDS, f"what stood there counts as {mover}’s play", seen, uncertain)
    if dispute.verdict is not None and dispute.verdict.finding is Finding.LEGAL:
        yield Offer(Remedy.OVERRULED, f"the referee is overruled: the play is not legal, and {anew}")
    else:
        yield Offer(
            Remedy.OVERRULED, f"the referee is overruled: what stood there is a play of {mover}’s", seen, uncertain
        )


def takeback(game: Game[PositionT], rules: Ruleset[PositionT]) -> Offer[PositionT]:
    """Taking the last turn back, or what ended the game."""
    if game.ended is not None and not ended_by_play(game, rules):
        refused = None if game.before_end is not None else "how the game stood before its end is not known"
        return Offer(Remedy.TAKEBACK, "the end of the game is taken back, and it goes on", refused=refused)
    if not game.history:
        return Offer(Remedy.TAKEBACK, "the last turn is taken back", refused="no turn has been played in this game")
    last = game.history[-1]
    dice = "" if last.dice is None else f" {last.dice}"
    words = f"{name(last.side)}’s {last.play or 'turn'} is taken back, and {name(last.side)} plays{dice} again"
    match = game.match if game.before_end is None else game.before_end.match
    refused = None
    if match.offered_by is not None or match.cube != last.cube:
        refused = "the cube was turned since that turn"
    elif last.before is None:
        refused = "how it began is not in the record"
    return Offer(Remedy.TAKEBACK, words, refused=refused)


def ended_by_play(game: Game[PositionT], rules: Ruleset[PositionT]) -> bool:
    """Whether the game that is over was won on the board."""
    return game.ended is not None and game.position is not None and rules.outcome(game.position) is not None


def _position(game: Game[PositionT], rules: Ruleset[PositionT], seen: PositionT | None) -> Offer[PositionT]:
    """The game goes on from what stands there, with the same player on roll."""
    words = f"what stands there is the position, and {goes_on(game, turn_over=False)}"
    refused = None
    if seen is None:
        refused = NOT_CERTAIN
    elif game.position is not None and rules.visible(seen) == rules.visible(game.position):
        refused = "the board stands as the game has it"
    return Offer(Remedy.POSITION, words, seen, refused)


def goes_on(game: Game[PositionT], *, turn_over: bool) -> str:
    """What comes after an agreed position."""
    if game.phase is not Phase.TO_MOVE:
        return _to_roll(game)
    if not turn_over:
        return _plays(game, "from it")
    side = None if game.on_roll is None else game.on_roll.opponent
    verb = "is to roll" if game.rolls else "is to move"
    return f"{'nobody' if side is None else name(side)} {verb}"


def next_offer(
    found: tuple[Offer[PositionT], ...], proposed: Remedy | None, *, disputed: bool
) -> Offer[PositionT] | None:
    """The offer that a tap on Referee comes to after `proposed`; None after the last, where no dispute is open."""
    possible = [offer for offer in found if offer.refused is None]
    remedies = [offer.remedy for offer in possible]
    after = remedies.index(proposed) + 1 if proposed in remedies else 0
    if after == len(possible) and disputed:
        after = 0
    return possible[after] if after < len(possible) else None


def _mover(game: Game[PositionT]) -> str:
    return name(game.on_roll) if game.on_roll is not None else "Nobody"


def _plays(game: Game[PositionT], how: str) -> str:
    return f"{_mover(game)} plays" + ("" if game.dice is None else f" {game.dice}") + f" {how}"


def _to_roll(game: Game[PositionT]) -> str:
    return f"{_mover(game)} is to roll"
