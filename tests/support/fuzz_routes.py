"""Fuzzing targets: every route of the page, with a real session behind it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fuzzing import PIECES, Target, changed, damaged
from played_table import PlayedTable
from scripted_dice import ScriptedDice
from scripted_table import START as BACKGAMMON

from companion.app.board_tracker import CornerMarking
from companion.app.effective_settings import DEFAULTS
from companion.app.light_meter import LightMeter
from companion.app.table import Table
from companion.game import Remedy
from companion.interface import Button, CubeAction, FilmDeed
from companion.rules import rules_named
from companion.seats import SeatDesk, SeatRegister
from companion.settings import DeskPorts, Settings, SettingsDesk, SettingsFile, Terms
from vision.simulation import SimulatedTable
from web import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from random import Random

    from flask import Flask

    from companion.interface import Item

SIDES = ("white", "black")
FIELDS: dict[str, tuple[Any, ...]] = {
    "player": SIDES,
    "screen": SIDES,
    "kind": ("single", "gammon", "backgammon", "win"),
    "deed": (*CubeAction, *FilmDeed),
    "speed": (0.5, 2, 8),
    "remedy": tuple(Remedy),
    "dispute": (1, 2, 3),
    "play": ("13/7 8/7", "13/8", "11-15", ""),
    "position": (
        BACKGAMMON,
        {"squares": {"0,0": "w", "7,7": "b"}},
        {"points": [0] * 24, "bar": [1, 1], "off": [14, 14]},
    ),
    "turn_over": (True, False),
    "reading": ("", "illegal||blocked_point"),
    "proposal": (1, 2, 3, 4, 5),
    "how": ("offered", "claimed"),
    "id": (0, 1, 2, 23, 29),
    "x": (0.5, 7, 12.0),
    "y": (0.5, 4, 9.0),
    "held": (True, False),
    "to": ("start", "turn"),
    "dice": ([3, 1], [6, 6], [2]),
    "corners": ([[1, 1], [900, 2], [800, 700], [3, 690]],),
    "code": ("1234", [1, 2, 3, 4]),
    "seat": ("white", "black", "both"),
    "invitation": ("x" * 22, ""),
    "device": (1, 2, 99),
    "sheet": ("standard", "acf", "ours", "../standard"),
    "played_for": ("match", "games", "stake"),
    "length": (1, 7, "5"),
    "stake": (1, "0.5", 1e9),
    "automatic_doubles": (0, 2),
    "jacoby": (True, "false"),
    "crawford": (True, False),
    "white_name": ("Anna", "", "(red)", "x" * 300),
    "black_colour": ("red", "", "black"),
    "clock": (True, False),
    "minutes": (14, "0.5", 0),
    "delay": (12, "x"),
    "language": ("", "de", "nl"),
    "hints": ("off", "request", "tutor"),
    "mirror": (True, False),
    "camera": ("auto", "usb:0", "folder:/"),
    "watch": ("all", "seats"),
    "when": ("now", "later"),
    "white_agrees": (True, False),
    "black_agrees": (True, False),
    "file": ("ours.toml", "../../x.toml", ""),
    "text": ('base = "standard"\n', 'base = "/etc/passwd.toml"\n', "x = [" * 30),
    "name": ("ours", "../standard", 3),
    "what": ("red", "buttons", "buzzer"),
}
ARGUMENTS = (
    "roll",
    "referee",
    "hint",
    *Button,
    "1",
    "0",
    "page.js",
    "../app.py",
    "%2e%2e",
    "%00",
    "%ff",
    "x" * 3000,
    "-1",
    "9" * 5000,
)
HEADERS = {
    "Origin": ("http://[", "http://", "null", "http://localhost:9e9", "//", "x" * 3000, "http://[::1", "http://a@b:c"),
    "Host": ("localhost", "[", "[::1", "localhost:99999", "a" * 3000, "127.0.0.1:x", "\u00e9"),
    "Accept-Language": ("de", "fr;q=x", ",;q=1", "*" * 3000, "en" + ",de" * 900),
    "Content-Type": (
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=",
        "x/y;charset=z",
    ),
    "Last-Event-ID": ("1", "-1", "9" * 5000, "x", "1e999"),
    "Cookie": ("language=xx", "boardside_seat=" + "a" * 3000, "=", "session=\x7f", ";" * 900),
    "Sec-Fetch-Site": ("cross-site", "none", ""),
    "Accept": ("text/html", "*/*;q=x", "," * 900),
    "Content-Length": ("-1", "x", "9" * 30),
}


class FuzzedPage:
    """A table of one game behind the page's application; what is posted is handled at once."""

    def __init__(self, game: str, sheet: str, sheets: Path) -> None:
        rules = rules_named(sheet)
        simulated = SimulatedTable(game=game, seed=5)
        table = Table(game, sheet, simulated=simulated)
        self.played = PlayedTable(ScriptedDice([3, 1, 6, 6, 5, 4, 2, 2] * 100_000), rules, publish=table.publish)
        table.attach(self)  # type: ignore[arg-type]
        table.marking = CornerMarking(_NoBoard(), lambda: None, lambda: True)  # type: ignore[arg-type]
        table.seats = SeatDesk(SeatRegister(sheets / f"seats-{game}.json"))
        table.meter = LightMeter()
        now = Settings(sheet=sheet, terms=Terms(), names=("", "")).over(DEFAULTS)
        desk = SettingsDesk(SettingsFile(sheets / f"{game}.json"), now, DeskPorts(table.snapshot), own=sheets / game)
        table.settings = desk
        table.show_picture(b"jpeg")
        self.app: Flask = create_app(table, clock=lambda: 12.5, own_sheets=sheets)
        self.app.config["PROPAGATE_EXCEPTIONS"] = True
        self.client = self.app.test_client()
        self._addresses = addresses()

    def post(self, item: Item) -> None:
        """What a session's inbox is for."""
        self.played.session.handle(item)

    def requests(self) -> Iterator[dict[str, Any]]:
        """One valid request for each route and method."""
        for rule in self.app.url_map.iter_rules():
            path = re.sub(r"<[^>]*>", "1", str(rule))
            for method in sorted((rule.methods or set()) - {"OPTIONS"}):
                yield {"method": method, "path": path, "headers": {}, "body": "{}"}

    def take(self, data: bytes) -> None:
        """Send the request that `data` describes; afterwards the page must still return its state."""
        asked = json.loads(data)
        if asked["method"] == "LOOK":
            self._look(asked["choice"])
        else:
            with self.client.open(
                asked["path"],
                method=asked["method"],
                headers=[(name, value) for name, value in asked["headers"].items()],
                data=asked["body"].encode("latin-1"),
                environ_overrides={"REMOTE_ADDR": next(self._addresses)},
            ) as answer:
                assert answer.status_code < 500 or answer.status_code == 503, answer.status
                if answer.is_json and answer.status_code >= 400 and asked["method"] != "HEAD":
                    said = answer.get_json()["error"]
                    assert len(said) < 1000, f"{len(said)} letters: {said[:200]}"
                    assert len(said.splitlines()) <= 1, said[:200]
        assert self.client.get("/state.json").status_code == 200

    def _look(self, choice: int) -> None:
        """The camera sees a board: the start, a legal play, or something else."""
        game, rules = self.played.game, self.played.rules
        if game.position is None or choice % 5 == 0:
            self.played.sets()
        elif choice % 5 == 1 and game.on_roll is not None:
            self.played.shows(rules.visible(rules.start()))
        elif game.on_roll is not None and (game.dice is not None or not game.rolls):
            self.played.plays_anything(choice)


