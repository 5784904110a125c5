"""Makes the snapshot from the session's state, by pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import USUAL_LAYOUT, Cause, Finding, Side, both, joined, message
from companion.dice import DiceName
from companion.game import Phase, game_ids, opening_message
from companion.interface import Light, PositionCode, Snapshot
from companion.referee import (
    MOST_PLACES,
    double_message,
    early_message,
    early_next_message,
    seen_position,
    shown_position,
)
from companion.rules import players_agree, starter
from companion.views.dice_view import fairness_view
from companion.views.match_view import actions, game_over
from companion.views.procedure_view import (
    dispute_message,
    doubtful_cells,
    offer_views,
    proposal_message,
    proposal_view,
    reading_views,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core import BoardLayout, Message, PositionT
    from companion.game import Game
    from companion.referee import Assessment
    from companion.rules import Ruleset

FINDING_LIGHTS = {
    Finding.LEGAL: Light.GREEN,
    Finding.ILLEGAL: Light.RED,
    Finding.UNREADABLE: Light.RED,
    Finding.NOT_MOVED: Light.AMBER,
    Finding.UNFINISHED: Light.AMBER,
    Finding.AMBIGUOUS: Light.AMBER,
}


def draw(
    assessment: Assessment[PositionT],
    rules: Ruleset[PositionT],
    version: int,
    *,
    simulated: bool,
    layout: BoardLayout = USUAL_LAYOUT,
) -> Snapshot:
    """The snapshot of `assessment`."""
    game = assessment.game
    shown = seen_position(assessment, rules)
    notices = (*filter(None, (assessment.greeting,)), *standing_notice(assessment, rules))
    return Snapshot(
        version=version,
        phase=assessment.phase,
        light=light(assessment),
        game=rules.sheet.game,
        sheet=rules.sheet.name,
        number=game.number,
        position=None if game.position is None else shown_position(rules, game.position),
        seen=None if shown is None else shown.position,
        doubtful=() if shown is None else tuple(dict.fromkeys(map(rules.cell_label, shown.doubtful))),
        on_roll=game.on_roll,
        dice=game.opening if game.dice is None or game.opening is not None else game.dice.written,
        verdict=assessment.verdict,
        notice=assessment.notice or joined(notices),
        refused=assessment.refused,
        hints=assessment.ranking,
        lesson=assessment.lesson,
        opponent=assessment.opponent,
        announced=game.announced,
        dispute=game.dispute,
        proposal=proposal_view(assessment, rules),
        offers=offer_views(assessment, rules, shown),
        readings=reading_views(assessment),
        settled=game.settled,
        lost=assessment.differs if assessment.lost else None,
        doubts=doubtful_cells(assessment, rules, shown),
        match=game.match,
        early=game.early,
        ended=game.ended,
        actions=actions(assessment, rules),
        simulated=simulated,
        camera=assessment.camera,
        storage=assessment.storage,
        fairness=fairness_view(assessment, rules),
        ids=position_codes(game, rules),
        false_moves=game.false_moves.counts,
        history=game.history,
        opening=game.opening,
        log=game.log,
        earlier=game.earlier,
        names=assessment.names,
        layout=layout,
        numbered_for=game.numbered_for,
    )


def position_codes(game: Game[PositionT], rules: Ruleset[PositionT]) -> tuple[PositionCode, ...]:
    """The codes of the recorded position: Position ID, Match ID and XGID, or FEN; empty between games."""
    if game.position is None or not game.running:
        return ()
    value = rules.to_json(game.position)
    if isinstance(value, str):
        return (PositionCode("FEN", value),)
    ids = game_ids(game)
    if ids is None:
        return ()
    return (
        PositionCode("Position ID", ids.position_id),
        PositionCode("Match ID", ids.match_id),
        PositionCode("XGID", ids.xgid),
    )


def light(assessment: Assessment[PositionT]) -> Light:
    """What the status light shows."""
    phase = assessment.phase
    if assessment.camera is not None or assessment.storage is not None:
        return Light.RED
    if assessment.game.dispute is not None or assessment.game.proposal is not None:
        return Light.AMBER
    if assessment.look is None:
        return Light.AMBER if assessment.game.running else Light.OFF
    if assessment.look.unreadable is not None:
        return Light.AMBER if assessment.look.unreadable is Cause.HAND else Light.RED
    if phase is Phase.TO_MOVE and assessment.verdict is not None:
        return FINDING_LIGHTS[assessment.verdict.finding]
    if phase is Phase.OVER:
        return Light.GREEN
    if assessment.game.match.offered_by is not None:
        return Light.AMBER
    if not assessment.differs:
        return Light.BLUE
    return Light.RED if assessment.game.running else Light.AMBER


def standing_notice(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> tuple[Message, ...]:
    """What the players should do next, unless the verdict says it."""
    game, phase = assessment.game, assessment.phase
    resumed = (message("resumed"),) if assessment.resumed else ()
    in_question = proposal_message(assessment, rules) or dispute_message(game)
    if in_question is not None:
        return (*resumed, in_question)
    if phase is Phase.TO_MOVE and not assessment.lost:
        early = (*_opening(assessment), *_early(assessment))
        return (*resumed, *_turn(assessment), *early) if assessment.resumed else early
    if assessment.lost:
        return (message("lost", places=assessment.where),)
    if phase is Phase.OPENING:
        if game.running and game.opening is not None:
            number, cube, own = game.opening[0], game.match.cube, _own_dice(assessment, rules)
            tie = (
                message("opening.tie", number=number)
                if own is None
                else both(message("opening.both", number=number), own)
            )
            return (tie,) if cube == 1 else (message("cube.automatic", number=cube), tie)
        return (*game_over(game), _how_to_begin(assessment, rules))
    if phase is Phase.TO_ROLL and game.on_roll is not None:
        if game.match.offered_by is not None:
            asks_boardside = game.match.asked is assessment.opponent
            return (double_message(game.match), *(() if asks_boardside else (message("cube.answer"),)))
        opening = _opening(assessment)
        return (*resumed, *(opening or (message("sentence", what=message("then.rolls", player=game.on_roll)),)))
    if phase in (Phase.WAITING, Phase.OVER):
        return (*game_over(game), message("set_up"), *_still_wrong(assessment))
    return ()


def _opening(assessment: Assessment[PositionT]) -> tuple[Message, ...]:
    """Who rolled what for the start, until a checker is moved."""
    game, verdict = assessment.game, assessment.verdict
    moved = game.early is not None or (verdict is not None and verdict.finding is not Finding.NOT_MOVED)
    if game.opening is None or game.on_roll is None or moved or assessment.resumed:
        return ()
    return (opening_message(game.opening, kept=game.dice is not None),)


def _early(assessment: Assessment[PositionT]) -> tuple[Message, ...]:
    """What the opponent did too early; with a legal play on the board also what follows."""
    early, verdict = assessment.game.early, assessment.verdict
    if early is None:
        return ()
    legal = verdict is not None and verdict.finding is Finding.LEGAL
    return (early_message(early), early_next_message(early)) if legal else (early_message(early),)


def _how_to_begin(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Message:
    """How the next game begins."""
    if players_agree(rules.sheet):
        return message("opening.agree")
    begins, own = _starter(assessment, rules), _own_dice(assessment, rules)
    if begins is None:
        return own or message("opening.dice")
    if own is None:
        return message("opening.starter", player=begins)
    return both(message("sentence", what=message("then.rolls", player=begins)), own)


def _starter(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Side | None:
    """Who begins the next game; None if an opening roll decides."""
    return starter(rules.sheet, previous_winner=assessment.game.last_winner)


def _own_dice(assessment: Assessment[PositionT], rules: Ruleset[PositionT]) -> Message | None:
    """How the players roll their own dice for the start; None if Boardside rolls, and without dice."""
    source, decides = assessment.dice_source, _starter(assessment, rules) is None
    if not rules.dice_count(rules.start(), Side.WHITE):
        return None
    match source:
        case DiceName.BY_HAND:
            return message("dice.begin.hand") if decides else message("dice.enter")
        case DiceName.CAMERA:
            return message("dice.begin.camera") if decides else message("dice.throw")
        case _:
            return None


def _turn(assessment: Assessment[PositionT]) -> Iterator[Message]:
    """Whose turn was resumed, and where the board differs unless a legal play explains it."""
    game, verdict = assessment.game, assessment.verdict
    if game.on_roll is not None:
        plays = message("then.moves", player=game.on_roll)
        if game.dice is not None:
            plays = message("then.has", player=game.on_roll, dice=game.dice)
        yield message("sentence", what=plays)
    if verdict is not None and verdict.finding in (Finding.ILLEGAL, Finding.AMBIGUOUS) and assessment.differs:
        yield message("sentence", what=message("differs.turn", places=assessment.where))


def _still_wrong(assessment: Assessment[PositionT]) -> tuple[Message, ...]:
    if not assessment.readable or not 0 < len(assessment.differs) <= MOST_PLACES:
        return ()
    return (message("set_up.not_yet", places=assessment.where),)
