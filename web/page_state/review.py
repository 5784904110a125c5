"""A recorded game for the page to step through: each moment with its board, words and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardLayout, Side
from companion.game import DisputeEvidence, Phase
from companion.history import MomentKind
from companion.interface import Light, Snapshot
from companion.referee import reading_message
from companion.texts import capital
from companion.views import game_over
from web.page_state.arrows import cube_state, play_arrows
from web.page_state.board import board_state, square_labels
from web.page_state.history import moment_words
from web.page_state.match import cube_words
from web.page_state.procedure import agreed_words, called, doubt_words, verdict_words
from web.page_state.turns import note_words

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from companion.core import Dice
    from companion.game import Disputed, Settled
    from companion.history import GameReview, Moment
    from web.texts import PageTexts


def game_state(game: GameReview, sheet: tuple[str, str], kept: Container[str], words: PageTexts) -> dict[str, Any]:
    """`{"number", "moments"}` of a game; `sheet`: the kind of game and the rule sheet's name.

    `kept` are the names of the pictures that may be shown.
    """
    return {"number": game.number, "moments": [moment_state(moment, sheet, kept, words) for moment in game.moments]}


def moment_state(moment: Moment, sheet: tuple[str, str], kept: Container[str], words: PageTexts) -> dict[str, Any]:
    """One moment: its title, further sentences, the board with dice and cube, and its pictures."""
    actor = _mover(moment)
    snapshot = Snapshot(
        version=0,
        phase=Phase.TO_MOVE,
        light=Light.OFF,
        game=sheet[0],
        sheet=sheet[1],
        position=moment.position,
        on_roll=actor,
        match=moment.game.match,
        names=words.names,
        layout=BoardLayout(tiles=words.tiles),
    )
    steps = [] if moment.turn is None else play_arrows(moment.turn.play, moment.turn.side, sheet[0])
    return {
        "kind": moment.kind.value,
        "entry": moment.entry,
        "player": moment.side,
        "title": title(moment, words),
        "says": list(says(moment, sheet[0], words)),
        "plays": _plays(moment, words),
        "when": moment_words(moment.at_s),
        "dice": _dice(moment),
        "cube": cube_state(moment.game.match, over=moment.game.ended is not None),
        "cube_words": "" if moment.game.ended is not None else cube_words(moment.game.match, words),
        "arrows": {"side": moment.side, "play": steps, "moved": [], "rolled": []},
        "board": {**(board_state(snapshot, words) or {}), "live": True},
        "pictures": list(_pictures(moment, kept, words)),
    }


def title(moment: Moment, words: PageTexts) -> str:
    """What happened, in a line."""
    cube = moment.game.match.cube
    match moment.kind:
        case MomentKind.OPENING:
            return _opening(moment, words)
        case MomentKind.LOT:
            return words("review.lot", play=moment.game.ballot)
        case MomentKind.TURN | MomentKind.RULING if moment.turn is not None:
            return _turn_words(moment.turn.side, moment.turn.dice, moment.turn.play, words)
        case MomentKind.ROLL:
            return words("review.to_play", player=moment.side, dice=_written(moment.dice))
        case MomentKind.FALSE_MOVE:
            return words("words.because", what=words("finding.illegal"), why=words.reason(moment.reason[0]))
        case MomentKind.DOUBLE | MomentKind.BEAVER | MomentKind.TAKE | MomentKind.PASS as kind:
            stands_at = 2 * cube if kind is MomentKind.DOUBLE else cube
            return words(f"deed.{kind}", player=moment.side, cube=stands_at)
        case _:
            return _procedure(moment, words)


def _procedure(moment: Moment, words: PageTexts) -> str:
    """The title of what the players agreed on, and of a beginning or an end."""
    match moment.kind:
        case MomentKind.DISPUTE:
            player = moment.game.on_roll
            if player is None or moment.dice is None:
                return words("review.dispute.bare")
            return words("review.dispute", player=player, dice=_written(moment.dice))
        case MomentKind.RULING:
            return _ruling(moment.settled, words)
        case MomentKind.READING if moment.reading is not None:
            return words("review.reading", reading=words.rendered(reading_message(moment.reading.verdict)))
        case MomentKind.TAKEBACK:
            return words("review.takeback")
        case MomentKind.CORRECTION:
            return words("review.correction")
        case MomentKind.END:
            return words.rendered(game_over(moment.game)[0])
        case _:
            return words("review.start")


def says(moment: Moment, game: str, words: PageTexts) -> Iterator[str]:
    """Further sentences: the verdict, what was disputed, what was agreed, the score."""
    if moment.turn is not None:
        note = note_words(moment.turn.note, words)
        yield f"{note}." if note else f"{words('finding.legal')}."
    if moment.kind is MomentKind.FALSE_MOVE and moment.reason[1]:
        yield _turn_words(moment.side, moment.dice, moment.reason[1], words)
    if moment.dispute is not None:
        yield from _dispute(moment.dispute, game, words)
    if moment.settled is not None:
        if moment.turn is not None:
            yield f"{_ruling(moment.settled, words)}."
        yield agreed_words(moment.settled, words)
    if moment.kind is MomentKind.END:
        yield from (words.rendered(line) for line in game_over(moment.game)[1:])
        white, black = moment.game.score
        yield words("review.score", first=Side.WHITE, white=white, last=Side.BLACK, black=black)


def _dispute(dispute: Disputed[Any], game: str, words: PageTexts) -> Iterator[str]:
    """Who called the referee, its verdict, and the uncertain cells."""
    evidence = dispute.evidence or DisputeEvidence()
    labels = (
        square_labels() if game == "checkers" else BoardLayout(tiles=words.tiles).numbers(dispute.side or Side.WHITE)
    )
    yield f"{called(dispute, words)}."
    yield verdict_words(dispute.verdict, words)
    yield from (f"{doubt_words(doubt, labels, words)}." for doubt in evidence.doubts)


def _plays(moment: Moment, words: PageTexts) -> dict[str, Any] | None:
    """The legal plays of a dispute; None if they are not recorded."""
    evidence = None if moment.dispute is None else moment.dispute.evidence
    if evidence is None or not evidence.plays:
        return None
    return {"title": words("verdict.legal_plays"), "plays": [words.play(play) for play in evidence.plays]}


def _ruling(settled: Settled[Any] | None, words: PageTexts) -> str:
    return "" if settled is None else words("review.ruling", ruling=words(f"remedy.{settled.ruling}"))


def _opening(moment: Moment, words: PageTexts) -> str:
    white, black = moment.opening or (0, 0)
    if moment.side is None or white == black:
        return words("review.tie", number=white)
    return words("review.opening", first=Side.WHITE, white=white, last=Side.BLACK, black=black, player=moment.side)


def _turn_words(side: Side | None, dice: Dice | None, play: str, words: PageTexts) -> str:
    played = words.play(play) or words("history.no_play")
    if dice is None:
        return words("review.move", player=side, play=played)
    return words("review.turn", player=side, dice=_written(dice), play=played)


def _written(dice: Dice | None) -> str:
    return "" if dice is None else str(dice)


def _dice(moment: Moment) -> list[dict[str, Any]]:
    if moment.opening is not None:
        return [{"number": number, "player": side} for number, side in zip(moment.opening, Side, strict=True)]
    if moment.dice is None:
        return []
    return [{"number": number, "player": _mover(moment)} for number in moment.dice.written]


def _mover(moment: Moment) -> Side | None:
    """The player whose turn it is; the side of a dispute is who called the referee."""
    return moment.game.on_roll if moment.kind is MomentKind.DISPUTE else moment.side or moment.game.on_roll


def _pictures(moment: Moment, kept: Container[str], words: PageTexts) -> Iterator[dict[str, str]]:
    """The pictures that are still stored, each with a caption."""
    before, after = moment.pictures
    captions = ("review.before", "review.after" if moment.kind is MomentKind.DISPUTE else "review.judged")
    for name, caption in zip((before, after), captions, strict=True):
        if name and name in kept:
            yield {"src": f"/matches/pictures/{name}", "caption": capital(words(caption))}
