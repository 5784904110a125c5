"""Write the three-move ballot: the first three moves after which neither side has lost anything.

Every legal sequence of three moves from the starting position is played by the rules; of several that lead to the same
position the first counts. The embedded search looks at each position, and those in which it finds a side ahead by
`LOST_MEN` or more are left out. The list depends on nothing else, so that running this again writes the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.hints.checkers import CheckersEngine
from companion.rules import rules_named
from companion.rules.checkers.openings import BALLOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.rules import CheckersPosition

RULES = rules_named("acf")
MOVES = 3
LEVEL = 1
"""Level of the search: six plies and the captures after them."""
LOST_MEN = 0.6
"""A lost man counts at least 1; the search's other terms (the centre, advanced men) stay below 0.5 here."""

HEAD = """# Three-move ballot of English draughts: {count} openings, Black's move first.
# Written by `python -m training.ballot`: all legal sequences of three moves, one for each position, without those after
# which Boardside's own search (level {level}) finds a side ahead by {lost} men or more.
openings = [
"""


def main() -> None:
    """Write the file and print how many openings there are."""
    found: dict[CheckersPosition, str] = {}
    for position, opening in sequences(RULES.start(), MOVES):
        found.setdefault(position, opening)
    engine = CheckersEngine(RULES, LEVEL)
    kept = [opening for position, opening in found.items() if abs(lead(engine, position)) < LOST_MEN]
    lines = "".join(f'    "{opening}",\n' for opening in kept)
    BALLOT.write_text(HEAD.format(count=len(kept), lost=LOST_MEN, level=LEVEL) + lines + "]\n", encoding="utf-8")
    print(f"{len(found)} positions after {MOVES} moves, {len(kept)} of them in {BALLOT}")


def sequences(position: CheckersPosition, moves: int, before: str = "") -> Iterator[tuple[CheckersPosition, str]]:
    """Every position after a number of moves, with the moves that lead there."""
    for successor in sorted(RULES.successors(position, position.to_move), key=lambda one: RULES.write_play(one.play)):
        opening = f"{before} {RULES.write_play(successor.play)}".strip()
        if moves > 1:
            yield from sequences(successor.after, moves - 1, opening)
        else:
            yield successor.after, opening


def lead(engine: CheckersEngine, position: CheckersPosition) -> float:
    """How many men the side to move is ahead after its best move; a forced move is played first."""
    successors = RULES.successors(position, position.to_move)
    if len(successors) == 1:
        return -lead(engine, successors[0].after)
    return engine.rank(position, position.to_move, None, 1).plays[0].equity


if __name__ == "__main__":
    main()
