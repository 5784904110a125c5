"""Whole evenings at the real program: by finger, by keyboard, on every kind of screen."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from labelled import FILM
from page_player import ONE_LAYER, Player, Tapping, Typing, checkers_on, dropped, simple_plays
from playwright.sync_api import expect
from running_table import free_port

from companion.notation.mat import parse_mat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Pages
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.slow

PATIENCE_MS = 60_000
OTHER = {"White": "Black", "Black": "White"}
FINGER = {"has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 390, "height": 844}, **FINGER}
ON_ITS_SIDE = {"viewport": {"width": 844, "height": 390}, **FINGER}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SLIPS = {1: (6, 5), 2: (6, 4), 3: (6, 3), 4: (8, 4), 5: (8, 3)}
"""By distance: a move from the start that only the dice can forbid."""


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    expect.set_options(timeout=PATIENCE_MS)
    yield
    expect.set_options(timeout=5_000)


class EveningInBrowser:
    """Two players at one screen."""

    def __init__(self, player: Player) -> None:
        self.player, self.page = player, player.page
        self.page.set_default_timeout(PATIENCE_MS)

    def tap(self, name: str) -> None:
        self.player.press(self.page.get_by_role("button", name=re.compile(f"^{name}")).first)

    def reads(self, where: str, words: str) -> None:
        expect(self.page.locator(f"#{where}")).to_contain_text(words)

    def finds(self, finding: str) -> dict[str, Any]:
        """Wait for that finding; returns the state, with the board visible and nothing overflowing."""
        expect(self.page.locator("#verdict")).to_have_attribute("data-finding", finding)
        expect(self.page.locator("#table-board")).to_be_in_viewport(ratio=0.9)
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        return self.player.state()

    def roll(self) -> dict[str, Any]:
        """Roll until there is something to play."""
        body = self.page.locator("body")
        before = -1
        while body.get_attribute("data-phase") != "to_move" or before < 0:
            before = int(body.get_attribute("data-version"))
            self.tap("(Roll|Next game|Next match)")
            expect(body).not_to_have_attribute("data-version", str(before))
        return self.finds("not_moved")

    def both_agree(self) -> None:
        for player in OTHER:
            self.tap(f"{player} agrees")
        expect(self.page.locator("#proposal")).to_be_hidden()

    def open(self, details: str) -> None:
        self.player.press(self.page.locator(f"#{details} summary"))


def set_up(evening: EveningInBrowser) -> None:
    """Walk through the first start to a match of two points."""
    page, press = evening.page, evening.player.press
    press(page.get_by_role("link", name=re.compile("^Set this table up")))
    for step in (1, 2, 3):
        expect(page.locator("#walk-step")).to_have_text(f"Step {step} of 4")
        if step == 2:
            evening.player.choose(page.get_by_label("A match", exact=True))
            page.get_by_label("Points of the match").fill("2")
        evening.tap("Next")
    press(page.get_by_role("link", name="To the table"))
    evening.reads("headline", "Ready for the first roll")
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    expect(page.locator("#first")).to_have_count(0)


def a_wrong_play_is_put_right(evening: EveningInBrowser) -> str:
    """A distance that was not rolled is shown with its reason, and the player corrects the play."""
    page, player = evening.page, evening.player
    state = evening.roll()
    evening.reads("match", "Match to 2 points")
    dice = {die["number"] for die in state["dice"]}
    far = next(far for far in SLIPS if far not in {*dice, sum(dice)})
    player.move(*SLIPS[far])
    evening.finds("illegal")
    evening.reads("light-words", "Not a legal play")
    evening.reads("verdict-detail", "The move does not fit the dice")
    evening.reads(
        "verdict-message",
        "The checker from the {} point landed on the {} point: that is {}, which does not fit the dice.".format(
            *SLIPS[far], far
        ),
    )
    expect(page.locator("#table-board .ring.wrong")).to_have_count(1)
    expect(page.locator("#table-board .distance text")).to_have_text(str(far))
    evening.tap("Roll")
    evening.reads("notice", "No roll yet: the move does not fit the dice.")
    evening.tap("Put this turn back")
    play = simple_plays(evening.finds("not_moved"))[0]
    player.play(play)
    evening.finds("legal")
    evening.reads("verdict-detail", play)
    return "White" if state["on_roll"] == "white" else "Black"


def a_double_is_taken(evening: EveningInBrowser, doubler: str) -> None:
    evening.tap(f"{doubler} doubles to 2")
    evening.reads("headline", f"{OTHER[doubler]} to take or pass")
    expect(evening.page.locator("#next").get_by_role("button", name="Roll")).to_have_count(0)
    evening.tap(f"{OTHER[doubler]} takes at 2")
    evening.reads("match", f"Cube at 2, {OTHER[doubler]}’s")


def a_turn_is_taken_back(evening: EveningInBrowser) -> None:
    before = evening.roll()
    first, second = simple_plays(before)[:2]
    evening.player.play(first)
    evening.finds("legal")
    evening.roll()
    evening.open("mends")
    evening.tap("Take the last turn back")
    evening.reads("proposal-words", f"{first} is taken back")
    evening.both_agree()
    evening.reads("verdict-message", "put the board back as it was before that turn")
    evening.tap("Put this turn back")
    again = evening.finds("not_moved")
    assert [die["number"] for die in again["dice"]] == [die["number"] for die in before["dice"]]
    evening.player.play(second)
    evening.finds("legal")


def one_backwards(state: dict[str, Any]) -> tuple[int, int]:
    """A move from a point of the player on roll to the next higher one that is open and not full."""
    on = checkers_on(state)
    free = [point for point in range(2, 25) if on[point][0] < ONE_LAYER and not on[point][1]]
    return next((point - 1, point) for point in free if on[point - 1][0])


def a_dispute_is_ruled(evening: EveningInBrowser) -> None:
    evening.player.move(*one_backwards(evening.roll()))
    evening.finds("illegal")
    evening.reads("verdict-detail", "A checker went backwards")
    evening.tap("Referee")
    evening.reads("dispute-finding", "A checker went backwards")
    assert [ruling["refused"] for ruling in evening.player.state()["rulings"]] == [None] * 3
    evening.tap("It stands")
    evening.reads("proposal-words", "what stood there counts")
    evening.both_agree()
    evening.reads("history", "Stands by agreement: a checker went backwards")


def a_game_is_given_up(evening: EveningInBrowser, pages: Pages) -> None:
    evening.open("ends")
    pages.answers.append(True)
    evening.tap("White offers to resign a single game")
    evening.reads("proposal-words", "White offers to resign a single game, 2 points.")
    evening.tap("Black accepts")
    evening.reads("headline", "Black has won")
    evening.reads("result-words", "Black wins 2 points. White resigned. Black wins the match, 2 to 0.")
    evening.reads("result-score", "White 0 : 2 Black")


def the_match_is_gone_through_and_saved(evening: EveningInBrowser) -> None:
    page, press = evening.page, evening.player.press
    press(page.get_by_role("link", name="Review"))
    title = page.locator("#moment-title")
    expect(title).to_have_text("The game begins")
    listed = page.locator("#moments button").all_inner_texts()
    # ties come first
    opened = next(place for place, words in enumerate(listed) if "rolls" in words and "begins" in words)
    for words in listed[1 : opened + 1]:
        evening.tap("One step on")
        expect(title).to_have_text(words)
    evening.tap("To the end of the game")
    expect(title).to_contain_text("Black wins 2 points")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    with page.expect_download() as saved:
        press(page.get_by_role("link", name=".mat"))
    script = parse_mat(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert (script.length, len(script.games)) == (2, 1)
    press(page.get_by_role("link", name="Table"))
    expect(page.locator("body")).to_have_attribute("data-link", "live")


def the_next_match_begins(evening: EveningInBrowser) -> None:
    evening.tap("Set up the start")
    expect(evening.page.locator("#lamp")).to_have_attribute("data-colour", "blue")
    evening.roll()
    evening.reads("score", "White 0 : 0 Black")
    expect(evening.page.locator("#result")).to_be_hidden()


@pytest.mark.parametrize(
    ("options", "screen", "hand"),
    [([], PHONE, Tapping), (["--mirror"], ON_ITS_SIDE, Tapping), ([], DESKTOP, Typing)],
    ids=["phone", "mirrored, on a phone on its side", "keyboard"],
)
def test_an_evening_from_the_first_start_to_the_next_match(
    run_program: Any,
    open_page: Callable[..., Page],
    pages: Pages,
    tmp_path: Path,
    options: list[str],
    screen: dict[str, Any],
    hand: type[Player],
) -> None:
    with run_program(tmp_path, *options) as address:
        evening = EveningInBrowser(hand(open_page(address, **screen), address))
        set_up(evening)
        mover = a_wrong_play_is_put_right(evening)
        a_double_is_taken(evening, OTHER[mover])
        a_turn_is_taken_back(evening)
        a_dispute_is_ruled(evening)
        a_game_is_given_up(evening, pages)
        the_match_is_gone_through_and_saved(evening)
        the_next_match_begins(evening)
        assert evening.player.state()["phase"] == "to_move"
        evening.page.goto("about:blank")  # the live feed ends before the program does
        # While the table opens again, connections are refused, and those that were not accepted yet are reset: before
        # or after the browser begins to use them.
        away = re.compile("ERR_(CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED)")
        open_page.complaints[:] = [text for text in open_page.complaints if not away.search(text)]


def takes_a_seat(page: Page, address: Any, seat: str) -> None:
    """Take a seat by the code on the program's console."""
    page.goto(f"{address}seat")
    pairing = page.locator("#pairing")
    if not pairing.evaluate("details => details.open"):
        pairing.locator("summary").click()
    page.get_by_role("button", name="Show the code").click()
    for number in address.prints(r"Pairing code: ([1-6 ]+)\.")[1].split():
        page.keyboard.press(number)
    pairing.get_by_role("button", name=seat).click()
    expect(page.get_by_role("link", name=seat)).to_be_visible()


