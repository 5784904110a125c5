"""The search of checkers in C (`checkers.c`), compiled when asked for; needs a C compiler."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

import numpy as np

from companion.hints.checkers_compiled import declare_types, new_search
from companion.hints.checkers_endings import Rules
from companion.hints.checkers_values import read_table
from training.compiling import compiled

SOURCE = Path(__file__).with_name("checkers.c")
PLACEMENTS = 3**8
STANDARD = Rules(must_capture=1, must_finish=1, crowning_ends=1)
DIGITS = np.arange(PLACEMENTS)[:, None] // 3 ** np.arange(8) % 3
"""Squares (PLACEMENTS x 8) of each placement: 0 empty, 1 White's man, 2 Black's man."""
LONGEST = 300
"""Most positions of a game."""
RECORD = np.dtype(
    [("white", "u8"), ("black", "u8"), ("kings", "u8"), *((k, "i2") for k in ("to_move", "score", "result", "quiet"))]
)
"""A position of a game: masks of `companion.hints.checkers_bits`, 1 if White is to move, White's score and result, and
whether nobody can capture."""


class Searching(ctypes.CDLL):
    """The library for training, and a search with the table's values."""

    search: ctypes.c_void_p


@cache
def library() -> Searching:
    """The library, without a search."""
    found = compiled(SOURCE, Searching)
    declare_types(found)
    found.play.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint64,
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_void_p,
        ctypes.c_int,
    ]
    found.label.argtypes = [*[ctypes.c_void_p] * 2, ctypes.c_int, ctypes.c_uint64, *[ctypes.c_void_p] * 2]
    found.fit.argtypes = [ctypes.c_int] * 2 + [ctypes.c_void_p] * 9
    return found


def address(array: np.ndarray) -> ctypes.c_void_p:
    """Pointer to an array's data, for a call."""
    return array.ctypes.data_as(ctypes.c_void_p)


def searching(*, by_hand: bool = False) -> Searching:
    """The library and a search with the table's values; `by_hand`: with those of a man (100) and a king (130) only."""
    masks, men, kings, tempo = read_table()
    if by_hand:
        men[:] = 0
        men[:4] = (
            100 * ((DIGITS == 1).sum(1) - (DIGITS == 2).sum(1))[:, None]
        )  # each square is in one of the first four
        kings[:], tempo = 130, 0
    found = library()
    found.search = new_search(found, STANDARD, (masks, men, kings, tempo))
    return found


def played(library: Searching, seed: int, games: int, positions: int) -> np.ndarray:
    """Records (RECORD) of self-play games with `positions` searched for each move."""
    records = np.zeros(games * LONGEST, RECORD)
    return records[: library.play(library.search, seed, games, positions, address(records), len(records))]
