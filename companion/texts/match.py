"""How games and matches end, and what the doubling cube does."""

from __future__ import annotations

from companion.texts.catalogue import marked

ENDINGS = {
    "ended.threefold_repetition": marked("A draw: the position stood for the third time."),
    "ended.forty_moves": marked("A draw: forty moves without progress."),
    "ended.unfinished": marked("The game was left unfinished."),
    "ended.set_up": marked("The set-up was wrong: the game is begun again."),
    "ended.agreement": marked("The players agreed on a draw."),
    "ended.points": marked("Each player gets {points}."),
}
"""How a game ended that nobody won."""

RESULTS = {
    "wins": marked("{player} wins {points}."),
    "wins.game": marked("{player} wins the game."),
    "wins.gammon": marked("{player} wins a gammon, {points}."),
    "wins.backgammon": marked("{player} wins a backgammon, {points}."),
    "wins.resigned": marked("{player} resigned."),
    "wins.passed": marked("{player} passed."),
    "wins.match": marked("{player} wins the match, {high} to {low}."),
    "match.change": marked("The players change colours for the next game."),
    "match.change.terse": marked("Change colours."),
    "points": marked("{number} points"),
    "points.one": marked("one point"),
}

CUBE = {
    "cube.doubles": marked("{player} doubles to {number}: {opponent} takes or passes."),
    "cube.beavers": marked("{player} beavers to {number}: {opponent} takes or passes."),
    "cube.answer": marked("On the panel, tap Roll to take, or Hint twice to pass."),
    "cube.answer.terse": marked("Roll: take. Hint twice: pass."),
    "cube.pass_again": marked("To pass, {player} taps Hint on the panel once more; to take, Roll."),
    "cube.takes": marked("{player} takes: the cube stands at {number}."),
    "log.doubles": marked("{player} doubles to {number}."),
    "log.beavers": marked("{player} beavers to {number}."),
    "log.takes": marked("{player} takes."),
    "log.passes": marked("{player} passes."),
    "log.resigns": marked("{player} resigns."),
    "cube.takes.terse": marked("{player} takes at {number}."),
    "cube.should_double": marked("{player} should double."),
    "cube.should_not_double": marked("{player} should not double."),
    "cube.should_take": marked("{player} should take."),
    "cube.should_pass": marked("{player} should pass."),
    "cube.may_not": marked("{player} may not double: {why}."),
    "cube.none": marked("this rule sheet has no cube"),
    "cube.rolled_early": marked("{player} has rolled already"),
    "cube.match_over": marked("the match is over"),
    "cube.one_point": marked("a match to one point has no cube"),
    "cube.dead": marked("the cube is dead, as this game wins {player} the match anyway"),
    "cube.automatic": marked("By automatic double the cube stands at {number}."),
    "cube.crawford": marked("this is the Crawford game"),
    "cube.unanswered": marked("{player}'s double is not answered yet"),
    "cube.unanswered_beaver": marked("{player}'s beaver is not answered yet"),
    "cube.owned": marked("{player} owns the cube"),
    "cube.largest": marked("the cube shows {number}, its largest number"),
    "cube.no_beaver": marked("No beaver now: {why}."),
    "cube.nothing_doubled": marked("there is no double to answer"),
    "cube.no_beavers_in_match": marked("there are no beavers in a match"),
    "cube.beavers_not_agreed": marked("beavers were not agreed"),
    "cube.beavered": marked("a beaver is taken or passed"),
    "cube.too_high": marked("the cube would show more than {number}"),
    "cube.no_double": marked("There is no double to take or to pass."),
    "cube.other_answers": marked("It is {player} who takes or passes, not {other}."),
    "cube.not_now": marked("No double now: nobody is about to roll."),
}

REFUSED = {
    "ending.no_game": marked("There is no game to end: no turn has begun."),
    "ending.uncounted": marked("{level} does not count more than a single game now: resign a level that counts."),
    "level.single": marked("a single game"),
    "level.gammon": marked("a gammon"),
    "level.backgammon": marked("a backgammon"),
    "ending.no_draws": marked("There are no draws in this game."),
    "ending.no_claim": marked(
        "No draw can be claimed: no position stood three times, nor were there forty moves of each without progress."
    ),
    "ending.leave": marked(
        "The board is set up for a new game, but this one is not over: to give it up, the other player taps Roll too."
    ),
    "ending.leave.alone": marked(
        "The board is set up for a new game, but this one is not over: to give it up, wait a moment, then tap "
        "Roll once more."
    ),
}
"""Why a game does not end now."""

TEXTS = {**ENDINGS, **RESULTS, **CUBE, **REFUSED}
