"""The chess clock on the page: what it shows, and the button that stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify

from companion.clock import NoClockError
from web.forms import refuse
from web.words import PLAYERS

if TYPE_CHECKING:
    from companion.interface import ClockView
    from web.table_view import TableView


def blueprint(table: TableView) -> Blueprint:
    """The route that stops the clock and starts it again; status 400 where there is none."""
    routes = Blueprint("clock", __name__)

    @routes.post("/clock/pause")
    def pause() -> tuple[Response, int]:
        try:
            table.pause_clock()
        except NoClockError as error:
            refuse(str(error))
        return jsonify(ok=True), 202

    return routes


def clock_state(clock: ClockView | None) -> dict[str, Any] | None:
    """What the page draws of a snapshot's clock; None without one. The page counts on from there by itself."""
    if clock is None:
        return None
    return {
        "players": [
            {
                "player": side,
                "name": name,
                "reserve_s": reserve_s,
                "delay_s": delay_s,
                "fallen": side in clock.fallen,
            }
            for (side, name), reserve_s, delay_s in zip(PLAYERS.items(), clock.reserve_s, clock.delay_s, strict=True)
        ],
        "running": clock.running,
        "paused": clock.paused,
        "words": clock_words(clock),
    }


def clock_words(clock: ClockView) -> str:
    """What there is to say of the clock; empty while it only runs."""
    fallen = [f"{PLAYERS[side]}'s flag has fallen: the sheet or the players decide." for side in clock.fallen]
    return " ".join([*fallen, *(["The clock is stopped."] if clock.paused else [])])
