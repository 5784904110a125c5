"""`boardside dice verify`: what holds and what does not, on matches played in the session and then meddled with."""

import json
from contextlib import closing
from itertools import count

import pytest
from memory_secrets import MemorySecrets
from sessions import session_of

from companion.cli import main
from companion.core import CellReading, Observation, Side
from companion.dice import FairDice, check
from companion.dice.verify import DiceCheckError
from companion.game import Match
from companion.interface import Agrees, Button, Resigns, Saw, SecretAsked, Stirred, Tapped
from companion.record import Record
from companion.rules import rules_named

RULES = rules_named("standard")
TURNS = 6


class TableWithDice:
    """Players who make the first legal play each turn; `entries` is what a record of theirs tells."""

    def __init__(self, record=None, dice=None, **options):
        self.entries, self.seconds, self.record, self.taps = [], count(1_763_720_000), record, count(100)
        self.session = session_of(
            RULES, dice or FairDice(MemorySecrets()), record=self, clock=lambda: float(next(self.seconds)), **options
        )

    def append_all(self, events, pictures=()):
        for event, at_s in events:
            self.entries.append({"entry": len(self.entries) + 1, "at_s": at_s, **event})
        return self.record.append_all(events, pictures) if self.record else len(self.entries)

    def shows(self, position):
        cells = tuple(CellReading(((content, 0.0),)) for content in RULES.visible(position))
        for item in (Stirred(1.0), Saw(Observation(cells), 2.0)):
            self.session.handle(item)

    def plays(self, turns=TURNS):
        """A game of that many turns, then White resigns."""
        self.shows(RULES.start())
        self.session.handle(Tapped(Button.ROLL, next(self.taps) * 1.37))
        while self.session.game.on_roll is None:
            self.session.handle(Tapped(Button.ROLL, next(self.taps) * 1.37))
        for _ in range(turns):
            game = self.session.game
            successors = RULES.successors(game.position, game.on_roll, game.dice)
            self.shows(successors[0].after if successors else game.position)
            self.session.handle(Tapped(Button.ROLL, next(self.taps) * 1.37))
        self.session.handle(Resigns(Side.WHITE, "single", 5.0))
        self.session.handle(Agrees(self.session.game.proposals, 5.5, Side.BLACK))
        return self

    def asks_for_the_secret(self):
        self.session.handle(SecretAsked(6.0))
        return self


@pytest.fixture(scope="module")
def evening():
    """Two games, the secret told between them and at the end."""
    return TableWithDice().plays().asks_for_the_secret().plays().asks_for_the_secret().entries


def wrong(entries):
    return [line.words for line in check(entries).lines if line.holds is False]


def rolls_of(entries):
    return [n for n, entry in enumerate(entries) if entry.get("proof")]


def changed(entries, number, **changes):
    return [{**entry, **changes} if n == number else entry for n, entry in enumerate(entries)]


def without(entries, *numbers):
    """As somebody would leave entries out who knows that they are numbered."""
    left = [entry for n, entry in enumerate(entries) if n not in numbers]
    return [{**entry, "entry": n} for n, entry in enumerate(left, start=1)]


def test_rolls_of_an_evening_with_revealed_secrets_are_verified_one_by_one(evening):
    answer = check(evening)
    assert answer.holds
    assert answer.rolls == len(rolls_of(evening)) >= 2 * TURNS
    assert answer.summary == f"Everything holds: {answer.rolls} rolls, each as committed to before it was made."


def test_a_commitment_comes_before_everything_else():
    table = TableWithDice()
    table.shows(RULES.start())
    assert [entry["event"] for entry in table.entries] == ["DiceSealed"]


def test_a_tap_before_the_commitment_was_shown_rolls_nothing():
    table = TableWithDice()
    table.session.handle(Tapped(Button.ROLL, 1.0))
    assert [entry["event"] for entry in table.entries] == ["DiceSealed"]
    assert table.session.game.number == 0


def test_a_finished_match_has_its_secret_revealed_and_the_next_committed_to():
    entries = TableWithDice(terms=Match(1)).plays().entries
    assert [entry["event"] for entry in entries[-3:]] == ["Resigned", "DiceRevealed", "DiceSealed"]
    assert check(entries).holds


def test_each_changed_roll_is_named_with_what_follows_from_the_secret(evening):
    for number in rolls_of(evening):
        entry = evening[number]
        if entry["event"] == "Rolled":
            other = changed(evening, number, dice=[7 - n for n in entry["dice"]])
            was = "-".join(map(str, entry["dice"]))
        else:
            other = changed(evening, number, white=entry["white"] % 6 + 1)
            was = f"{entry['white']}-{entry['black']}"
        (said,) = wrong(other)
        assert said.endswith(f"does not hold: from the secret follows {was}")


def test_a_changed_time_of_a_tap_breaks_that_roll_and_those_after_it(evening):
    first = rolls_of(evening)[1]
    counter = evening[first]["proof"]["counter"]
    other = changed(evening, first, proof={"counter": counter, "tapped_ms": 1})
    assert all("does not hold" in said for said in wrong(other))
    assert len(wrong(other)) >= TURNS - 3  # a wrong derivation may give the same dice by chance


def test_a_missing_roll_leaves_a_gap(evening):
    assert any("rolls are missing" in said for said in wrong(without(evening, rolls_of(evening)[2])))
    gap = [entry for n, entry in enumerate(evening) if n != rolls_of(evening)[2]]
    assert any("entries are missing" in said for said in wrong(gap))


