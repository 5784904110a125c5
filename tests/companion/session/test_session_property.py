"""After any sequence of actions, replaying the recorded events gives the present game."""

from hypothesis import given, settings
from hypothesis import strategies as st
from memory_secrets import MemorySecrets
from sessions import session_of
from sweeps import examples

from companion.core import Cause, CellReading, Dice, Observation, Side
from companion.dice import FairDice
from companion.game import Match, Phase, Remedy, replay
from companion.interface import (
    Agrees,
    Button,
    CubeActed,
    CubeAction,
    Declines,
    Done,
    Draws,
    Proposes,
    Resigns,
    RolledByHand,
    Ruling,
    Saw,
    SetUp,
    Stirred,
    Tapped,
)
from companion.record import EventJson
from companion.rules import rules_named

RULES = rules_named("standard")
CODEC = EventJson(RULES.to_json, RULES.from_json)

sides = st.sampled_from(list(Side))
dice = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(Dice)
times = st.just(1.0)
others = st.one_of(
    st.builds(Tapped, st.sampled_from(list(Button)), times, st.none() | sides),
    st.builds(Stirred, times),
    st.builds(Done, sides, times),
    st.builds(RolledByHand, sides, dice, times),
    st.builds(SetUp, st.just(RULES.start()), st.none() | sides, times),
    st.builds(Ruling, st.integers(1, 3), st.sampled_from(["corrected", "stands"]), times),
    st.builds(
        Proposes,
        st.sampled_from([remedy.value for remedy in Remedy]),
        times,
        st.none() | sides,
        play=st.sampled_from(["", "13/7 8/7"]),
        position=st.none() | st.just(RULES.to_json(RULES.start())),
        turn_over=st.booleans(),
    ),
    st.builds(Agrees, st.integers(1, 4), times, sides),
    st.builds(Declines, st.integers(1, 4), times, sides),
    st.just(Saw(Observation((), Cause.DARK), 1.0, b"dark")),
    st.builds(CubeActed, st.sampled_from(list(CubeAction)), times, st.none() | sides),
    st.builds(Resigns, st.none() | sides, st.sampled_from(["", "single", "gammon", "backgammon", "half"]), times),
    st.builds(Draws, st.booleans(), times),
)
actions = st.one_of(
    st.sampled_from(
        [
            *("plays", "plays", "plays, then the next rolls", "plays, then doubles", "answers"),
            *("moves wrongly", "sets up", "both agree", "both agree", "asks for a takeback"),
        ]
    ),
    others,
)


def saw(position):
    cells = tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position))
    return Saw(Observation(cells), 1.0, repr(position).encode())


def items_of(action, choice, game):
    """The items that an action posts; `choice` from 0 to 1 selects among the legal plays."""
    if not isinstance(action, str):
        return [action]
    if action == "sets up" or game.position is None:
        return [saw(RULES.start()), Tapped(Button.ROLL, 1.0)]
    if action == "both agree":
        number = 0 if game.proposal is None else game.proposal.number
        return [Agrees(number, 1.0, side) for side in Side]
    if action == "asks for a takeback":
        return [Proposes(Remedy.TAKEBACK, 1.0, Side.WHITE)]
    if action == "answers":
        return [CubeActed(CubeAction.TAKE if choice < 0.5 else CubeAction.PASS, 1.0), Tapped(Button.ROLL, 1.0)]
    if game.dice is None or game.on_roll is None:
        return [saw(game.position), Tapped(Button.ROLL, 1.0)]
    reached = RULES.successors(game.position, game.on_roll, game.dice if action != "moves wrongly" else Dice((5, 5)))
    positions = [successor.after for successor in reached] or [game.position]
    look = saw(positions[int(choice * (len(positions) - 1))])
    if action.endswith("doubles"):
        return [look, CubeActed(CubeAction.DOUBLE, 1.0)]
    return [look, Tapped(Button.ROLL, 1.0)] if action.endswith("rolls") else [look]


class ListJournal:
    def __init__(self):
        self.events = []

    def append_all(self, events, _pictures=()):
        self.events.extend(event for event, _ in events)
        return len(self.events)


def numbers(seed):
    """Bytes for the dice, different in every run of the property and the same when it is repeated."""
    state = seed

    def random_bytes(count):
        nonlocal state
        state = (state * 1103515245 + 12345) % 2**31
        return bytes((state >> 16) % 252 for _ in range(count))

    return random_bytes


@examples(25, 100)
def test_the_recorded_events_replay_to_the_present_game(examples):
    @settings(max_examples=examples)
    @given(
        st.lists(st.tuples(actions, st.floats(0, 1)), min_size=5, max_size=40),
        st.integers(0, 2**31),
        st.integers(0, 3),
        st.sampled_from(["standard", "tournament", "encyclopedia"]),
    )
    def always(evening, seed, length, sheet):
        journal, events = ListJournal(), []
        dice, terms = FairDice(MemorySecrets(), numbers(seed)), Match(length) if length else None
        rules = rules_named(sheet)
        session = session_of(rules, dice, record=journal, clock=lambda: 0.0, terms=terms)
        for action, choice in evening:
            for item in items_of(action, choice, session.game):
                session.handle(item)
                events = [CODEC.decode(event) for event in journal.events]
                assert replay(events) == session.game
                match = session.game.match
                assert match.offered_by in (None, session.game.on_roll if session.game.phase is Phase.TO_ROLL else None)
                assert (match.owner is None) == (match.cube == 1)
        again = session_of(rules, FairDice(MemorySecrets()), resume=events)
        assert again.game == session.game

    always()
