"""Gives devices their seats: the register and the pairing code together, for any thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.seats.pairing import Pairing, PairingRefusal, PairingRefusedError
from companion.seats.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.seats.pairing import Code
    from companion.seats.register import SeatedDevice, SeatRegister


class SeatDesk:
    """Gives seats and takes them away. Thread-safe.

    `show` is called with each new code, and with None once it is no longer valid; never while a lock is held.
    """

    def __init__(
        self,
        register: SeatRegister,
        pairing: Pairing | None = None,
        *,
        show: Callable[[Code | None], None] = lambda _code: None,
        may_ask: Callable[[], bool] = lambda: True,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        """`may_ask()` says whether a visitor may ask for a code now; `now_s` returns seconds since 1970."""
        self._register = register
        self._pairing = pairing or Pairing(time.monotonic)
        self._show, self._may_ask, self._now_s = show, may_ask, now_s
        self._changing = threading.Lock()
        self._visible: Code | None = None

    def show_code(self) -> None:
        """Show a new code, which somebody at the table has asked for."""
        with self._changing:
            code = self._pairing.show()
        self._show_if_changed(code)

    @property
    def visitors_may_ask(self) -> bool:
        """Whether a visitor may ask for a code: nobody has a seat yet, and `may_ask()` is true."""
        return self._may_ask() and not self.devices()

    def ask_for_code(self) -> None:
        """Show a code to a visitor, if `visitors_may_ask`. Raises PairingRefusedError."""
        if not self.visitors_may_ask:
            raise PairingRefusedError(PairingRefusal.HOLD_ROLL)
        with self._changing:
            code = self._pairing.ask()
        self._show_if_changed(code)

    def take(self, code: Code, seat: Seat, name: str, address: str) -> str:
        """Give the device `name` at `address` a seat for the code shown; returns its token.

        Raises PairingRefusedError, or SeatsError where the register cannot be written.
        """
        try:
            with self._changing:
                self._pairing.check_code(code, address)
                token = self._register.admit(seat, name, self._now_s())
                self._pairing.use_code()
                return token
        finally:
            self.tick()

    def invite(self, by: Seat = Seat.BOTH, device: SeatedDevice | None = None) -> str:
        """A new invitation for one more device, from the seat `by`; void once `device`, which shows it, has no seat."""
        with self._changing:
            return self._pairing.invite(by, None if device is None else device.number)

    def accept(self, invitation: str, seat: Seat, name: str) -> str:
        """Give the device `name` a seat for an invitation; returns its token. Raises as `take`."""
        with self._changing:
            self._pairing.check_invitation(invitation, seat, self._register.devices)
            token = self._register.admit(seat, name, self._now_s())
            self._pairing.use_invitation(invitation)
            return token

    def device_of(self, token: str) -> SeatedDevice | None:
        """The device that has this `token`; None if it has no seat."""
        with self._changing:
            return self._register.device_of(token)

    def devices(self) -> tuple[SeatedDevice, ...]:
        """Every device with a seat, the oldest first."""
        with self._changing:
            return self._register.devices

    def remove(self, number: int) -> None:
        """Take a device's seat away. Raises SeatsError."""
        with self._changing:
            self._register.remove(number)

    def tick(self) -> None:
        """Call about once a second: a code that has expired is no longer shown."""
        with self._changing:
            code = self._pairing.code
        self._show_if_changed(code)

    def _show_if_changed(self, code: Code | None) -> None:
        with self._changing:
            changed, self._visible = code != self._visible, code
        if changed:
            self._show(code)