def test_the_last_roll_cannot_be_left_out_either(evening):
    (said,) = wrong(without(evening, rolls_of(evening)[-1]))
    assert "is revealed after" in said


def test_a_roll_without_its_proof_is_not_taken_for_one_by_hand(evening):
    number = rolls_of(evening)[3]
    assert any("without a proof" in said for said in wrong(changed(evening, number, proof=None, source="by hand")))


def test_an_unrevealed_secret_cannot_be_checked(evening):
    last = len(evening) - 2
    assert evening[last]["event"] == "DiceRevealed"
    said = wrong(evening[:last])
    assert "cannot be checked: the secret is not revealed" in said[0]
    assert said[-1].endswith("is not revealed.")
    assert any("was lost" in line for line in wrong(changed(evening, last, secret=None)))


def during_a_game(evening):
    """The entries up to the last roll of the first game."""
    ended = next(n for n, entry in enumerate(evening) if entry["event"] == "Resigned")
    return evening[:ended]


def test_during_a_game_an_unrevealed_secret_is_no_error(evening):
    given = during_a_game(evening)
    answer = check(given)
    assert answer.holds
    assert answer.unrevealed == answer.rolls > 0
    assert sum(line.words.endswith("not told yet") for line in answer.lines) == answer.rolls
    assert "not told yet" in answer.summary
    assert not any(line.holds for line in answer.lines)


def test_between_the_games_of_a_match_the_secret_is_not_revealed():
    table = TableWithDice(terms=Match(length=5)).plays()
    assert table.session.game.match.winner is None
    answer = check(table.entries)
    assert answer.holds
    assert answer.unrevealed == answer.rolls > 0


def test_during_a_game_errors_are_found(evening):
    given = during_a_game(evening)
    assert wrong(without(given, rolls_of(given)[2]))
    number = rolls_of(given)[3]
    assert any("without a proof" in said for said in wrong(changed(given, number, proof=None, source="by hand")))


def test_another_secret_or_another_commitment_does_not_belong(evening):
    last, first = len(evening) - 2, 0
    assert any("does not match" in line for line in wrong(changed(evening, last, secret="00" * 32)))
    assert any("was not open" in line for line in wrong(changed(evening, first, commitment="ab" * 32)))


def test_a_roll_before_any_commitment_does_not_hold(evening):
    assert any("no commitment was open" in line for line in wrong(without(evening, 0)))


def test_own_dice_and_dice_of_old_records_are_listed_and_not_judged():
    hand = {"entry": 1, "at_s": 1.0, "event": "Rolled", "side": "white", "dice": [6, 1], "source": "by hand"}
    answer = check([hand])
    assert answer.holds
    assert "no commitment (by hand)" in answer.lines[0].words
    assert answer.summary == "Nothing to check: no roll in this record has a commitment."


def test_the_same_dice_after_a_takeback_count_as_a_new_roll(evening):
    number = next(n for n in rolls_of(evening) if evening[n]["event"] == "Rolled")  # a start may be rolled again
    again = {"event": "Rolled", "side": evening[number]["side"], "dice": evening[number]["dice"], "source": "as before"}
    cut = [*evening[: number + 1], {"entry": number + 2, "at_s": 9.0, **again}]
    assert not any("takeback" in line for line in wrong(cut))
    assert any("takeback" in line for line in wrong([*cut[:-1], {**cut[-1], "dice": [0, 0]}]))


@pytest.mark.parametrize(
    "bad", [{"event": "Rolled"}, {"event": "DiceSealed"}, {"event": "Rolled", "side": 1, "dice": 2}]
)
def test_an_invalid_entry_is_named(bad):
    with pytest.raises(DiceCheckError, match="is no entry of a record"):
        check([bad])


@pytest.fixture
def state(tmp_path):
    with closing(Record.open(tmp_path / "record.db")) as record:
        told = TableWithDice(record).plays().asks_for_the_secret().entries
    (tmp_path / "lines.json").write_text("".join(json.dumps(entry) + "\n" for entry in told))
    (tmp_path / "list.json").write_text(json.dumps(told))
    return tmp_path


@pytest.mark.parametrize("given", [".", "record.db", "lines.json", "list.json"])
def test_the_command_takes_a_state_directory_its_database_or_an_export(state, capsys, given):
    assert main(["dice", "verify", str(state / given)]) == 0
    assert "Everything holds" in capsys.readouterr().out


def test_the_command_fails_if_a_check_does_not_hold(state, capsys):
    path = state / "lines.json"
    path.write_text(path.read_text().replace('"counter": 3', '"counter": 2'))
    assert main(["dice", "verify", "--brief", str(path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1].endswith("not hold.")
    assert all(line.startswith("WRONG") for line in said[:-1])


@pytest.mark.parametrize("content", ["no record", "[1, 2]", '{"a": 1}'])
def test_a_file_that_is_not_a_record_is_reported(tmp_path, capsys, content):
    path = tmp_path / "file.json"
    path.write_text(content)
    assert main(["dice", "verify", str(path)]) == 1
    assert "is not a record" in capsys.readouterr().err
    assert main(["dice", "verify", str(tmp_path / "gone")]) == 1
    assert "cannot read the record" in capsys.readouterr().err
