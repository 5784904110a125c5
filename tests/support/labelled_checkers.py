"""Labelled pictures of chequered boards, and how an answer of `boardside read` compares with the truth.

Tests and benchmarks share this module, as they do `labelled`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from learned_once import FOLDERS, LookedAt
from places import PICTURES

from vision.cameras import load_picture
from vision.registry import learn_board

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Observation
    from vision.board import LearnedBoard
    from vision.cameras import Picture

FILM = PICTURES / "film-checkers"


@dataclass(frozen=True)
class LabelledSquares:
    """One picture and its ground truth.

    Attributes:
        squares: "w" or "b" by "row,col", row 0 at White's edge.
        kings: those of them that are two high.
        hand: something is over the board.
        drift: the light has changed since the first picture.
    """

    file: Path
    squares: dict[str, str]
    kings: frozenset[str] = frozenset()
    hand: bool = False
    drift: bool = False

    @cached_property
    def picture(self) -> Picture:
        """The picture, BGR."""
        return load_picture(self.file)

    @property
    def position(self) -> dict[str, dict[str, str]]:
        """The position in the form of `calibrate --position`: kings in capitals."""
        pieces = {name: side.upper() if name in self.kings else side for name, side in self.squares.items()}
        return {"squares": pieces}

    def grade(self, answer: dict[str, Any]) -> str:
        """Grade of an answer of `boardside read`: "right", "wrong" or "refused"."""
        if self.hand:
            return "right" if answer["unreadable"] == "hand" else "wrong" if answer["unreadable"] is None else "refused"
        if answer["unreadable"] is not None:
            return "refused"
        return "right" if answer["squares"] == self.squares else "wrong"


@dataclass(frozen=True)
class SquaresScene(LookedAt["LearnedBoard"]):
    """One board under one camera and light; the first picture shows the starting position."""

    name: str
    corners: NDArray[np.float64]
    frames: tuple[LabelledSquares, ...]

    @classmethod
    @cache
    def load(cls, folder: Path) -> SquaresScene:
        """The scene in a folder with `scene.json` and `truth.json`; the same object each time, learned once."""
        scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        frames = []
        for item in truth["frames"]:
            squares = {name: {"a": "w"}.get(piece.lower(), piece.lower()) for name, piece in item["squares"].items()}
            kings = frozenset(name for name, piece in item["squares"].items() if piece.isupper())
            frames.append(LabelledSquares(folder / item["file"], squares, kings, item["hand"], item["drift"]))
        return cls(folder.name, np.array(scene["corners"], np.float64), tuple(frames))

    @property
    def start(self) -> Picture:
        """The picture of the starting position."""
        return self.frames[0].picture

    @cached_property
    def board(self) -> LearnedBoard:
        """This board, learned from its first picture."""
        return self.read[0] if FOLDERS else self.learned()

    def look(self) -> tuple[LearnedBoard, tuple[Observation, ...]]:
        board = self.learned()
        return board, tuple(board.look(frame.picture) for frame in self.frames)

    @property
    def grades(self) -> list[str]:
        """Grade of the answer for each picture: "right", "wrong" or "refused"."""
        pairs = zip(self.frames, self.looks, strict=True)
        return [frame.grade(self.board.answer(look)) for frame, look in pairs]

    def learned(self) -> LearnedBoard:
        """This board, learned from its first picture."""
        return learn_board(self.start, "checkers", corners=self.corners)


def from_across(squares: dict[str, str]) -> dict[str, str]:
    """The same men as seen by the other player: the board turned by 180 degrees, the sides exchanged."""
    return {f"{7 - int(name[0])},{7 - int(name[2])}": "wb"[side == "w"] for name, side in squares.items()}


def answer(board: LearnedBoard, picture: Picture) -> dict[str, Any]:
    """The answer of `boardside read` for a picture (BGR)."""
    return board.answer(board.look(picture))


def scenes(folder: Path = PICTURES) -> list[SquaresScene]:
    """The scenes of chequered boards in a folder, by name."""
    files = sorted(folder.glob("*/scene.json"))
    chequered = [file.parent for file in files if json.loads(file.read_text(encoding="utf-8"))["board"] == "checkers"]
    return [SquaresScene.load(place) for place in chequered]
