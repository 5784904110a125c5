"""Draws an observation of backgammon over the camera's picture: counts, doubts, or the cause why nothing is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from companion.census import take
from companion.model import Part
from companion.observation import BACKGAMMON_CELLS, BLACK_BAR, WHITE_BAR, WHITE_OFF, cell_name
from vision.layout import POINTS
from vision.overlay_marks import AMBER, DOUBTFUL_NATS, INK, PALE, RED, WORDS, badge, banner, colour_at, outline, write

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.observation import Content, Observation
    from vision.geometry import CameraPose
    from vision.layout import PointLayout
    from vision.overlay_marks import Colour

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]

_BADGE, _WIDEST_BADGE, _NAME = 0.34, 0.46, 0.24
"""Radius of a badge, its largest radius (neighbours must not touch), and height of a point's number, in column widths
as seen at that place."""
_LEAST_BADGE, _LEAST_NAME = 1 / 75, 1 / 95
"""Least radius of a badge and least height of a number, in picture widths: on a phone, where a picture is about 65 mm
wide, the radius is about 0.9 mm."""
_OFF_COLUMNS = 0.8
"""Distance of the number of borne-off checkers from the end of the board, in column widths."""


class PointBoard(Protocol):
    """A backgammon board of any kind in a camera's pictures."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""

    @property
    def pose(self) -> CameraPose:
        """The camera's pose over the board."""

    @property
    def layout(self) -> PointLayout:
        """Where the points are."""


@dataclass(frozen=True, slots=True)
class Tag:
    """Where a cell's content is written, on the frame beside the cell; all in pixels.

    Attributes:
        badge, name: centres of the count and of the point's number.
        radius: of the badge.
        height: of the point's number.
    """

    badge: Floats
    name: Floats
    radius: float
    height: float


def draw(picture: Picture, calibration: PointBoard, observation: Observation) -> Picture:
    """Draw an observation over a copy of the picture (BGR, height x width x 3).

    A badge in the colour of a side's checkers shows their number; an amber badge with a question mark is doubtful. An
    unreadable picture gets a banner with the cause.
    """
    canvas = picture.copy()
    depth = calibration.layout.depth
    bed = calibration.pose.project(np.array([[0, 0, 0], [1, 0, 0], [1, depth, 0], [0, depth, 0]], np.float64))
    outline(canvas, bed, PALE if observation.unreadable is None else RED)
    if observation.unreadable is not None:
        if observation.where is not None:
            outline(canvas, calibration.pose.project(_ninth(observation.where, depth)), AMBER)
        banner(canvas, WORDS[observation.unreadable])
    elif len(observation.cells) == BACKGAMMON_CELLS:
        colours = side_colours(picture, calibration, observation)
        for cell, (content, doubtful) in enumerate(_contents(observation)):
            if observation.cells[cell].seen:
                place = tag(calibration, cell)
                write(canvas, str(cell_name(cell)), place.name, place.height, PALE, halo=INK)
                if any(content) or doubtful:
                    _count(canvas, place, content, colours, doubtful=doubtful)
    return canvas


def _ninth(part: Part, depth: float) -> Floats:
    """The corners of a part of the playing area, 4 x 3 board coordinates."""
    down, across = divmod(list(Part).index(part), 3)
    corners = np.array([[across, 2 - down], [across + 1, 2 - down], [across + 1, 3 - down], [across, 3 - down]]) / 3
    return np.column_stack([corners * (1, depth), np.zeros(4)])


def _count(canvas: Picture, place: Tag, content: Content, colours: tuple[Colour, Colour], *, doubtful: bool) -> None:
    """Draw a badge with the count: "3"; "2+1" if both colours are there; "3?" if it is doubtful."""
    white, black = content
    owner = colours[0] if white or not black else colours[1]
    text = (f"{white}+{black}" if white and black else str(white + black)) + ("?" if doubtful else "")
    badge(canvas, place.badge, place.radius, text, owner, doubtful=doubtful)


def _contents(observation: Observation) -> list[tuple[Content, bool]]:
    """The content to write for each cell, and whether it is doubtful."""
    taken = take(observation, DOUBTFUL_NATS)
    if taken is None:
        return [(cell.best or (0, 0), cell.margin_nats < DOUBTFUL_NATS) for cell in observation.cells]
    return [(content or (0, 0), cell in taken.doubtful) for cell, content in enumerate(taken.board)]


def side_colours(picture: Picture, calibration: PointBoard, observation: Observation) -> tuple[Colour, Colour]:
    """White's and Black's colour (BGR) in this picture, from the checkers that were read next to an edge."""
    layout = calibration.layout
    found: list[Colour] = []
    for side, usual in enumerate((PALE, INK)):
        points = [p for p in range(POINTS) if (best := observation.cells[p].best) and best[side] and not best[1 - side]]
        tops = np.array([(*layout.slot(point, 0), layout.top) for point in points]).reshape(-1, 3)
        found.append(colour_at(picture, calibration.pose.project(tops), usual))
    return found[0], found[1]


def tag(calibration: PointBoard, cell: int) -> Tag:
    """Where a backgammon cell (see `companion.observation`) is written on the picture."""
    width, height = calibration.size
    column = calibration.layout.column
    x, y, out = _place(calibration.layout, cell)
    flat = np.array([[x, y, 0], [x, y + out * column / 2, 0], [x - column / 2, y, 0], [x + column / 2, y, 0]])
    edge, outside, left, right = calibration.pose.project(flat)
    away = (outside - edge) / np.linalg.norm(outside - edge)
    column_px = float(np.linalg.norm(right - left))
    radius = min(max(_BADGE * column_px, _LEAST_BADGE * width), _WIDEST_BADGE * column_px)
    digits = max(_NAME * column_px, _LEAST_NAME * width)
    apart = 1.5 * radius + 0.8 * digits
    name = np.clip(edge + away * (1.4 * radius + apart), digits, np.array([width, height]) - digits)
    badge = edge + away * min(1.4 * radius, float((name - edge) @ away) - apart)
    return Tag(badge, name, radius, digits)


def _place(layout: PointLayout, cell: int) -> tuple[float, float, float]:
    """The place of a cell on the edge of the playing area (x, y in board units), and the outward direction along y."""
    near = cell < POINTS // 2 or cell == WHITE_OFF
    hit = cell in (WHITE_BAR, BLACK_BAR)
    if hit:
        x, near = layout.waiting(cell - WHITE_BAR)
    y, out = (0.0, -1.0) if near else (layout.depth, 1.0)
    if hit:
        return x, y, out
    if cell < POINTS:
        return layout.column_x(layout.column_of(cell)), y, out
    beyond = _OFF_COLUMNS * layout.column
    return (-beyond if layout.mirror else 1 + beyond), y, -out
