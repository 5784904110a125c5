"""Offline verification of recorded dice: whether each roll follows from the secret committed to before it.

Reads the record's events as plain JSON. `web/documents/fair-dice.md` shows how to verify without Boardside.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, quoted
from companion.dice.commitment import commitment_to, numbers
from companion.game import AS_BEFORE, OpenCommitment, Proof
from companion.rules import DICE_OF_A_LOT, drawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class DiceCheckError(BoardsideError):
    """The input is not a record; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One line of the result; `holds` is None where there was nothing to verify."""

    words: str
    holds: bool | None = None

    @property
    def mark(self) -> str:
        """The mark before it on the console."""
        return {True: "ok   ", False: "WRONG", None: "     "}[self.holds]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a verification, in the order of the record.

    `rolls` counts the committed rolls, `untold` those among them whose secret is not revealed yet.
    """

    lines: tuple[CheckLine, ...]
    rolls: int
    untold: int = 0

    @property
    def holds(self) -> bool:
        """Whether no line is wrong."""
        return all(line.holds is not False for line in self.lines)

    @property
    def summary(self) -> str:
        """The result in one sentence."""
        if wrong := not_holding(self.lines):
            return wrong
        if not self.rolls:
            return "Nothing to check: no roll in this record has a commitment."
        if self.untold:
            return (
                f"Nothing is wrong so far: {self.rolls - self.untold} of {self.rolls} rolls hold. The secret of the "
                f"other {self.untold} is not told yet; it is revealed after the game, and then they can be checked."
            )
        return f"Everything holds: {self.rolls} roll{'s' * (self.rolls != 1)}, each as committed to before it was made."


def not_holding(lines: Iterable[CheckLine]) -> str:
    """How many lines are wrong, in a sentence; empty where none is."""
    wrong = sum(line.holds is False for line in lines)
    return f"{wrong} of the lines above {'does' if wrong == 1 else 'do'} not hold." if wrong else ""


def check(entries: Iterable[dict[str, Any]], *, part: bool = False) -> CheckResult:
    """Verify events as `boardside export` prints them: `{"entry", "at_s", "event", …}`. Raises DiceCheckError.

    `part`: the record goes on after them, so that the last secret may be revealed later.
    """
    given = tuple(entries)
    entry: dict[str, Any] = {}
    try:
        checker = _Verifier(given, part=part)
        for entry in given:
            checker.take(entry)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, OSError) as error:
        raise DiceCheckError(f"{quoted(entry)} is no entry of a record: {quoted(error)}") from error
    return checker.answer()


