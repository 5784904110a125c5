"""Matches played at random by the rules, with doubles, beavers, passes, resignations and draws."""

from __future__ import annotations

import pytest

from companion.core import Dice, Side
from companion.game import (
    Beavered,
    Doubled,
    Drawn,
    Ended,
    Game,
    MatchBegan,
    OpeningRolled,
    Passed,
    Played,
    Resigned,
    Rolled,
    Started,
    Taken,
    evolve,
    game_score,
    match_under,
    resignation_score,
)
from companion.rules import has_cube, levels_of, plays_opening_dice, rules_named, starter

LONG_ENOUGH = 90
"""Number of random moves after which the players agree on a draw."""


class PlayedMatch:
    """A match of `length` points, or a series of `games`; `events` are those of its record."""

    def __init__(self, sheet, chance, *, length=0, games=2, beavers=False):
        self.rules, self.chance = rules_named(sheet), chance
        self.rolls = self.rules.dice_count(self.rules.start(), Side.WHITE) > 0
        self.game, self.events = Game(), []
        terms = match_under(self.rules.sheet, length, beavers=beavers)
        self.happens(MatchBegan(terms.length, beavers=terms.beavers, white="Ann", black="Bob"))
        played = 0
        while self.game.match.winner is None and (length or played < games):
            self.play_a_game()
            played += 1

    def happens(self, event):
        self.game = evolve(self.game, event)
        self.events.append(event)

    def play_a_game(self):
        rules, ended = self.rules, self.game.ended
        begins = starter(rules.sheet, previous_winner=None if ended is None else ended.winner)
        position, side = rules.with_turn(rules.start(), begins)
        names = rules.sheet.game, rules.sheet.name
        self.happens(Started(*names, position, side, cube=has_cube(rules.sheet), rolls=self.rolls))
        while self.game.ended is None:
            if self.rolls and self.game.on_roll is None:
                white, black = self.dice(2)
                self.happens(OpeningRolled(white, black, plays_opening_dice(rules.sheet)))
            else:
                self.take_a_turn(self.game.on_roll)

    def take_a_turn(self, side):
        if self.rolls and self.game.dice is None:
            if self.chance.random() < 0.06 and self.game.match.no_double_because(side) is None:
                return self.turn_the_cube(side)
            self.happens(Rolled(side, Dice(self.dice(self.rules.dice_count(self.game.position, side))), "fair"))
        if self.chance.random() < 0.01:
            return self.resign(self.chance.choice(list(Side)))
        if self.rules.has_draws and len(self.game.past) > LONG_ENOUGH:
            return self.happens(Drawn("agreement"))
        successors = self.rules.successors(self.game.position, side, self.game.dice)
        if successors:
            chosen = self.chance.choice(successors)
            self.happens(Played(side, self.rules.write_play(chosen.play), chosen.after))
        else:
            self.happens(Played(side, "", self.game.position))
        outcome = self.rules.outcome(self.game.position)
        if outcome is not None:
            score = game_score(self.game.match, self.rules, outcome)
            self.happens(Ended(outcome.winner, score.points, score.kind))
        return None

    def turn_the_cube(self, side):
        self.happens(Doubled(side))
        if self.chance.random() < 0.3 and self.game.match.no_beaver_because() is None:
            self.happens(Beavered(self.game.match.asked))
        self.happens((Taken if self.chance.random() < 0.7 else Passed)(self.game.match.asked))

    def resign(self, side):
        kind = self.chance.choice(levels_of(self.rules.sheet))
        score = resignation_score(self.game.match, self.rules, side, kind)
        self.happens(Resigned(side, score.kind, score.points))

    def dice(self, count):
        return tuple(self.chance.randint(1, 6) for _ in range(count))


@pytest.fixture(scope="session")
def played_match():
    """`played_match(sheet, chance, length=…)`: a match played at random; `chance` is a `random.Random`."""
    return PlayedMatch
