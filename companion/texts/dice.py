"""The dice: how they are thrown and entered, why a throw does not count, and how even they were."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "dice.turn.one": marked("This turn is rolled with one die."),
    "dice.turn.two": marked("This turn is rolled with two dice."),
    "dice.no_game": marked("This game is played without dice."),
    "dice.fair": marked("Boardside rolls the dice here: tap Roll."),
    "dice.whose": marked("One die each is rolled for the start of a game only: say who has rolled these dice."),
    "dice.early": marked("{player} threw before the other player had picked up."),
    "dice.touched": marked("The dice were not left alone until the move was made."),
    "dice.not_flat": marked("A die does not lie flat."),
    "dice.half": marked("Both dice must land on {player}'s right-hand half."),
    "dice.again": marked("No roll. {fault} Throw again."),
    "dice.repeated": marked("{fault} The roll is repeated: put the checkers back, throw again and tap Roll."),
    "dice.unseen": marked(
        "No roll yet: the camera sees no dice that can be read on the board. Throw two, or "
        "enter the numbers on the page."
    ),
    "dice.too_many": marked(
        "No roll yet: the camera sees {count} dice on the board. Throw two, or enter the numbers on the page."
    ),
    "dice.old": marked("No roll yet: the dice lie as they did. Throw them, then tap Roll."),
    "dice.start": marked("No roll: for the start each player throws one die on the half at their right hand."),
    "dice.begin.hand": marked("For the start each player throws one die: enter both on the page."),
    "dice.begin.camera": marked(
        "For the start each player throws one die on the half at their right hand; then tap Roll."
    ),
    "dice.throw": marked("Throw the dice, then tap Roll."),
    "dice.throw.one": marked("One die is rolled: throw it, then tap Roll, or enter its number on the page."),
    "dice.throw.two": marked("Two dice are rolled: throw them, then tap Roll, or enter the numbers on the page."),
    "dice.enter": marked("Throw the dice and enter them on the page."),
    "dice.no_commitment": marked("No roll yet: the commitment to it is shown only now. Tap Roll again."),
    "dice.no_secret": marked("No secret to reveal: there is no commitment to these dice."),
    "fairness.few": marked("Too few dice to compare yet: {rolled} of the {fewest} needed."),
    "fairness.usual": marked("Nothing unusual: fair dice are at least this uneven {share}."),
    "fairness.uneven": marked("More uneven than most: fair dice do this {share}. More rolls will tell."),
    "fairness.rare": marked(
        "Very uneven: fair dice do this {share}. Whether each roll was derived as promised, "
        "`boardside dice verify` checks."
    ),
    "fairness.always": marked("nearly always"),
    "fairness.tenths": marked("in {number} of 10 evenings"),
    "fairness.hundredths": marked("in {number} of 100 evenings"),
    "fairness.thousandths": marked("in {number} of 1,000 evenings"),
    "fairness.less": marked("in less than 1 of 1,000 evenings"),
}
