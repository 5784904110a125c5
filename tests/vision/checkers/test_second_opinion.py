"""Readings by comparison alone and with contours, and pictures with accepted positions."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from changed_calibration_file import write_changed
from labelled_checkers import FILM, scenes

from companion.core import Cause, CellReading
from vision.board import CERTAIN_NATS, CalibrationError
from vision.cameras import load_picture
from vision.checkers.board import CheckersBoard, agreed
from vision.checkers.calibration import calibrate_checkers
from vision.checkers.layout import CELLS, GRID, LIGHT, START, checkers_cells
from vision.checkers.reader import ComparedSquares, SquaresReader, classes_of
from vision.comparator import CLASSES, EMPTY, OTHER, WHITE

MAN, NOTHING = (1, 0), (0, 0)


def reading(content, nats):
    other = NOTHING if content == MAN else MAN
    return CellReading.of({content: 0.0, other: -nats})


def side(nats, nothing=9.0):
    """A white man; a black man or none is less likely by that many nats."""
    return CellReading.of({MAN: 0.0, (0, 1): -nats, NOTHING: -nothing})


OTHER_SIDE = CellReading.of({(0, 1): 0.0, MAN: -0.7, NOTHING: -4.3})
"""An uncertain black man, for which contours may show a white one."""


@pytest.mark.parametrize(
    ("outlined", "compared", "result"),
    [
        (reading(MAN, 3), reading(MAN, 6), reading(MAN, 7.5)),
        (reading(MAN, 9), reading(MAN, 1), reading(MAN, 5.5)),
        (reading(MAN, 9), side(2.5), side(2.5)),
        (reading(MAN, 9), side(3.5), side(float("inf"), 13.5)),
        (reading(NOTHING, 9), reading(NOTHING, 1), reading(NOTHING, 5.5)),
        (reading(MAN, 2.5), reading(NOTHING, 6), reading(NOTHING, 6)),
        (reading(MAN, 6), reading(NOTHING, 9), reading(NOTHING, 9)),
        (reading(MAN, 1), reading(NOTHING, 4), reading(MAN, 1)),
        (reading(MAN, 9), reading(NOTHING, 1), reading(NOTHING, 1)),
        (reading(MAN, 9), OTHER_SIDE, OTHER_SIDE),
        (reading(MAN, 9), reading(NOTHING, 6), reading(NOTHING, 6)),
        (CellReading(), reading(NOTHING, 6), reading(NOTHING, 6)),
    ],
    ids=[
        "agree",
        "agree, an empty square is not ruled out",
        "agree, the side is a guess",
        "agree, the side is clear",
        "nothing needs no backing",
        "comparison prevails over a guess",
        "comparison prevails though contours are certain",
        "both doubtful",
        "contours do not prevail",
        "contours do not prevail with the other side",
        "comparison prevails though contours are surer",
        "contours hidden",
    ],
)
def test_contours_support_a_comparison_and_contradict_it_with_a_doubt_unless_it_is_certain(outlined, compared, result):
    assert agreed(outlined, compared, covered=False, lead_nats=99.0) == result


def test_contours_give_no_reading_of_a_covered_square():
    seen = agreed(reading(NOTHING, 9), reading(NOTHING, 2), covered=True, lead_nats=-1.0)
    assert seen.margin_nats == 2


@pytest.mark.parametrize(("lead", "certain"), [(2.5, False), (3.5, True)])
def test_contours_support_a_man_only_if_comparison_makes_another_object_unlikely(lead, certain):
    compared = CellReading.of({MAN: 0.0, NOTHING: -30.0})
    seen = agreed(reading(MAN, 9), compared, covered=False, lead_nats=lead)
    assert seen.best == MAN
    assert (seen.margin_nats >= CERTAIN_NATS) == certain
    assert seen.margin_nats < 9


def test_contours_may_show_that_a_square_with_a_possible_other_object_is_empty():
    assert agreed(reading(NOTHING, 9), reading(NOTHING, 9), covered=False, lead_nats=3.0).margin_nats == 7.5


def logs(of: dict[int, int]):
    """Readings that are certain of EMPTY, and of these classes on these squares."""
    nats = np.full((CELLS, CLASSES), -8.0)
    nats[:, EMPTY] = 0
    for cell, label in of.items():
        nats[cell] = -8.0
        nats[cell, label] = 0
    return ComparedSquares(nats, np.full(CELLS, EMPTY))


def test_an_object_over_three_adjoining_squares_is_a_hand_and_over_two_it_is_not():
    assert logs({18: OTHER, 27: OTHER, 28: OTHER}).hand
    assert not logs({18: OTHER, 27: OTHER, 60: OTHER}).hand


def test_a_covered_square_is_doubtful():
    assert logs({18: OTHER}).margins[18] < CERTAIN_NATS


@pytest.mark.parametrize(
    ("known", "now", "certain"),
    [((9, 11), (9, 18), True), ((9,), (9, 18), False), ((), (9, 18), False), ((9,), (9, 18, 40, 42), True)],
    ids=["a man has gone", "one more", "two more", "set up anew"],
)
def test_another_object_is_more_likely_if_there_would_be_one_man_too_many(known, now, certain):
    before = np.full(CELLS, EMPTY)
    before[list(known)] = WHITE
    seen = logs(dict.fromkeys(now, WHITE)).logs
    seen[18, OTHER] = -3.0
    assert (ComparedSquares(seen, before).margins[18] >= CERTAIN_NATS) == certain


def test_a_square_most_like_another_object_is_doubtful_also_if_a_man_is_missing():
    known = np.full(CELLS, EMPTY)
    known[9] = WHITE
    seen = logs({18: OTHER}).logs
    seen[18, WHITE] = -0.1
    assert ComparedSquares(seen, known).margins[18] < CERTAIN_NATS


def test_where_a_reflection_hides_a_square_its_content_is_in_doubt_and_contours_do_not_change_that():
    seen = logs({18: WHITE})
    hidden = replace(seen, blind=np.isin(np.arange(CELLS), (18, 20)))
    for cell in (18, 20):
        assert seen.margins[cell] >= CERTAIN_NATS > hidden.margins[cell]
        compared = hidden.of_contents()[cell]
        by_contours = CellReading.of({one: -9.0 * (one != compared.best) for one in (MAN, (0, 1), NOTHING)})
        assert agreed(by_contours, compared, covered=True, lead_nats=99.0).margin_nats < CERTAIN_NATS


def test_a_man_on_a_light_square_needs_more_evidence_but_is_found():
    assert CERTAIN_NATS < logs({1: WHITE}).margins[1] < logs({0: WHITE}).margins[0]
    seen = logs({}).logs.copy()
    seen[1, WHITE], seen[1, EMPTY] = 0, -2
    assert ComparedSquares(seen, np.full(CELLS, EMPTY)).margins[1] < CERTAIN_NATS


@pytest.fixture(scope="module")
def club():
    return next(one for one in scenes() if one.name == "checkers-club")


@pytest.fixture
def reader(club):
    """A new reader, not used by other tests."""
    return SquaresReader(club.board.calibration.learned, classes_of(START))


def test_the_comparing_reader_alone_makes_no_certain_error(club, reader):
    wrong = 0
    for frame in club.frames:
        squares = reader.read(reader.changes(GRID.rectify(frame.picture, club.board.calibration.corners)))
        truth = classes_of(checkers_cells({"squares": frame.squares}))
        if not frame.hand:
            wrong += int(((squares.nats.argmax(axis=1) != truth) & (squares.margins >= CERTAIN_NATS)).sum())
            assert (squares.nats.argmax(axis=1) == truth).mean() > 0.95
    assert wrong == 0


@pytest.mark.parametrize("content", [EMPTY, WHITE])
def test_a_square_that_was_empty_in_a_reflection_is_in_doubt_but_a_man_may_shine(club, content):
    held = classes_of(START)
    (cell, *_) = np.flatnonzero((held == content) & ~LIGHT)
    learned = club.board.calibration.learned.copy()
    learned[GRID.mask(np.arange(CELLS) == cell)] = 255
    reader = SquaresReader(learned, held)
    read = reader.read(reader.changes(learned))
    assert np.flatnonzero(read.blind).tolist() == ([cell] if content == EMPTY else [])
    assert (read.margins[read.blind] < CERTAIN_NATS).all()


def test_squares_that_have_not_changed_since_an_accepted_look_are_known(club, reader):
    frame = next(one for one in club.frames[1:] if not one.hand)
    view = GRID.rectify(frame.picture, club.board.calibration.corners)
    board = checkers_cells({"squares": frame.squares})
    reader.accept(view, board)
    assert (reader.read(reader.changes(view)).nats.argmax(axis=1) == classes_of(board)).all()
    assert reader.read(reader.changes(view)).margins.min() >= CERTAIN_NATS
    assert len(reader.references) == 2


def test_a_picture_that_contradicts_its_position_is_not_used_as_a_reference(reader):
    told = list(START)
    told[0], told[27] = told[27], told[0]
    reader.accept(reader.learned, told)
    assert len(reader.references) == 1


def test_a_picture_without_one_side_is_not_used_as_a_reference(reader):
    lonely = [content if content != (0, 1) else (0, 0) for content in START]
    reader.accept(reader.learned, lonely)
    assert len(reader.references) == 1


def test_a_board_passes_accepted_positions_to_its_reader(club):
    board = type(club.board)(replace(club.board.calibration))
    assert len(board.calibration.comparing.references) == 1
    board.confirm(club.start, START)
    assert len(board.calibration.comparing.references) == 2


@pytest.fixture
def no_contours(monkeypatch):
    """Contours may not be read."""

    def read(*_):
        raise AssertionError("contours were read")

    monkeypatch.setattr("vision.checkers.contour_reading.Outlines.read", read)


@pytest.mark.usefixtures("no_contours")
def test_a_turn_is_read_by_comparing_only_the_changed_squares():
    film, truth = (json.loads((FILM / name).read_text(encoding="utf-8")) for name in ("game.json", "truth.json"))
    before, after = (load_picture(FILM / film["frames"][number]["file"]) for number in (0, 3))
    position = CheckersBoard.position({"fen": film["events"][0]["position"]})
    board = CheckersBoard(calibrate_checkers(before, np.array(film["corners"]), position))
    assert board.answer(board.look(after))["squares"] == truth["events"][0]["position"]["squares"]


@pytest.mark.usefixtures("no_contours")
def test_a_hand_over_a_few_squares_is_seen_without_contours(club):
    picture = club.start.copy()
    cv2.fillConvexPoly(picture, np.rint([*club.corners[:2], club.corners.mean(axis=0)]).astype(int), 0)
    assert club.board.look(picture).unreadable is Cause.HAND


def test_a_file_of_an_earlier_version_requires_another_calibration(club, tmp_path):
    club.board.save(tmp_path / "board.cal")
    write_changed(tmp_path / "old.cal", tmp_path / "board.cal", without=("learned",))
    with pytest.raises(CalibrationError, match="calibrate again"):
        type(club.board).load(tmp_path / "old.cal")
