"""Counts turns of whole games told, asked about and wrong: `python benchmarks/whole_games.py KIND [FIRST LAST]`.

Games are played on simulated tables with sets of random colours, under random cameras from wide to long lenses and from
steep to low. Each turn is moved, looked at once, judged, and accepted as it was played. The plays are an engine's best
ones, with random ones among them. KIND: points, tiles, or squares (checkers). FIRST and LAST: numbers of the games,
which are seeds. With --light LEAST MOST, every picture after the first has a light of its own (see `random_light`),
LEAST to MOST times as bright.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
from one_thread import start_in_one_thread
from random_light import in_random_light

from companion.core import FULL_ROW, BoardLayout, Dice, Finding, Side
from companion.hints.checkers import CheckersEngine
from companion.hints.network import NetworkEngine
from companion.referee.judge import judge
from companion.rules import rules_named
from vision import CalibrationError, learn_board
from vision.simulation import SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.boards import simulated_board_for
from vision.simulation.projection import BOARD_WIDTH, SimulatedView

if TYPE_CHECKING:
    from companion.core import Board, Verdict
    from vision.simulation.table import Checker

MOST_TURNS = 70
RANDOM_PLAYS = 0.3
"""Share of plays that are any legal one: they lead to positions that good players avoid."""
SIZES = (1280, 960), (800, 600), (640, 480)


def random_set(rng: np.random.Generator) -> Palette:
    """Pale checkers, and dark or coloured ones, on a board and a table of other colours; or the usual set."""

    def colour(lightness: float) -> tuple[int, int, int]:
        blue, green, red = np.clip(lightness + rng.normal(0, 18, 3), 5, 250).astype(int).tolist()
        return blue, green, red

    if rng.random() < 0.25:
        return Palette()
    return Palette(
        white=colour(rng.uniform(170, 225)),
        black=colour(rng.uniform(30, 70)),
        felt=colour(rng.uniform(60, 170)),
        points=(colour(rng.uniform(60, 200)), colour(rng.uniform(40, 150))),
        frame=colour(rng.uniform(50, 130)),
        table=colour(rng.uniform(60, 170)),
        squares=(colour(rng.uniform(40, 130)), colour(rng.uniform(150, 220))),
    )


def random_camera(rng: np.random.Generator, middle: float) -> SimulatedView:
    """A camera with an angle of view of 30 to 75 degrees that sees the board and, mostly, the pieces beside it.

    `middle`: of what it should see, along the board's width.
    """
    width, height = SIZES[rng.integers(len(SIZES))]
    tilt, angle = rng.uniform(3, 48), np.radians(rng.uniform(30, 75))
    scale = 67 * width / 1280 * rng.uniform(0.85, 0.92)
    return SimulatedView(
        width,
        height,
        tilt_deg=tilt,
        roll_deg=rng.normal(0, 1.5),
        distance=width / 2 / np.tan(angle / 2) / scale,
        scale=scale,
        target=(middle + rng.uniform(-0.45, 0.45), 5.1 - 0.02 * tilt),
    )


class Game:
    """One game on a simulated table, refereed by what the eye sees."""

    def __init__(self, kind: str, number: int, gains: tuple[float, float] | None = None) -> None:
        """`kind` of board, as in the usage; `gains`: least and most light of later pictures, None for the first one's.

        Raises CalibrationError if the board is not learned.
        """
        game, sheet = ("checkers", "acf") if kind == "squares" else ("backgammon", "standard")
        self._rng, self._light, self._gains = np.random.default_rng(number), np.random.default_rng([number, 1]), gains
        self._rules = rules_named(sheet)
        self._engine = CheckersEngine(self._rules, 0) if kind == "squares" else NetworkEngine(self._rules)
        layout = BoardLayout(kind == "tiles", kind != "squares" and bool(self._rng.random() < 0.5))
        self._places = simulated_board_for(game, layout)
        beside = 0.95 * (-1 if layout.mirrored else 1)  # borne-off checkers
        middle = BOARD_WIDTH / 2 + beside if kind == "points" else self._places.view.target[0]
        view, palette = random_camera(self._rng, middle), random_set(self._rng)
        self._table = SimulatedTable(number, game=game, layout=layout, view=view, palette=palette)
        picture, corners = self._table.render(), np.array(self._table.corners())
        self._board = learn_board(picture, game, None if kind == "squares" else kind, corners, layout.mirrored)

    def play(self) -> Counter[str]:
        """Play up to `MOST_TURNS` turns; how many were told, asked about, not read, and wrong."""
        rules, position, side = self._rules, self._rules.start(), Side.WHITE
        outcomes: Counter[str] = Counter()
        for _ in range(MOST_TURNS):
            dice = Dice(tuple(self._rng.integers(1, 7, 2).tolist())) if rules.dice_count(position, side) else None
            legal = [one for one in rules.successors(position, side, dice) if one.play]
            legal = [one for one in legal if self._can_be_laid(rules.visible(one.after))]
            if legal:
                chosen = legal[self._rng.integers(len(legal))]
                if self._rng.random() > RANDOM_PLAYS:
                    best = self._engine.rank(position, side, dice, 1).plays[0].play
                    chosen = next((one for one in legal if rules.write_play(one.play) == best), chosen)
                self._lay(rules.visible(chosen.after), side)
                picture = self._table.render()
                if self._gains is not None:
                    picture = in_random_light(picture, self._light, self._gains)
                verdict = judge(rules, position, side, dice, self._board.look(picture), done=True)
                outcomes[outcome(verdict, chosen.after)] += 1
                position = chosen.after
                self._board.confirm(picture, rules.visible(position))
                if rules.outcome(position):
                    break
            elif dice is None:
                break
            side = side.opponent
        return outcomes

    def _can_be_laid(self, board: Board) -> bool:
        """Whether there are enough pieces: a king needs a second one, which was captured before."""
        pieces = Counter(piece.side for piece in self._table.checkers())
        return all(sum(content[k] for content in board if content) <= pieces[side] for k, side in enumerate(Side))

    def _lay(self, board: Board, mover: Side) -> None:
        """Move pieces until the table holds `board`, those of the mover's opponent first, to make room."""
        for side in (mover.opponent, mover):
            k = list(Side).index(side)
            rows, cells = self._rows(side), range(len(board))
            excess = [len(rows[cell]) - (board[cell] or (0, 0))[k] for cell in cells]
            sources = [cell for cell in cells for _ in range(excess[cell])]
            targets = [cell for cell in cells for _ in range(-excess[cell])]
            beside = len(board) + k  # captured pieces lie there
            sources += [beside] * (len(targets) - len(sources))
            targets += [beside] * (len(sources) - len(targets))
            for source, target in zip(sources, targets, strict=True):
                x, y = self._places.slot(target, int(self._rng.integers(FULL_ROW)))
                self._table.drag(rows[source].pop().id, x + self._rng.uniform(-0.3, 0.3), y)

    def _rows(self, side: Side) -> defaultdict[int, list[Checker]]:
        """A side's pieces by cell, the one that is taken first last."""
        rows: defaultdict[int, list[Checker]] = defaultdict(list)
        for piece in self._table.checkers():
            if piece.side is side:
                rows[self._places.cell_at(side, piece.x, piece.y)].append(piece)
        for cell, row in rows.items():
            row.sort(key=lambda piece: self._places.place_at(cell, piece.x, piece.y, piece.layer))
        return rows