def addresses() -> Iterator[str]:
    """Addresses of requests: each once, because of the limit per address; one in eight is not this machine's."""
    for number in range(1 << 24):
        yield f"{'10' if number % 8 == 0 else '127'}.{number >> 16}.{number >> 8 & 255}.{number & 255}"


class _NoBoard:
    guess = None

    def mark(self, corners: Any) -> None:
        """Take any corners."""


def damaged_request(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """A request with odd fields, headers and path; one in six is a look of the camera instead."""
    if rng.random() < 1 / 6:
        return json.dumps({"method": "LOOK", "choice": rng.randrange(1000)}).encode()
    asked = json.loads(seed)
    if "1" in asked["path"] or rng.random() < 0.05:
        asked["path"] = asked["path"].replace("1", rng.choice(ARGUMENTS)) or "/"
    body: Any = {name: rng.choice(values) for name, values in FIELDS.items() if rng.random() < 0.8}
    if rng.random() < 0.5:
        body = changed(rng, body)
    text = json.dumps(body).encode()
    if rng.random() < 0.1:
        text = damaged(rng, text, (*others, *PIECES))
    if rng.random() < 0.02:
        text = rng.choice((b"[" * 975 + b"]" * 975, b'{"a":' * 975 + b"1" + b"}" * 975, b"x" * 17_000, b""))
    for name in HEADERS:
        if rng.random() < 0.04:
            asked["headers"][name] = rng.choice(HEADERS[name])
    return json.dumps({**asked, "body": text.decode("latin-1")}).encode()


def routes(sheets: Path) -> tuple[Target, ...]:
    """The routes of a table of each game; `sheets` is the folder of the players' own."""
    pages = [FuzzedPage(*names, sheets) for names in (("backgammon", "standard"), ("checkers", "acf"))]
    return tuple(
        Target(
            f"routes {page.played.rules.sheet.game}",
            tuple(json.dumps(asked).encode() for asked in page.requests()),
            page.take,
            damaged_request,
        )
        for page in pages
    )
