"""The network that compares doubtful places beside the tiles with the known cubes and with the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from labelled import Scene, tile_board
from places import PICTURES

from companion.core import CHECKERS
from vision.board import BLACK, CERTAIN_NATS, EMPTY, WHITE, Slot, placed_checkers
from vision.imaging import calmed

SCENE = Scene.load(PICTURES / "tiles-blue-brown")
UNKNOWN = (-0.02, -0.01, 0.0)
FAINT = 2.0


@pytest.fixture(scope="module")
def learned():
    return tile_board(SCENE).calibration


@pytest.fixture(scope="module")
def later(learned):
    """A later picture's raster, and its cubes as found by their colours."""
    view = learned.contrast.applied(learned.bed.rectify(calmed(SCENE.frames[1].picture)))
    return view, learned.cubes.find(learned.looks.evidence(view))


def held(spaces):
    return [[slot.holder for slot in space] for space in spaces]


def test_places_are_told_by_the_network_alone(learned, later):
    view, found = later
    unknown = replace(found, spaces=[[replace(slot, nats=UNKNOWN) for slot in space] for space in found.spaces])
    again = learned.comparison.read(unknown, view).spaces
    assert held(again) == held(found.spaces)
    assert sum(holder != EMPTY for space in held(again) for holder in space) > CHECKERS
    margins = np.array([slot.margin_nats for space in again for slot in space])
    assert (margins > CERTAIN_NATS).mean() > 0.5


def test_what_the_colours_tell_for_certain_is_not_read_again(learned, later):
    view, found = later
    wrong = [[replace(slot, nats=(0.0, -13.0, -13.0)) for slot in space] for space in found.spaces]
    assert learned.comparison.read(replace(found, spaces=wrong), view).spaces == wrong


def test_a_faint_cube_stays_in_doubt(learned, later):
    """It may be a part of the others, on a board that moved a little; the network does not see that."""
    view, found = later
    point = max(range(len(found.spaces)), key=lambda one: sum(slot.holder != EMPTY for slot in found.spaces[one]))
    last = outermost(found.spaces[point])
    again = learned.comparison.read(with_faint(found, point, last), view).spaces[point]
    assert again[last].holder == found.spaces[point][last].holder
    assert again[last].margin_nats <= FAINT
    assert all(slot.margin_nats > CERTAIN_NATS for slot in again[:last])


def test_a_faint_cube_that_the_network_is_certain_of_is_in_doubt_no_more(learned, later):
    view, found = later
    points = [point for point, space in enumerate(found.spaces) if held([space])[0].count(EMPTY) < len(space) - 1]
    kept = []
    for point in points:
        last = outermost(found.spaces[point])
        again = learned.comparison.read(with_faint(found, point, last), view).spaces[point][last]
        assert again.holder == found.spaces[point][last].holder
        assert again.margin_nats <= FAINT or again.margin_nats > CERTAIN_NATS
        kept.append(again.margin_nats > CERTAIN_NATS)
    assert sum(kept) > len(kept) / 2


def outermost(space):
    return max(index for index, slot in enumerate(space) if slot.holder != EMPTY)


def with_faint(found, point, index):
    """The cubes, with little evidence of one of them."""
    space = [*found.spaces[point]]
    space[index] = space[index].renewed(np.where(np.arange(3) == space[index].holder, 0.0, -FAINT))
    return replace(found, spaces=[*found.spaces[:point], space, *found.spaces[point + 1 :]])


@pytest.mark.parametrize(("name", "index"), [("tiles-blue-white", 1), ("tiles-green-red", 2), ("tiles-white-black", 1)])
def test_hit_cubes_are_in_doubt_where_the_table_is_clearly_seen(name, index):
    """The colours of a gleam may be nearer to a dark cube's than to the table's."""
    scene = Scene.load(PICTURES / name)
    learned, frame = tile_board(scene).calibration, scene.frames[index]
    view = learned.contrast.applied(learned.bed.rectify(calmed(frame.picture)))
    found = learned.cubes.find(learned.looks.evidence(view))
    hit = [slot for slot in found.hit[WHITE] if slot.holder == WHITE]
    assert len(hit) == frame.bar[WHITE]
    rows, columns = learned.cubes.zones[BLACK]
    x, y = (columns.start + columns.stop) // 2, (rows.start + rows.stop) // 2
    gleam = Slot(x, y, (-np.inf, 0.0, -20.0), foreign=False)
    again = learned.comparison.read(replace(found, hit=(hit, [gleam])), view).hit
    assert again[WHITE] == hit
    assert again[BLACK][0].margin_nats == pytest.approx(FAINT)


def test_a_cube_that_is_missing_from_the_known_position_is_noticed(learned):
    """The colours of its place were learned as a cube's, and it reads as given."""
    assert learned.comparison.missing() == []
    points = [list(content) for content in learned.points]
    taken_from, bare = next(p for p in range(24) if points[p][0] > 1), next(p for p in range(24) if not any(points[p]))
    points[taken_from][0] -= 1
    points[bare][0] += 1
    otherwise = replace(learned, points=tuple(map(tuple, points)))
    vars(otherwise)["cubes"] = learned.cubes
    missing = [placed_checkers(otherwise.points, row=CHECKERS)[index].point for index in otherwise.comparison.missing()]
    assert missing == [bare]
