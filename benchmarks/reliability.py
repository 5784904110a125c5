"""Compares stated with measured probabilities of errors of readings: `python benchmarks/reliability.py [FOLDER]`.

Each picture after a scene's first is read as it is and under disturbances of `accuracy.py` at which readings become
doubtful. Each place of each board read is one sample: the probability of an error that its likelihoods state, and
whether its likeliest content is the true one. Pictures that are refused as a whole (a hand, glare) give no samples.
Readings are calibrated where the interval of the measured share contains the stated one, and cautious if it is lower.
`--plot FILE.png` draws the table.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import with_test_support  # noqa: F401
from accuracy import DISTURBANCES
from labelled import Scene
from labelled_checkers import SquaresScene
from places import PICTURES

from vision.board import CalibrationError
from vision.registry import learn_board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.core import CellReading, Observation
    from vision.board import LearnedBoard
    from vision.cameras import Picture

EDGES = (1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0)
"""Upper ends of the bins: stated probabilities of an error."""
STRENGTHS = (
    ("blur, px", 2.0),
    ("blur, px", 3.0),
    ("noise, levels", 12.0),
    ("noise, levels", 25.0),
    ("exposure, stops", -0.5),
    ("light falloff, share", 0.5),
    ("rotation, degrees", 0.3),
)
"""Disturbances of pictures; from stronger ones hardly anything is read."""
Z = 1.96
"""Standard deviations of a 95 % interval."""
COLOURS = {"backgammon": (160, 80, 20), "tiles": (40, 140, 40), "checkers": (40, 60, 200)}
WIDTH, HEIGHT, LEFT, BOTTOM = 720, 560, 70, 60
LOWEST = 1e-6
"""Least probability on the plot's axes."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Samples of similar stated confidence: how many, errors among them, mean stated probability of an error."""

    count: int
    errors: int
    stated: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share of errors: E. B. Wilson, JASA 22 (1927), 209-212."""
        share, square = self.errors / self.count, Z * Z / self.count
        middle = (share + square / 2) / (1 + square)
        half = Z / (1 + square) * math.sqrt(share * (1 - share) / self.count + square / (4 * self.count))
        return max(middle - half, 0.0), min(middle + half, 1.0)


def stated_error(reading: CellReading) -> float:
    """The probability that the likeliest content is wrong."""
    others = sum(math.exp(nats) for _, nats in reading.likelihoods[1:])
    return others / (1 + others)


def binned(samples: Sequence[tuple[float, bool]]) -> list[Bin]:
    """The bins of (stated probability of an error, whether it is one); empty bins are left out."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for sample in samples:
        bins[int(np.searchsorted(EDGES, sample[0]))].append(sample)
    return [
        Bin(len(held), sum(error for _, error in held), sum(stated for stated, _ in held) / len(held))
        for _, held in sorted(bins.items())
    ]


def variants(picture: Picture) -> Iterator[Picture]:
    """The picture as it is, and disturbed."""
    yield picture
    for name, strength in STRENGTHS:
        yield DISTURBANCES[name](picture, strength)


def errors_of(seen: Observation, truth: Sequence[int]) -> Iterator[tuple[float, bool]]:
    """One sample per visible place: its stated probability of an error, and whether it is wrong.

    `truth`: the number of checkers on each place, Black's negative.
    """
    for reading, true in zip(seen.cells, truth, strict=False):
        if reading.best is not None:
            yield stated_error(reading), reading.best != (max(true, 0), max(-true, 0))


