"""What was read, drawn over the camera's picture: the counts, the doubts, or why nothing is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.census import take
from companion.model import Cause
from companion.observation import BACKGAMMON_CELLS, BLACK_BAR, WHITE_BAR, WHITE_OFF, cell_name
from vision.layout import POINTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.observation import Content, Observation
    from vision.calibration import Calibration
    from vision.layout import Layout

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]
    Colour = tuple[int, int, int]

DOUBTFUL_NATS = 3.0
"""A cell is drawn as doubtful where boards that hold something else there are less than e³, some twenty times, less
plausible, the number of checkers on the whole board counted in."""
WORDS = {
    Cause.HAND: "Something is over the board",
    Cause.DARK: "Too dark to see the board",
    Cause.GLARE: "Light is reflected off the board",
    Cause.BLUR: "The picture is blurred",
    Cause.MOVED_CAMERA: "The camera or the board was moved",
    Cause.UNKNOWN: "The board cannot be read",
}
"""Why a picture cannot be read, as the banner has it."""

_PALE: Colour = (223, 239, 246)
_INK: Colour = (24, 18, 16)
_AMBER: Colour = (40, 176, 255)
_RED: Colour = (44, 44, 190)
_SHIFT = 4
_PART = 1 << _SHIFT
"""Outlines are given to OpenCV in sixteenths of a pixel."""
_DIGITS = {1: 1.05, 2: 0.8, 3: 0.62}
"""Height of the writing on a badge, in its radius, by how many characters it has."""
_DIGIT_PX = 20.5
"""Height of a digit at scale 1 in the font OpenCV draws here."""
_BRIGHT = 140
"""Grey level above which dark digits read better on a badge than pale ones."""
_BADGE, _WIDEST_BADGE, _NAME = 0.34, 0.46, 0.24
"""Radius of a badge, its greatest (neighbours must not touch), height of a point's number, in columns as seen there."""
_LEAST_BADGE, _LEAST_NAME = 1 / 75, 1 / 95
"""The same in picture widths at least: on a phone, where a picture is some 65 mm wide, a badge is then 1.7 mm."""
_OFF_COLUMNS = 0.8
"""How far beyond the end of the board the number of borne-off checkers is written, in column widths."""
_BANNER = 1 / 13
"""Height of the banner, in picture widths (or what the picture's height allows)."""


@dataclass(frozen=True, slots=True)
class Tag:
    """Where a cell is written, on the frame outside the edge it belongs to; all in pixels.

    Attributes:
        badge, name: centres of the count and of the point's number.
        radius: of the badge.
        height: of the point's number.
    """

    badge: Floats
    name: Floats
    radius: float
    height: float


def draw(picture: Picture, calibration: Calibration, observation: Observation) -> Picture:
    """The picture (BGR, height x width x 3) with what was read in it drawn over it; the one given is left as it is.

    A badge in the colour of a side's checkers counts them, an amber one with a question mark is doubtful. A picture
    that cannot be read gets a banner that says why.
    """
    canvas = picture.copy()
    _outline(canvas, calibration, _PALE if observation.unreadable is None else _RED)
    if observation.unreadable is not None:
        _banner(canvas, WORDS[observation.unreadable])
    elif len(observation.cells) == BACKGAMMON_CELLS:
        colours = side_colours(picture, calibration, observation)
        for cell, (content, doubtful) in enumerate(_contents(observation)):
            if observation.cells[cell].seen:
                place = tag(calibration, cell)
                _write(canvas, str(cell_name(cell)), place.name, place.height, _PALE, halo=_INK)
                if any(content) or doubtful:
                    _badge(canvas, place, content, colours, doubtful=doubtful)
    return canvas


def _contents(observation: Observation) -> list[tuple[Content, bool]]:
    """What to write of every cell, and whether that is doubtful."""
    taken = take(observation, DOUBTFUL_NATS)
    if taken is None:
        return [(cell.best or (0, 0), cell.margin_nats < DOUBTFUL_NATS) for cell in observation.cells]
    return [(content or (0, 0), cell in taken.doubtful) for cell, content in enumerate(taken.board)]


