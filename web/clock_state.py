"""What the page shows of the chess clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.words import PLAYERS

if TYPE_CHECKING:
    from companion.interface import ClockView


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
