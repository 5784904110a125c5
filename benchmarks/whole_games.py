"""Counts turns of whole games told, asked about and wrong: `python benchmarks/whole_games.py [FIRST LAST]`.

Games of backgammon are played on simulated tables with sets of random colours, under random cameras from wide to long
lenses and from steep to low. Each turn is moved, looked at once, judged, and accepted as it was played. The plays are
the embedded engine's best ones, with random ones among them. FIRST and LAST: numbers of the games, which are seeds.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from one_thread import start_in_one_thread

from companion.core import FULL_ROW, BoardLayout, Dice, Finding, Side
from companion.hints.network import NetworkEngine
from companion.notation import BAR, OFF
from companion.referee.judge import judge
from companion.rules import rules_named
from companion.rules.backgammon.position import cell_of_point
from vision import CalibrationError, learn_board
from vision.simulation import SimulatedTable
from vision.simulation.background import Palette
from vision.simulation.boards import simulated_board_for
from vision.simulation.projection import BOARD_WIDTH, SimulatedView

if TYPE_CHECKING:
    from companion.core import Play, Verdict
    from companion.rules import Ruleset
    from vision.simulation.table import Checker

MOST_TURNS = 70
RANDOM_PLAYS = 0.3
"""Share of plays that are any legal one: they lead to positions that good players avoid."""
SIZES = (1280, 960), (800, 600), (640, 480)


def random_set(rng: np.random.Generator) -> Palette:
    """Pale checkers, and dark or coloured ones, on a bed, points and a table of other colours; or the usual set."""

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
    )


def random_camera(rng: np.random.Generator, towards: int) -> SimulatedView:
    """A camera with an angle of view of 30 to 75 degrees that sees the board and, mostly, borne-off checkers.

    `towards`: the side on which these lie, -1 or 1.
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
        target=(BOARD_WIDTH / 2 + towards * rng.uniform(0.5, 1.4), 5.1 - 0.02 * tilt),
    )


class Game:
    """One game on a simulated table, refereed by what the eye sees."""

    def __init__(self, rules: Ruleset[Any], number: int) -> None:
        """Raises CalibrationError if the board is not learned."""
        self._rng = np.random.default_rng(number)
        self._rules, self._engine = rules, NetworkEngine(rules)
        layout = BoardLayout(mirrored=bool(self._rng.random() < 0.5))
        view, palette = random_camera(self._rng, -1 if layout.mirrored else 1), random_set(self._rng)
        self._places = simulated_board_for("backgammon", layout)
        self._table = SimulatedTable(number, layout=layout, view=view, palette=palette)
        picture, corners = self._table.render(), np.array(self._table.corners())
        self._board = learn_board(picture, "backgammon", corners=corners, mirror=layout.mirrored)

    def play(self) -> Counter[str]:
        """Play up to `MOST_TURNS` turns; how many were told, asked about, not read, and wrong."""
        rules, position, side = self._rules, self._rules.start(), Side.WHITE
        outcomes: Counter[str] = Counter()
        for _ in range(MOST_TURNS):
            dice = Dice(tuple(self._rng.integers(1, 7, 2).tolist()))
            legal = [one for one in rules.successors(position, side, dice) if one.play]
            if legal:
                chosen = legal[self._rng.integers(len(legal))]
                if self._rng.random() > RANDOM_PLAYS:
                    best = self._engine.rank(position, side, dice, 1).plays[0].play
                    chosen = next(one for one in legal if rules.write_play(one.play) == best)
                self._move(chosen.play, side)
                picture = self._table.render()
                verdict = judge(rules, position, side, dice, self._board.look(picture), done=True)
                outcomes[outcome(verdict, chosen.after)] += 1
                position = chosen.after
                self._board.confirm(picture, rules.visible(position))
                if rules.outcome(position):
                    break
            side = side.opponent
        return outcomes

    def _move(self, play: Play, side: Side) -> None:
        for step in play:
            source, target = cell_of_point(step.source, side), cell_of_point(step.target, side)
            hit = self._checkers(target, side.opponent)
            if step.target not in (BAR, OFF) and len(hit) == 1:
                self._carry(hit, cell_of_point(BAR, side.opponent))
            self._carry(self._checkers(source, side), target)

    def _checkers(self, cell: int, side: Side) -> list[Checker]:
        """The checkers of a side in a cell, the one that is taken first last."""
        own = [c for c in self._table.checkers() if c.side is side and self._places.cell_at(side, c.x, c.y) == cell]
        return sorted(own, key=lambda c: self._places.place_at(cell, c.x, c.y, c.layer))

    def _carry(self, row: list[Checker], cell: int) -> None:
        """Move the last checker of a row to another cell, where it is released at random."""
        x, y = self._places.slot(cell, int(self._rng.integers(FULL_ROW)))
        self._table.drag(row[-1].id, x + self._rng.uniform(-0.3, 0.3), y)


def outcome(verdict: Verdict[Any], after: object) -> str:
    """Whether a verdict on a legal play is right, a question or wrong, or the picture is not read."""
    if verdict.finding is Finding.LEGAL and verdict.after in (after, None):
        return "told"
    questions = {Finding.AMBIGUOUS: "asked about", Finding.UNREADABLE: "not read"}
    return questions.get(verdict.finding, "wrong")


def main() -> None:
    """Print a line for each game, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", nargs="?", type=int, default=0)
    parser.add_argument("last", nargs="?", type=int, default=10)
    arguments = parser.parse_args()
    start_in_one_thread()
    rules, total = rules_named("standard"), Counter[str]()
    for number in range(arguments.first, arguments.last):
        try:
            outcomes = Game(rules, number).play()
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
