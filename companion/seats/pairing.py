"""The pairing code: four numbers that only somebody at the table can see or hear, with a limit on tries.

A code has 6⁴ = 1,296 values. WRONG_BY_ALL wrong tries void it, and visitors may ask for ASKS codes before somebody
holds Roll, so the probability that a stranger guesses one is ASKS · WRONG_BY_ALL / 1,296, below 2 %. An invitation
(a QR code) is a random token, too long to guess.
"""

from __future__ import annotations

import secrets
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from hmac import compare_digest
from typing import TYPE_CHECKING

from companion.core import BoardsideError
from companion.seats.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.seats.register import SeatedDevice

NUMBERS = 4
"""Numbers in a code: the two dice show it in two steps."""
FACES = range(1, 7)
"""The values of each number."""
CODE_S = 120.0
"""Seconds that a code is valid: enough to fetch a phone and type four numbers."""
WRONG_BY_ONE = 3
"""Wrong tries of one address after which the code is void for that address."""
WRONG_BY_ALL = 6
"""Wrong tries of all addresses after which the code is void."""
WRONG_WAIT_S = 2.0
"""Seconds that an address waits after a wrong try."""
ASKS = 4
"""Unused codes that visitors may ask for until somebody holds Roll or takes a seat."""
INVITATION_S = 600.0
"""Seconds that an invitation is valid."""
MOST_INVITATIONS = 4
"""Most invitations at a time; a further one replaces the oldest."""

Code = tuple[int, ...]
"""Four numbers from 1 to 6, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class CodeAsked:
    """Somebody at the table asks for a code."""


class PairingRefusal(StrEnum):
    """Why a device gets no seat, or a visitor no code."""

    NO_CODE = "no_code"
    """No code is valid: none was asked for, it has expired, or it had too many wrong tries."""
    WRONG = "wrong"
    """The numbers are wrong."""
    WAIT = "wait"
    """This address tried a wrong code a moment ago."""
    HOLD_ROLL = "hold_roll"
    """A visitor may not ask for a code now: somebody at the table holds Roll instead."""
    NO_INVITATION = "no_invitation"
    """The invitation is unknown, used or too old."""
    SEAT_TAKEN = "seat_taken"
    """The other player has a seat already: this player's invitation cannot add a device to it."""


class PairingRefusedError(BoardsideError):
    """No seat is given; `refusal` says why."""

    def __init__(self, refusal: PairingRefusal) -> None:
        super().__init__(f"no seat is given: {refusal.value}")
        self.refusal = refusal


@dataclass
class _Shown:
    code: Code
    until_s: float
    wrong: Counter[str] = field(default_factory=Counter)
    tried_s: dict[str, float] = field(default_factory=dict)


class Pairing:
    """The present code, and the valid invitations. Not thread-safe."""

    def __init__(self, clock: Callable[[], float], number: Callable[[int], int] = secrets.randbelow) -> None:
        """`clock` returns seconds; `number(n)` is a random number from 0 to n - 1."""
        self._clock, self._number = clock, number
        self._shown: _Shown | None = None
        self._asked = 0
        self._invitations: dict[str, tuple[float, Seat, int | None]] = {}

    @property
    def code(self) -> Code | None:
        """The valid code; None without one."""
        if self._shown is not None and self._clock() >= self._shown.until_s:
            self._shown = None
        return None if self._shown is None else self._shown.code

    def show(self) -> Code:
        """Make a new code, for somebody at the table; any earlier one is void."""
        self._asked = 0
        return self._new_code()

    def ask(self) -> Code:
        """The valid code, or a new one for a visitor. Raises PairingRefusedError after ASKS that were not used."""
        if (code := self.code) is not None:
            return code
        if self._asked >= ASKS:
            raise PairingRefusedError(PairingRefusal.HOLD_ROLL)
        self._asked += 1
        return self._new_code()

    def check_code(self, tried: Code, address: str) -> None:
        """Raise PairingRefusedError unless `tried`, entered at `address`, is the code shown."""
        if self.code is None or (shown := self._shown) is None or shown.wrong[address] >= WRONG_BY_ONE:
            raise PairingRefusedError(PairingRefusal.NO_CODE)
        now_s = self._clock()
        if now_s < shown.tried_s.get(address, -WRONG_WAIT_S) + WRONG_WAIT_S:
            raise PairingRefusedError(PairingRefusal.WAIT)
        if compare_digest(bytes(tried), bytes(shown.code)):
            return
        shown.wrong[address] += 1
        shown.tried_s[address] = now_s
        if shown.wrong.total() >= WRONG_BY_ALL:
            self._shown = None
        raise PairingRefusedError(PairingRefusal.WRONG)

    def use_code(self) -> None:
        """Void the code, which has given a seat."""
        self._shown, self._asked = None, 0

    def invite(self, by: Seat, device: int | None = None) -> str:
        """A new invitation from the seat `by`: a token that gives one device a seat within INVITATION_S.

        `device` is the number of the device that shows it; None: one without a seat in the register, or the console.
        """
        token = secrets.token_urlsafe(16)
        self._invitations[token] = self._clock() + INVITATION_S, by, device
        for old in list(self._invitations)[:-MOST_INVITATIONS]:
            del self._invitations[old]
        return token

    def check_invitation(self, token: str, seat: Seat, devices: Collection[SeatedDevice]) -> None:
        """Raise PairingRefusedError unless `token` invites to `seat`; `devices` are those that have a seat.

        A player may invite to their own seat, and to the other player's while it is free. An invitation is void once
        the device that shows it has lost its seat: a removed device must not return by its own invitation.
        """
        until_s, by, shown_by = self._invitations.get(token, (0.0, Seat.BOTH, None))
        if self._clock() >= until_s or shown_by not in (None, *(device.number for device in devices)):
            raise PairingRefusedError(PairingRefusal.NO_INVITATION)
        taken = {side for device in devices for side in device.seat.sides}
        if by is not Seat.BOTH and not taken.isdisjoint(set(seat.sides) - set(by.sides)):
            raise PairingRefusedError(PairingRefusal.SEAT_TAKEN)

    def use_invitation(self, token: str) -> None:
        """Void an invitation, which has given a seat."""
        del self._invitations[token]
        self._asked = 0

    def _new_code(self) -> Code:
        code = tuple(FACES[self._number(len(FACES))] for _ in range(NUMBERS))
        self._shown = _Shown(code, self._clock() + CODE_S)
        return code
