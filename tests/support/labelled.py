"""Labelled pictures: scenes of one board each, and how an answer of `boardside read` compares with the truth.

A folder holds scenes in the form of `tests/pictures`. Tests and benchmarks share this module.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from learned_once import FOLDERS, LookedAt, learned_once, made_once
from places import PICTURES

from vision.backgammon.calibration import Calibration
from vision.backgammon.learning import calibrate
from vision.backgammon.reader import FramedBoardReader
from vision.board.json_io import describe
from vision.cameras import load_picture
from vision.registry import learn_board

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from companion.core import Observation
    from vision.board import LearnedBoard
    from vision.cameras import Picture

FILM = PICTURES / "film"


@dataclass(frozen=True)
class Labelled:
    """One picture and its ground truth.

    Attributes:
        points: 24 signed counts, White's 1 point first, + White.
        bar: White's and Black's checkers on it.
        hand: something is over the board.
        drift: the light has changed since the first picture.
        dice: the numbers of two dice that lie on the board; None where no pair lies there, or a hand hides the board.
    """

    file: Path
    points: list[int]
    bar: list[int]
    hand: bool = False
    drift: bool = False
    dice: tuple[int, ...] | None = None

    @cached_property
    def picture(self) -> Picture:
        """The picture, BGR."""
        return load_picture(self.file)

    def grade(self, answer: dict[str, Any]) -> str:
        """Grade of an answer of `boardside read`: "right", "wrong" or "refused"."""
        if self.hand:
            return "right" if answer["unreadable"] == "hand" else "wrong" if answer["unreadable"] is None else "refused"
        if answer["unreadable"] is not None:
            return "refused"
        position = answer["position"]
        return "right" if (position["points"], position["bar"]) == (self.points, self.bar) else "wrong"


@dataclass(frozen=True)
class Scene(LookedAt["FramedBoardReader"]):
    """One board under one camera and light; the first picture shows the starting position."""

    folder: Path
    corners: NDArray[np.float64]
    mirror: bool
    frames: tuple[Labelled, ...]

    @classmethod
    @cache
    def load(cls, folder: Path) -> Scene:
        """The scene in a folder with `scene.json` and `truth.json`; the same object each time, learned once."""
        scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        frames = tuple(
            Labelled(folder / item["file"], item["points"], item["bar"], item["hand"], item["drift"], _dice_of(item))
            for item in truth["frames"]
        )
        return cls(folder, np.array(scene["corners"], np.float64), scene["mirror"], frames)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def start(self) -> Picture:
        """The picture of the starting position."""
        return self.frames[0].picture

    @cached_property
    def eye(self) -> FramedBoardReader:
        """Reads this board, learned from its first picture."""
        return self.read[0] if FOLDERS else FramedBoardReader(self.learned())

    def look(self) -> tuple[FramedBoardReader, tuple[Observation, ...]]:
        eye = FramedBoardReader(learned_once(self.name, self.learned, Calibration.load))
        return eye, tuple(eye.look(frame.picture) for frame in self.frames)

    @property
    def grades(self) -> list[str]:
        """Grade of the answer for each picture: "right", "wrong" or "refused"."""
        return [frame.grade(describe(look)) for frame, look in zip(self.frames, self.looks, strict=True)]

    def learned(self) -> Calibration:
        """This board, learned from its first picture."""
        return calibrate(self.start, self.corners, self.mirror)


def _dice_of(frame: dict[str, Any]) -> tuple[int, ...] | None:
    dice = None if frame["hand"] else frame.get("dice")
    return None if dice is None else tuple(sorted(dice))


def answer(eye: FramedBoardReader, picture: Picture) -> dict[str, Any]:
    """The answer of `boardside read` for a picture (BGR)."""
    return describe(eye.look(picture))


def tile_board(scene: Scene) -> LearnedBoard:
    """The board of tiles in a scene, learned from its first picture."""
    return made_once(
        f"{scene.name}-tiles", lambda: learn_board(scene.start, "backgammon", "tiles", scene.corners, scene.mirror)
    )


QUICK_BOARDS = ("00-travel", "02-leather", "09-leather")
"""Boards of a quick run: a plain one, white checkers on white points in glare, an oblique view."""


def scenes(folder: Path = PICTURES) -> list[Scene]:
    """The scenes of framed backgammon boards in a folder, by name."""
    files = sorted(folder.glob("*/scene.json"))
    framed = [file.parent for file in files if json.loads(file.read_text(encoding="utf-8"))["board"] == "backgammon"]
    return [Scene.load(place) for place in framed]
