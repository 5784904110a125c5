"""Texts that differ on a board of tiles, which has spaces, counted forward, and cubes, but no bar.

Each has the key of the text that it replaces. Facts stay in standard numbers and notation, as in files; the renderer
converts them.
"""

from __future__ import annotations

import re

from companion.core import space_of
from companion.texts.catalogue import marked

PLACES = frozenset({"source", "target", "point", "numbers", "made", "play", "plays"})
"""Facts that are a point, points, or plays in standard notation."""
_PART = re.compile(r"\([0-9]+\)|[0-9]+|bar")

TEXTS = {
    "backgammon.on_the_way": marked("a cube is on its way: the turn is not finished."),
    "backgammon.not_moved": marked("no cube has moved."),
    "backgammon.point": marked("space {point}"),
    "backgammon.points.one": marked("space {numbers}"),
    "backgammon.points": marked("spaces {numbers}"),
    "backgammon.checker.off": marked("a cube that was off"),
    "backgammon.checker.bar": marked("the cube that waited outside"),
    "backgammon.checker.from": marked("the cube from space {source}"),
    "backgammon.wrong_player_moved": marked("it is {mover}'s turn, but {other}'s cubes were moved."),
    "backgammon.wrong_player_moved.disturbed": marked(
        "{other}'s cubes are not where they were: {mover} may move them only by hitting them."
    ),
    "backgammon.bar_first": marked("{went} while one of {mover}'s cubes waited outside: that one must come in first."),
    "backgammon.moved_backwards.to_bar": marked("{checker} lies beside the board: only a hit puts one there."),
    "backgammon.moved_backwards.to": marked(
        "{checker} went backwards and stands on space {target}: cubes move from 1 towards 24."
    ),
    "backgammon.went.landed": marked("{checker} landed on space {target}"),
    "backgammon.not_all_home": marked(
        "{went} while another stood on {place}: bearing off begins when all cubes are home."
    ),
    "backgammon.bear_off_higher_first": marked(
        "{went} with a larger number, but a cube stood on {place}: that one must move first."
    ),
    "backgammon.stack_limit": marked("{went}, but a space holds no more than {full} of a player's own cubes."),
    "backgammon.stack_limit.passing": marked(
        "{went} by way of {place}, which was full: {full} of a player's own cubes close a space, in passing too."
    ),
    "backgammon.blocked_point": marked("{went}, which is held by {held} of {other}'s cubes."),
    "backgammon.hit_checker_not_on_bar": marked(
        "{other}'s cube on {place} was hit: put it outside the board, where it waits."
    ),
    "backgammon.may_enter.nowhere": marked("{mover} can come in on no space that was rolled."),
    "backgammon.checker_missing": marked("{side} has {now} cubes now, but had {before}: look for what is missing."),
    "backgammon.checker_extra": marked(
        "{side} has {now} cubes now, but had {before}: take away what does not belong there."
    ),
    "reason.wrong_player_moved": marked("the other player's cubes were moved"),
    "reason.bar_first": marked("a cube that waits outside must come in first"),
    "reason.moved_backwards": marked("a cube went backwards"),
    "reason.not_all_home": marked("not all cubes are home yet"),
    "reason.bear_off_higher_first": marked("a cube farther back must move first"),
    "reason.stack_limit": marked("a full space takes no more cubes"),
    "reason.blocked_point": marked("the opponent holds that space"),
    "reason.hit_checker_not_on_bar": marked("the cube that was hit does not wait outside"),
    "reason.checker_missing": marked("a cube is missing"),
    "reason.checker_extra": marked("there is a cube too many"),
    "reading.none": marked("None of them: lay the cubes so that they can be told apart, or tap Referee."),
    "position.count": marked("{player} has {now} cubes in it, expected {expected}"),
    "position.stack": marked("{count} cubes stand on space {point}, and under the sheet {sheet} at most {most} may"),
    "mend.unknown": marked("straighten the cubes, and take away what does not belong on the board"),
    "ambiguous.between": marked("I cannot tell, because a cube lies {places}. Push it onto one of them."),
    "ambiguous.between.several": marked(
        "I cannot tell, because cubes lie {places}. Push each onto one of its two places."
    ),
    "dice.repeated": marked("{fault} The roll is repeated: put the cubes back, throw again and tap Roll."),
    "spoken.unsure": marked("I cannot tell what lies there: straighten the cubes."),
    "the_bar": marked("the place outside"),
    "spoken.trip.bar": marked("from outside to {target}"),
    "spoken.first_off": marked("a cube from {source}"),
    "unreadable.total": marked("{total} of {side}'s cubes are in view; the turn began with {expected}."),
    "announced.carry": marked("{player} plays {play}: move the cubes so."),
    "why.makes": marked("makes space {point}"),
    "why.makes.points": marked("makes spaces {points}"),
    "why.gives_up": marked("gives space {point} up"),
    "why.gives_up.points": marked("gives spaces {points} up"),
    "why.off.one": marked("bears one cube off"),
    "why.out": marked("brings {number} cubes out of {opponent}’s home board"),
    "why.out.one": marked("brings a cube out of {opponent}’s home board"),
}
"""By the key of the text that each replaces."""


def counted_forward(text: str) -> str:
    """Points and plays in standard numbers as spaces: `24/18` is `1/7`, `bar/20*` is `in/5*`, `6/off` `19/off`."""
    return _PART.sub(_forward, text)


def _forward(part: re.Match[str]) -> str:
    if part[0].startswith("("):
        return part[0]
    return "in" if part[0] == "bar" else str(space_of(int(part[0])))
