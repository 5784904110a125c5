"""Texts that every message may be made of: players, lists, and what both games say of a turn."""

from __future__ import annotations

from companion.texts.catalogue import marked

PLAYERS = {"white": marked("White"), "black": marked("Black")}

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
    "legal_here": marked("legal here: {plays}."),
    "legal_here.more": marked("legal here: {plays} and {more} more."),
    "the_bar": marked("the bar"),
    "borne_off": marked("what is borne off"),
    "light_square": marked("a light square"),
}
