"""A double is answered by the buttons of the panel: Roll takes, Hint tapped twice passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import PositionT, Refusal, message
from companion.interface import Button, CubeActed, CubeAction
from companion.referee import double_message
from companion.session.turns import TAPS_APART_S

if TYPE_CHECKING:
    from companion.game import Game
    from companion.interface import Tapped
    from companion.session.context import SessionContext
    from companion.session.turns import Turns

PASS_S = 10.0
"""Most seconds between the two taps on Hint that pass: time to read the message, or to hear the advice."""


class DoubleAnswers(Generic[PositionT]):
    """What the panel's buttons mean at one table while a double waits for its answer."""

    def __init__(self, context: SessionContext[PositionT], turns: Turns[PositionT]) -> None:
        """Answer through `turns` at the table of `context`."""
        self._context, self._turns = context, turns
        self._doubled_s = float("-inf")
        self._hinted_s = float("-inf")

    @property
    def _game(self) -> Game[PositionT]:
        return self._context.game

    def is_answer(self, tap: Tapped) -> bool:
        """Whether `tap` answers a double; the page has buttons of its own for that, and its Hint asks for advice."""
        game = self._game
        in_question = game.dispute is not None or game.proposal is not None
        if tap.on_page or in_question or game.match.offered_by is None:
            return False
        return tap.button is Button.ROLL or (tap.button is Button.HINT and tap.player is not game.match.offered_by)

    def answer(self, tap: Tapped) -> None:
        """Take or pass. Raises Refusal for Roll tapped together with the double, and for a first tap on Hint."""
        if tap.button is Button.ROLL:
            if 0 <= tap.at_s - self._doubled_s < TAPS_APART_S:
                raise Refusal(double_message(self._game.match))  # meant as a roll: nobody reads and answers faster
            self._turns.cube_acted(CubeActed(CubeAction.TAKE, tap.at_s, tap.player))
        elif 0 <= tap.at_s - self._hinted_s <= PASS_S:
            self._turns.cube_acted(CubeActed(CubeAction.PASS, tap.at_s, tap.player))
        else:
            self._hinted_s = tap.at_s
            self._advise()

    def note_double(self, before: Game[PositionT], at_s: float) -> None:
        """Note a double or beaver made by what was just handled; `before` is the game before it."""
        if self._game.match.offered_by not in (None, before.match.offered_by):
            self._doubled_s, self._hinted_s = at_s, float("-inf")

    def _advise(self) -> None:
        """Ask for advice on the double, unless hints are off, and show that the next tap passes."""
        match = self._game.match
        again = message("cube.pass_again", player=match.asked)
        if match.beavered or not self._context.hints.available(self._game):
            raise Refusal(again)
        self._context.hint_tapped()
        self._context.notice = again
