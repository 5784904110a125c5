"""The board's corners dragged on the camera's picture."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest
from page_player import unanswered
from playwright.sync_api import expect

from companion.app.board_tracker import CornerMarking
from companion.core import verbatim
from companion.game import Phase

IMPATIENT = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (ms) => timeout(ms / 50);"
GUESS = [[120.0, 380.0], [520.0, 380.0], [480.0, 100.0], [160.0, 100.0]]


class BrowserLearner:
    """Accepts marked corners."""

    def __init__(self) -> None:
        self.guess = np.array(GUESS)
        self.marked: list[np.ndarray] = []
        self.told = threading.Event()

    def mark(self, corners: np.ndarray) -> None:
        self.marked.append(corners)
        self.told.set()


@pytest.fixture
def learner(evening):
    """A real table that waits for its board, with a picture 640 wide."""
    found = BrowserLearner()
    evening.table.marking = CornerMarking(found, lambda: None, lambda: True)
    _, jpeg = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))
    evening.table.show_picture(jpeg.tobytes())
    evening.show(phase=Phase.WAITING, camera=verbatim("no starting position of backgammon is in the picture"))
    return found


@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_a_corner_dragged_from_the_guess_is_learned_where_it_was_dropped(learner, address, open_page):
    page = open_page(address)
    page.get_by_role("button", name="Mark the corners").click()
    handles = page.locator("#corners circle")
    expect(handles).to_have_count(4)
    scale = page.locator("#corners").evaluate("svg => svg.getScreenCTM().a")
    box = handles.nth(2).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60 * scale, y - 40 * scale, steps=4)
    expect(page.locator("#corners .loupe image")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("#corners .loupe")).to_have_count(0)
    page.get_by_role("button", name="Learn the board here").click()
    assert learner.told.wait(60)
    assert np.allclose(learner.marked[0], [*GUESS[:2], [540, 60], GUESS[3]], atol=3)
    expect(page.locator("#corners")).to_be_hidden()


@pytest.mark.usefixtures("learner")
@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_a_table_that_does_not_answer_is_reported_and_not_waited_for(address, open_page):
    page = open_page(address)
    page.evaluate(IMPATIENT)
    with unanswered(page, "**/corners.json"):
        page.get_by_role("button", name="Mark the corners").click()
        expect(page.locator("#toast")).to_contain_text("Boardside does not answer.")


@pytest.mark.slow
@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_corners_are_moved_with_the_keyboard_too(learner, address, open_page):
    page = open_page(address)
    page.get_by_role("button", name="Mark the corners").click()
    page.get_by_role("slider", name="bottom left").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    page.get_by_role("button", name="Learn the board here").click()
    assert learner.told.wait(60)
    assert np.allclose(learner.marked[0], [[119, 390], *GUESS[1:]])


@pytest.mark.slow
@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_marking_is_not_possible_during_a_game_and_can_be_cancelled(evening, learner, address, open_page):
    page = open_page(address)
    page.get_by_role("button", name="Mark the corners").click()
    page.get_by_role("button", name="Leave it").click()
    expect(page.locator("#corners")).to_be_hidden()
    page.get_by_role("button", name="Mark the corners").click()
    evening.show(phase=Phase.TO_MOVE, camera=None)
    expect(page.get_by_role("button", name="Mark the corners")).to_be_hidden()
    expect(page.locator("#corners")).to_be_hidden()
    assert learner.marked == []


@pytest.mark.slow
@pytest.mark.parametrize("evening", ["real"], indirect=True)
def test_every_corner_can_be_dragged_also_if_the_guess_leaves_the_picture(learner, address, open_page):
    learner.guess = np.array([[120.0, 520.0], [900.0, 380.0], *GUESS[2:]])
    page = open_page(address)
    page.get_by_role("button", name="Mark the corners").click()
    page.get_by_role("button", name="Learn the board here").click()
    assert learner.told.wait(60)
    assert np.allclose(learner.marked[0], [[128, 384], [512, 384], [512, 96], [128, 96]])
