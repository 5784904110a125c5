"""What the session knows, and the snapshot that is drawn from it: pure functions from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from companion.lines import verdict_to_json
from companion.model import BoardsideError, Cause, Finding, PositionT, Side, Verdict
from companion.observation import (
    BLACK_BAR,
    BLACK_OFF,
    WHITE_BAR,
    WHITE_OFF,
    Board,
    Observation,
)
from companion.snapshot import Light, Phase, Snapshot

if TYPE_CHECKING:
    from companion.game import Game
    from companion.hints import Ranking
    from companion.rules.ruleset import Ruleset

DOUBTFUL_NATS = 3.0
"""A cell whose best content is less than e³, some twenty times, likelier than the next is shown as doubtful."""
DIFFERS_NATS = 6.0
"""A cell differs from what is expected where the camera finds the expected content e⁶, some 400 times, less likely
than the best: the board is known here, so a slight doubt must not stop the game."""

FINDING_LIGHTS = {
    Finding.LEGAL: Light.GREEN,
    Finding.ILLEGAL: Light.RED,
    Finding.UNREADABLE: Light.RED,
    Finding.NOT_MOVED: Light.AMBER,
    Finding.UNFINISHED: Light.AMBER,
    Finding.AMBIGUOUS: Light.AMBER,
}


@dataclass(frozen=True, slots=True)
class Standing(Generic[PositionT]):
    """Everything the session knows at one moment.

    Attributes:
        game: the game as recorded.
        look: the last settled look at the board; None while something moves or nothing was seen yet.
        verdict: with dice on the table, the referee's answer to `look`.
        differs: without dice, the cells in which `look` differs from the position expected to stand there.
        notice: what was said about the last tap; None where there is nothing to say.
        resumed: the game was taken up from the record and nobody has rolled since.
        greeting: what is to be said until somebody rolls.
        ranking: the hints asked for.
        camera: what is the matter with the camera.
    """

    game: Game[PositionT]
    look: Observation | None = None
    verdict: Verdict[PositionT] | None = None
    differs: tuple[int, ...] = ()
    notice: str | None = None
    resumed: bool = False
    greeting: str | None = None
    ranking: Ranking | None = None
    camera: str | None = None

    @property
    def readable(self) -> bool:
        """Whether a settled look can be read."""
        return self.look is not None and self.look.unreadable is None

    @property
    def phase(self) -> Phase:
        """Where the evening stands: between games the board says whether the next one can begin."""
        phase = self.game.phase
        between = phase in (Phase.WAITING, Phase.OVER)
        return Phase.OPENING if between and self.readable and not self.differs else phase


def differing(observation: Observation, expected: Board) -> tuple[int, ...]:
    """The cells whose content is not the expected one; a cell not seen, or not expected to be known, never differs."""
    return tuple(
        cell
        for cell, (reading, content) in enumerate(zip(observation.cells, expected, strict=True))
        if content is not None and reading.log_likelihood(content) < -DIFFERS_NATS
    )


def cell_name(cell: int) -> int | str:
    """A cell as players call it: the point in White's numbers, "bar" or "off"."""
    if cell < WHITE_BAR:
        return cell + 1
    return "bar" if cell in (WHITE_BAR, BLACK_BAR) else "off"


def in_words(cells: tuple[int, ...]) -> str:
    """Cells as a list in words: "points 6 and 8 and the bar" (White's numbers)."""
    points = [str(cell_name(cell)) for cell in cells if cell < WHITE_BAR]
    words = [("point " if len(points) == 1 else "points ") + ", ".join(points)] if points else []
    places = dict.fromkeys(cell_name(cell) for cell in cells if cell >= WHITE_BAR)
    words += ["the bar" if place == "bar" else "what is borne off" for place in places]
    return " and ".join(words)


def draw(standing: Standing[PositionT], rules: Ruleset[PositionT], version: int, *, simulated: bool) -> Snapshot:
    """The snapshot of `standing`."""
    game = standing.game
    position = None if game.position is None else rules.to_json(game.position)
    return Snapshot(
        version=version,
        phase=standing.phase,
        light=light(standing),
        game=rules.sheet.game,
        sheet=rules.sheet.name,
        position=position,
        seen=_seen(standing, position),
        doubtful=_doubtful(standing.look),
        on_roll=game.on_roll,
        dice=_dice(game),
        verdict=None if standing.verdict is None else verdict_json(standing.verdict),
        notice=standing.notice or " ".join(filter(None, (standing.greeting, standing_notice(standing)))) or None,
        hints=None if standing.ranking is None else _hints(standing.ranking),
        hint_engine=None if standing.ranking is None else standing.ranking.engine,
        dispute=_dispute(game, rules),
        score={"white": game.score[0], "black": game.score[1]},
        simulated=simulated,
        camera=standing.camera,
        history=tuple(
            {"player": str(turn.side), "dice": list(turn.dice.values), "play": turn.play, "note": turn.note}
            for turn in game.history
        ),
    )


def light(standing: Standing[PositionT]) -> Light:
    """What the status light shows."""
    phase = standing.phase
    if standing.camera is not None:
        return Light.RED
    if standing.look is None:
        return Light.AMBER if standing.game.running else Light.OFF
    if standing.look.unreadable is not None:
        return Light.AMBER if standing.look.unreadable is Cause.HAND else Light.RED
    if phase is Phase.TO_MOVE and standing.verdict is not None:
        return FINDING_LIGHTS[standing.verdict.finding]
    if phase is Phase.OVER:
        return Light.GREEN
    if not standing.differs:
        return Light.BLUE
    return Light.RED if standing.game.running else Light.AMBER


