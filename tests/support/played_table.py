"""A session with its players: looks and taps go in, snapshots and events come out."""

from dataclasses import replace
from itertools import count

from scripted_dice import ScriptedDice
from sessions import session_of

from companion.core import CellReading, Observation, Side
from companion.interface import Agrees, Button, CubeActed, CubeAction, Declines, Draws, Resigns, Saw, Stirred, Tapped
from companion.record import EventJson, RecordError
from companion.rules import rules_named

RULES = rules_named("standard")
START = RULES.start()
WHITE, BLACK = Side.WHITE, Side.BLACK
CLOCK = count(1)


def certain(position, rules=RULES):
    """An observation that is certain of every cell of a position."""
    return certain_of(rules.visible(position))


def certain_of(board):
    return Observation(tuple(CellReading(((content, 0.0),)) for content in board))


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


class PlayedTable:
    """A session with its players: methods post items, `events` are those recorded, `snapshot` is the last one.

    Observations are certain of every cell. Times are counted, not measured.
    """

    def __init__(self, dice=(), rules=RULES, **options):
        self.events, self.pictures, self.shown, self.asked = [], [], [], []
        self.rules = rules
        self.codec = EventJson(rules.to_json, rules.from_json)
        source = dice if hasattr(dice, "roll") else ScriptedDice(dice)
        options = {"record": self, "publish": self.publish, "ask_hint": self.asked.append, **options}
        self.session = session_of(rules, source, clock=lambda: float(next(CLOCK)), **options)

    def append_all(self, events, pictures=()):
        assert all(at_s > 0 for _, at_s in events)
        self.events.extend(self.codec.decode(event) for event, _ in events)
        self.pictures.extend(pictures)
        return len(self.events)

    def publish(self, snapshot):
        self.shown.append((snapshot, len(self.events)))

    @property
    def snapshot(self):
        return self.shown[-1][0] if self.shown else None

    @property
    def game(self):
        return self.session.game

    def does(self, *items):
        for item in items:
            self.session.handle(item)
        return self.snapshot

    def sees(self, position, picture=b"jpeg"):
        return self.shows(self.rules.visible(position), picture)

    def shows(self, board, picture=b"jpeg"):
        """The camera sees a board, which need not be a legal position."""
        return self.does(Stirred(1.0), Saw(certain_of(board), 2.0, picture))

    def sets(self, position=None):
        """The players set up a position, or the start."""
        return self.sees(self.rules.start() if position is None else position)

    def cannot_see(self, cause):
        return self.does(Stirred(1.0), Saw(Observation((), cause), 2.0))

    def plays(self, play):
        """The player on roll makes a play, legal or not."""
        return self.shows(self.rules.board_after(self.game.position, self.game.on_roll, play))

    def plays_anything(self, choice=0):
        """The player on roll makes one of the legal plays."""
        successors = self.rules.successors(self.game.position, self.game.on_roll, self.game.dice)
        return self.sets(successors[choice % len(successors)].after if successors else self.game.position)

    def taps(self, button=Button.ROLL, player=None):
        return self.does(Tapped(button, 3.0, player))

    def doubles(self, player=None):
        return self.does(CubeActed(CubeAction.DOUBLE, 3.0, player))

    def takes(self, player=None):
        return self.does(CubeActed(CubeAction.TAKE, 3.0, player))

    def passes(self):
        return self.does(CubeActed(CubeAction.PASS, 3.0))

    def offers_to_resign(self, side, kind="single"):
        return self.does(Resigns(side, kind, 3.0))

    def resigns(self, side, kind="single"):
        """A player offers to resign, and the opponent accepts."""
        self.offers_to_resign(side, kind)
        return self.accepts(side.opponent)

    def offers_a_draw(self, player=None):
        return self.does(Draws(claimed=False, at_s=3.0, player=player))

    def draws(self, *, claimed=False):
        """A player claims a draw, or one offers it and the other accepts."""
        if claimed:
            return self.does(Draws(claimed=True, at_s=3.0))
        self.offers_a_draw(WHITE)
        return self.accepts(BLACK)

    def accepts(self, player):
        """A player agrees to the proposal, if there is one."""
        proposal = self.game.proposal
        return self.snapshot if proposal is None else self.does(Agrees(proposal.number, 4.0, player))

    def refuses(self, player):
        return self.does(Declines(self.game.proposal.number, 4.0, player))


AFTER_61 = moved(START, WHITE, (13, 7), (8, 7))
ILLEGAL_61 = moved(START, WHITE, (13, 8))
LAST_CHECKERS = replace(START, points=(1, *[0] * 22, -1), bar=(0, 0), off=(14, 14))


def fill_disk(table, why="the disk is full"):
    """Let the disk of a `PlayedTable` be full; returns what recorded until then: assigned again, there is space."""

    def full(*_):
        raise RecordError(why)

    appended, table.append_all = table.append_all, full
    return appended


def fill_after_one(table):
    """Let the disk be full as soon as something more is recorded; returns what recorded until then."""
    appended = table.append_all

    def full_after_one(*event):
        fill_disk(table)
        return appended(*event)

    table.append_all = full_after_one
    return appended


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
    table = PlayedTable([6, 1, 5, 3, 4, 4, 2, 1])
    table.sees(START)
    table.taps()
    return table
