"""What the table waits for: the opening, the board, hints, and why Roll does nothing yet."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "no_roll": marked("No roll yet"),
    "no_double": marked("No double yet"),
    "no_turn": marked("Not yet"),
    "not_yet": marked("{what}: {why}."),
    "not_yet.because": marked("{what}. {why}"),
    "not_still": marked("the camera waits for the board to lie still"),
    "not_yet.not_moved": marked("no play has been made"),
    "not_yet.unfinished": marked("the turn is not finished"),
    "not_yet.ambiguous": marked("it is not certain what lies on the board"),
    "not_yet.unreadable": marked("the referee cannot read the board"),
    "not_yet.taken_back": marked("put the board back first"),
    "not_yet.announced.other": marked("that is not what was announced"),
    "not_yet.ballot.drawn": marked("set the opening up first"),
    "differs.game": marked("the board differs from the game on {places}"),
    "differs.start": marked("the board differs from the starting position on {places}"),
    "differs.turn": marked("the board differs from the start of that turn on {places}"),
    "lost": marked(
        "The board differs from the game on {places}: put it right, or tap Referee to agree that it counts as it "
        "stands."
    ),
    "lost.terse": marked("The board differs on {places}."),
    "early.rolled": marked(
        "{player} has rolled {dice} too early: the roll stands, and {opponent} finishes the turn knowing it."
    ),
    "early.doubled": marked(
        "{player} has doubled too early: the double stands, and {opponent} finishes the turn knowing it."
    ),
    "early.rolled.next": marked("{player} taps Roll to accept the play, then plays {dice}."),
    "early.doubled.next": marked("{player} taps Roll to accept the play; {opponent} then takes or passes."),
    "other_rolls": marked("It is {player} who rolls next, not {other}."),
    "resumed": marked("The game goes on where it stopped."),
    "opening.begins": marked("{player} rolled {high}, {other} {low}: {player} begins with {dice}."),
    "opening.begins.terse": marked("{player} {high}, {other} {low}: {player} begins."),
    "opening.first": marked("{player} rolled {high}, {other} {low}: {player} begins and rolls."),
    "opening.both": marked("Both rolled {number}."),
    "opening.tie": marked("Both rolled {number}: tap Roll again."),
    "opening.dice": marked("Tap Roll: one die each for the start."),
    "opening.starter": marked("Tap Roll to begin: {player} is first."),
    "opening.stands": marked("The starting position stands: tap Roll to begin."),
    "opening.stands.terse": marked("Tap Roll."),
    "opening.agree": marked("Agree who begins, and choose that player on the page."),
    "set_up": marked("Set up the starting position, then tap Roll."),
    "set_up.terse": marked("Set up the starting position."),
    "set_up.not_yet": marked("Still wrong: {places}."),
    "other_sheet": marked("This game goes on under the sheet {sheet}; {asked} applies after the next start."),
    "set_aside": marked("There was no file in the place of {file}: what was there is kept as {kept}."),
    "record.gone.new": marked("The record was gone. A new one begins."),
    "record.damaged.new": marked("The record was damaged: it is kept as {kept}. A new one begins."),
    "record.gone": marked(
        "The record was gone. All {count} events until {until} were saved; check that the game is right."
    ),
    "record.damaged": marked(
        "The record was damaged: it is kept as {kept}. All {count} events until {until} were saved; check that "
        "the game is right."
    ),
    "sheet_copy": marked("The rule sheet {sheet} cannot be read: it is used as it was at the last start."),
    "announced.carry": marked("{player} plays {play}: make that play on the board."),
    "announced.other": marked("{player} plays {play}. The board differs from that on {places}."),
    "opponent.own": marked("{player} is played by Boardside: nobody else decides for that side."),
    "opponent.thinks": marked("{player} is thinking."),
    "opponent.instead": marked("The chosen engine does not answer: the built-in one plays in its place."),
    "opponent.blind": marked("No engine answers: {player} makes any legal play, takes every double and offers none."),
    "opponent.plays_on": marked("{player} plays on."),
    "opponent.no_reply": marked("{player} has not chosen that move: put it back."),
    "hints.match": marked("There are no hints in a match: help from a machine is forbidden there."),
    "hints.dice_first": marked("There are hints once the dice are rolled."),
    "hints.game_first": marked("There are hints once a game is on."),
    "hints.off": marked("Hints are off at this table."),
    "hints.substitute": marked("GNU Backgammon does not answer: the built-in engine advises in its place."),
    "hints.looking": marked("Looking for the best plays …"),
    "hints.weighing": marked("Weighing the double …"),
}
