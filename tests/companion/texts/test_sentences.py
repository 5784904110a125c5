"""Messages as players read and hear them, in English and German."""

from __future__ import annotations

import pytest

from companion.core import Cause, Dice, Part, Side, both, message, unreadable
from companion.texts import render

WHITE, BLACK = Side.WHITE, Side.BLACK
AGAIN = message("then.again", player=WHITE, dice=Dice((6, 1)))
PUT_RIGHT = message("offer.and", what=message("remedy.corrected"), then=AGAIN)
POINTS = message("backgammon.points", numbers=(7, 8, 13))

SENTENCES = [
    (
        message("proposed.by", player=WHITE, what=PUT_RIGHT),
        "White proposes: the play is put right, and White plays 6-1 again.",
        "Weiß schlägt vor: der Zug wird berichtigt, und Weiß spielt 6-1 noch einmal.",
    ),
    (
        message("agreed", what=message("remedy.takeback")),
        "Agreed: the last turn is taken back.",
        "Einig: der letzte Zug wird zurückgenommen.",
    ),
    (
        message("lost", places=POINTS),
        (
            "The board differs from the game on points 7, 8 and 13: put it right, "
            "or tap Referee to agree that it counts as it stands."
        ),
        (
            "Das Brett weicht vom Spiel ab bei den Punkten 7, 8 und 13: berichtigt das, "
            "oder tippt auf Referee und einigt euch auf das, was dort steht."
        ),
    ),
    (
        message("not_yet", what=message("no_roll"), why=message("not_still")),
        "No roll yet: the camera waits for the board to lie still.",
        "Noch kein Wurf: die Kamera wartet, bis das Brett still liegt.",
    ),
    (
        message("not_yet.because", what=message("no_roll"), why=unreadable(Cause.GLARE, Part.LEFT)),
        "No roll yet. Light is reflected off the left of the board: move the lamp, or tilt the camera.",
        "Noch kein Wurf. Licht spiegelt sich auf dem Brett, links: stellt die Lampe um oder neigt die Kamera.",
    ),
    (
        message("cube.may_not", player=BLACK, why=message("cube.owned", player=WHITE)),
        "Black may not double: White owns the cube.",
        "Schwarz darf nicht verdoppeln: Weiß besitzt den Dopplerwürfel.",
    ),
    (
        both(message("wins.gammon", player=WHITE, points=message("points", number=4)), message("set_up")),
        "White wins a gammon, 4 points. Set up the starting position, then tap Roll.",
        "Weiß gewinnt ein Gammon, 4 Punkte. Stellt die Grundstellung auf, dann tippt auf Roll.",
    ),
    (
        message("dice.again", fault=message("dice.half", player=BLACK)),
        "No roll. Both dice must land on Black's right-hand half. Throw again.",
        "Kein Wurf. Beide Würfel müssen auf der rechten Hälfte von Schwarz landen. Werft noch einmal.",
    ),
    (
        message("sentence", what=message("then.rolls", player=WHITE)),
        "White is to roll.",
        "Weiß ist mit Würfeln dran.",
    ),
    (
        message("fairness.uneven", share=message("fairness.hundredths", number=2)),
        "More uneven than most: fair dice do this in 2 of 100 evenings. More rolls will tell.",
        "Ungleicher als meist: bei fairen Würfeln kommt das an 2 von 100 Abenden vor. Weitere Würfe werden es zeigen.",
    ),
]


@pytest.mark.parametrize(("what", "english", "german"), SENTENCES, ids=[what.key for what, _, _ in SENTENCES])
def test_a_message_renders_as_expected(what, english, german):
    assert render(what) == english
    assert render(what, "de") == german
