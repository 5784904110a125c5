"""The parts of the eye that `ablation.py` switches off, each by replacing a function or a constant."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from companion.core import CellReading
from vision.board import discs
from vision.checkers.contour_model import Cells
from vision.dice.resting import RestState
from vision.imaging import Illumination

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Floats

FRAMED, TILES, SQUARES = KINDS = ("backgammon", "tiles", "checkers")


@dataclass(frozen=True)
class Mechanism:
    """A part of the eye that can be switched off.

    Attributes:
        name: what it does.
        kinds: the kinds of boards it is part of.
        off: what is replaced (`module:name` or `module:class.name`, below `vision`), and by what.
    """

    name: str
    kinds: tuple[str, ...]
    off: tuple[tuple[str, object], ...]

    def switch_off(self) -> ExitStack:
        """Patch its targets until the stack is closed. Raises AttributeError if a target does not exist."""
        stack = ExitStack()
        for target, value in self.off:
            module, _, path = target.partition(":")
            owner: Any = import_module(f"vision.{module}")
            *owners, name = path.split(".")
            for each in owners:
                owner = getattr(owner, each)
            stack.enter_context(patch.object(owner, name, value))
        return stack


def of_kinds(*kinds: str, **mechanisms: tuple[object, ...]) -> tuple[Mechanism, ...]:
    """Mechanisms by name; each is a target and its replacement, or several pairs in a row."""
    return tuple(
        Mechanism(name.replace("_", " "), kinds, tuple(zip(off[::2], off[1::2], strict=True)))  # type: ignore[arg-type]
        for name, off in mechanisms.items()
    )


def at_one_nat(_: object, areas: Sequence[object], __: object) -> Floats:
    """A cost of one nat for each side in each of some areas."""
    return np.ones((len(areas), 2))


def nothing(*_: object) -> None:
    """Return None."""


def none_found(*_: object) -> list[Any]:
    """Return an empty list."""
    return []


def unchanged(first: object, *_: object) -> object:
    """Return the first argument."""
    return first


def unchanged_second(_: object, second: object, *__: object) -> object:
    """Return the second argument, which is the first after `self`."""
    return second


def no_mask(values: np.ndarray, *_: object, **__: object) -> np.ndarray:
    """Return a mask that is False everywhere."""
    return np.zeros(values.shape[:2], bool)


def zeros(values: np.ndarray, *_: object) -> np.ndarray:
    """Return zeros for all values."""
    return np.zeros(values.shape[:2], np.float32)


MECHANISMS = (
    *of_kinds(
        FRAMED,
        slots_compared_with_known_checkers=("backgammon.calibration:Calibration.slot_comparison", None),
        slots_compared_with_cutouts=(
            "backgammon.cutout_comparison:CutoutComparison.compare",
            lambda comparison: comparison.read,
        ),
        less_trust_where_checkers_look_like_the_board=(
            "backgammon.slot_model:_trust",
            lambda centre, _: np.ones((*centre.shape[:2], 2)),
        ),
        foreign_things_in_slots=("backgammon.slot_reading:_FOREIGN_DISTANCE", np.inf),
        rows_on_points_are_not_on_the_bar=("backgammon.slot_reading:_beside_rows", unchanged),
        checkers_between_points=("backgammon.between.search:find_checkers_between", none_found),
        checkers_abreast=("backgammon.between.search:find_checkers_abreast", none_found),
        tray_beside_the_board=(
            "backgammon.reader:FramedBoardReader._borne_off",
            lambda *_: (CellReading(), CellReading()),
        ),
        second_layer_by_place_in_the_row=(
            "backgammon.stacking.count:nats_by_place",
            lambda seen, carrying=None: np.zeros(len(seen.out) + 1 if carrying is None else len(carrying)),
        ),
        second_layer_by_the_network_on_spokes=(
            "backgammon.stacking.count:LayerModel.network_log_ratios",
            lambda _, __, found: np.zeros(len(found.owner)),
        ),
        second_layer_by_the_comparing_network=(
            "backgammon.stacking.count:LayerModel._compared",
            lambda _, row: np.zeros(len(row.sides)),
        ),
        second_layer_trust_from_known_rows=("backgammon.stacking.count:_surprise", lambda _: 0.0),
        second_layer_prior_of_full_rows=("backgammon.cell_counts:_ON_TOP_NATS", (0.0, 0.0)),
        second_layer_prior_of_short_rows=("backgammon.cell_counts:_ON_TOP_SHORT_NATS", (1.2, 0.6)),
        corners_corrected_by_the_checkers_places=("backgammon.fit:estimate_corner_offsets", nothing),
        corners_corrected_by_the_checkers_outlines=("backgammon.fit:refine_marked", none_found),
        edges_moved_to_the_rows_ends=("backgammon.locate.marked:_edges_moved", none_found),
        points_off_an_exact_pitch=("board.empty_bed:_DISPLACED", 0.0),
        bed_copied_from_the_points_opposite=("board.empty_bed:_copy_across", nothing),
        doubt_about_the_light_of_copied_bed=("board.empty_bed:_light_difference_of_columns", zeros),
        foreign_things_of_the_calibration_are_ignored=("backgammon.calibration:unexplained_pixels", no_mask),
        plane_of_light=("imaging:Illumination.of", lambda _, __, gain, *___: Illumination(gain)),
        light_of_shadows=("imaging.illumination:light_field", lambda _, __, plane, ___: (plane, no_mask(plane))),
        drawing_of_the_board=("imaging.board_drawing:_BARE", np.inf, "imaging.board_drawing:_HIDDEN", -1.0),
        points_veiled_as_a_whole=("backgammon.doubts:_VEILED_ROW", np.inf),
        light_beyond_sharp_edges=("imaging.light_field:_further_levels", none_found),
        colour_matrix=("imaging.matching:same_colours", unchanged),
        measured_level_of_saturation=("imaging:Appearance.saturation_gain", lambda _, __, gain: gain),
        hand_over_a_framed_board=("backgammon.reader:thick_things", no_mask),
        checkers_in_other_colours_are_no_hand=("backgammon.reader:discs", lambda rows, **_: discs(rows)),
        locating_by_three_stacks=("backgammon.locate.search:rectangles_of_three", none_found),
        locating_weighs_colours=("backgammon.locate.search:_weigh_colours", unchanged),
        locating_in_stretched_pictures=("backgammon.locate.search:STRETCHES", (1.0,)),
        dice_of_one_size=("dice.reader:_SIZES_ALIKE", np.inf),
        dice_judged_in_eight_turns=("dice.search:_LOOKS", 1),
        sides_of_dice_in_front_of_missed_faces=("dice.resting:_BEHIND_NATS", np.inf),
        dice_resting_flat_or_leaning=("dice.reader:rest_state", lambda *_: RestState.FLAT),
    ),
    *of_kinds(
        SQUARES,
        squares_by_contours=("checkers.contour_reading:Outlines.read", lambda *_: Cells(np.zeros((64, 3)))),
        squares_by_comparison=(
            *("checkers.board:agreed", unchanged),
            *("checkers.reader:ComparedSquares.hand", False),
            *("checkers.reader:_MOST_CHANGED", -1),
        ),
        contours_need_backing_for_a_side=("checkers.board:_BACKED_NATS", 0.0),
        contours_add_to_a_comparison=("checkers.board:_CONTOURS_WEIGHT", 0.0),
        hand_seen_by_comparison=("checkers.reader:ComparedSquares.hand", False),
        hand_hides_edges_of_squares=("checkers.contour_reading:_HIDDEN_HAND", 1000),
        blurred_pictures_are_refused=("checkers.board:_BLURRED", 0.0),
        squares_unchanged_are_known=("comparator:ReferenceLook.unchanged", lambda _, patches: no_mask(patches)[:, 0]),
        squares_read_by_comparison_alone_where_few_changed=("checkers.reader:_MOST_CHANGED", -1),
        squares_compared_in_eight_turns=("checkers.reader:_TURNS", 1),
        squares_compared_in_the_learned_light=("comparator:CellGrid.in_light", unchanged_second),
        prior_of_light_squares=("checkers.contour_model:LIGHT_NATS", 0.0, "checkers.reader:LIGHT_NATS", 0.0),
        contours_adapted_to_the_picture=("checkers.contour_model:OutlineModel._adapted", unchanged),
        gloss_of_bare_squares=("checkers.contour_model:_gloss", lambda bare, _: (np.zeros_like(bare),) * 2),
        contours_off_their_squares=(
            "checkers.contour_model:OutlineModel._set_down",
            lambda _, off: np.zeros(len(off)),
        ),
        sides_in_doubt_in_gleams=("checkers.sides:_ADDED", np.inf),
        sides_in_doubt_in_faded_colours=("checkers.hues:HuesSeen.faded", lambda *_: False),
        sides_by_hue=("checkers.hues:_MOST_NATS", 0.0),
        bright_squares_without_a_gleam=("checkers.sides:_HIDDEN", np.inf),
        glare_on_dark_squares=("checkers.board:CheckersBoard._glare", nothing),
    ),
    *of_kinds(
        TILES,
        doubtful_places_compared_with_cubes=("tiles.comparison:CubeComparison.read", lambda _, found, __: found),
        unexplained_areas_compared_with_cubes=("tiles.unexplained:UnexplainedAreas._costs", at_one_nat),
        unexplained_areas_of_a_cubes_colour=("tiles.unexplained:UnexplainedAreas._areas", lambda *_: set()),
        unexplained_tops=("tiles.unexplained:_tops_of_others", lambda nats, _: no_mask(nats)),
        focal_length_by_square_tiles=("tiles.edges:_LEAST_GAIN", np.inf),
        tops_over_tiles_do_not_count=("tiles.layout:_UNKNOWN", 0.0),
        unchanged_spaces_are_known=("tiles.accepted_look:is_set_up_anew", lambda _: True),
        one_cube_more_hidden_on_top=("tiles.reader:_HIDDEN_NATS", 1e3),
        known_cubes_badly_seen=("tiles.cubes:CubeFinder._doubt", lambda *_: 0.0),
        cost_of_a_cube_astray=("tiles.cubes:_STRAY_COST", 0.0),
        haze_measured_by_tiles=("tiles.haze:TileTones.haze", nothing),
        models_of_saturated_pixels=(
            "tiles.calibration:TileCalibration.evidence",
            lambda self, levelled, *_: self.looks.evidence(levelled),
        ),
        doubt_beyond_an_empty_pair=("tiles.reader:with_doubt_beyond_gaps", unchanged),
        shade_and_rims_of_tiles=("tiles.colours:_DARKER", 1e3),
        hand_over_tiles=("tiles.reader:thick_things", no_mask),
        borne_off_cubes_are_no_hand=("tiles.reader:TileBoardReader._off_cubes", lambda _, e: no_mask(e.changed)),
    ),
    *of_kinds(
        FRAMED,
        TILES,
        models_by_exposure=("imaging.exposure:_STEP", 1e9),
        gain_that_counts_saturated_pixels=("imaging.exposure:_ENOUGH_INLIERS", -1.0),
        edges_in_place=("imaging:Edges.cause", nothing),
        grain_of_board_or_table=("imaging:Grain.seen_in", lambda _, view: no_mask(view)),
    ),
    *of_kinds(
        *KINDS,
        dark_and_glaring_pictures_are_refused=(
            *("backgammon.reader:cause_of_light", nothing),
            *("tiles.reader:is_dark", nothing),
            *("backgammon.reader:FramedBoardReader._has_lost_colours", nothing),
            *("tiles.reader:TileBoardReader._has_lost_colours", nothing),
            *("checkers.board:cause_of_light", nothing),
        ),
        lens_distortion=("registry:find_lens", nothing),
        locating_in_brightened_pictures=("board.location:brighten", unchanged),
    ),
)