def side_colours(picture: Picture, calibration: Calibration, observation: Observation) -> tuple[Colour, Colour]:
    """What colour (BGR) both sides' checkers have in this picture: those that were read next to an edge tell."""
    layout = calibration.layout
    found: list[Colour] = []
    for side, usual in enumerate((_PALE, _INK)):
        points = [p for p in range(POINTS) if (best := observation.cells[p].best) and best[side] and not best[1 - side]]
        if not points:
            found.append(usual)
            continue
        tops = np.array([(*layout.slot(point, 0), layout.top) for point in points])
        around = np.rint(calibration.pose.project(tops)).astype(int)[:, None] + np.mgrid[-2:3, -2:3].reshape(2, -1).T
        x, y = (around[..., k].clip(0, picture.shape[1 - k] - 1) for k in (0, 1))
        blue, green, red = np.median(picture[y, x].reshape(-1, 3), axis=0).astype(int).tolist()
        found.append((blue, green, red))
    return found[0], found[1]


def tag(calibration: Calibration, cell: int) -> Tag:
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


def _place(layout: Layout, cell: int) -> tuple[float, float, float]:
    """Where on the edge of the playing area a cell belongs (x, y in board units), and which way along y is outwards."""
    near = cell < POINTS // 2 or cell in (WHITE_BAR, WHITE_OFF)
    y, out = (0.0, -1.0) if near else (layout.depth, 1.0)
    if cell < POINTS:
        return layout.column_x(layout.column_of(cell)), y, out
    if cell in (WHITE_BAR, BLACK_BAR):
        return 0.5, y, out
    beyond = _OFF_COLUMNS * layout.column
    return (-beyond if layout.mirror else 1 + beyond), y, -out


def _outline(canvas: Picture, calibration: Calibration, colour: Colour) -> None:
    depth = calibration.layout.depth
    bed = np.array([[0, 0, 0], [1, 0, 0], [1, depth, 0], [0, depth, 0]], np.float64)
    corners = np.rint(calibration.pose.project(bed) * _PART).astype(np.int32)
    thick = max(1, round(canvas.shape[1] / 640))
    cv2.polylines(canvas, [corners], True, _INK, 3 * thick, cv2.LINE_AA, shift=_SHIFT)
    cv2.polylines(canvas, [corners], True, colour, thick, cv2.LINE_AA, shift=_SHIFT)


def _badge(canvas: Picture, place: Tag, content: Content, colours: tuple[Colour, Colour], *, doubtful: bool) -> None:
    """A disc in the owner's colour with the count: "3", "2+1" where both colours stand, "3?" where that is doubtful."""
    white, black = content
    owner = colours[0] if white or not black else colours[1]
    paper, rim = (_AMBER, owner) if doubtful else (owner, _PALE)
    text = (f"{white}+{black}" if white and black else str(white + black)) + ("?" if doubtful else "")
    at = np.rint(place.badge * _PART).astype(int).tolist()
    ring = max(1.0, place.radius / 6)
    for size, colour in ((place.radius + 2 * ring, _INK), (place.radius + ring, rim), (place.radius, paper)):
        cv2.circle(canvas, at, round(size * _PART), colour, -1, cv2.LINE_AA, shift=_SHIFT)
    grey = float(np.dot(paper, (0.114, 0.587, 0.299)))
    _write(canvas, text, place.badge, place.radius * _DIGITS.get(len(text), 0.5), _INK if grey > _BRIGHT else _PALE)


def _banner(canvas: Picture, words: str) -> None:
    """A band across the top with the words in it."""
    height, width = canvas.shape[:2]
    band = min(round(_BANNER * width), height // 4)
    canvas[:band] = (canvas[:band] * 0.25).astype(np.uint8)
    cv2.line(canvas, (0, band), (width, band), _AMBER, max(2, band // 20), cv2.LINE_AA)
    _write(canvas, words, np.array([width / 2, band / 2]), 0.36 * band, _PALE)


def _write(
    canvas: Picture, text: str, centre: Floats, height: float, colour: Colour, halo: Colour | None = None
) -> None:
    """Write with digits `height` pixels high, centred."""
    font, scale, thick = cv2.FONT_HERSHEY_DUPLEX, height / _DIGIT_PX, max(1, round(height / 9))
    (width, _), _ = cv2.getTextSize(text, font, scale, thick)
    at = round(float(centre[0]) - width / 2), round(float(centre[1]) + height / 2)
    if halo is not None:
        wide = max(1, round(height / 9))
        for right, down in ((-wide, -wide), (wide, -wide), (wide, wide), (-wide, wide)):
            cv2.putText(canvas, text, (at[0] + right, at[1] + down), font, scale, halo, thick, cv2.LINE_AA)
    cv2.putText(canvas, text, at, font, scale, colour, thick, cv2.LINE_AA)
