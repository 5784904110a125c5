"""What the table shows at one moment: the session publishes it; page, lights and speech show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core import USUAL_LAYOUT, WHITE_AND_BLACK, BoardMarks, Side

if TYPE_CHECKING:
    from companion.core import BoardLayout, Message, Names, Verdict
    from companion.game import Disputed, DoubtfulCell, Early, Ended, GameLog, Match, Phase, Settled, Turn
    from companion.hints import Lesson, Ranking
    from companion.interface.snapshot_parts import (
        ClockView,
        FairnessView,
        Light,
        OfferView,
        PositionCode,
        PossibleAction,
        ProposalView,
        ReadingView,
        SpokenLine,
    )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything the page, the lights, the clock and the announcer show; plays are in standard notation.

    Attributes:
        version: rises by one with each snapshot.
        phase, light: the phase of the evening, and what the status light shows.
        game, sheet: which game is refereed by which rule sheet.
        number: number of the game at this table, from 1; 0 before the first.
        position: position of record at the start of the turn.
        seen: the position last read from the board, None while it cannot be read.
        doubtful: points (White's numbers), "bar" or "off" of `seen` that are uncertain.
        on_roll: who rolls or moves; None before the opening roll.
        dice: numbers rolled, in the order in which they are shown: the larger first, but White's die of an opening
            roll.
        verdict: on the board; None if there is nothing to judge.
        notice: a text about the table itself, such as why Roll did nothing.
        refused: how many taps were refused since the start.
        hints: the best plays and the advice on the cube; None when not asked for.
        lesson: what the last play gave away, where the table has a tutor.
        opponent: the side that Boardside itself plays; None: neither.
        announced: the play that it makes in this turn; None before its choice.
        dispute: the open dispute, while the Referee view is open.
        proposal: what waits for both players to agree.
        offers: what may be proposed now, or why it may not.
        readings: the readings that the picture leaves, where the players may say which is on the board.
        settled: the settled disputes of this game, oldest first.
        lost: the cells that differ, if the board fits no reading of the game; else None.
        doubts: the cells that are not certain.
        match: the match or series, with its score and the cube; None before the session's first snapshot.
        early: what a player did before the other's turn was over, and which counts.
        ended: how the last game ended, until the next begins.
        actions: what the players may do besides the three buttons.
        picture: version number of the camera picture; rises when the picture changes.
        simulated: whether the table is a simulated one (the page then shows draggable checkers and a panel).
        camera: the fault of the camera; None without one.
        storage: why nothing can be recorded, for which the game waits; None if it can.
        fairness: the dice of the evening; None in a game without dice.
        clock: the chess clock; None without one.
        ids: the present position in notations that other programs can open.
        spoken: the last lines said aloud, oldest first.
        false_moves: how many false moves White and Black have made in the match or series.
        history: the turns of the game, oldest first.
        opening: the opening roll, (White's, Black's) die, until a turn is played.
        log: all entries of the game; `earlier` are the logs of finished games of the match or evening.
        names: what the players are called.
        layout: the board's layout, and whether it is laid from tiles.
        numbered_for: whose point numbers are used; None: those of the player on roll, else White's.
        analysis: the last game's errors and luck, or the progress of the analysis, until the next game begins.
    """

    version: int
    phase: Phase
    light: Light
    game: str
    sheet: str
    number: int = 0
    position: dict[str, Any] | None = None
    seen: dict[str, Any] | None = None
    doubtful: tuple[int | str, ...] = ()
    on_roll: Side | None = None
    dice: tuple[int, ...] | None = None
    verdict: Verdict[Any] | None = None
    notice: Message | None = None
    refused: int = 0
    hints: Ranking | None = None
    lesson: Lesson | None = None
    opponent: Side | None = None
    announced: str | None = None
    dispute: Disputed[Any] | None = None
    proposal: ProposalView | None = None
    offers: tuple[OfferView, ...] = ()
    readings: tuple[ReadingView, ...] = ()
    settled: tuple[Settled[Any], ...] = ()
    lost: tuple[int, ...] | None = None
    doubts: tuple[DoubtfulCell, ...] = ()
    match: Match | None = None
    early: Early | None = None
    ended: Ended | None = None
    actions: tuple[PossibleAction, ...] = ()
    picture: int = 0
    simulated: bool = False
    camera: Message | None = None
    storage: Message | None = None
    fairness: FairnessView | None = None
    clock: ClockView | None = None
    ids: tuple[PositionCode, ...] = ()
    spoken: tuple[SpokenLine, ...] = ()
    false_moves: tuple[int, int] = (0, 0)
    history: tuple[Turn, ...] = ()
    opening: tuple[int, int] | None = None
    log: GameLog | None = None
    earlier: tuple[GameLog, ...] = ()
    names: Names = WHITE_AND_BLACK
    layout: BoardLayout = USUAL_LAYOUT
    numbered_for: Side | None = None
    analysis: tuple[Message, ...] = ()

    @property
    def tiles(self) -> bool:
        """Whether the board is laid from tiles: its points are then called spaces, counted forward."""
        return self.layout.tiles

    @property
    def point_numbers(self) -> tuple[int, ...]:
        """The present numbers of the points, White's 1 point first."""
        return self.layout.numbers(self.numbered_for or self.on_roll or Side.WHITE)

    @property
    def cells_in_question(self) -> tuple[int, ...]:
        """The cells in which a lost board differs, else the cells that the verdict names."""
        if self.lost is not None:
            return self.lost
        return () if self.verdict is None else self.verdict.cells

    @property
    def marks(self) -> BoardMarks:
        """Marks drawn over the camera's picture in addition to the reading."""
        return BoardMarks(self.point_numbers, self.cells_in_question)

    @property
    def score(self) -> tuple[int, int] | None:
        """Points of the match or series, (White's, Black's); None without a match."""
        return None if self.match is None else self.match.score

    @property
    def offered_by(self) -> Side | None:
        """Who has doubled and waits for the answer; None if no double waits."""
        return None if self.match is None else self.match.offered_by
