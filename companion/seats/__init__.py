"""Who may act: seats, and how a device gets one."""

from __future__ import annotations

from companion.seats.address import local_address
from companion.seats.desk import SeatDesk
from companion.seats.pairing import CODE_S, FACES, NUMBERS, Code, CodeAsked, PairingRefusal, PairingRefusedError
from companion.seats.register import SeatedDevice, SeatRegister, SeatsError
from companion.seats.seat import Seat

__all__ = [
    "CODE_S",
    "FACES",
    "NUMBERS",
    "Code",
    "CodeAsked",
    "PairingRefusal",
    "PairingRefusedError",
    "Seat",
    "SeatDesk",
    "SeatRegister",
    "SeatedDevice",
    "SeatsError",
    "local_address",
]
