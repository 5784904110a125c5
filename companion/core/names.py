"""What the two players are called: by a name of their own, or by the colour of their checkers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast, get_args

from companion.core.model import BoardsideError, Side
from companion.core.outside import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

Colour = Literal[
    "white", "black", "red", "blue", "green", "yellow", "orange", "brown", "grey", "beige", "purple", "pink"
]

MOST_LETTERS = 24
_ASKED = re.compile(r"\s*([^(){}]*?)\s*(?:\(\s*([^(){}]*?)\s*\))?\s*")


class PlayerNameError(BoardsideError):
    """A player's name or colour cannot be used."""


@dataclass(frozen=True, slots=True)
class PlayerName:
    """A player's own name, the same in every language, or empty; and the colour of the checkers."""

    colour: Colour
    name: str = ""


Names = tuple[PlayerName, PlayerName]
"""(White's, Black's)."""
Colours = tuple[Colour, Colour]
"""(White's, Black's)."""
WHITE_AND_BLACK: Names = (PlayerName("white"), PlayerName("black"))


def player_names(asked: Sequence[str], colours: Colours) -> Names:
    """The names of players who ask for "NAME", "NAME (COLOUR)" or "(COLOUR)" each; `colours` if they ask for nothing.

    Raises PlayerNameError, with what is expected, for an unknown colour, a long name, or two that are the same.
    """
    white, black = (_player_name(text, colour) for text, colour in zip(asked or ("", ""), colours, strict=True))
    if white.colour == black.colour:
        raise PlayerNameError(f"both players' checkers are {white.colour}: give each a colour of its own")
    if white.name and white.name == black.name:
        raise PlayerNameError(f"both players are called {white.name!r}: give each a name of its own")
    return white, black


def _player_name(text: str, usual: Colour) -> PlayerName:
    parts = _ASKED.fullmatch(" ".join(text.split()))  # many spaces would make the pattern backtrack for too long
    if parts is None or len(parts[1]) > MOST_LETTERS or not text.isprintable():
        raise PlayerNameError(
            f'{quoted(text)} names no player: expected "NAME", "NAME (COLOUR)" or "(COLOUR)", '
            f"the name at most {MOST_LETTERS} letters long"
        )
    colour = (parts[2] or usual).lower()
    if colour not in get_args(Colour):
        raise PlayerNameError(
            f"{quoted(text)}: the colour {quoted(colour)} is not known; known are {', '.join(get_args(Colour))}"
        )
    return PlayerName(cast("Colour", colour), parts[1])


def with_colours_changed(names: Names) -> Names:
    """The same players after they have changed colours: names change sides, checkers do not."""
    (white, black) = names
    return replace(white, name=black.name), replace(black, name=white.name)


def name_of(side: str, names: Names) -> PlayerName:
    """What a side is called."""
    return names[side == Side.BLACK.value]
