"""Fit the values of checkers to games: `python -m training.checkers_values OUT.npz STEPS GAMES.npy…`.

Logistic regression of White's result, mixed with the score of the search. Features are the placements of men on the
table's patterns of eight squares, men and kings by square, and the side to move; each has a value early and one late in
the game. Patterns that are equal after turning the board and exchanging the colours share their values.
"""

from __future__ import annotations

import sys

import numpy as np

from companion.hints import checkers_bits
from companion.hints.checkers_values import PIECES, TABLE
from training.checkers_library import DIGITS, PLACEMENTS, address, library

SQUARES = tuple(square.bit_length() - 1 for square in checkers_bits.SQUARES)
"""Bit number of each square in a mask."""
TURN = 34
"""Sum of a square's bit number and that of the square that it becomes when the board is turned."""
SCORE_WEIGHT, LOGIT_SCALE = 0.75, 85.0
"""Weight of the search's score in the target, and hundredths of a man for a logit of 1."""
MEN_WORTH = 95
"""Value of a man in the middle of a game, in hundredths of a man."""
EXTRA_MAN, EXTRA_KING = 0.32, 0.48
"""Value added to each man and king, in men: when a game is won anyway, the odds hardly depend on one checker more, but
the search plays better if it keeps it. Measured on 260 positions of games."""
LARGEST_SCORE = 2000
HELD_OUT, BLOCK = 0.05, 200
"""Share of held-out positions, and how many consecutive ones are held out together: most are of one game."""
LEARNING_RATE, L2_PENALTY = 0.04, 1e-5
"""Learning rate of Adam, and L2 penalty on the values."""
TURNED = np.array([0, 2, 1])[DIGITS[:, ::-1]] @ 3 ** np.arange(8)
"""Number of each placement after turning the board and exchanging the colours."""


def bits(masks: np.ndarray, bit: int) -> np.ndarray:
    """1.0 where a mask has the bit."""
    return (masks >> np.uint64(bit) & np.uint64(1)).astype(np.float32)


class Shared:
    """Parameter sharing: for each pattern and placement the index of a value, and its sign."""

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
        """Indices and signs (both positions x patterns) of each position's values."""
        numbers, signs = [], []
        for mask, number, sign in zip(self.masks, self.number, self.sign, strict=True):
            inside = [bit for bit in SQUARES if mask >> bit & 1]
            placed = sum((bits(white, bit) + 2 * bits(black, bit)) * 3**n for n, bit in enumerate(inside)).astype(int)
            numbers.append(number[placed].astype(np.int32))
            signs.append(sign[placed])
        return np.ascontiguousarray(np.stack(numbers, 1)), np.ascontiguousarray(np.stack(signs, 1))


def lead_features(games: np.ndarray) -> np.ndarray:
    """White's lead (positions x 66) in men, in kings, in kings on each square and in men on each square."""
    ours, others, kings = games["white"], games["black"], games["kings"]
    places = [
        np.stack([bits(white, bit) - bits(black, TURN - bit) for bit in SQUARES], 1)
        for white, black in ((ours & kings, others & kings), (ours & ~kings, others & ~kings))
    ]
    return np.concatenate([places[1].sum(1, keepdims=True), places[0].sum(1, keepdims=True), *places], 1)


def fit(games: np.ndarray, shared: Shared, steps: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Fitted values as logits: of patterns and of `lead_features` (early and late), and of having the move."""
    numbers, signs = shared.of(games["white"] & ~games["kings"], games["black"] & ~games["kings"])
    lead, to_move = lead_features(games), games["to_move"].astype(np.float32) * 2 - 1
    early = sum(bits(games["white"] | games["black"], bit) for bit in SQUARES) / np.float32(PIECES)
    scores = np.clip(games["score"], -LARGEST_SCORE, LARGEST_SCORE).astype(np.float32)
    targets = (1 - SCORE_WEIGHT) * (games["result"] + 1) / 2 + SCORE_WEIGHT / (1 + np.exp(-scores / LOGIT_SCALE))
    targets = targets.astype(np.float32)
    blocks = np.random.default_rng(0).random(len(games) // BLOCK + 1) < HELD_OUT
    held = np.repeat(blocks, BLOCK)[: len(games)]
    share = (~held / np.sum(~held)).astype(np.float32)
    patterns, linear = np.zeros((shared.count, 2), np.float32), np.zeros((lead.shape[1], 2), np.float32)
    linear[0], linear[1], turn = 1.0, 1.4, np.zeros(1, np.float32)
    values = (patterns, linear, turn)
    means, squares = ([np.zeros_like(value) for value in values] for _ in range(2))
    predicted = np.zeros(len(games), np.float32)
    for step in range(1, steps + 1):
        rest = turn[0] * to_move + early * (lead @ linear[:, 0]) + (1 - early) * (lead @ linear[:, 1])
        gradient = np.zeros_like(patterns)
        arrays = (numbers, signs, early, rest, targets, share, patterns, gradient, predicted)
        library().fit(*numbers.shape, *map(address, arrays))
        error = (predicted - targets) * share
        linear_gradient = np.stack([lead.T @ (error * early), lead.T @ (error * (1 - early))], 1)
        linear_gradient[2:] += L2_PENALTY * linear[2:]
        gradients = (gradient + L2_PENALTY * patterns, linear_gradient, np.array([error @ to_move]))
        rate = LEARNING_RATE * (1 if step < 0.6 * steps else 0.3 if step < 0.85 * steps else 0.1)
        for value, own_gradient, mean, square in zip(values, gradients, means, squares, strict=True):
            mean += 0.1 * (own_gradient - mean)
            square += 0.01 * (own_gradient**2 - square)
            value -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
    log_loss = -(targets * np.log(predicted) + (1 - targets) * np.log(1 - predicted))
    print(f"{len(games)} positions, log loss {log_loss[~held].mean():.5f}, held out {log_loss[held].mean():.5f}")
    return patterns, linear, float(turn[0])


def main() -> None:
    """Write the table."""
    out, steps, *files = sys.argv[1:]
    games = np.concatenate([np.load(file) for file in files])
    games = games[games["quiet"] == 1]
    with np.load(TABLE) as table:
        shared = Shared(table["masks"].tolist())
    patterns, linear, to_move = fit(games, shared, int(steps))
    middle = 0.6 * linear[0, 0] + 0.4 * linear[0, 1]
    linear[0] += EXTRA_MAN * middle
    linear[1] += EXTRA_KING * middle
    scale = MEN_WORTH / (middle * (1 + EXTRA_MAN))
    men = np.stack([sign[:, None] * patterns[number] for number, sign in zip(shared.number, shared.sign, strict=True)])
    for n in range(4):  # each square is in one of the first four patterns, to which the values of single men are added
        inside = [square for square, bit in enumerate(SQUARES) if shared.masks[n] >> bit & 1]
        for digit, square in zip(DIGITS.T, inside, strict=True):
            men[n] += (digit == 1)[:, None] * (linear[0] + linear[34 + square])
            men[n] -= (digit == 2)[:, None] * (linear[0] + linear[34 + 31 - square])
    kings = linear[1] + linear[2:34]
    rounded = [np.round(values * scale).astype(np.int16) for values in (men, kings, np.float32(to_move))]
    np.savez_compressed(out, masks=np.array(shared.masks), men=rounded[0], kings=rounded[1], tempo=rounded[2])


if __name__ == "__main__":
    main()
