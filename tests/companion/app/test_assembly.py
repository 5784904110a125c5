"""The start of a table: it resumes an open match with its dice, and knows the secrets of finished ones."""

from contextlib import ExitStack, closing

import pytest
from places import RECORDS
from sessions import session_of

from companion.app import assembly as module
from companion.app.assembly import open_storage
from companion.core import CellReading, Observation, Side
from companion.dice import FairDice, HandDice, check
from companion.game import match_under
from companion.interface import Agrees, Button, Resigns, Saw, Stirred, Tapped
from companion.record import Record, events_of, recorded_entries, since_last_pause
from companion.record.reader import LONG_PAUSE_S
from companion.rules import rules_named

RULES = rules_named("standard")


class Evenings:
    """Tables opened one after the other on one state directory, with a clock that the test advances."""

    def __init__(self, path, monkeypatch):
        self.path, self.now_s = path, 1_763_720_000.0
        monkeypatch.setattr(module.time, "time", lambda: self.now_s)

    def tick(self):
        self.now_s += 1
        return self.now_s

    def table(self, actions=lambda *_: None, dice="fair", terms=None):
        """Open a table, call `deeds(session, does)`, and kill it: only files are closed."""
        with ExitStack() as stack:
            storage = open_storage(self.path, dice, stack, lambda: None)
            session = session_of(
                RULES,
                storage.dice,
                record=storage.backup_worker,
                clock=self.tick,
                resume=events_of(storage.entries, RULES),
                terms=terms,
            )
            actions(session)
            return session.game

    @property
    def entries(self):
        return recorded_entries(self.path)

    @property
    def kinds(self):
        return [entry["event"] for entry in self.entries]


def shows(session, position):
    cells = tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position))
    session.handle(Stirred(1.0))
    session.handle(Saw(Observation(cells), 2.0))


def rolls(session):
    """The start, or the first legal play, and the next roll."""
    game = session.game
    if not game.running:
        shows(session, RULES.start())
    elif game.dice is not None:
        successors = RULES.successors(game.position, game.on_roll, game.dice)
        shows(session, successors[0].after if successors else game.position)
    session.handle(Tapped(Button.ROLL, 3.25))
    while session.game.running and session.game.on_roll is None:
        session.handle(Tapped(Button.ROLL, 4.5))


def a_game(session):
    for _ in range(4):
        rolls(session)
    session.handle(Resigns(Side.WHITE, "single", 5.0))
    session.handle(Agrees(session.game.proposals, 6.0, Side.BLACK))


@pytest.fixture
def evenings(tmp_path, monkeypatch):
    return Evenings(tmp_path, monkeypatch)


def test_after_a_restart_the_same_secret_and_the_next_number_go_on(evenings):
    evenings.table(rolls)
    before = evenings.table()
    evenings.table(lambda session: (rolls(session), a_game(session)))
    assert before.dice_book.open_commitment.counter >= 2
    assert evenings.kinds.count("DiceSealed") == 1
    counters = [entry["proof"]["counter"] for entry in evenings.entries if entry.get("proof")]
    assert counters == list(range(1, len(counters) + 1))


def test_the_secret_of_an_evening_is_revealed_when_the_next_one_begins(evenings):
    evenings.table(a_game)
    assert not check(evenings.entries).holds
    evenings.now_s += 2 * LONG_PAUSE_S
    evenings.table(a_game)
    assert evenings.kinds.count("DiceRevealed") == 1
    evenings.now_s += 2 * LONG_PAUSE_S
    evenings.table()
    answer = check(evenings.entries)
    assert answer.holds
    assert answer.rolls >= 8


def test_a_match_over_two_evenings_has_one_commitment_which_is_revealed_at_its_end(evenings):
    seven = match_under(RULES.sheet, 2)
    evenings.table(a_game, terms=seven)
    evenings.now_s += 2 * LONG_PAUSE_S
    evenings.table(a_game, terms=seven)
    assert evenings.kinds.count("MatchBegan") == 1
    assert evenings.kinds.count("DiceRevealed") == 1
    assert evenings.kinds[-2:] == ["DiceRevealed", "DiceSealed"]
    assert check(evenings.entries).holds


def test_changing_to_the_own_dice_reveals_the_secret_first(evenings):
    evenings.table(rolls)
    game = evenings.table(dice="hand")
    assert evenings.kinds[-1] == "DiceRevealed"
    assert game.running
    assert check(evenings.entries).holds


def test_a_lost_secret_is_reported_and_replaced(evenings):
    evenings.table(rolls)
    (evenings.path / "dice.secrets").unlink()
    evenings.table(rolls)
    assert [entry["secret"] for entry in evenings.entries if entry["event"] == "DiceRevealed"] == [None]
    evenings.table(rolls)
    assert [line.words for line in check(evenings.entries).lines if "was lost" in line.words] != []


def test_the_table_opens_if_there_is_no_space_to_reveal_an_old_secret(evenings, monkeypatch, caplog):
    evenings.table(a_game)
    evenings.now_s += 2 * LONG_PAUSE_S

    def full(*_):
        raise module.RecordError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Record, "append", full)
        evenings.table()
    assert "not revealed yet: the disk is full" in caplog.text
    evenings.table()
    assert check(evenings.entries).holds


def test_only_the_open_match_is_read_from_a_long_record(evenings):
    evenings.table(lambda session: [a_game(session) for _ in range(2)])
    evenings.now_s += 2 * LONG_PAUSE_S
    evenings.table(a_game)
    with ExitStack() as stack:
        storage = open_storage(evenings.path, "fair", stack, lambda: None)
        everything = storage.record.entries()
    first = storage.entries[0].number
    assert tuple(storage.entries) == everything[first - 1 :]
    assert sum(entry.event["event"] == "Started" for entry in storage.entries) == 1
    assert since_last_pause(everything, evenings.now_s) == storage.entries


def test_the_dice_are_the_requested_ones(tmp_path):
    for name, kind in (("fair", FairDice), ("hand", HandDice)):
        with ExitStack() as stack:
            assert isinstance(open_storage(tmp_path, name, stack, lambda: None).dice, kind)


def test_a_record_of_version_1_goes_on_with_sealed_dice(evenings):

    evenings.path.mkdir(exist_ok=True)
    old = RECORDS / "version-1.db"
    (evenings.path / "record.db").write_bytes(old.read_bytes())
    game = evenings.table(rolls, terms=match_under(RULES.sheet, 3))
    assert (game.match.score, game.running) == ((0, 2), True)
    assert "DiceSealed" in evenings.kinds[14:]
    with closing(Record.open(evenings.path / "record.db")) as record:
        assert record.rescue is None
