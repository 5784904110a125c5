"""What the referee says of a backgammon play.

In `went` stands what became of one checker, one of the texts `went`, `went.off` and `went.landed`.
"""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "backgammon.rolled": marked("You rolled {dice}. {then}"),
    "backgammon.no_play": marked("nothing can be played here: the turn passes."),
    "backgammon.so_far": marked("{made} so far: the turn goes on."),
    "backgammon.on_the_way": marked("a checker is on its way: the turn goes on."),
    "backgammon.not_moved": marked("no checker has moved."),
    "backgammon.no_rule": marked("I cannot tell, because no rule says what is wrong with it."),
    "backgammon.point": marked("the {point} point"),
    "backgammon.points.one": marked("point {numbers}"),
    "backgammon.points": marked("points {numbers}"),
    "backgammon.points.white": marked("{places} (White’s numbers)"),
    "backgammon.checker": marked("a checker"),
    "backgammon.checker.off": marked("a checker that was off"),
    "backgammon.checker.bar": marked("the checker from the bar"),
    "backgammon.checker.from": marked("the checker from {source}"),
    "backgammon.went": marked("{checker} moved"),
    "backgammon.went.off": marked("{checker} was borne off"),
    "backgammon.went.landed": marked("{checker} landed on {target}"),
    "backgammon.wrong_player_moved": marked("it is {mover}'s turn, but {other}'s checkers were moved."),
    "backgammon.wrong_player_moved.disturbed": marked(
        "{other}'s checkers do not stand where they stood: only {mover} may move them, by hitting."
    ),
    "backgammon.bar_first": marked("{went} while {mover} had a checker on the bar: that must come in first."),
    "backgammon.moved_backwards": marked("a checker went backwards."),
    "backgammon.moved_backwards.to_bar": marked(
        "{checker} went backwards and stands on the bar: checkers move from 24 towards 1."
    ),
    "backgammon.moved_backwards.to": marked(
        "{checker} went backwards and stands on {target}: checkers move from 24 towards 1."
    ),
    "backgammon.not_all_home": marked("{went} before all were home: bearing off needs all checkers at home."),
    "backgammon.not_all_home.one_on": marked(
        "{went} while one stands on {place}: bearing off needs all checkers at home."
    ),
    "backgammon.bear_off_higher_first": marked(
        "{went} with a larger number, but a higher point is occupied: that checker must move first."
    ),
    "backgammon.bear_off_higher_first.on": marked(
        "{went} with a larger number, but {place} is occupied: that checker must move first."
    ),
    "backgammon.stack_limit": marked(
        "{went}, but a point takes no more than {full} of one's own checkers, in passing too."
    ),
    "backgammon.blocked_point": marked("{went}, which is held by {held} of {other}'s checkers."),
    "backgammon.blocked_on_the_way": marked(
        "{went} with more than one number, but {other} holds every point in between."
    ),
    "backgammon.too_many_moves": marked(
        "{went}: such steps fit the dice, but more of them were made than were rolled."
    ),
    "backgammon.too_many_moves.distance": marked(
        "{went}: that is {distance}, and all the dice together give {rolled}."
    ),
    "backgammon.wrong_distance": marked("a checker went a distance that the dice do not give."),
    "backgammon.wrong_distance.by": marked("{went}: that is {distance}."),
    "backgammon.wrong_distance.off_again": marked("{went}: a {distance} does that, but it was played already."),
    "backgammon.wrong_distance.again": marked("{went}: that is {distance}, which was played already."),
    "backgammon.hit_checker_not_on_bar": marked(
        "a checker of {other}'s was hit, but it is not on the bar: put it there."
    ),
    "backgammon.checker_missing": marked("{side} has {now} checkers now, and had {before}: look for the missing one."),
    "backgammon.checker_extra": marked(
        "{side} has {now} checkers now, and had {before}: take away what does not belong there."
    ),
    "backgammon.could_play_more": marked("{made} leaves numbers unplayed that can be played."),
    "backgammon.could_play_more.nothing": marked("nothing was played, but there is a play."),
    "backgammon.must_play_larger_die": marked(
        "only one of the numbers can be played, and it must be the larger: the {larger}, not {made}."
    ),
}
