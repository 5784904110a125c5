"""The register of devices that have a seat, in a file that survives a restart.

A device proves its seat by a token in a cookie. The file has only the tokens' SHA-256: a reader of it cannot act.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from companion.core import BoardsideError, parse_json, quoted, read_bytes, sync_directory, written_whole
from companion.seats.seat import Seat

if TYPE_CHECKING:
    from pathlib import Path

LOG = logging.getLogger(__name__)
TOKEN_BYTES = 32
MOST_OF_A_SEAT = 8
"""Most devices with the same seat; a further one replaces the oldest of that seat."""
LONGEST_NAME = 40
"""Most letters of a device's name."""
VERSION = 1
MOST_BYTES = 100_000
"""Largest file in bytes; 24 devices take 6,000."""


class SeatsError(BoardsideError):
    """The register cannot be written; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class SeatedDevice:
    """A device with a seat.

    Attributes:
        number: its number in the register, never used twice.
        seat: whose seat it has.
        name: of its browser and system, such as "Firefox, Android".
        since_s: when it took the seat, in seconds since 1970.
    """

    number: int
    seat: Seat
    name: str
    since_s: float


class SeatRegister:
    """The devices with a seat, by the hash of their token. Not thread-safe."""

    def __init__(self, path: Path) -> None:
        """Read the register at `path`; a missing one is empty, a damaged one is renamed, and no device has a seat."""
        self._path = path
        self._devices: dict[str, SeatedDevice] = {}
        self._last = 0
        try:
            self._read()
        except FileNotFoundError:
            pass
        except OSError as error:
            LOG.warning("no device has a seat: %s cannot be read (%s)", path, error.strerror)
        except (KeyError, TypeError, ValueError) as error:
            kept = path.with_name(f"{path.name}.damaged")
            LOG.warning("no device has a seat: %s is damaged (%s) and kept as %s", path, error, kept.name)
            with suppress(OSError):
                path.replace(kept)

    @property
    def devices(self) -> tuple[SeatedDevice, ...]:
        """Every device with a seat, the oldest first."""
        return tuple(self._devices.values())

    def device_of(self, token: str) -> SeatedDevice | None:
        """The device that has this `token`; None if it has no seat."""
        return self._devices.get(_hash_of(token))

    def admit(self, seat: Seat, name: str, at_s: float) -> str:
        """Give a device a seat; returns its token. Raises SeatsError, and then nothing is changed."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        device = SeatedDevice(self._last + 1, seat, " ".join(name.split())[:LONGEST_NAME], at_s)
        alike = [key for key, other in self._devices.items() if other.seat is seat]
        gone = alike[: max(0, len(alike) + 1 - MOST_OF_A_SEAT)]
        kept = {key: other for key, other in self._devices.items() if key not in gone}
        self._write({**kept, _hash_of(token): device}, device.number)
        return token

    def remove(self, number: int) -> None:
        """Take a device's seat away; an unknown number is ignored. Raises SeatsError, and then nothing is changed."""
        self._write({key: device for key, device in self._devices.items() if device.number != number}, self._last)

    def _read(self) -> None:
        stored = parse_json(read_bytes(self._path, MOST_BYTES))
        if stored["version"] != VERSION:
            raise ValueError(f"version {quoted(stored['version'])}")
        devices = {}
        for each in stored["devices"]:
            device = SeatedDevice(int(each["number"]), Seat(each["seat"]), str(each["name"]), float(each["since_s"]))
            devices[str(each["token_sha256"])] = device
        self._devices, self._last = devices, int(stored["last"])

    def _write(self, devices: dict[str, SeatedDevice], last: int) -> None:
        listed = [{"token_sha256": key, **asdict(device)} for key, device in devices.items()]
        text = json.dumps({"version": VERSION, "last": last, "devices": listed}, indent=1)
        try:
            with written_whole(self._path, owner_only=True) as file:
                file.write(text.encode())
            sync_directory(self._path.parent)  # a removed seat must not return after a power cut
        except OSError as error:
            raise SeatsError(
                f"no seat can be given or taken: {str(self._path)!r} cannot be written ({error.strerror})"
            ) from error
        self._devices, self._last = devices, last


def _hash_of(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
