"""The reading drawn over the camera's picture: counts, doubts, or why it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from companion.core import (
    BACKGAMMON_CELLS,
    BLACK_BAR,
    NO_MARKS,
    WHITE_BAR,
    WHITE_OFF,
    Cause,
    Part,
    cell_name,
    count_checkers,
)
from vision.board.base import LocatedInPicture
from vision.board.layout import POINTS
from vision.geometry import bed_corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import BoardMarks, Content, Observation
    from vision.arrays import Floats, Picture
    from vision.board.layout import PointLayout
    from vision.geometry import CameraPose


Colour = tuple[int, int, int]

DOUBTFUL_NATS = 3.0
"""A cell is drawn as doubtful if its content is less than e³ (about twenty) times as likely as any other, with the
number of checkers on the whole board taken into account."""
WORDS = {
    Cause.HAND: "Something is over the board",
    Cause.DARK: "Too dark to see the board",
    Cause.GLARE: "Light is reflected off the board",
    Cause.BLUR: "The picture is blurred",
    Cause.MOVED_CAMERA: "The camera or the board was moved",
    Cause.UNKNOWN: "The board cannot be read",
}
"""The banner's text for each cause why a picture cannot be read."""
PALE: Colour = (223, 239, 246)
INK: Colour = (24, 18, 16)
YELLOW: Colour = (74, 216, 255)
"""Colour (BGR) of the line round cells that differ, as on the page's board."""
AMBER: Colour = (40, 176, 255)
RED: Colour = (44, 44, 190)
_SHIFT = 4
_PART = 1 << _SHIFT
"""OpenCV draws these outlines with coordinates in sixteenths of a pixel."""
_DIGITS = {1: 1.05, 2: 0.8, 3: 0.62}
"""Height of the text on a badge, in radii, by its number of characters."""
_DIGIT_PX = 20.5
"""Height in pixels of a digit of OpenCV's FONT_HERSHEY_DUPLEX at scale 1."""
_BRIGHT = 140
"""Grey level of a badge above which its text is dark."""
_BANNER = 1 / 13
"""Height of the banner in picture widths, at most a quarter of the picture's height."""


def outline(canvas: Picture, corners: Floats, colour: Colour) -> None:
    """Draw a closed line through corners (4 x 2 pixels)."""
    corners = np.rint(corners * _PART).astype(np.int32)
    thick = max(1, round(canvas.shape[1] / 640))
    cv2.polylines(canvas, [corners], True, INK, 3 * thick, cv2.LINE_AA, shift=_SHIFT)
    cv2.polylines(canvas, [corners], True, colour, thick, cv2.LINE_AA, shift=_SHIFT)


def badge(canvas: Picture, centre: Floats, radius: float, text: str, owner: Colour, *, doubtful: bool = False) -> None:
    """Draw a disc in the owner's colour with a short text (about three characters); amber if it is doubtful."""
    paper, rim = (AMBER, owner) if doubtful else (owner, PALE)
    at = np.rint(centre * _PART).astype(int).tolist()
    ring = max(1.0, radius / 6)
    for size, colour in ((radius + 2 * ring, INK), (radius + ring, rim), (radius, paper)):
        cv2.circle(canvas, at, round(size * _PART), colour, -1, cv2.LINE_AA, shift=_SHIFT)
    grey = float(np.dot(paper, (0.114, 0.587, 0.299)))
    write_text(canvas, text, centre, radius * _DIGITS.get(len(text), 0.5), INK if grey > _BRIGHT else PALE)


