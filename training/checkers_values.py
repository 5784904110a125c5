"""Fit the values of checkers to games: `python -m training.checkers_values OUT.npz STEPS GAMES.npy…`.

Logistic regression of White's result, mixed with the score of the search, on the placements of men on the table's
patterns of eight squares, on men and kings by square, and on who is to move; each has a value early and one late in
the game. A pattern and the one that it becomes when the board is turned and the colours are changed share their values.
"""

from __future__ import annotations

import sys

import numpy as np

from companion.hints import checkers_bits
from companion.hints.checkers_values import PIECES, TABLE
from training.checkers_library import DIGITS, PLACEMENTS, address, library

SQUARES = tuple(square.bit_length() - 1 for square in checkers_bits.SQUARES)
"""Their bits' numbers."""
TURN = 34
"""A bit and the one where it is when the board is turned add up to this."""
SCORE_COUNTS, SCALE = 0.75, 85.0
"""Share of the search's score in what is fitted, and hundredths of a man for a factor of e in the odds."""
MEN_WORTH = 95
"""Hundredths of a man for a man in the middle of a game."""
MAN_MORE, KING_MORE = 0.32, 0.48
"""Men's worth that are added for each man and king: the odds of a game that is won anyway hardly tell whether another
checker is kept, and players, and the next plies, are better off with it. Measured on 260 positions of games."""
LARGEST_SCORE = 2000
HELD_OUT, BLOCK = 0.05, 200
"""Share of the positions that only measure, and how many in a row are held out together: most are of one game."""
STEP, SHRINKS = 0.04, 1e-5
"""Of Adam, and of the values' squares in what is made small."""
TURNED = np.array([0, 2, 1])[DIGITS[:, ::-1]] @ 3 ** np.arange(8)
"""Each placement as it is when the board is turned and the colours are changed."""


def bits(masks: np.ndarray, bit: int) -> np.ndarray:
    """1.0 where a mask has the bit."""
    return (masks >> np.uint64(bit) & np.uint64(1)).astype(np.float32)


