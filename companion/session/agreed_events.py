"""The one event by which an agreed proposal takes effect, and the play that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Refusal, message
from companion.game import ENDINGS, SET_UP_WRONG, Corrected, Ended, Phase, Played, ReadAs, Remedy, Ruled, TakenBack
from companion.referee import accepted_end, ended_by_play

if TYPE_CHECKING:
    from companion.core import Dice, PositionT, Side
    from companion.game import Event, Game, Proposed, Taps
    from companion.rules import Ruleset


def agreed_event(
    game: Game[PositionT], rules: Ruleset[PositionT], proposal: Proposed[PositionT], taps: Taps
) -> Event[PositionT]:
    """The event of the remedy in `proposal`, agreed to by `taps`."""
    remedy, after = proposal.remedy, proposal.position
    if remedy in ENDINGS:
        return accepted_end(game, rules, proposal)
    if remedy is Remedy.SET_UP:
        return Ended(None, 0, SET_UP_WRONG)
    if remedy is Remedy.TAKEBACK:
        over = game.ended is not None
        return TakenBack(taps, turn=not over or ended_by_play(game, rules), end=over)
    played = game.phase is Phase.TO_MOVE and (remedy is not Remedy.POSITION or proposal.turn_over)
    if after is not None:
        after = rules.with_turn(after, next_on_roll(game, turn_over=played))[0]
    if remedy is Remedy.POSITION and after is not None:
        if played:
            return _played(game, rules, after, taps)
        return Corrected(after, game.on_roll, taps, proposal.why, dice_stay=game.phase is Phase.TO_MOVE)
    if proposal.reading is not None:
        return ReadAs(proposal.reading, taps)
    number = 0 if game.dispute is None else game.dispute.number
    if played and after is not None and not proposal.play:
        play, _, reached = _play_to(game, rules, after)
        return Ruled(number, reached, remedy, taps, play)
    return Ruled(number, after, remedy, taps, proposal.play)


def after_play(rules: Ruleset[PositionT], before: PositionT, side: Side, dice: Dice | None, play: str) -> PositionT:
    """The position after a legal play that players name. Raises Refusal if it is none."""
    legal = rules.find_play(before, side, dice, play)
    if legal is None:
        raise Refusal(message("ruling.no_play", play=play))
    return legal.after


def next_on_roll(game: Game[PositionT], *, turn_over: bool) -> Side | None:
    """The player on roll, or their opponent if the turn is over."""
    side = game.on_roll
    return side.opponent if side is not None and turn_over else side


def _played(game: Game[PositionT], rules: Ruleset[PositionT], after: PositionT, taps: Taps) -> Event[PositionT]:
    """The turn that ends in a position the players agree on."""
    play, reason, after = _play_to(game, rules, after)
    if game.dispute is not None:
        return Ruled(game.dispute.number, after, Remedy.POSITION, taps, play)
    assert game.on_roll is not None  # noqa: S101 - dice lie
    return Played(game.on_roll, play, after, reason)


def _play_to(game: Game[PositionT], rules: Ruleset[PositionT], after: PositionT) -> tuple[str, str | None, PositionT]:
    """The play that leads to `after`, as far as it can be written, and why it is not legal.

    After a legal play the position comes from the rules: a camera or a player may have confused kings and men.
    """
    if game.position is None or game.on_roll is None:
        return "", None, after
    verdict = rules.explain(game.position, game.on_roll, game.dice, rules.visible(after), done=True)
    if verdict.play is not None and verdict.after is not None:
        return verdict.play, None, verdict.after
    return verdict.made or "", verdict.reason, after
