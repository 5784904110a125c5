"""Matches a picture's tones and colours to a known one before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.imaging.colour_matrix import same_colours
from vision.imaging.tones import same_tones

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.arrays import Picture


def match_picture(
    picture: Picture, view: Picture, known: Picture, rectify: Callable[[Picture], Picture]
) -> tuple[Picture, Picture]:
    """The picture with the tones and the mixture of channels of a known one, and its view; the same two if unchanged.

    `view` is `rectify(picture)`; it mostly shows the same as `known`, which has the same size. All are BGR.
    """
    for match in (same_tones, same_colours):
        matched = match(picture, view, known)
        if matched is not picture:
            picture, view = matched, rectify(matched)
    return picture, view