class _Verifier:
    """Verifies entries in order, holding the open commitment; the secrets are collected in advance."""

    def __init__(self, entries: Sequence[dict[str, Any]], *, part: bool) -> None:
        revealed = [entry for entry in entries if entry.get("event") == "DiceRevealed" and entry.get("secret")]
        self._secrets = {str(entry["commitment"]): str(entry["secret"]) for entry in revealed}
        self._commitment: OpenCommitment | None = None
        self._gap = False
        self._dice: set[tuple[str, tuple[int, ...]]] = set()
        self._last: int | None = None
        self._lines: list[CheckLine] = []
        self._rolls = self._untold = 0
        self._still_secret = _still_secret(entries, part=part)

    def take(self, entry: dict[str, Any]) -> None:
        """Verify one entry."""
        number = entry.get("entry")
        if number is not None:
            if self._last is not None and number != self._last + 1:
                self._say(f"After entry {self._last} comes entry {number}: entries are missing.", holds=False)
            self._last = int(number)
        match entry["event"]:
            case "DiceSealed":
                self._close()
                self._commitment, self._gap = OpenCommitment(str(entry["commitment"])), False
                self._say(f"{_when(entry)}  committed to {_short(self._commitment.digest)}")
            case "DiceRevealed":
                self._revealed(entry)
            case "OpeningRolled":
                self._roll(entry, "the start", (int(entry["white"]), int(entry["black"])))
            case "OpeningDrawn" if entry["thrown"]:
                self._lot(entry)
            case "Rolled":
                self._roll(entry, str(entry["side"]).capitalize(), tuple(map(int, entry["dice"])))

    def answer(self) -> CheckResult:
        """The complete result."""
        self._close()
        return CheckResult(tuple(self._lines), self._rolls, self._untold)

    def _roll(self, entry: dict[str, Any], who: str, dice: tuple[int, ...]) -> None:
        what = f"{_when(entry)}  {who} {'-'.join(map(str, dice))}"
        if entry.get("source") == AS_BEFORE:
            again = (who, dice) in self._dice or ("the start", dice) in self._dice
            self._say(f"{what}: the same dice as before a takeback, or as rolled too early", holds=again)
            return
        self._dice.add((who, dice))
        if entry.get("proof") is None:
            if self._commitment is not None:
                self._say(f"{what}: without a proof, though a commitment was open", holds=False)
            else:
                self._say(f"{what}: no commitment ({entry.get('source', 'of unknown source')})")
            return
        proof = Proof(int(entry["proof"]["counter"]), int(entry["proof"]["tapped_ms"]))
        self._rolls += 1
        self._committed_roll(f"{what}: roll {proof.counter}", dice, proof)

    def _lot(self, entry: dict[str, Any]) -> None:
        """Verify an opening drawn by lot: its dice, and that they draw this opening."""
        dice = tuple(map(int, entry["thrown"]))
        self._roll(entry, "the lot", dice)
        throws = [dice[k : k + DICE_OF_A_LOT] for k in range(0, len(dice), DICE_OF_A_LOT)]
        found = [drawn(throw, int(entry["of"])) for throw in throws]
        what = f"{_when(entry)}  opening {entry['number']} of {entry['of']}"
        right = found[-1] == int(entry["number"]) - 1 and not any(number is not None for number in found[:-1])
        self._say(f"{what} is the one that these dice draw" if right else f"{what} is not what they draw", holds=right)

    def _committed_roll(self, what: str, dice: tuple[int, ...], proof: Proof) -> None:
        commitment = self._commitment
        if commitment is None:
            self._say(f"{what}, but no commitment was open", holds=False)
            return
        if proof.counter != commitment.counter:
            self._say(f"{what}, where roll {commitment.counter} was to come: rolls are missing", holds=False)
            self._gap = True
        self._commitment = commitment.after(proof)
        secret = self._secret_of(commitment.digest)
        if self._gap:
            if proof.counter == commitment.counter:
                self._say(f"{what} cannot be checked: the taps of the missing rolls are not known", holds=False)
        elif secret is None and commitment.digest == self._still_secret:
            self._untold += 1
            self._say(f"{what}: not told yet")
        elif secret is None:
            self._say(f"{what} cannot be checked: the secret is not revealed", holds=False)
        else:
            follows = numbers(secret, proof.counter, self._commitment.taps, len(dice))
            wrong = "" if follows == dice else f" does not hold: from the secret follows {'-'.join(map(str, follows))}"
            self._say(what + (wrong or " holds"), holds=not wrong)

    def _secret_of(self, commitment: str) -> bytes | None:
        """The revealed secret of a commitment; None where none was revealed or its hash differs."""
        secret_hex = self._secrets.get(commitment)
        secret = None if secret_hex is None else bytes.fromhex(secret_hex)
        return secret if secret is not None and commitment_to(secret) == commitment else None

    def _revealed(self, entry: dict[str, Any]) -> None:
        commitment, secret_hex = str(entry["commitment"]), entry["secret"]
        what = f"{_when(entry)}  secret of {_short(commitment)}"
        if self._commitment is None or self._commitment.digest != commitment:
            self._say(f"{what} is revealed, but its commitment was not open", holds=False)
            return
        made = self._commitment.counter - 1
        if secret_hex is None:
            self._say(f"{what} was lost", holds=False)
        elif self._secret_of(commitment) is None:
            self._say(f"{what}: {_short(str(secret_hex))} does not match the commitment", holds=False)
        elif int(entry["rolls"]) != made:
            self._say(f"{what} is revealed after {entry['rolls']} rolls, but {made} are here", holds=False)
        else:
            self._say(f"{what} is revealed and matches", holds=True)
        self._commitment = None

    def _close(self) -> None:
        """Close the open commitment; report it if it had rolls and its secret was not revealed."""
        if self._commitment is not None and self._commitment.counter > 1:
            if self._commitment.digest == self._still_secret:
                self._say(f"The secret of {_short(self._commitment.digest)} is not told yet: a game is on.")
            else:
                self._say(f"The secret of {_short(self._commitment.digest)} is not revealed.", holds=False)
        self._commitment = None

    def _say(self, words: str, *, holds: bool | None = None) -> None:
        self._lines.append(CheckLine(words, holds))


def _still_secret(entries: Sequence[dict[str, Any]], *, part: bool) -> str | None:
    """The last commitment, where it is open and a game or a match of some length is on, or these are but a part.

    None: all must be revealed.

    After a match the secret is revealed at once, so that a match with an open commitment is not over.
    """
    commitment, playing, length = None, False, 0
    for entry in entries:
        match entry.get("event"):
            case "DiceSealed":
                commitment = str(entry.get("commitment"))
            case "DiceRevealed":
                commitment = None
            case "MatchBegan":
                length = entry.get("length") or 0
            case "Started":
                playing = True
            case "TakenBack" if entry.get("end"):
                playing = True
            case "Ended" | "Passed" | "Resigned" | "Drawn":
                playing = False
    return commitment if playing or length or part else None


def _short(text: str) -> str:
    """The first 12 digits of a long hexadecimal number."""
    return f"{text[:12]}…"


def _when(entry: dict[str, Any]) -> str:
    """When an entry was written, in local time."""
    at_s = entry.get("at_s")
    return "at some time" if at_s is None else f"{datetime.fromtimestamp(float(at_s)).astimezone():%Y-%m-%d %H:%M:%S}"
