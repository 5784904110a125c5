"""Endings of checkers with up to four pieces, solved in C (`checkers_endings.h`): who wins, in how many plies.

Seven megabytes for each set of capture rules. They are computed in a thread of their own when the search is first used,
in one second (some ten on a Raspberry Pi); until then the search runs without them.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.hints.checkers_bits import Captures


class Rules(ctypes.Structure):
    """A sheet's rules on captures."""

    _fields_ = (("must_capture", ctypes.c_int), ("must_finish", ctypes.c_int), ("crowning_ends", ctypes.c_int))


class Position(ctypes.Structure):
    """Masks as in `Bits`."""

    _fields_ = (("mine", ctypes.c_uint64), ("theirs", ctypes.c_uint64), ("kings", ctypes.c_uint64))


class Endings:
    """All endings under one sheet's rules; for the life of the process."""

    def __init__(self, library: ctypes.CDLL, rules: Rules) -> None:
        """Begin to solve them. Raises MemoryError."""
        self._library = library
        address = library.endings_new(rules)
        if address is None:
            raise MemoryError("no memory for the endings of checkers")
        self.address = ctypes.c_void_p(address)
        self._thread = threading.Thread(target=library.endings_solve, args=(self.address,), name="endings", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def wait(self) -> bool:
        """Wait until the thread has ended; returns whether the endings are solved."""
        self._thread.join()
        return bool(self._library.endings_ready(self.address))

    def plies(self, at: tuple[int, int, int], white: bool) -> tuple[int, int]:
        """(1, 0 or -1 as the side to move wins, draws or loses, plies to the end) of `Bits`; at most four pieces."""
        code = self._library.endings_code(self.address, Position(*at), white)
        return (0 if code == 0 else -1 if code % 2 else 1), max(0, code - 1)

    def close(self) -> None:
        """End the thread, which must not run while the interpreter shuts down."""
        self._library.endings_stop(self.address)
        self._thread.join()


@cache
def _endings(library: ctypes.CDLL, rules: tuple[bool, bool, bool]) -> Endings:
    return Endings(library, Rules(*rules))


def endings_of(library: ctypes.CDLL, captures: Captures) -> Endings:
    """The endings under a sheet's rules, which are begun when first asked for. Raises MemoryError."""
    return _endings(library, (captures.compulsory, captures.must_finish, captures.crowning_ends))
