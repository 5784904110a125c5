"""Texts that any message may contain: players, numbers, lists, and what both games say about a turn."""

from __future__ import annotations

from companion.texts.catalogue import marked

NUMBERS = (
    *(marked("zero"), marked("one"), marked("two"), marked("three"), marked("four"), marked("five"), marked("six")),
    *(marked("seven"), marked("eight"), marked("nine"), marked("ten"), marked("eleven"), marked("twelve")),
    *(marked("thirteen"), marked("fourteen"), marked("fifteen"), marked("sixteen"), marked("seventeen")),
    *(marked("eighteen"), marked("nineteen"), marked("twenty"), marked("twenty-one"), marked("twenty-two")),
    *(marked("twenty-three"), marked("twenty-four"), marked("twenty-five"), marked("twenty-six")),
    *(marked("twenty-seven"), marked("twenty-eight"), marked("twenty-nine"), marked("thirty"), marked("thirty-one")),
    marked("thirty-two"),
)
"""Up to the largest number of a point or square; higher numbers (scores, cubes) are passed to the voice as numerals."""

TEXTS = {
    "verbatim": marked("{text}"),
    "both": marked("{first} {second}"),
    "list": marked("{facts}"),
    "and": marked("{first} and {last}"),
    "either": marked("{first} or {last}"),
    "comma": marked("{first}, {last}"),
    "sentence": marked("{what}."),
    "plays": marked("{player} plays {play}."),
    "passes": marked("nothing can be played: the turn passes."),
    "legal_here": marked("legal plays: {plays}."),
    "legal_here.more": marked("legal plays: {plays} and {more} more."),
    "the_bar": marked("the bar"),
    "borne_off": marked("what is borne off"),
    "light_square": marked("a light square"),
}
