"""Recorded matches to analyse, from texts, in a state directory; random positions."""

from __future__ import annotations

import random
from contextlib import closing
from typing import TYPE_CHECKING

from places import ROOT

from companion.analysis.finished_games import finished_games
from companion.notation import FORMATS
from companion.record import Entry, EventJson, Record, record_in
from companion.rules import rules_named
from companion.transfer.importer import reenact

if TYPE_CHECKING:
    from pathlib import Path

    from companion.analysis.finished_games import FinishedGame
    from companion.game import Match

MATCHES = ROOT / "tests" / "records" / "analysed"
SHORT = """
 1 point match

 Game 1
 Ann : 0                        Ben : 0
  1)                             21: 24/22 24/23
  2) 52: 8/3* 8/6                63: 25/22* 23/17*
  3) 53: 25/20 25/22             62: 22/16 17/15
                                  Wins 1 point
"""
"""Won by a resignation; gnubg finds very bad plays in it."""


def entries_of(text: str, sheet: str = "standard", name: str = "mat") -> list[Entry]:
    """The entries that importing a match makes."""
    rules = rules_named(sheet)
    codec = EventJson(rules.to_json, rules.from_json)
    events = reenact(FORMATS[name].read(text), rules)
    return [Entry(number, float(number), codec.encode(event)) for number, event in enumerate(events, 1)]


def games_of(text: str, sheet: str = "standard", name: str = "mat") -> tuple[Match, list[FinishedGame]]:
    """The match and its finished games."""
    entries = entries_of(text, sheet, name)
    rules = rules_named(sheet)
    codec = EventJson(rules.to_json, rules.from_json)
    return finished_games(entries, [codec.decode(entry.event) for entry in entries])


def recorded_at(state: Path, *texts: str) -> Path:
    """The matches in the record of a state directory."""
    state.mkdir(exist_ok=True)
    with closing(Record.open(record_in(state))) as record:
        for text in texts:
            record.append_all((entry.event, entry.at_s) for entry in entries_of(text))
    return state


def random_position(seed: int, turns: int):
    """A backgammon position of random play, and who is on roll."""
    from companion.core import Dice, Side

    rules, chance = rules_named("standard"), random.Random(seed)
    position, side = rules.start(), Side.WHITE
    for _ in range(turns):
        dice = Dice((chance.randint(1, 6), chance.randint(1, 6)))
        successors = rules.successors(position, side, dice)
        position = chance.choice(successors).after if successors else position
        side = side.opponent
        if rules.outcome(position) is not None:
            return rules.start(), Side.WHITE
    return position, side
