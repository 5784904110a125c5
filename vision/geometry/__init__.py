"""Projective geometry without checkers or colours.

It offers camera pose, rectification, registration, lens distortion, markers, gradients and optimisers.
"""

from __future__ import annotations

from vision.geometry.distortion import LensDistortion, find_lens
from vision.geometry.gradient import grey, halved, scharr_gradient, sobel_gradient
from vision.geometry.markers import FEWEST_MARKERS, find_markers, motion_of
from vision.geometry.optimize import fit_measures, least_squares
from vision.geometry.pose import (
    COLUMNS,
    FOCAL_PRIOR,
    FOCAL_SPREAD,
    BoardFit,
    CameraPose,
    NoPoseError,
    bed_corners,
    estimate_pose,
    fit_corners_exactly,
    lens_matrix,
    move_pose,
    plane,
    possible_poses,
    project,
    project_to_bed,
    unusual_focal_nats,
    usual_pose,
)
from vision.geometry.rectification import PlaneView, Raster, Window, view_plane, warp
from vision.geometry.registration import (
    AlignmentFit,
    agreement,
    corner_distances,
    distinct_alignments,
    search_alignments,
)

__all__ = [
    "COLUMNS",
    "FEWEST_MARKERS",
    "FOCAL_PRIOR",
    "FOCAL_SPREAD",
    "AlignmentFit",
    "BoardFit",
    "CameraPose",
    "LensDistortion",
    "NoPoseError",
    "PlaneView",
    "Raster",
    "Window",
    "agreement",
    "bed_corners",
    "corner_distances",
    "distinct_alignments",
    "estimate_pose",
    "find_lens",
    "find_markers",
    "fit_corners_exactly",
    "fit_measures",
    "grey",
    "halved",
    "least_squares",
    "lens_matrix",
    "motion_of",
    "move_pose",
    "plane",
    "possible_poses",
    "project",
    "project_to_bed",
    "scharr_gradient",
    "search_alignments",
    "sobel_gradient",
    "unusual_focal_nats",
    "usual_pose",
    "view_plane",
    "warp",
]
