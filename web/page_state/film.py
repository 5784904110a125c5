"""How far a filmed game is, for the page's controls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.interface import FilmState
    from web.texts import PageTexts


def film_state(film: FilmState | None, words: PageTexts) -> dict[str, Any] | None:
    """`{"deed", "label", "speed", "words", "over"}`: what the first button does and is called; None: no film."""
    if film is None:
        return None
    deed = "restart" if film.over else "pause" if film.playing else "play"
    how_far = words("film.over") if film.over else words("film.turn", number=film.turn, count=film.turns)
    return {
        "deed": deed,
        "label": words(f"film.{deed}"),
        "speed": film.speed,
        "words": how_far,
        "over": film.over,
    }
