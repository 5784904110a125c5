"""Drawing functions of the overlays: outlines, badges, text and banners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.model import Cause

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Floats = NDArray[np.float64]

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
    write(canvas, text, centre, radius * _DIGITS.get(len(text), 0.5), INK if grey > _BRIGHT else PALE)


def banner(canvas: Picture, words: str) -> None:
    """Darken a band across the top and write the words in it."""
    height, width = canvas.shape[:2]
    band = min(round(_BANNER * width), height // 4)
    canvas[:band] = (canvas[:band] * 0.25).astype(np.uint8)
    cv2.line(canvas, (0, band), (width, band), AMBER, max(2, band // 20), cv2.LINE_AA)
    write(canvas, words, np.array([width / 2, band / 2]), 0.36 * band, PALE)


def write(
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


def colour_at(picture: Picture, places: Floats, usual: Colour) -> Colour:
    """The median colour (BGR) of a picture around places (n x 2 pixels); `usual` if there are none."""
    if not len(places):
        return usual
    around = np.rint(places).astype(int)[:, None] + np.mgrid[-2:3, -2:3].reshape(2, -1).T
    x, y = (around[..., k].clip(0, picture.shape[1 - k] - 1) for k in (0, 1))
    blue, green, red = np.median(picture[y, x].reshape(-1, 3), axis=0).astype(int).tolist()
    return blue, green, red