def standing_notice(standing: Standing[PositionT]) -> str | None:
    """What the players are to do next, where the verdict does not say it."""
    game, phase = standing.game, standing.phase
    if standing.resumed and phase is Phase.TO_MOVE and game.on_roll is not None:
        return f"The game stands where it stood: {name(game.on_roll)} to play {game.dice}."
    if game.running and standing.readable and standing.differs:
        return (
            f"The board differs from the game on {in_words(standing.differs)}: put that right, "
            "or tap Referee to let what stands there count."
        )
    if phase is Phase.OPENING:
        if game.running and game.opening is not None:
            return f"{game.opening[0]}-{game.opening[1]}, a tie: tap Roll again."
        return (
            _over(game) + "Tap Roll: one die each for the start." if not game.running or game.on_roll is None else None
        )
    if phase is Phase.TO_ROLL and game.on_roll is not None:
        begin = "The game stands where it stood: " if standing.resumed else ""
        return f"{begin}{name(game.on_roll)} is to roll."
    if phase in (Phase.WAITING, Phase.OVER):
        return _over(game) + "Set up the starting position, then tap Roll." + _still_wrong(standing)
    return None


def name(side: Side) -> str:
    """The player's name at the head of a sentence."""
    return side.capitalize()


def position_seen(standing: Standing[PositionT], rules: Ruleset[PositionT]) -> PositionT | None:
    """The position that stands on the board, where that is certain; borne-off checkers out of view are counted out."""
    if standing.verdict is not None and standing.verdict.after is not None:
        return standing.verdict.after
    game, look = standing.game, standing.look
    if look is None or game.position is None or not standing.readable or _doubtful(look):
        return None
    try:
        return rules.from_json(_seen(standing, rules.to_json(game.position)))
    except BoardsideError:
        return None


def verdict_json(verdict: Verdict[PositionT]) -> dict[str, Any]:
    """A verdict as the page gets it."""
    cause = None if verdict.cause is None else str(verdict.cause)
    return {**verdict_to_json(verdict), "cells": list(verdict.cells), "cause": cause}


def _over(game: Game[PositionT]) -> str:
    """Who won the game just ended, with a blank behind it; empty where none has ended."""
    if game.ended is None:
        return ""
    if game.ended.winner is None:
        return "The game was left unfinished. "
    points = "1 point" if game.ended.points == 1 else f"{game.ended.points} points"
    return f"{name(game.ended.winner)} wins: {game.ended.kind}, {points}. "


def _still_wrong(standing: Standing[PositionT]) -> str:
    few = 6
    if not standing.readable or not 0 < len(standing.differs) <= few:
        return ""
    return f" Not yet right: {in_words(standing.differs)}."


def _seen(standing: Standing[PositionT], position: dict[str, Any] | None) -> dict[str, Any] | None:
    """The likeliest content of every cell, in the interface's form; borne-off checkers out of view are counted out."""
    if standing.look is None or not standing.readable:
        return None
    best = [reading.best for reading in standing.look.cells]
    shown = [content or (0, 0) for content in best]
    off = [_off(best[cell], shown, side, position) for side, cell in enumerate((WHITE_OFF, BLACK_OFF))]
    return {
        "points": [list(c) if all(c) else c[0] - c[1] for c in shown[:WHITE_BAR]],
        "bar": [shown[WHITE_BAR][0], shown[BLACK_BAR][1]],
        "off": off,
    }


def _off(seen: tuple[int, int] | None, shown: list[tuple[int, int]], side: int, position: dict[str, Any] | None) -> int:
    """How many checkers of `side` (0 White, 1 Black) are off: as seen, else as many as are missing from the board."""
    if seen is not None:
        return seen[side]
    if position is None:
        return 0
    sign = -1 if side else 1
    total = sum(max(sign * count, 0) for count in position["points"]) + position["bar"][side] + position["off"][side]
    return max(int(total) - sum(content[side] for content in shown), 0)


def _doubtful(look: Observation | None) -> tuple[int | str, ...]:
    if look is None:
        return ()
    doubtful = (cell_name(cell) for cell, reading in enumerate(look.cells) if reading.margin_nats < DOUBTFUL_NATS)
    return tuple(dict.fromkeys(doubtful))


def _dice(game: Game[PositionT]) -> tuple[int, ...] | None:
    if game.dice is not None:
        return game.dice.values
    return game.opening


def _hints(ranking: Ranking) -> tuple[dict[str, Any], ...]:
    best = ranking.plays[0].equity if ranking.plays else 0.0
    return tuple({"play": p.play, "equity": p.equity, "gives_away": best - p.equity} for p in ranking.plays)


def _dispute(game: Game[PositionT], rules: Ruleset[PositionT]) -> dict[str, Any] | None:
    dispute = game.dispute
    if dispute is None:
        return None
    plays: list[str] = []
    if game.position is not None and game.on_roll is not None and game.dice is not None:
        plays = [rules.write_play(s.play) for s in rules.successors(game.position, game.on_roll, game.dice)]
    return {
        "id": dispute.number,
        "before": dispute.before,
        "after": dispute.after,
        "dice": None if game.dice is None else list(game.dice.values),
        "player": dispute.side,
        "plays": plays,
        "verdict": dispute.verdict,
    }
