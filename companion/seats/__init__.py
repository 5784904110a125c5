"""Who may act: seats, and how a device gets one."""

from __future__ import annotations

from companion.seats.address import local_address
from companion.seats.desk import SeatDesk
from companion.seats.pairing import CODE_S, FACES, NUMBERS, Code, CodeAsked, PairingRefusal, PairingRefusedError
from companion.seats.register import Device, SeatRegister, SeatsError
from companion.seats.seat import Seat

__all__ = [
    "CODE_S",
    "FACES",
    "NUMBERS",
    "Code",
    "CodeAsked",
    "Device",
    "PairingRefusal",
    "PairingRefusedError",
    "Seat",
    "SeatDesk",
    "SeatRegister",
    "SeatsError",
    "local_address",
]
