"""Times the analysis of a game by each engine: `python benchmarks/analysis.py`.

Processor seconds of Boardside and the engine together. The ratio compares them with generating the legal plays of all
21 rolls at every turn of the game, in the same run, so that figures of different machines can be compared.
"""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import with_test_support  # noqa: F401
from analysed import MATCHES, games_of

from companion.analysis.engine_analyst import ROLLS, EngineAnalyst
from companion.analysis.finished_games import TurnTaken
from companion.analysis.gnubg_analyst import GnubgAnalyst
from companion.core import Dice
from companion.hints import choose_engine, find_gnubg
from companion.rules import rules_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.analysis.finished_games import FinishedGame

RULES = rules_named("tournament")


def processor_s(work: Callable[[], object]) -> float:
    """Processor seconds of this process and of the children that ended in it."""
    began = _used_s()
    work()
    return _used_s() - began


def _used_s() -> float:
    own, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def all_plays(game: FinishedGame) -> None:
    """Generate the legal plays of all rolls at every turn."""
    for action in game.actions:
        if isinstance(action, TurnTaken):
            for roll in ROLLS:
                RULES.successors(action.before, action.side, Dice(roll))


def by_gnubg(game: FinishedGame, plies: int) -> None:
    """Analyse with gnubg, which ends."""
    analyst = GnubgAnalyst(RULES, plies)
    analyst.analyse(game, lambda *_: None)
    analyst.close()


def main() -> None:
    """Print a table."""
    _, games = games_of((MATCHES / "to-7.mat").read_text(encoding="utf-8"), "tournament")
    game = games[0]
    turns = sum(isinstance(action, TurnTaken) for action in game.actions)
    embedded = EngineAnalyst(RULES, choose_engine(RULES, "embedded"), choose_engine(RULES, "embedded", 0))
    works: dict[str, Callable[[], object]] = {
        "legal plays of all rolls": lambda: all_plays(game),
        "built-in engine": lambda: embedded.analyse(game, lambda *_: None),
    }
    if find_gnubg() is not None:
        works |= {f"gnubg, {plies}-ply": lambda plies=plies: by_gnubg(game, plies) for plies in (0, 2)}  # type: ignore[misc]
    used = {name: processor_s(work) for name, work in works.items()}
    print(f"a game of {turns} turns            processor s   ratio")
    for name, seconds in used.items():
        print(f"{name:<30}{seconds:>12.2f}{seconds / used['legal plays of all rolls']:>8.1f}")


if __name__ == "__main__":
    main()
