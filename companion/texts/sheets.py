"""The rules of a sheet, one sentence for each value of each field."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "sheet.opening_roll.kept": marked("The starter plays the two numbers of the opening roll."),
    "sheet.opening_roll.rolled_again": marked("The starter rolls again for the first turn."),
    "sheet.next_game_starter.roll_off": marked("Every game begins with one die each."),
    "sheet.next_game_starter.previous_winner": marked("Later games are started by the previous winner."),
    "sheet.use_as_many_dice_as_possible.true": marked("As many dice as possible must be played."),
    "sheet.use_as_many_dice_as_possible.false": marked("One die must be played if possible; the others may be left."),
    "sheet.larger_die_if_only_one.true": marked("If either number but not both can be played, the larger must be."),
    "sheet.larger_die_if_only_one.false": marked("If either number but not both can be played, the player chooses."),
    "sheet.max_checkers_per_point.any": marked("A point takes any number of checkers."),
    "sheet.max_checkers_per_point.most": marked(
        "A point takes at most {most} checkers; a full one is closed to its owner, in passing too."
    ),
    "sheet.bear_off_with_larger_die.true": marked(
        "A number higher than every occupied point bears off from the highest."
    ),
    "sheet.bear_off_with_larger_die.false": marked("Only a point's own number bears off from it."),
    "sheet.gammon_when.never": marked("There is no gammon: a win is a win."),
    "sheet.gammon_when.none_off": marked("Gammon (2) if the loser has borne off none."),
    "sheet.gammon_when.none_off_or_any_outside_home": marked(
        "Gammon (2) if the loser has borne off none, or has a checker outside the home board."
    ),
    "sheet.backgammon_when.never": marked("There is no backgammon: no win counts three points."),
    "sheet.backgammon_when.none_off_and_back": marked(
        "Backgammon (3) if the loser has borne off none and has a checker on the bar or in the winner's home board."
    ),
    "sheet.backgammon_when.back": marked(
        "Backgammon (3) if the loser has a checker on the bar or in the winner's home board."
    ),
    "sheet.levels_count.always": marked("Gammon and backgammon always count."),
    "sheet.levels_count.for_stakes": marked("Gammon and backgammon count only when something is played for."),
    "sheet.cube.true": marked("There is a doubling cube."),
    "sheet.cube.false": marked("There is no doubling cube."),
    "sheet.jacoby_allowed.true": marked("The Jacoby rule may be agreed."),
    "sheet.jacoby_allowed.false": marked("There is no Jacoby rule."),
    "sheet.crawford.true": marked(
        "In a match the first game after a player comes within one point of winning is played without the cube."
    ),
    "sheet.crawford.false": marked("There is no Crawford game."),
    "sheet.illegal_play.must_be_corrected": marked("An illegal play must be put right."),
    "sheet.illegal_play.stands_once_opponent_rolls": marked(
        "An illegal play may be put right until the opponent has rolled or doubled; then it stands, and so does a play "
        "that left dice unplayed."
    ),
    "illegal_play.stands": marked(
        "An illegal play may be put right until the opponent has rolled or doubled; then it stands."
    ),
    "sheet.bear_off_dice.two": marked("Two dice are rolled throughout."),
    "sheet.bear_off_dice.one": marked("A turn that begins with all checkers at home rolls one die."),
    "sheet.dice_manners.true": marked(
        "Real dice must land flat on the roller's right-hand half, after the other has "
        "picked up, and lie until the move is made; else the roll is repeated."
    ),
    "sheet.dice_manners.false": marked("Nothing is said of where real dice land."),
    "dice_land.right_hand": marked(
        "Real dice must land flat on the roller's right-hand half; else the roll is repeated."
    ),
    "dice_land.either": marked("Real dice must land flat, on either half of the board; else the roll is repeated."),
    "sheet.dice_half.right_hand": marked(
        "Where there are conditions for a throw, both dice land on the roller's right-hand half."
    ),
    "sheet.dice_half.either": marked("Where there are conditions for a throw, the dice may land on either half."),
    "sheet.premature_action.has_no_effect": marked(
        "A roll or a double before the other player's turn is finished has no effect."
    ),
    "sheet.premature_action.stands": marked(
        "A roll or a double before the other player's turn is finished stands, and that player finishes the turn "
        "knowing it."
    ),
    "sheet.colours.are": marked("The players are {white} and {black}."),
    "sheet.board.points": marked("A framed board with points."),
    "sheet.board.tiles": marked("A board laid from twelve tiles in a line."),
    "sheet.mirrored_allowed.true": marked("Home may lie on the left as well."),
    "sheet.mirrored_allowed.false": marked("Home lies on the right."),
    "sheet.capture.compulsory": marked("A capture must be made."),
    "sheet.capture.optional": marked("A capture is a choice."),
    "sheet.jump_sequence.must_be_completed": marked("A jump that can go on must go on."),
    "sheet.jump_sequence.may_stop": marked("A jumper may stop where it likes."),
    "sheet.crowning_ends_turn.true": marked("Crowning ends the turn."),
    "sheet.crowning_ends_turn.false": marked("A new king may jump on at once."),
    "sheet.jump_own.true": marked("One's own checkers may be jumped, without capture."),
    "sheet.jump_own.false": marked("One's own checkers may not be jumped."),
    "sheet.first_mover.black": marked("{black} begins."),
    "sheet.first_mover.white": marked("{white} begins."),
    "sheet.first_mover.agreed": marked("The players agree who begins."),
    "sheet.match_colours.alternate": marked("In a match the players change colours after every game."),
    "sheet.match_colours.kept": marked("In a match the players keep their colours."),
    "sheet.draw_counts.half_a_win": marked("In a match a win counts two points, and a draw one for each player."),
    "sheet.draw_counts.nothing": marked("In a match only wins count, one point each."),
    "sheet.opening.free": marked("The first moves are free."),
    "sheet.opening.three_move_ballot": marked("The first three moves are drawn by lot."),
}
"""By `sheet.FIELD.VALUE`, the value as in the TOML file; `dice_land` where two fields make one sentence."""
