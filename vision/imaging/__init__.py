"""Operations on pixels that do not depend on the kind of board.

It offers colour, exposure, illumination, discs and saddle points, appearance models, and why a picture
cannot be read.
"""

from __future__ import annotations

from vision.imaging.appearance import Appearance, BackgroundModel, PixelEvidence, level, lightness_gradient
from vision.imaging.board_drawing import BoardDrawing, DrawingSeen
from vision.imaging.colour import bins_of, colour_distance, colour_likeness, colour_table, to_lab, to_lab8
from vision.imaging.colour_matrix import same_colours
from vision.imaging.exposure import NEARLY_WHITE, SATURATED, ExposureCache, match_gain, saturated, saturation_level
from vision.imaging.filters import calmed, ellipse
from vision.imaging.grain import Grain
from vision.imaging.illumination import BORDER_REACH, Illumination
from vision.imaging.matching import match_picture
from vision.imaging.radial_symmetry import Disc, RoundEdges, colour_at, find_discs, rim_reach, roundness_maps
from vision.imaging.readability import (
    Edges,
    PictureFigures,
    blamed_on_darkness,
    cause_of_light,
    colours_lost,
    holds_hand,
    is_dark,
    likely_cause,
    picture_figures,
    steepness,
    thick_things,
    unexplained,
    unexplained_pixels,
    washed_out,
)
from vision.imaging.saddle_points import find_lattice, find_saddles
from vision.imaging.tones import black_level, same_tones, stretched

__all__ = [
    "BORDER_REACH",
    "NEARLY_WHITE",
    "SATURATED",
    "Appearance",
    "BackgroundModel",
    "BoardDrawing",
    "Disc",
    "DrawingSeen",
    "Edges",
    "ExposureCache",
    "Grain",
    "Illumination",
    "PictureFigures",
    "PixelEvidence",
    "RoundEdges",
    "bins_of",
    "black_level",
    "blamed_on_darkness",
    "calmed",
    "cause_of_light",
    "colour_at",
    "colour_distance",
    "colour_likeness",
    "colour_table",
    "colours_lost",
    "ellipse",
    "find_discs",
    "find_lattice",
    "find_saddles",
    "holds_hand",
    "is_dark",
    "level",
    "lightness_gradient",
    "likely_cause",
    "match_gain",
    "match_picture",
    "picture_figures",
    "rim_reach",
    "roundness_maps",
    "same_colours",
    "same_tones",
    "saturated",
    "saturation_level",
    "steepness",
    "stretched",
    "thick_things",
    "to_lab",
    "to_lab8",
    "unexplained",
    "unexplained_pixels",
    "washed_out",
]
