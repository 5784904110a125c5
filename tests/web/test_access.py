"""Access to routes: every device may watch, acting needs a seat, and a player acts for nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from analysed import SHORT, recorded_at
from given_seats import client_at
from kept_matches import anna_and_ben, play_a_dispute, play_some
from scripted_table import ScriptedTable

from companion.analysis import AnalysedMatches
from companion.analysis.match_to_analyse import analysed, recorded_match
from companion.analysis.store import AnalysisStore
from companion.app.board_tracker import CornerMarking
from companion.app.light_meter import LightMeter
from companion.core import Dice, Side
from companion.game import Match, Phase, Remedy
from companion.interface import (
    Agrees,
    Button,
    CubeActed,
    CubeAction,
    Declines,
    Draws,
    HintsHidden,
    Proposes,
    Resigns,
    RolledByHand,
    SecretAsked,
    Tapped,
)
from companion.seats import Seat
from web import create_app
from web.access import Access, access_of

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from companion.history import History

WHITE, BLACK = Side
CORNERS = [[100.0, 700.0], [900.0, 690.0], [800.0, 200.0], [200.0, 210.0]]
NOW_S = 12.5

LOOKED_AT = {
    "/": "watchers",
    "/state.json": "watchers",
    "/events": "watchers",
    "/turns/0.json": "watchers",
    "/sheets": "watchers",
    "/sheets.json": "watchers",
    "/dice/rolls.json": "watchers",
    "/fair-dice": "watchers",
    "/seat": "anybody",
    "/seat.json": "anybody",
    "/static/tokens.css": "anybody",
    "/styles/tokens+base.css": "anybody",
    "/picture/1.jpg": "room",
    "/evidence/board.jpg": "room",
    "/corners.json": "seated",
    "/analysis.css": "anybody",
    "/manifest.webmanifest": "anybody",
    "/worker.js": "anybody",
    "/offline": "anybody",
    "/matches/1/analysis.json": "watchers",
    "/matches/1/analysis.html": "watchers",
    "/matches": "watchers",
    "/matches/1": "watchers",
    "/matches/last": "watchers",
    "/matches/last/graph.json": "watchers",
    "/matches/1/games/1.json": "watchers",
    "/matches/1/match.mat": "watchers",
    "/matches/1/evidence-6.zip": "room",
    "/matches/pictures/41e5787e9f28562d07b8": "room",
    "/settings": "seated",
    "/settings.json": "seated",
    "/camera.json": "seated",
    "/panel.json": "seated",
}
"""Routes that a browser gets, with their access."""

PLAYERS_OWN: list[tuple[str, dict[str, Any], Any]] = [
    ("/tap/roll", {}, lambda player: Tapped(Button.ROLL, NOW_S, player, on_page=True)),
    ("/tap/hint", {}, lambda player: Tapped(Button.HINT, NOW_S, player, on_page=True)),
    ("/tap/referee", {}, lambda player: Tapped(Button.REFEREE, NOW_S, player, on_page=True)),
    ("/cube", {"deed": "double"}, lambda player: CubeActed(CubeAction.DOUBLE, NOW_S, player)),
    ("/cube", {"deed": "take"}, lambda player: CubeActed(CubeAction.TAKE, NOW_S, player)),
    ("/draw", {"how": "offered"}, lambda player: Draws(claimed=False, at_s=NOW_S, player=player)),
    ("/draw", {"how": "claimed"}, lambda player: Draws(claimed=True, at_s=NOW_S, player=player)),
    ("/propose", {"remedy": "takeback"}, lambda player: Proposes(Remedy.TAKEBACK, NOW_S, player)),
    ("/agree", {"proposal": 2}, lambda player: Agrees(2, NOW_S, player)),
    ("/decline", {"proposal": 2}, lambda player: Declines(2, NOW_S, player)),
]
"""Actions of a player: path, fields, and the item that the session gets for each player."""
RESIGNATION = ("/resign", {"kind": "gammon"}, lambda player: Resigns(player, "gammon", NOW_S))
NAMED = [
    RESIGNATION,
    ("/dice", {"dice": [6, 1]}, lambda player: RolledByHand(player, Dice((6, 1)), NOW_S)),
]
"""The same for an action whose player a shared screen has to state."""
OF_THE_TABLE = [
    ("/hints/hide", {}, 202),
    ("/dice/secret", {}, 202),
    ("/clock/pause", {}, 400),
    ("/film", {"deed": "pause"}, 404),
    ("/corners", {"corners": CORNERS}, 202),
    ("/simulated/drag", {"id": 1, "x": 1, "y": 1}, 404),
    ("/simulated/set-up", {}, 404),
    ("/matches/1/analysis", {}, 404),
    ("/settings", {"language": "de"}, 202),
    ("/settings/forget", {}, 202),
    ("/settings/sheets", {"file": "ours.toml", "text": "bases = 3"}, 409),  # a game is on
    ("/settings/sheets/remove", {"name": "ours"}, 400),
    ("/panel/check", {"what": "buzzer"}, 409),
    ("/matches/1/delete", {}, 404),
    ("/seat/invite", {}, 200),
    ("/seat/remove", {"device": 99}, 202),
]
"""Actions for any seat, with their status; this table is a real one without a clock."""
FREE = ["/seat/ask", "/seat/take", "/seat/accept", "/seat/leave"]
"""Posts that take or leave a seat."""


class AnyLearner:
    """Accepts marked corners."""

    guess = None

    def mark(self, corners: Any) -> None:
        """Learn nothing."""


class ListeningPanel:
    """A panel that can be tested."""

    def heard(self) -> None:
        """Nothing is pressed."""

    def show(self, _snapshot: Any) -> None:
        """Show nothing."""


@pytest.fixture
def room(real_evening: ScriptedTable, tmp_path: Path) -> ScriptedTable:
    """A real table with a camera's picture, a panel, and settings."""
    real_evening.table.show_picture(b"jpeg")
    real_evening.table.marking = CornerMarking(AnyLearner(), lambda: None, lambda: True)  # type: ignore[arg-type]
    real_evening.table.meter = LightMeter()
    real_evening.set_up(tmp_path / "settings.json", panel=ListeningPanel())
    real_evening.table.evidence = lambda _name: b"jpeg"  # type: ignore[method-assign]
    return real_evening


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """A match of one turn and a dispute, which is entry 6 of the record, and a picture."""
    kept = anna_and_ben(tmp_path_factory.mktemp("state"))
    play_some(kept, 1)
    play_a_dispute(kept)
    kept.kept.keep(b"jpeg")
    kept.close()
    return kept.history