def men_only(seen: Observation, truth: Sequence[int]) -> Iterator[tuple[float, bool]]:
    """As `errors_of` for squares: a king and a man of a side are one content."""
    for cell, (reading, true) in enumerate(zip(seen.cells, truth, strict=True)):
        if (cell // 8 + cell % 8) % 2:
            continue  # light squares are not read
        sides: dict[int, float] = defaultdict(float)
        for content, nats in reading.likelihoods:
            sides[int(np.sign(content[0] - content[1]))] += math.exp(nats)
        likeliest = max(sides, key=lambda side: sides[side])
        yield 1 - sides[likeliest] / sum(sides.values()), likeliest != true


def samples_of(folder: Path, kind: str) -> Iterator[tuple[float, bool]]:
    """The samples of a scene of this kind of board."""
    if kind == "checkers":
        squares = SquaresScene.load(folder)
        board = learn_board(squares.start, "checkers", corners=squares.corners)
        for shown in squares.frames[1:]:
            names = (shown.squares.get(f"{cell // 8},{cell % 8}") for cell in range(64))
            truth = [0 if name is None else 1 if name == "w" else -1 for name in names]
            yield from looks(board, shown.picture, truth, kind) if not shown.hand else ()
        return
    scene = Scene.load(folder)
    sheet = "tiles" if kind == "tiles" else "points"
    board = learn_board(scene.start, "backgammon", sheet, scene.corners, scene.mirror)
    for frame in scene.frames[1:]:
        truth = [*frame.points, frame.bar[0], -frame.bar[1]]
        yield from looks(board, frame.picture, truth, kind) if not frame.hand else ()


def looks(board: LearnedBoard, picture: Picture, truth: Sequence[int], kind: str) -> Iterator[tuple[float, bool]]:
    """The samples of a picture and of its disturbed variants."""
    for variant in variants(picture):
        seen = board.look(variant)
        if seen.unreadable is None:
            yield from (men_only if kind == "checkers" else errors_of)(seen, truth)


def draw(table: dict[str, list[Bin]]) -> Picture:
    """The bins on logarithmic axes: stated probability across, measured share with its interval upwards."""
    canvas = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)

    def place(stated: float, measured: float) -> tuple[int, int]:
        across, up = (math.log10(max(value, LOWEST) / LOWEST) / -math.log10(LOWEST) for value in (stated, measured))
        return round(LEFT + across * (WIDTH - LEFT - 20)), round(HEIGHT - BOTTOM - up * (HEIGHT - BOTTOM - 20))

    def write(text: str, at: tuple[int, int], colour: tuple[int, int, int] = (60, 60, 60)) -> None:
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)

    for power in range(round(math.log10(LOWEST)), 1):
        value = 10.0**power
        cv2.line(canvas, place(value, LOWEST), place(value, 1), (225, 225, 225), 1)
        cv2.line(canvas, place(LOWEST, value), place(1, value), (225, 225, 225), 1)
        write(f"1e{power}", (place(value, LOWEST)[0] - 14, HEIGHT - BOTTOM + 20))
        write(f"1e{power}", (24, place(LOWEST, value)[1] + 5))
    cv2.line(canvas, place(LOWEST, LOWEST), place(1, 1), (120, 120, 120), 1, cv2.LINE_AA)
    write("stated probability of an error", (WIDTH // 2 - 90, HEIGHT - 12))
    write("measured share of errors, 95 %", (LEFT + 10, 36))
    for number, (kind, bins) in enumerate(table.items()):
        colour = COLOURS[kind]
        write(f"{kind}: {sum(each.count for each in bins)} places", (LEFT + 10, 60 + 20 * number), colour)
        for each in bins:
            low, high = each.interval
            x = place(each.stated, low)[0] + 3 * (number - 1)
            cv2.line(canvas, (x, place(1, low)[1]), (x, place(1, high)[1]), colour, 1, cv2.LINE_AA)
            cv2.circle(canvas, (x, place(1, each.errors / each.count)[1]), 4, colour, cv2.FILLED, cv2.LINE_AA)
    return canvas


def main() -> None:
    """Print the table of each kind of board; draw it where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[PICTURES], help="folders of scenes")
    parser.add_argument("--plot", type=Path, help="a PNG file to draw")
    args = parser.parse_args()
    samples: dict[str, list[tuple[float, bool]]] = {kind: [] for kind in COLOURS}
    for file in sorted(each for folder in args.folders for each in folder.glob("*/scene.json")):
        kind = json.loads(file.read_text())["board"]
        try:
            samples[kind].extend(samples_of(file.parent, kind))
        except CalibrationError as error:
            print(f"{file.parent.name} is not learned: {error}")
    table = {kind: binned(found) for kind, found in samples.items() if found}
    for kind, bins in table.items():
        print(f"\n{kind:12}   stated    places    errors    measured, 95 %")
        for each in bins:
            low, high = each.interval
            print(f"{'':12} {each.stated:8.2g} {each.count:9} {each.errors:9}    {low:.2g} to {high:.2g}")
    if args.plot is not None:
        cv2.imwrite(str(args.plot), draw(table), [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