def buttons(of: Locator) -> list[str]:
    return of.get_by_role("button").all_inner_texts()


def test_two_players_on_a_screen_each(
    run_program: Any, open_page: Callable[..., Page], pages: Pages, tmp_path: Path
) -> None:
    with run_program(tmp_path, "--match", "3") as address:
        screens = {name: open_page(address, **screen) for name, screen in (("White", DESKTOP), ("Black", PHONE))}
        evenings = {name: EveningInBrowser(Player(page, address)) for name, page in screens.items()}
        for name, page in screens.items():
            takes_a_seat(page, address, f"{name}’s seat")
            expect(page.locator("body")).to_have_attribute("data-link", "live")
        state = evenings["White"].roll()
        mover = "White" if state["on_roll"] == "white" else "Black"
        waiting = evenings[OTHER[mover]]
        for name, page in screens.items():
            page.locator("#ends summary").click()
            assert all(label.startswith(name) for label in buttons(page.locator("#ending-deeds")))
        play = simple_plays(state)[0]
        evenings[mover].player.play(play)
        waiting.finds("legal")
        expect(screens[mover].locator("#deeds")).to_be_hidden()
        expect(screens[OTHER[mover]].locator("#deeds").get_by_role("button")).to_have_count(1)
        waiting.tap("Roll")
        waiting.reads("history", play)

        screens["White"].locator("#mends summary").click()
        evenings["White"].tap("Take the last turn back")
        evenings["Black"].reads("proposal-words", "is taken back")
        number = evenings["White"].player.state()["proposal"]["id"]
        refused = screens["White"].request.post(f"{address}agree", data={"proposal": number, "player": "black"})
        assert refused.status == 403
        if screens["White"].locator("#next").get_by_role("button", name="I agree").is_enabled():
            evenings["White"].tap("I agree")
        evenings["Black"].reads("proposal-agreed", "White agrees.")
        evenings["Black"].tap("I agree")
        for evening in evenings.values():
            expect(evening.page.locator("#proposal")).to_be_hidden()
            evening.reads("history", "is taken back")
        screens["White"].locator("#ends summary").click()
        pages.answers.append(True)
        evenings["White"].tap("White offers to resign a single game")
        expect(screens["White"].locator("#next button")).to_have_text(["White withdraws the offer"])
        evenings["Black"].tap("Black accepts")
        for evening in evenings.values():
            evening.reads("result-words", "Black wins one point. White resigned.")
            evening.page.goto("about:blank")