@pytest.fixture(scope="module")
def analyses(tmp_path_factory: pytest.TempPathFactory) -> AnalysedMatches:
    """A match that is analysed."""
    state = recorded_at(tmp_path_factory.mktemp("analysed"), SHORT)
    analysed(recorded_match(state), AnalysisStore(state), "embedded")
    return AnalysedMatches(state, lambda _: None, engine="embedded")


def device(table: ScriptedTable, seat: Seat | None, **options: Any) -> FlaskClient:
    """A device with that seat, None: without one."""
    return client_at(table.table, None if seat is None else table.seat(seat), clock=lambda: NOW_S, **options)


def test_every_route_states_its_access(room) -> None:
    app = create_app(room.table)
    silent = {rule.rule for rule in app.url_map.iter_rules() if access_of(app.view_functions[rule.endpoint]) is None}
    assert silent == set()


def test_every_post_needs_a_seat_except_those_for_taking_one(room) -> None:
    app = create_app(room.table)
    posts = {
        rule.rule: access_of(app.view_functions[rule.endpoint])
        for rule in app.url_map.iter_rules()
        if "POST" in rule.methods
    }
    assert posts.pop("/film") is Access.FILM  # at a table without a film the same
    assert {path for path, access in posts.items() if access is not Access.SEATED} == set(FREE)


def test_the_tables_of_this_test_name_every_route(room) -> None:
    posts = [*(path for path, *_ in (*PLAYERS_OWN, *NAMED, *OF_THE_TABLE)), *FREE]
    urls = create_app(room.table).url_map.bind("localhost")
    named = [*((path, "GET") for path in LOOKED_AT), *((path, "POST") for path in posts)]
    reached = {urls.match(path, method=method)[0] for path, method in named}
    assert {rule.endpoint for rule in create_app(room.table).url_map.iter_rules()} == reached


def test_a_route_without_a_stated_access_is_refused_to_everybody(room) -> None:
    app = create_app(room.table)
    app.add_url_rule("/new", view_func=lambda: "told")
    client = app.test_client()
    client.set_cookie("boardside_seat", room.seat(Seat.BOTH))
    assert client.get("/new").status_code == 401


@pytest.mark.parametrize("watch", ["all", "seats"])
@pytest.mark.parametrize("seat", [None, *Seat])
def test_access_to_each_page(room, history, analyses, seat: Seat | None, watch: str) -> None:
    client = device(room, seat, watch=watch, history=history, analyses=analyses)
    for path, access in LOOKED_AT.items():
        may = access == "anybody" or seat is not None or (access == "watchers" and watch == "all")
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == (200 if may else 401), path
        if not may:
            assert "/seat" in answer.json["error"]
        answer.close()


