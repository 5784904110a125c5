"""Players at a table without a camera: what they do goes into a session, what it shows and records comes out."""

from __future__ import annotations

from itertools import count

import pytest
from sessions import session_of

from companion.dice import ScriptedDice
from companion.event_json import EventJson
from companion.inbox import Button, Cube, CubeDeed, Draws, Resigns, Saw, Stirred, Tapped
from companion.observation import CellReading, Observation
from companion.rules.rulesets import rules_named


class Players:
    """One table; `does` handles items, and the other verbs make them."""

    def __init__(self, sheet="standard", dice=(), **options):
        self.rules = rules_named(str(sheet))
        self.events, self.asked, self.snapshot = [], [], None
        self._codec = EventJson(self.rules.to_json, self.rules.from_json)
        seconds = count(1)
        options = {"ask_hint": self.asked.append, "record": self, "publish": self._publish, **options}
        self.session = session_of(self.rules, ScriptedDice(dice), clock=lambda: float(next(seconds)), **options)

    def append(self, event, _at_s, _pictures=()):
        self.events.append(self._codec.decode(event))
        return len(self.events)

    def _publish(self, snapshot):
        self.snapshot = snapshot

    @property
    def game(self):
        return self.session.game

    def does(self, *items):
        for item in items:
            self.session.handle(item)
        return self.snapshot

    def shows(self, board):
        """A camera that is certain of every cell sees `board`."""
        observation = Observation(tuple(CellReading(((content, 0.0),)) for content in board))
        return self.does(Stirred(1.0), Saw(observation, 2.0, b"jpeg"))

    def sets(self, position=None):
        return self.shows(self.rules.visible(self.rules.start() if position is None else position))

    def plays(self, play):
        """Whoever is on roll makes a play by hand, whatever the rules say of it."""
        return self.shows(self.rules.played(self.game.position, self.game.on_roll, play))

    def plays_anything(self, choice=0):
        """Whoever is on roll makes one of the legal plays."""
        successors = self.rules.successors(self.game.position, self.game.on_roll, self.game.dice)
        return self.sets(successors[choice % len(successors)].after if successors else self.game.position)

    def taps(self, button=Button.ROLL, player=None):
        return self.does(Tapped(button, 3.0, player))

    def doubles(self, player=None):
        return self.does(Cube(CubeDeed.DOUBLE, 3.0, player))

    def takes(self, player=None):
        return self.does(Cube(CubeDeed.TAKE, 3.0, player))

    def passes(self, player=None):
        return self.does(Cube(CubeDeed.PASS, 3.0, player))

    def resigns(self, side, kind="single"):
        return self.does(Resigns(side, kind, 3.0))

    def draws(self, *, claimed=False):
        return self.does(Draws(claimed, 3.0))


@pytest.fixture
def sit_down():
    """How players sit down: `sit_down(sheet, dice, terms=…)`."""
    return Players
