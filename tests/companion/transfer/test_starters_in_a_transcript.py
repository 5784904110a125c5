"""Who starts after a game without a winner under a sheet by which the previous winner starts: exported and imported."""

import pytest

from companion.core import Dice, Side
from companion.game import SET_UP_WRONG, Ended, OpeningRolled, Played, Resigned, Rolled, Started
from companion.rules import rules_named
from companion.transfer.exporter import transcribe
from companion.transfer.importer import reenact

WHITE, BLACK = Side.WHITE, Side.BLACK


@pytest.fixture(params=["kept", "rolled_again"])
def rules(request, tmp_path):
    path = tmp_path / "winner-starts.toml"
    path.write_text(f'base = "standard"\nnext_game_starter = "previous_winner"\nopening_roll = "{request.param}"\n')
    return rules_named(str(path))


def begun(rules, side, dice):
    """A game in which `side` starts with `dice` and makes a play; WHITE after an opening roll if `side` is None."""
    mover = side or WHITE
    opening = [] if side else [OpeningRolled(*dice.values, kept=rules.sheet.opening_roll == "kept")]
    roll = opening if opening and opening[0].kept else [*opening, Rolled(mover, dice, "fair")]
    first = rules.successors(rules.start(), mover, dice)[0]
    return [
        Started("backgammon", rules.sheet.name, rules.start(), side),
        *roll,
        Played(mover, rules.write_play(first.play), first.after),
    ]


@pytest.mark.parametrize(("starter", "dice"), [(BLACK, (5, 5)), (BLACK, (6, 1)), (None, (6, 1))])
def test_after_a_game_that_nobody_won_the_last_winner_starts_or_as_in_older_records_the_opening_roll(
    rules, starter, dice
):
    events = [
        *begun(rules, None, Dice((6, 1))),
        Resigned(WHITE, "single", 1),
        *begun(rules, BLACK, Dice((4, 4))),
        Ended(None, 0, SET_UP_WRONG),
        *begun(rules, starter, Dice(dice)),
        Resigned(WHITE, "single", 1),
    ]
    again = reenact(transcribe(events, rules), rules)
    assert [event for event in again if isinstance(event, Played)] == [e for e in events if isinstance(e, Played)]