def test_a_browser_that_may_not_watch_is_redirected_to_the_seats(room) -> None:
    chromium = "text/html,image/avif,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
    answer = device(room, None, watch="seats").get("/", headers={"Accept": chromium})
    assert (answer.status_code, answer.location) == (302, "/seat")


def test_a_device_without_a_seat_cannot_act(room) -> None:
    client = device(room, None)
    for number, player in enumerate((None, "white", "black")):
        stranger = {"REMOTE_ADDR": f"10.0.0.{number}"}  # an address may not post so often
        for path, fields, _ in (*PLAYERS_OWN, *NAMED, *OF_THE_TABLE):
            answer = client.post(path, json={**fields, "player": player}, environ_base=stranger)
            assert answer.status_code == 401, path
            assert "take a seat" in answer.json["error"]
    assert room.items == []


@pytest.mark.parametrize("seat", [Seat.WHITE, Seat.BLACK])
def test_a_player_acts_as_that_player_only(room, seat: Seat) -> None:
    client, own = device(room, seat), seat.only
    for path, fields, _ in (*PLAYERS_OWN, *NAMED):
        assert client.post(path, json={**fields, "player": own}).status_code == 202, path
        answer = client.post(path, json={**fields, "player": own.opponent})
        assert answer.status_code == 403, path
        assert f"{own.value.title()}’s seat" in answer.json["error"]
    assert room.items == [item(own) for _, _, item in (*PLAYERS_OWN, *NAMED)]


def test_the_dice_thrown_for_boardside_are_entered_from_the_other_players_seat(room) -> None:
    room.show(opponent=Side.BLACK)
    client = device(room, Seat.WHITE)
    assert client.post("/dice", json={"player": "black", "dice": [6, 1]}).status_code == 202
    assert client.post("/tap/roll", json={"player": "black"}).status_code == 403
    assert [item.side for item in room.items] == [Side.BLACK]


@pytest.mark.parametrize("seat", [Seat.WHITE, Seat.BLACK])
def test_a_post_without_a_player_is_accepted(room, seat: Seat) -> None:
    client = device(room, seat)
    for path, fields, _ in (*PLAYERS_OWN, RESIGNATION):
        assert client.post(path, json=fields).status_code == 202, path
    assert room.items == [item(seat.only) for _, _, item in (*PLAYERS_OWN, RESIGNATION)]


def test_a_shared_screen_states_who_acts(room) -> None:
    client = device(room, Seat.BOTH)
    for path, fields, _ in (*PLAYERS_OWN, *NAMED):
        for player in Side:
            assert client.post(path, json={**fields, "player": player}).status_code == 202, path
    assert room.items == [item(player) for _, _, item in (*PLAYERS_OWN, *NAMED) for player in Side]


@pytest.mark.parametrize("side", list(Side))
def test_a_shared_screen_that_is_used_by_one_player_acts_for_that_player_only(room, side: Side) -> None:
    client = device(room, Seat.BOTH)
    for path, fields, _ in (*PLAYERS_OWN, RESIGNATION):
        assert client.post(path, json={**fields, "screen": side}).status_code == 202, path
    for path, fields, _ in (*PLAYERS_OWN, *NAMED):
        answer = client.post(path, json={**fields, "screen": side, "player": side.opponent})
        assert answer.status_code == 403, path
        assert f"This screen is {side.value.title()}’s just now" in answer.json["error"]
    assert room.items == [item(side) for _, _, item in (*PLAYERS_OWN, RESIGNATION)]


def test_on_a_shared_screen_the_player_may_be_missing(room) -> None:
    client = device(room, Seat.BOTH)
    for path, fields, _ in PLAYERS_OWN:
        assert client.post(path, json=fields).status_code == 202, path
    assert room.items == [item(None) for _, _, item in PLAYERS_OWN]


def test_a_resignation_without_a_player_is_refused(room) -> None:
    assert device(room, Seat.BOTH).post("/resign", json={"kind": "single"}).status_code == 400


def test_one_die_each_for_the_start_is_entered_by_either_player(room) -> None:
    assert device(room, Seat.BLACK).post("/dice", json={"player": None, "dice": [6, 1]}).status_code == 202
    assert room.items == [RolledByHand(None, Dice((6, 1)), NOW_S)]


