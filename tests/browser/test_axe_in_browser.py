"""No page has serious accessibility faults by axe-core, light or dark, on phone or desktop."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
import real_server
from analysed import SHORT, recorded_at
from playwright.sync_api import expect
from scripted_table import FAIR, ScriptedTable
from verdicts import verdict

from companion.analysis import AnalysedMatches
from companion.analysis.match_to_analyse import analysed, recorded_match
from companion.analysis.store import AnalysisStore
from companion.app.light_meter import LightMeter
from companion.core import Dice, Side, verbatim
from companion.game import (
    Disputed,
    DisputeEvidence,
    DoubtfulCell,
    LikelyContent,
    Match,
    Phase,
    RecordedVerdict,
    Remedy,
)
from companion.hints import RankedPlay, Ranking
from companion.history import History
from companion.interface import Light, OfferView, ProposalView, RevealedSecret
from companion.record import KeptPictures
from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1366, "height": 900}}
FOUND = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => [id, target.join(" "), any[0]?.message ?? ""]));
}"""
SAID = verdict("illegal", "Black holds the 9 point.", reason="blocked_point", plays=("8/5 6/5", "24/20"), cells=(8, 12))
DOUBT = DoubtfulCell(6, 7, (LikelyContent((1, 0), 60.0, 0.0), LikelyContent((0, 0), 40.0, -0.4)))
EVIDENCE = DisputeEvidence(dice=Dice((3, 1)), plays=("8/5 6/5",), doubts=(DOUBT,))
TOLD = replace(FAIR, rolls=3, revealed=RevealedSecret("cd" * 32, "ef" * 32), faces=(5, 6, 7, 8, 9, 1))
HINTS = Ranking((RankedPlay("8/5 6/5", None, 0.2), RankedPlay("24/20", None, 0.1)), "gnubg")
MOMENTS: dict[str, dict[str, Any]] = {
    "a turn": {"hints": HINTS, "match": Match(7, score=(2, 4)), "fairness": TOLD, "camera": verbatim("It is dark.")},
    "an illegal play": {"verdict": SAID, "light": Light.RED},
    "a dispute": {
        "dispute": Disputed(
            5, Side.WHITE, None, RecordedVerdict.of(SAID, "Black holds."), None, None, Side.BLACK, EVIDENCE
        ),
        "offers": (OfferView(Remedy.STANDS, verbatim("it stands")), OfferView(Remedy.TAKEBACK, verbatim("back"))),
        "light": Light.AMBER,
    },
    "a proposal": {
        "dispute": None,
        "offers": (),
        "proposal": ProposalView(2, Remedy.TAKEBACK, agreed=(Side.WHITE,), words=verbatim("Proposed: that.")),
    },
    "a double": {
        "proposal": None,
        "verdict": None,
        "phase": Phase.TO_ROLL,
        "dice": None,
        "match": Match(7).doubled(Side.BLACK),
    },
    "a disk that is full": {"storage": verbatim("the disk is full."), "notice": verbatim("A notice.")},
}
LOST: dict[str, Any] = {
    "offers": (OfferView(Remedy.POSITION, verbatim("that is the position")),),
    "lost": (6, 7),
    "doubts": (DOUBT,),
    "phase": Phase.TO_MOVE,
    "dice": (3, 1),
}


class House:
    """A table with all its pages, and who looks at it.

    Attributes:
        table: what its page shows.
        address: of the page, for somebody with a seat.
        watched: of the same, for somebody without.
    """

    def __init__(self, table: ScriptedTable, address: str, watched: str) -> None:
        self.table, self.address, self.watched = table, address, watched


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A table with an analysed match and settings."""
    state = recorded_at(tmp_path_factory.mktemp("state"), SHORT)
    analysed(recorded_match(state), AnalysisStore(state), "embedded")
    table, real = ScriptedTable(SimulatedTable(seed=21), seats=state / "seats.json"), ScriptedTable(None)
    table.table.meter = LightMeter()
    table.set_up(state / "settings.json")
    real.show(**MOMENTS["a turn"])
    history = History(state / "record.db", state / "sheets", KeptPictures(state / "pictures"))
    analyses = AnalysedMatches(state, lambda _: None, engine="embedded")
    app = create_app(table.table, history=history, analyses=analyses)
    with real_server.served(app) as port, real_server.served(create_app(real.table)) as watched:
        yield House(table, f"http://127.0.0.1:{port}", f"http://127.0.0.1:{watched}")


def trouble(page: Any) -> list[Any]:
    """Accessibility faults of the page, with everything open that can be opened."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE)
    return list(page.evaluate(FOUND))


def test_the_table_has_no_accessibility_faults(house, open_page) -> None:
    house.table.show(**MOMENTS["a turn"], verdict=SAID, light=Light.RED)
    page = open_page(house.address, viewport=SIZES["phone"], color_scheme="dark")
    expect(page.locator("body")).to_have_attribute("data-link", "live")
    assert trouble(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_accessibility_faults(house, open_page, theme, size) -> None:
    def opened(path: str, address: str = house.address) -> Any:
        return open_page(address + path, viewport=SIZES[size], color_scheme=theme)

    found = {}
    for path in ("/matches", "/settings", "/sheets", "/fair-dice", "/seat"):
        found[path] = trouble(opened(path))
    review = opened("/matches/1")
    expect(review.locator("#moment-board circle").first).to_be_visible()
    expect(review.locator(".analysis .wide").first).to_be_visible()
    found["/matches/1"] = trouble(review)
    found["a stranger’s table"] = trouble(opened("/", house.watched))
    found["a stranger’s seat"] = trouble(opened("/seat", house.watched))
    missing = opened("/no-such-page")
    open_page.complaints.clear()  # a browser's own word on the 404
    found["what is not there"] = trouble(missing)
    house.table.show(verdict=None, notice=None, storage=None, phase=Phase.TO_MOVE, dice=(3, 1))
    page = opened("/")
    for moment, changes in MOMENTS.items():
        version = house.table.show(**changes)
        expect(page.locator("body")).to_have_attribute("data-version", str(version))
        found[moment] = trouble(page)
    house.table.show(**LOST)
    page.locator("#enter-position").click()
    found["a correction"] = trouble(page)
    page.locator("#correction-cancel").click()
    page.locator("#keys").evaluate("(one) => one.showModal()")
    found["the keys"] = trouble(page)
    assert [(where, *one) for where, what in found.items() for one in what] == []
