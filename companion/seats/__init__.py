"""Who may act: seats, and how a device gets one."""

from __future__ import annotations

from companion.seats.desk import SeatDesk
from companion.seats.pairing import Code, PairingRefusal, PairingRefusedError
from companion.seats.register import Device, SeatRegister, SeatsError
from companion.seats.seat import Seat

__all__ = [
    "Code",
    "Device",
    "PairingRefusal",
    "PairingRefusedError",
    "Seat",
    "SeatDesk",
    "SeatRegister",
    "SeatsError",
]