def outcome(verdict: Verdict[Any], after: object) -> str:
    """Whether a verdict on a legal play is right, a question or wrong, or the picture is not read."""
    if verdict.finding is Finding.LEGAL and verdict.after in (after, None):
        return "told"
    questions = {Finding.AMBIGUOUS: "asked about", Finding.UNREADABLE: "not read"}
    return questions.get(verdict.finding, "wrong")


def main() -> None:
    """Print a line for each game, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("points", "tiles", "squares"))
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("last", nargs="?", type=int, default=10)
    parser.add_argument("--light", nargs=2, type=float, metavar=("LEAST", "MOST"), help="random light in each picture")
    arguments = parser.parse_args()
    gains = None if arguments.light is None else (arguments.light[0], arguments.light[1])
    start_in_one_thread()
    total = Counter[str]()
    for number in range(arguments.first, arguments.last):
        try:
            outcomes = Game(arguments.kind, number, gains).play()
        except CalibrationError as error:
            print(f"game {number:4}  not learned: {error}", flush=True)
            continue
        total += outcomes
        print(f"game {number:4}  {dict(outcomes)}", flush=True)
    turns = sum(total.values())
    print(
        f"{turns} turns: " + ", ".join(f"{total[what]} {what}" for what in ("told", "asked about", "not read", "wrong"))
    )


if __name__ == "__main__":
    main()