def on_square(page: Page, number: int) -> tuple[float, float]:
    """A square's middle on the screen, beside its number."""
    label = page.locator("#table-board .square-label").get_by_text(str(number), exact=True).bounding_box()
    square = page.locator("#table-board .square").first.bounding_box()
    assert label is not None
    assert square is not None
    half = 0.3 * square["width"]
    return label["x"] + label["width"] / 2 + half, label["y"] + label["height"] / 2 + half


def moves(player: Player, source: int, target: int) -> None:
    page = player.page
    page.touchscreen.tap(*on_square(page, source))
    expect(page.locator("#table-board .chosen")).to_have_count(1)
    with dropped(player.page):
        page.touchscreen.tap(*on_square(page, target))


def takes_off(player: Player, square: int) -> None:
    page = player.page
    page.touchscreen.tap(*on_square(page, square))
    expect(page.locator("#table-board .chosen")).to_have_count(1)
    board = page.locator("#table-board").bounding_box()
    assert board is not None
    with dropped(player.page):
        page.touchscreen.tap(board["x"] + board["width"] - 8, board["y"] + 0.75 * board["height"])


def test_a_game_of_checkers_is_played_to_a_draw(
    run_program: Any, open_page: Callable[..., Page], pages: Pages, tmp_path: Path
) -> None:
    with run_program(tmp_path, "--sheet", "acf") as address:
        evening = EveningInBrowser(Tapping(open_page(address, **PHONE), address))
        page = evening.page
        evening.reads("headline", "Ready to begin")
        expect(page.locator("body")).to_have_attribute("data-link", "live")
        evening.tap("Begin")
        evening.finds("not_moved")
        for source, target in ((11, 15), (22, 18)):
            moves(evening.player, source, target)
            evening.finds("legal")
            evening.reads("verdict-detail", f"{source}-{target}")
            evening.tap("Done")
            evening.finds("not_moved")
        evening.reads("verdict-message", "Legal plays: 15x22.")
        moves(evening.player, 15, 22)
        evening.finds("unfinished")
        takes_off(evening.player, 18)
        evening.finds("legal")
        evening.reads("verdict-detail", "15x22")
        evening.tap("Done")
        evening.finds("not_moved")
        evening.reads("left-white", "11 pieces")
        evening.open("ends")
        pages.answers.append(True)
        evening.tap("White offers a draw")
        evening.reads("proposal-words", "White offers a draw.")
        evening.tap("Black accepts")
        evening.reads("result-words", "The players agreed on a draw.")
        expect(page.locator("#next button")).to_have_text(["Next game"])
        page.goto("about:blank")


def test_a_film_is_watched_with_its_controls(open_page: Callable[..., Page]) -> None:
    command = [sys.executable, "-m", "companion", "replay", str(FILM), "--serve", "--port", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            page = open_page(json.loads(running.stdout.readline())["address"], **PHONE)
            words = page.locator("#film-words")
            expect(page.locator(".acts:visible")).to_have_count(0)
            page.get_by_role("button", name="From the beginning").tap()
            for turn in (1, 2):
                page.get_by_role("button", name="Next turn").tap()
                expect(words).to_contain_text(f"{turn} of ")
            expect(page.get_by_role("button", name="Go on")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            page.get_by_label("Speed").select_option("8")
            page.get_by_role("button", name="Go on").tap()
            expect(words).to_contain_text(re.compile("4 of |is over"))
            page.goto("about:blank")
        finally:
            running.send_signal(signal.SIGINT)
            running.communicate(timeout=60)
