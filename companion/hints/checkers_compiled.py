"""The checkers search in C (`checkers_search.c`), compiled when Boardside is installed, where there is a compiler.

Raspberry Pi OS comes with one. It searches some forty times as many positions as `Search`, and other threads run
meanwhile.
"""

from __future__ import annotations

import ctypes
import logging
import weakref
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.hints.checkers_endings import Position, Rules, endings_of
from companion.hints.checkers_values import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.hints.checkers_bits import Bits, Captures
    from companion.hints.checkers_values import Table

EXTENSION = "companion.hints._checkers_search"
LOG = logging.getLogger(__name__)


GoOn = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)
"""Called with the number of positions searched; 0 ends the search."""
UNLIMITED = 2**64 - 1
MOST_MOVES = 256
"""Of a position."""


def declare_types(library: ctypes.CDLL) -> ctypes.CDLL:
    """Declare the argument and result types of the library's functions; returns the library."""
    number, numbers, positions = ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(Position)
    library.search_new.argtypes = [Rules, number, *[ctypes.c_void_p] * 3, number]
    library.search_new.restype = ctypes.c_void_p
    library.search_free.argtypes = [ctypes.c_void_p]
    library.search_score.argtypes = [ctypes.c_void_p, positions, number]
    library.search_moves.argtypes = [ctypes.c_void_p, positions, number, positions]
    effort = ctypes.c_uint64, GoOn
    library.search_best.argtypes = [ctypes.c_void_p, positions, number, number, *effort, numbers]
    library.search_others.argtypes = [ctypes.c_void_p, positions, number, number, number, number, *effort, numbers]
    library.search_others.restype = None
    library.search_use.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.endings_new.argtypes, library.endings_new.restype = [Rules], ctypes.c_void_p
    library.endings_code.argtypes = [ctypes.c_void_p, positions, number]
    for name in ("endings_solve", "endings_stop", "endings_ready"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    return library


@cache
def library() -> ctypes.CDLL | None:
    """The compiled search (cached); None, with a line in the log, where it was not compiled or cannot be loaded."""
    found = find_spec(EXTENSION)
    if found is not None and found.origin is not None:
        try:
            return declare_types(ctypes.CDLL(found.origin))
        except (OSError, AttributeError) as error:  # compiled for another processor, or from older source
            LOG.warning("the compiled checkers search cannot be used: %s; `make clean`, and start again", error)
            return None
    LOG.info("no compiled checkers search: hints for checkers are weaker (a C compiler when installing mends it)")
    return None


def new_search(library: ctypes.CDLL, rules: Rules, values: Table) -> ctypes.c_void_p:
    """A search with these values, to be freed by `search_free`. Raises MemoryError."""
    masks, men, kings, tempo = values
    search = library.search_new(rules, len(masks), masks.ctypes.data, men.ctypes.data, kings.ctypes.data, tempo)
    if search is None:
        raise MemoryError("no memory for the tables of the checkers search")
    return ctypes.c_void_p(search)


class CompiledSearch:
    """The same interface as `Search`; its tables are kept and cleared in the same way."""

    def __init__(self, library: ctypes.CDLL, captures: Captures) -> None:
        """Start with empty tables. Raises MemoryError."""
        self._library, self._captures = library, captures
        rules = Rules(captures.compulsory, captures.must_finish, captures.crowning_ends)
        self._search = new_search(library, rules, read_table())
        weakref.finalize(self, library.search_free, self._search)

    def moves(self, at: Bits, white: bool) -> list[Bits]:
        """Positions after each move of the side to move, some twice; `white`: whether that is White."""
        into = (Position * MOST_MOVES)()
        count = self._library.search_moves(self._search, Position(*at), white, into)
        return [(after.mine, after.theirs, after.kings) for after in into[:count]]

    def score(self, at: Bits, white: bool) -> int:
        """As `Values.score`."""
        score: int = self._library.search_score(self._search, Position(*at), white)
        return score

    def best(self, children: list[Bits], white: bool, go_on: Callable[[int], bool]) -> tuple[int, int]:
        """As `Search.best`. Raises MemoryError."""
        self._library.search_use(self._search, endings_of(self._library, self._captures).address)
        score = ctypes.c_int()
        best = self._library.search_best(
            self._search, _positions(children), len(children), white, UNLIMITED, GoOn(go_on), ctypes.byref(score)
        )
        if best < 0:
            raise MemoryError(f"no memory to compare {len(children)} moves")
        return best, score.value

    def others(
        self, children: list[Bits], white: bool, best: tuple[int, int], go_on: Callable[[int], bool]
    ) -> list[tuple[int, int]]:
        """As `Search.others`."""
        scores = (ctypes.c_int * len(children))()
        self._library.search_others(
            self._search, _positions(children), len(children), white, *best, UNLIMITED, GoOn(go_on), scores
        )
        numbers = (number for number in range(len(children)) if number != best[0])
        return sorted(((number, scores[number]) for number in numbers), key=lambda pair: -pair[1])


def _positions(children: list[Bits]) -> ctypes.Array[Position]:
    return (Position * len(children))(*(Position(*child) for child in children))
