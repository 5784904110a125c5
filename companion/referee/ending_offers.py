"""Offers to end the game, which the opponent accepts or refuses: a resignation at a level that counts, or a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Refusal, message
from companion.game import ENDINGS, Drawn, Proposed, Remedy, Resigned, resignation_levels, resignation_score
from companion.interface import ONLY_KIND, Resigns, points_in_words
from companion.notation import OFF
from companion.referee.preconditions import refuse_while_disputed, refuse_while_not_playing
from companion.rules import BackgammonPosition, CheckersPosition

if TYPE_CHECKING:
    from companion.core import Message, Side
    from companion.game import Game
    from companion.interface import Draws
    from companion.rules import Ruleset


def offered_end(game: Game[Any], rules: Ruleset[Any], item: Resigns | Draws) -> Proposed[Any]:
    """What a player offers. Raises Refusal where that is not possible now, MatchError for an unknown level."""
    if isinstance(item, Resigns):
        if not _raises_offer(game, item):
            refuse_while_disputed(game)
        refuse_while_not_playing(game)
        return _resignation(game, rules, item)
    refuse_while_disputed(game)
    refuse_while_not_playing(game)
    if not rules.has_draws:
        raise Refusal(message("ending.no_draws"))
    return Proposed(game.proposals + 1, Remedy.DRAW, item.player, () if item.player is None else (item.player,))


def _resignation(game: Game[Any], rules: Ruleset[Any], item: Resigns) -> Proposed[Any]:
    side = item.side or game.on_roll
    if side is None:
        raise Refusal(message("ending.no_game"))
    levels = resignation_levels(game.match, rules)
    level = item.kind or _next_level(game, side, levels)
    resignation_score(game.match, rules, side, level)
    if level not in levels:
        raise Refusal(message("ending.uncounted", level=message(f"level.{level}")))
    # a tap on the shared button may be the opponent's: then the opponent's later agreement by name must not suffice
    return Proposed(game.proposals + 1, Remedy.RESIGNATION, side, (item.side,), level=level)


def _raises_offer(game: Game[Any], item: Resigns) -> bool:
    """Whether `item` raises a waiting resignation by a level."""
    proposal = game.proposal
    waits = proposal is not None and proposal.remedy is Remedy.RESIGNATION
    return waits and not item.kind and proposal is not None and proposal.by is (item.side or game.on_roll)


def accepted_end(game: Game[Any], rules: Ruleset[Any], proposal: Proposed[Any]) -> Resigned | Drawn:
    """How the game ends once the offer is accepted."""
    if proposal.remedy is Remedy.DRAW or proposal.by is None:
        return Drawn("agreement")
    score = resignation_score(game.match, rules, proposal.by, proposal.level)
    return Resigned(proposal.by, score.kind, score.points)


def worth_accepting(game: Game[Any], rules: Ruleset[Any], proposal: Proposed[Any]) -> bool:
    """Whether Boardside should accept the offered end of the game, by a rule of thumb without an engine.

    It refuses a single game while a gammon is possible (it has begun to bear off, the other has none off), and a draw
    while it has more pieces.
    """
    position, by = game.position, proposal.by
    if by is None:
        return True
    if proposal.remedy is Remedy.RESIGNATION and isinstance(position, BackgammonPosition):
        levels = resignation_levels(game.match, rules)
        return (
            proposal.level not in levels[:-1][:1] or bool(position.view(by)[OFF]) or not position.view(by.opponent)[OFF]
        )
    if proposal.remedy is Remedy.DRAW and isinstance(position, CheckersPosition):
        view = position.view(by.opponent)
        pieces = [(side.bit_count(), (side & view.kings).bit_count()) for side in (view.mine, view.theirs)]
        return pieces[0] <= pieces[1]
    return True


def offer_message(game: Game[Any], rules: Ruleset[Any]) -> Message | None:
    """What is offered, as a sentence; None where no end of the game is."""
    proposal = game.proposal
    if proposal is None:
        return None
    by = proposal.by
    if proposal.remedy is Remedy.DRAW:
        return message("draw.offered") if by is None else message("draw.offered_by", player=by)
    if proposal.remedy is not Remedy.RESIGNATION or by is None:
        return None
    points = resignation_score(game.match, rules, by, proposal.level).points
    if proposal.level == ONLY_KIND and points == 1:
        return message("resigns.game", player=by)
    return message(f"resigns.{proposal.level}", player=by, points=points_in_words(points))


def declined_message(proposal: Proposed[Any], player: Side | None, then: Message) -> Message:
    """The message that `player` declined, refused or withdrew a proposal; `then` is what follows."""
    if player is not None and player is proposal.by:
        return message("withdrawn", player=player, then=then)
    if proposal.remedy not in ENDINGS:
        return message("declined", then=then) if player is None else message("declined.by", player=player, then=then)
    return message("refused", then=then) if player is None else message("refused.by", player=player, then=then)


def _next_level(game: Game[Any], side: Side, levels: tuple[str, ...]) -> str:
    """The level above the one that `side` offers; the lowest if nothing or the highest is offered."""
    proposal = game.proposal
    offered = None if proposal is None or proposal.by is not side else proposal.level
    after = levels.index(offered) + 1 if offered in levels else 0
    return levels[after % len(levels)]
