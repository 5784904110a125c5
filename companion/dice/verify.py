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

    `rolls` is the number of committed rolls, `unrevealed` of those whose secret is not revealed yet.
    """

    lines: tuple[CheckLine, ...]
    rolls: int
    unrevealed: int = 0

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
        if self.unrevealed:
            verified = self.rolls - self.unrevealed
            return (
                f"Nothing is wrong so far: {verified} of {self.rolls} rolls hold. The secret of the other "
                f"{self.unrevealed} is not told yet; it is revealed after the game, and then they can be checked."
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
    entries_read = tuple(entries)
    entry: dict[str, Any] = {}
    try:
        checker = _Verifier(entries_read, part=part)
        for entry in entries_read:
            checker.take(entry)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, OSError) as error:
        raise DiceCheckError(f"{quoted(entry)} is no entry of a record: {quoted(error)}") from error
    return checker.answer()


class _Verifier:
    """Verifies entries in order with the commitment that is open; secrets are collected from all entries in advance."""

    def __init__(self, entries: Sequence[dict[str, Any]], *, part: bool) -> None:
        revealed = [entry for entry in entries if entry.get("event") == "DiceRevealed" and entry.get("secret")]
        self._secrets = {str(entry["commitment"]): str(entry["secret"]) for entry in revealed}
        self._commitment: OpenCommitment | None = None
        self._gap = False
        self._dice: set[tuple[str, tuple[int, ...]]] = set()
        self._last: int | None = None
        self._lines: list[CheckLine] = []
        self._rolls = self._unrevealed = 0
        self._unrevealed_commitment = _unrevealed_commitment(entries, part=part)

    def take(self, entry: dict[str, Any]) -> None:
        """Verify one entry."""
        number = entry.get("entry")
        if number is not None:
            if self._last is not None and number != self._last + 1:
                self._add_line(f"After entry {self._last} comes entry {number}: entries are missing.", holds=False)
            self._last = int(number)
        match entry["event"]:
            case "DiceSealed":
                self._close()
                self._commitment, self._gap = OpenCommitment(str(entry["commitment"])), False
                self._add_line(f"{_when(entry)}  committed to {_short(self._commitment.digest)}")
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
        return CheckResult(tuple(self._lines), self._rolls, self._unrevealed)

    def _roll(self, entry: dict[str, Any], who: str, dice: tuple[int, ...]) -> None:
        what = f"{_when(entry)}  {who} {'-'.join(map(str, dice))}"
        if entry.get("source") == AS_BEFORE:
            again = (who, dice) in self._dice or ("the start", dice) in self._dice
            self._add_line(f"{what}: the same dice as before a takeback, or as rolled too early", holds=again)
            return
        self._dice.add((who, dice))
        if entry.get("proof") is None:
            if self._commitment is not None:
                self._add_line(f"{what}: without a proof, though a commitment was open", holds=False)
            else:
                self._add_line(f"{what}: no commitment ({entry.get('source', 'of unknown source')})")
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
        self._add_line(
            f"{what} is the one that these dice draw" if right else f"{what} is not what they draw", holds=right
        )

    def _committed_roll(self, what: str, dice: tuple[int, ...], proof: Proof) -> None:
        commitment = self._commitment
        if commitment is None:
            self._add_line(f"{what}, but no commitment was open", holds=False)
            return
        if proof.counter != commitment.counter:
            self._add_line(f"{what}, where roll {commitment.counter} was to come: rolls are missing", holds=False)
            self._gap = True
        self._commitment = commitment.after(proof)
        secret = self._secret_of(commitment.digest)
        if self._gap:
            if proof.counter == commitment.counter:
                self._add_line(f"{what} cannot be checked: the taps of the missing rolls are not known", holds=False)
        elif secret is None and commitment.digest == self._unrevealed_commitment:
            self._unrevealed += 1
            self._add_line(f"{what}: not told yet")
        elif secret is None:
            self._add_line(f"{what} cannot be checked: the secret is not revealed", holds=False)
        else:
            follows = numbers(secret, proof.counter, self._commitment.taps, len(dice))
            wrong = "" if follows == dice else f" does not hold: from the secret follows {'-'.join(map(str, follows))}"
            self._add_line(what + (wrong or " holds"), holds=not wrong)

    def _secret_of(self, commitment: str) -> bytes | None:
        """The revealed secret of a commitment; None where none was revealed or its hash differs."""
        secret_hex = self._secrets.get(commitment)
        secret = None if secret_hex is None else bytes.fromhex(secret_hex)
        return secret if secret is not None and commitment_to(secret) == commitment else None

    def _revealed(self, entry: dict[str, Any]) -> None:
        commitment, secret_hex = str(entry["commitment"]), entry["secret"]
        what = f"{_when(entry)}  secret of {_short(commitment)}"
        if self._commitment is None or self._commitment.digest != commitment:
            self._add_line(f"{what} is revealed, but its commitment was not open", holds=False)
            return
        made = self._commitment.counter - 1
        if secret_hex is None:
            self._add_line(f"{what} was lost", holds=False)
        elif self._secret_of(commitment) is None:
            self._add_line(f"{what}: {_short(str(secret_hex))} does not match the commitment", holds=False)
        elif int(entry["rolls"]) != made:
            self._add_line(f"{what} is revealed after {entry['rolls']} rolls, but {made} are here", holds=False)
        else:
            self._add_line(f"{what} is revealed and matches", holds=True)
        self._commitment = None

    def _close(self) -> None:
        """Close the open commitment; report it if it had rolls and its secret was not revealed."""
        if self._commitment is not None and self._commitment.counter > 1:
            if self._commitment.digest == self._unrevealed_commitment:
                self._add_line(f"The secret of {_short(self._commitment.digest)} is not told yet: a game is on.")
            else:
                self._add_line(f"The secret of {_short(self._commitment.digest)} is not revealed.", holds=False)
        self._commitment = None

    def _add_line(self, words: str, *, holds: bool | None = None) -> None:
        self._lines.append(CheckLine(words, holds))


def _unrevealed_commitment(entries: Sequence[dict[str, Any]], *, part: bool) -> str | None:
    """The last commitment, if its secret need not be revealed yet; None: all secrets must be revealed.

    That is while a game is on, in a match with a length (its secret is revealed as soon as it is over), and if `part`.
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
