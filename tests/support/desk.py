"""A session with its players, headless: looks and taps go in, snapshots and events come out."""

from dataclasses import replace
from itertools import count

from sessions import session_of

from companion.dice import ScriptedDice
from companion.event_json import EventJson
from companion.inbox import Button, Saw, Stirred, Tapped
from companion.model import Side
from companion.observation import CellReading, Observation
from companion.rules.rulesets import rules_named

RULES = rules_named("standard")
START = RULES.start()
WHITE, BLACK = Side.WHITE, Side.BLACK
CLOCK = count(1)


def certain(position, rules=RULES):
    """What a camera says that is sure of every cell."""
    return Observation(tuple(CellReading(((content, 0.0),)) for content in rules.visible(position)))


def moved(position, side, *steps):
    """The position after steps (from, to) in the mover's numbers, by hand and without rules; 25 is the bar, 0 off."""
    points, bar, off = list(position.points), list(position.bar), list(position.off)
    sign, mine = (1, 0) if side is WHITE else (-1, 1)

    def index(point):
        return point - 1 if side is WHITE else 24 - point

    for source, target in steps:
        if source == 25:
            bar[mine] -= 1
        else:
            points[index(source)] -= sign
        if target == 0:
            off[mine] += 1
        elif points[index(target)] == -sign:
            points[index(target)] = sign
            bar[1 - mine] += 1
        else:
            points[index(target)] += sign
    return replace(position, points=tuple(points), bar=tuple(bar), off=tuple(off))


class Desk:
    """A session with its players: says what it shows, remembers what it recorded."""

    def __init__(self, dice=(), rules=RULES, **options):
        self.events, self.pictures, self.shown, self.asked = [], [], [], []
        self.rules = rules
        self.codec = EventJson(rules.to_json, rules.from_json)
        source = dice if hasattr(dice, "roll") else ScriptedDice(dice)
        options = {"record": self, "publish": self.publish, "ask_hint": self.asked.append, **options}
        self.session = session_of(rules, source, clock=lambda: float(next(CLOCK)), **options)

    def append(self, event, at_s, pictures=()):
        assert at_s > 0
        self.events.append(self.codec.decode(event))
        self.pictures.extend(pictures)
        return len(self.events)

    def publish(self, snapshot):
        self.shown.append((snapshot, len(self.events)))

    @property
    def snapshot(self):
        return self.shown[-1][0]

    def does(self, *items):
        for item in items:
            self.session.handle(item)
        return self.snapshot

    def sees(self, position, picture=b"jpeg"):
        return self.does(Stirred(1.0), Saw(certain(position, self.rules), 2.0, picture))

    def cannot_see(self, cause):
        return self.does(Stirred(1.0), Saw(Observation((), cause), 2.0))

    def taps(self, button=Button.ROLL, player=None):
        return self.does(Tapped(button, 3.0, player))


AFTER_61 = moved(START, WHITE, (13, 7), (8, 7))
ILLEGAL_61 = moved(START, WHITE, (13, 8))
LAST_CHECKERS = replace(START, points=(1, *[0] * 22, -1), bar=(0, 0), off=(14, 14))


def doubtful_look(*positions):
    """A look that fits all of the positions, each a little less likely than the one before."""
    boards = list(zip(*map(RULES.visible, positions), strict=True))
    cells = []
    for contents in boards:
        distinct = list(dict.fromkeys(contents))
        cells.append(CellReading(tuple((content, -0.1 * n) for n, content in enumerate(distinct))))
    return Observation(tuple(cells))


def first_turn():
    """White has won the opening roll with 6-1 and is to move; next come 5-3, then 4-4, then 2-1."""
    desk = Desk([6, 1, 5, 3, 4, 4, 2, 1])
    desk.sees(START)
    desk.taps()
    return desk