def banner(canvas: Picture, words: str) -> None:
    """Darken a band across the top and write the words in it."""
    height, width = canvas.shape[:2]
    band = min(round(_BANNER * width), height // 4)
    canvas[:band] = (canvas[:band] * 0.25).astype(np.uint8)
    cv2.line(canvas, (0, band), (width, band), AMBER, max(2, band // 20), cv2.LINE_AA)
    write_text(canvas, words, np.array([width / 2, band / 2]), 0.36 * band, PALE)


def write_text(
    canvas: Picture, text: str, centre: Floats, height: float, colour: Colour, halo: Colour | None = None
) -> None:
    """Write centred text with digits `height` pixels high; `halo` is the colour of its outline, if any."""
    font, scale, thick = cv2.FONT_HERSHEY_DUPLEX, height / _DIGIT_PX, max(1, round(height / 9))
    (width, _), _ = cv2.getTextSize(text, font, scale, thick)
    at = round(float(centre[0]) - width / 2), round(float(centre[1]) + height / 2)
    if halo is not None:
        wide = max(1, round(height / 9))
        for right, down in ((-wide, -wide), (wide, -wide), (wide, wide), (-wide, wide)):
            cv2.putText(canvas, text, (at[0] + right, at[1] + down), font, scale, halo, thick, cv2.LINE_AA)
    cv2.putText(canvas, text, at, font, scale, colour, thick, cv2.LINE_AA)


def median_colour(picture: Picture, places: Floats, usual: Colour) -> Colour:
    """The median colour (BGR) of a picture around places (n x 2 pixels); `usual` if there are none."""
    if not len(places):
        return usual
    around = np.rint(places).astype(int)[:, None] + np.mgrid[-2:3, -2:3].reshape(2, -1).T
    x, y = (around[..., k].clip(0, picture.shape[1 - k] - 1) for k in (0, 1))
    blue, green, red = np.median(picture[y, x].reshape(-1, 3), axis=0).astype(int).tolist()
    return blue, green, red


_BADGE, _WIDEST_BADGE, _NAME = 0.34, 0.46, 0.24
"""Radius of a badge, its largest radius (neighbours must not touch), and height of a point's number, in column widths
as seen at that place."""
_LEAST_BADGE, _LEAST_NAME = 1 / 75, 1 / 95
"""Least radius of a badge and least height of a number, in picture widths: on a phone, where a picture is about 65 mm
wide, the radius is about 0.9 mm."""
_OFF_COLUMNS = 0.8
"""Distance of the number of borne-off checkers from the end of the board, in column widths."""

_ROW = 0.48
"""Length of a row of checkers in depths of the board: two rows face each other across it."""


class PointBoard(LocatedInPicture, Protocol):
    """A backgammon board of any kind in a camera's pictures."""

    @property
    def pose(self) -> CameraPose:
        """The camera's pose over the board."""

    @property
    def layout(self) -> PointLayout:
        """Where the points are."""


@dataclass(frozen=True, slots=True)
class Tag:
    """Where a cell's content is written, on the frame beside the cell; all in pixels.

    Centres of the badge with the count, and of the point's number; radius of the badge and height of the number.
    """

    badge: Floats
    name: Floats
    radius: float
    height: float


def draw(
    picture: Picture,
    calibration: PointBoard,
    observation: Observation,
    marks: BoardMarks = NO_MARKS,
    *,
    bar: str = "bar",
) -> Picture:
    """Draw an observation over a copy of the picture (BGR, height x width x 3).

    A badge in the colour of a side's checkers shows their number; an amber badge with a question mark is doubtful. An
    unreadable picture gets a banner with the cause. `bar`: the text written on the bar.
    """
    canvas = picture.copy()
    depth = calibration.layout.depth
    outline(canvas, calibration.pose.project(bed_corners(depth)), PALE if observation.unreadable is None else RED)
    if observation.unreadable is not None:
        if observation.where is not None:
            outline(canvas, calibration.pose.project(_ninth(observation.where, depth)), AMBER)
        banner(canvas, WORDS[observation.unreadable])
    elif len(observation.cells) == BACKGAMMON_CELLS:
        for cell in marks.ringed:
            outline(canvas, calibration.pose.project(_area(calibration.layout, cell)), YELLOW)
        colours = side_colours(picture, calibration, observation)
        for cell, (content, doubtful) in enumerate(_contents(observation)):
            if observation.cells[cell].seen:
                place = tag(calibration, cell)
                write_text(canvas, name_on_picture(cell, marks.numbers, bar), place.name, place.height, PALE, halo=INK)
                if any(content) or doubtful:
                    _count(canvas, place, content, colours, doubtful=doubtful)
    return canvas


def name_on_picture(cell: int, numbers: Sequence[int], bar: str = "bar") -> str:
    """What is written beside a cell: the point's number, `bar` or "off"."""
    return bar if cell in (WHITE_BAR, BLACK_BAR) else str(numbers[cell] if cell < POINTS else cell_name(cell))


def _area(layout: PointLayout, cell: int) -> Floats:
    """The corners of a cell's column from its edge of the board inwards, 4 x 3 board coordinates."""
    x, y, _ = _place(layout, cell)
    half, inside = layout.column / 2, y + (_ROW if y == 0 else -_ROW) * layout.depth
    return np.array([[x - half, y, 0], [x + half, y, 0], [x + half, inside, 0], [x - half, inside, 0]])


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
    taken = count_checkers(observation, DOUBTFUL_NATS)
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
        found.append(median_colour(picture, calibration.pose.project(tops), usual))
    return found[0], found[1]


def tag(calibration: PointBoard, cell: int) -> Tag:
    """Where a backgammon cell (see `companion.core.observation`) is written on the picture."""
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
        x, near = layout.hit_place(cell - WHITE_BAR)
    y, out = (0.0, -1.0) if near else (layout.depth, 1.0)
    if hit:
        return x, y, out
    if cell < POINTS:
        return layout.column_x(layout.column_of(cell)), y, out
    beyond = _OFF_COLUMNS * layout.column
    return (-beyond if layout.mirror else 1 + beyond), y, -out
