"""Pixel operations that need no board: colour, exposure, illumination, shadow, interest points."""

from __future__ import annotations

from vision.imaging.appearance import Appearance, BackgroundModel, Evidence, level, slopes
from vision.imaging.colour import bins_of, colour_distance, colour_table, lab, to_lab
from vision.imaging.exposure import Exposures, ceiling_of, match_gain
from vision.imaging.illumination import Illumination
from vision.imaging.radial_symmetry import Disc, RoundEdges, colour_at, find_discs, gradient, roundness_maps
from vision.imaging.readability import (
    Edges,
    cause_of_light,
    is_covered,
    likely_cause,
    unexplained,
    unexplained_pixels,
    washed_out,
)
from vision.imaging.saddle_points import find_lattice, find_saddles
from vision.imaging.shadow import fit_shading, shading_residual

__all__ = [
    "Appearance",
    "BackgroundModel",
    "Disc",
    "Edges",
    "Evidence",
    "Exposures",
    "Illumination",
    "RoundEdges",
    "bins_of",
    "cause_of_light",
    "ceiling_of",
    "colour_at",
    "colour_distance",
    "colour_table",
    "find_discs",
    "find_lattice",
    "find_saddles",
    "fit_shading",
    "gradient",
    "is_covered",
    "lab",
    "level",
    "likely_cause",
    "match_gain",
    "roundness_maps",
    "shading_residual",
    "slopes",
    "to_lab",
    "unexplained",
    "unexplained_pixels",
    "washed_out",
]
