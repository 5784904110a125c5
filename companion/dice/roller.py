"""Dice of a table: commits, rolls, accepts rolls entered by hand, and reveals the secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from companion.core import Dice, PositionT, Refusal, Side, message
from companion.dice.camera_dice import DiceTracker
from companion.dice.sources import CameraDice, DiceName, FairDice, HandDice, RollInputs
from companion.game import (
    AS_BEFORE,
    DiceRevealed,
    DiceSealed,
    Event,
    OpeningDrawn,
    OpeningRolled,
    Proof,
    Rolled,
    RollVoided,
    pending_roll,
    rolls_next,
)
from companion.rules import (
    DICE_OF_A_LOT,
    RIGHT_HAND,
    Throw,
    drawn,
    draws_opening,
    plays_opening_dice,
    starter,
    throw_fault,
)
from companion.texts import render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core import Die
    from companion.dice.sources import DiceSource
    from companion.game import Game, OpenCommitment
    from companion.rules import Ruleset


class DiceRoller(Generic[PositionT]):
    """Rolls the dice of one table and records the rolls."""

    def __init__(
        self,
        rules: Ruleset[PositionT],
        dice: DiceSource,
        game: Callable[[], Game[PositionT]],
        append: Callable[[Event[PositionT]], None],
    ) -> None:
        """Roll `dice` in the game from `game()`; `append` records an event, or raises with nothing recorded."""
        self._rules = rules
        self._dice = dice
        self._game = game
        self._append = append
        self._stored_commitment: str | None = None
        self.tracker = DiceTracker()

    @property
    def rolls(self) -> bool:
        """Whether the game is played with dice."""
        return self._rules.dice_count(self._rules.start(), Side.WHITE) > 0

    @property
    def source(self) -> DiceName:
        """The dice source's name in the record."""
        return self._dice.name

    @property
    def draws(self) -> bool:
        """Whether the first moves are drawn by lot, which Boardside's dice do."""
        return draws_opening(self._rules.sheet)

    # --- rolling -------------------------------------------------------------------------------------------------

    def roll(self, tapped_s: float) -> None:
        """Roll for the player on roll, or one die each before the first turn; nothing in a game without dice.

        `tapped_s`: when Roll was tapped, in seconds on a clock with any origin. Raises NoDiceError.
        """
        game = self._game()
        if not game.rolls:
            return
        inputs, proof = self._inputs(tapped_s, game.on_roll)
        if game.on_roll is None:
            white, black = self._dice.roll(2, inputs)
            self._append(OpeningRolled(white, black, plays_opening_dice(self._rules.sheet), proof))
        elif game.position is not None:
            count = self._rules.dice_count(game.position, game.on_roll)
            pending = pending_roll(game.pending_rolls, game.on_roll, count)
            if pending is not None:
                self._append(Rolled(game.on_roll, pending, AS_BEFORE))
                return
            self._append(Rolled(game.on_roll, Dice(self._dice.roll(count, inputs)), self._dice.name, proof))
        self.tracker.take()

    def roll_early(self, tapped_s: float) -> None:
        """Roll for the player who rolls next, though the turn under way is not finished."""
        game = self._game()
        if game.on_roll is None or game.position is None:
            return
        side = game.on_roll.opponent
        inputs, proof = self._inputs(tapped_s, side)
        count = self._rules.dice_count(game.position, side)
        self._append(Rolled(side, Dice(self._dice.roll(count, inputs)), self._dice.name, proof, early=True))
        self.tracker.take()

    def draw(self, openings: Sequence[str], tapped_s: float) -> OpeningDrawn:
        """Draw one of `openings` with three dice, thrown again while they draw none; the event is not recorded yet.

        Raises Refusal where the players roll their own dice.
        """
        if isinstance(self._dice, HandDice | CameraDice):
            raise Refusal(message("ballot.no_dice"))
        inputs, proof = self._inputs(tapped_s, None)
        thrown: tuple[int, ...] = ()
        number = None
        while number is None:
            thrown = self._dice.roll(len(thrown) + DICE_OF_A_LOT, inputs)
            number = drawn(thrown[-DICE_OF_A_LOT:], len(openings))
        return OpeningDrawn(openings[number], number + 1, len(openings), "".join(map(str, thrown)), proof)

    def _inputs(self, tapped_s: float, side: Side | None) -> tuple[RollInputs, Proof | None]:
        """The inputs of a roll of `side`, and their proof for the record."""
        commitment = self._game().dice_book.open_commitment
        inputs = RollInputs(round(1000 * tapped_s), commitment, self._lying(side))
        if commitment is None or not isinstance(self._dice, FairDice):
            return inputs, None
        return inputs, Proof(commitment.counter, inputs.tapped_ms)

    def roll_by_hand(self, side: Side | None, dice: Dice, *, early: bool = False) -> None:
        """Record a roll of the set's own dice by `side`, `early` where the turn under way is not finished.

        `side` None: the opening roll, one die each, White's first.
        """
        if side is None:
            white, black = dice.values
            self._append(OpeningRolled(white, black, plays_opening_dice(self._rules.sheet)))
            self.tracker.take()
            return
        position = self._game().position
        if position is not None:
            self._refuse_count(position, side, dice)
        self._append(Rolled(side, dice, DiceName.BY_HAND, early=early))
        self.tracker.take()

    def _refuse_count(self, position: PositionT, side: Side, dice: Dice) -> None:
        """Raise Refusal where `side` rolls a different number of dice in `position`."""
        count = self._rules.dice_count(position, side)
        if len(dice.values) != count:
            raise Refusal(message("dice.turn.one") if count == 1 else message("dice.turn.two"))

    def refuse_by_hand(self, side: Side | None, dice: Dice) -> None:
        """Raise Refusal where `dice` may not be entered: no dice game, Boardside or the other rolls, a wrong count."""
        if not self.rolls:
            raise Refusal(message("dice.no_game"))
        if isinstance(self._dice, FairDice):
            raise Refusal(message("dice.fair"))
        if side is not None:
            if not self._game().running:
                begins = self._roller()
                if begins not in (None, side):
                    raise Refusal(message("other_rolls", player=begins, other=side))
                self._refuse_count(self._rules.start(), side, dice)
            return
        if len(dice.values) == 1 or self._roller() is not None:
            raise Refusal(message("dice.whose"))

    # --- the players' own dice, read by the camera ------------------------------------------------------------------

    def saw(self, lying: tuple[Die, ...], *, complete: bool) -> None:
        """Take the dice of a settled observation; `complete`: whether the current play is complete.

        If the dice were touched too early and the sheet forbids it, the roll is voided, and Refusal raised.
        """
        game = self._game()
        self.tracker.saw(lying, None if game.dice is None else game.dice.values, complete=complete)
        side = game.on_roll
        if game.dispute is not None or game.dice is None or side is None or complete or not self.tracker.touched(side):
            return
        fault = throw_fault(self._rules.sheet, Throw(side, lying, touched=True))
        if fault is not None and isinstance(self._dice, CameraDice):
            self._append(RollVoided(side, render(fault)))
            self.tracker.take()
            raise Refusal(message("dice.repeated", fault=fault))

    def refuse_throw(self, *, let_pass: bool = False) -> None:
        """Raise Refusal, with nothing recorded, if the throw of the players' own dice does not count under the sheet.

        `let_pass`: the play is incomplete, but the player has picked up the dice, so that the throw is not early.
        """
        if not self.rolls or not isinstance(self._dice, CameraDice) or self._game().pending_rolls:
            return
        lying, side = self.tracker.lying, self._roller()
        if len(lying) not in (1, 2):
            raise Refusal(message("dice.too_many", count=len(lying)) if lying else message("dice.unseen"))
        if self.tracker.is_last_roll:
            raise Refusal(message("dice.old"))
        if not all(die.flat for die in lying):
            raise Refusal(message("dice.again", fault=message("dice.not_flat")))
        if side is None and {die.half for die in lying} != set(RIGHT_HAND.values()):
            raise Refusal(message("dice.start"))
        early = self.tracker.early and not let_pass
        fault = None if side is None else throw_fault(self._rules.sheet, Throw(side, lying, early=early))
        if fault is not None:
            raise Refusal(message("dice.again", fault=fault))

    def _lying(self, side: Side | None) -> tuple[int, ...]:
        """Numbers of the dice on the board; at the start (`side` None) White's die first."""
        lying = self.tracker.lying
        if side is None:
            lying = tuple(sorted(lying, key=lambda die: die.half is not RIGHT_HAND[Side.WHITE]))
        return tuple(die.value for die in lying)

    def _roller(self) -> Side | None:
        """The player who rolls next; None for the opening roll with one die each."""
        game = self._game()
        if game.running:
            return rolls_next(game)
        return starter(self._rules.sheet, previous_winner=game.last_winner)

    # --- the commitment --------------------------------------------------------------------------------------------

    def commit(self) -> None:
        """Open a commitment before the next roll; the secret of a finished match is revealed first.

        Raises SecretsError or RecordError, with nothing shown, where secret or commitment cannot be stored.
        """
        if not (self.rolls or self.draws) or not isinstance(self._dice, FairDice):
            return
        commitment = self._game().dice_book.open_commitment
        lost = commitment is not None and self._dice.secret(commitment.digest) is None
        if commitment is not None and (lost or self._match_over_after_rolls(commitment)):
            self.reveal_secret()
        if self._game().dice_book.open_commitment is None:
            # a commitment that could not be recorded is used again: its secret is stored already
            self._stored_commitment = self._stored_commitment or self._dice.commit()
            self._append(DiceSealed(self._stored_commitment))
            self._stored_commitment = None

    def refuse_without_commitment(self) -> None:
        """Where no commitment was shown yet, open one and raise Refusal. Raises SecretsError, RecordError."""
        needed = self.rolls or self.draws
        if needed and isinstance(self._dice, FairDice) and self._game().dice_book.open_commitment is None:
            self.commit()
            raise Refusal(message("dice.no_commitment"))

    def reveal_secret(self) -> None:
        """Reveal the secret of the open commitment; later rolls need a new one. Raises Refusal where there is none."""
        commitment = self._game().dice_book.open_commitment
        if commitment is None or not isinstance(self._dice, FairDice):
            raise Refusal(message("dice.no_secret"))
        secret = self._dice.secret(commitment.digest)
        self._append(DiceRevealed(commitment.digest, None if secret is None else secret.hex(), commitment.counter - 1))

    def leave(self) -> None:
        """Reveal the secret when the players leave between games; not during a match or a game."""
        game = self._game()
        commitment = game.dice_book.open_commitment
        match_goes_on = game.match.length > 0 and game.match.winner is None
        if commitment is not None and commitment.counter > 1 and not game.running and not match_goes_on:
            self.reveal_secret()

    def _match_over_after_rolls(self, commitment: OpenCommitment) -> bool:
        """Whether the match is over and rolls were made under `commitment`."""
        return self._game().match.winner is not None and commitment.counter > 1