@pytest.mark.parametrize("seat", list(Seat))
def test_actions_on_the_table_need_any_seat(room, seat: Seat) -> None:
    client = device(room, seat)
    for path, fields, status in OF_THE_TABLE:
        assert client.post(path, json=fields).status_code == status, path
    assert room.items == [HintsHidden(NOW_S), SecretAsked(NOW_S)]


@pytest.mark.parametrize("seat", [None, *Seat])
def test_a_film_is_watched_by_everybody_and_nobody_can_act(real_evening, seat: Seat | None) -> None:
    client = device(real_evening, seat)
    real_evening.table.show_picture(b"jpeg")
    real_evening.table.seats = None
    for path, fields, _ in (*PLAYERS_OWN, *NAMED, *OF_THE_TABLE):
        answer = client.post(path, json=fields)
        assert answer.status_code == 401
        assert "only shown" in answer.json["error"]
    assert real_evening.items == []
    assert client.get("/picture/1.jpg").status_code == 200
    assert client.get("/", headers={"Accept": "text/html"}).status_code == 200
    assert client.get("/seat").status_code == 404


# --- this machine's own screen ---------------------------------------------------------------------------------------


def test_a_simulated_table_takes_its_own_machine_for_both_players(client, evening) -> None:
    for host in ("localhost", "localhost:8000", "127.0.0.1:8000", "127.0.1.1", "[::1]:8000"):
        for address in ("127.0.0.1", "127.0.0.9", "::1"):
            answer = client.post("/tap/roll", headers={"Host": host}, environ_base={"REMOTE_ADDR": address})
            assert answer.status_code == 202, (host, address)
    assert evening.items == [Tapped(Button.ROLL, NOW_S, on_page=True)] * 15


def test_from_elsewhere_or_through_a_proxy_a_simulated_table_takes_a_seat_too(client, evening) -> None:
    for address in ("192.168.1.7", "::ffff:192.168.1.7", ""):
        assert client.post("/tap/roll", environ_base={"REMOTE_ADDR": address}).status_code == 401, address
    assert client.post("/tap/roll", headers={"Host": "192.168.1.20:8000"}).status_code == 401
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via"):
        assert client.post("/tap/roll", headers={header: "192.168.1.7"}).status_code == 401, header
    assert evening.items == []


def test_a_real_table_takes_a_seat_on_its_own_machine_too(real_evening) -> None:
    assert client_at(real_evening.table).post("/tap/roll").status_code == 401


def test_a_device_with_a_seat_has_that_seat_on_its_own_machine_too(simulated, tmp_path: Path) -> None:
    table = ScriptedTable(simulated, seats=tmp_path / "seats.json")
    client = device(table, Seat.WHITE)
    assert client.post("/tap/roll", json={"player": "black"}).status_code == 403


CHANGED = Match(5, colours_changed=True)


def test_a_player_who_changes_colours_keeps_the_seat_and_acts_for_the_new_colour(room) -> None:
    phone = device(room, Seat.WHITE)
    room.show(match=CHANGED)
    assert phone.get("/seat.json").json["seat"] == "black"
    assert phone.post("/tap/roll", json={"player": "white"}).status_code == 403
    assert phone.post("/tap/roll", json={}).status_code == 202
    room.show(match=Match(5))
    assert phone.post("/tap/roll", json={}).status_code == 202
    assert [item.player for item in room.items] == [BLACK, WHITE]


def test_seats_are_taken_and_taken_away_by_the_colours_of_the_game_that_is_on(room) -> None:
    room.show(match=CHANGED)
    host = device(room, Seat.WHITE)  # whose colour is Black now
    desk = room.table.seats
    invited = client_at(room.table)
    invitation = desk.invite(Seat.WHITE)
    answer = invited.post("/seat/accept", json={"invitation": invitation, "seat": "black"})
    assert answer.status_code == 200
    listed = host.get("/seat.json").json["devices"]
    assert [(one["seat"], one["removable"]) for one in listed] == [("black", True)] * 2
    assert [one.seat for one in desk.devices()] == [Seat.WHITE] * 2
    assert host.post("/seat/remove", json={"device": listed[1]["number"]}).status_code == 202
    other = device(room, Seat.BLACK)
    assert other.post("/seat/remove", json={"device": listed[0]["number"]}).status_code == 403
    assert host.post("/seat/invite").status_code == 200


def test_one_player_who_asks_with_either_colour_does_not_delete_pictures(room, history) -> None:
    phone = device(room, Seat.WHITE, history=history)
    for match in (Match(5), CHANGED):
        room.show(phase=Phase.OVER, match=match)
        assert phone.post("/matches/1/delete").status_code == 303
        assert history.joint_requests.waiting(1) is WHITE
    history.joint_requests.withdraw(1)