class Shared:
    """Which values the patterns share: for each pattern and placement the number of a value, and its sign."""

    def __init__(self, masks: list[int]) -> None:
        """`masks`: the patterns' squares."""
        turned = [sum(1 << TURN - bit for bit in SQUARES if mask >> bit & 1) for mask in masks]
        families = sorted({min(pair) for pair in zip(masks, turned, strict=True)})
        self.masks, self.count = masks, PLACEMENTS * len(families)
        self.number, self.sign = [], []
        every = np.arange(PLACEMENTS)
        for mask, other in zip(masks, turned, strict=True):
            flips = every > TURNED if mask == other else np.full(PLACEMENTS, mask > other)
            sign = np.where(flips, -1, 1) * (every != TURNED if mask == other else 1)
            self.number.append(PLACEMENTS * families.index(min(mask, other)) + np.where(flips, TURNED, every))
            self.sign.append(sign.astype(np.int8))

    def of(self, white: np.ndarray, black: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and signs of each position's values; rows are positions."""
        numbers, signs = [], []
        for mask, number, sign in zip(self.masks, self.number, self.sign, strict=True):
            inside = [bit for bit in SQUARES if mask >> bit & 1]
            placed = sum((bits(white, bit) + 2 * bits(black, bit)) * 3**n for n, bit in enumerate(inside)).astype(int)
            numbers.append(number[placed].astype(np.int32))
            signs.append(sign[placed])
        return np.ascontiguousarray(np.stack(numbers, 1)), np.ascontiguousarray(np.stack(signs, 1))


def counted(games: np.ndarray) -> np.ndarray:
    """White's lead in men, in kings, in kings on each square and in men on each square; rows are positions."""
    ours, others, kings = games["white"], games["black"], games["kings"]
    places = [
        np.stack([bits(white, bit) - bits(black, TURN - bit) for bit in SQUARES], 1)
        for white, black in ((ours & kings, others & kings), (ours & ~kings, others & ~kings))
    ]
    return np.concatenate([places[1].sum(1, keepdims=True), places[0].sum(1, keepdims=True), *places], 1)


def fitted(games: np.ndarray, shared: Shared, steps: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Values of patterns and of `counted` early and late, and of being to move, as logits."""
    numbers, signs = shared.of(games["white"] & ~games["kings"], games["black"] & ~games["kings"])
    lead, to_move = counted(games), games["to_move"].astype(np.float32) * 2 - 1
    early = sum(bits(games["white"] | games["black"], bit) for bit in SQUARES) / np.float32(PIECES)
    scores = np.clip(games["score"], -LARGEST_SCORE, LARGEST_SCORE).astype(np.float32)
    wanted = (1 - SCORE_COUNTS) * (games["result"] + 1) / 2 + SCORE_COUNTS / (1 + np.exp(-scores / SCALE))
    wanted = wanted.astype(np.float32)
    blocks = np.random.default_rng(0).random(len(games) // BLOCK + 1) < HELD_OUT
    held = np.repeat(blocks, BLOCK)[: len(games)]
    share = (~held / np.sum(~held)).astype(np.float32)
    patterns, linear = np.zeros((shared.count, 2), np.float32), np.zeros((lead.shape[1], 2), np.float32)
    linear[0], linear[1], turn = 1.0, 1.4, np.zeros(1, np.float32)
    values = (patterns, linear, turn)
    means, squares = ([np.zeros_like(value) for value in values] for _ in range(2))
    chances = np.zeros(len(games), np.float32)
    for step in range(1, steps + 1):
        rest = turn[0] * to_move + early * (lead @ linear[:, 0]) + (1 - early) * (lead @ linear[:, 1])
        slope = np.zeros_like(patterns)
        arrays = (numbers, signs, early, rest, wanted, share, patterns, slope, chances)
        library().fit(*numbers.shape, *map(address, arrays))
        error = (chances - wanted) * share
        steep = np.stack([lead.T @ (error * early), lead.T @ (error * (1 - early))], 1)
        steep[2:] += SHRINKS * linear[2:]
        slopes = (slope + SHRINKS * patterns, steep, np.array([error @ to_move]))
        pace = STEP * (1 if step < 0.6 * steps else 0.3 if step < 0.85 * steps else 0.1)
        for value, slope_of, mean, square in zip(values, slopes, means, squares, strict=True):
            mean += 0.1 * (slope_of - mean)
            square += 0.01 * (slope_of**2 - square)
            value -= pace * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
    surprise = -(wanted * np.log(chances) + (1 - wanted) * np.log(1 - chances))
    print(f"{len(games)} positions, log loss {surprise[~held].mean():.5f}, held out {surprise[held].mean():.5f}")
    return patterns, linear, float(turn[0])


def main() -> None:
    """Write the table."""
    out, steps, *files = sys.argv[1:]
    games = np.concatenate([np.load(file) for file in files])
    games = games[games["quiet"] == 1]
    with np.load(TABLE) as table:
        shared = Shared(table["masks"].tolist())
    patterns, linear, to_move = fitted(games, shared, int(steps))
    middle = 0.6 * linear[0, 0] + 0.4 * linear[0, 1]
    linear[0] += MAN_MORE * middle
    linear[1] += KING_MORE * middle
    scale = MEN_WORTH / (middle * (1 + MAN_MORE))
    men = np.stack([sign[:, None] * patterns[number] for number, sign in zip(shared.number, shared.sign, strict=True)])
    for n in range(4):  # each square is in one of the first four patterns, which carry the men's own values
        inside = [square for square, bit in enumerate(SQUARES) if shared.masks[n] >> bit & 1]
        for digit, square in zip(DIGITS.T, inside, strict=True):
            men[n] += (digit == 1)[:, None] * (linear[0] + linear[34 + square])
            men[n] -= (digit == 2)[:, None] * (linear[0] + linear[34 + 31 - square])
    kings = linear[1] + linear[2:34]
    rounded = [np.round(values * scale).astype(np.int16) for values in (men, kings, np.float32(to_move))]
    np.savez_compressed(out, masks=np.array(shared.masks), men=rounded[0], kings=rounded[1], tempo=rounded[2])


if __name__ == "__main__":
    main()
