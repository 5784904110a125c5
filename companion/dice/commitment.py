"""Dice from a secret: the commitment to it, the rolls that follow from it, and the file that stores it.

The commitment is shown before the rolls. The secret is revealed at the end, so that everyone can verify the rolls.
`web/documents/fair-dice.md` describes the derivation.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
from typing import TYPE_CHECKING, Protocol

from companion.core import OWNER_ONLY, BoardsideError, read_bytes, sync_directory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOG = logging.getLogger(__name__)
SECRET_BYTES = 32
"""Length of the SHA-256 hash, so that guessing the secret is no easier than inverting the hash."""
LARGEST_FAIR_BYTE = 251
"""Bytes 0 to 251 give each number from 1 to 6 42 times; 252 to 255 would favour 1 to 4 and are dropped."""
MOST_BYTES = 10_000_000
"""Largest file of secrets, in bytes: room for 150,000."""


def commitment_to(secret: bytes) -> str:
    """The commitment shown before the first roll: the SHA-256 of the secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def numbers(secret: bytes, counter: int, taps: str, count: int) -> tuple[int, ...]:
    """`count` numbers from 1 to 6 of roll `counter` (from 1), derived from `secret` and the timing chain `taps`."""
    fair = (byte % 6 + 1 for byte in _stream(secret, counter, taps) if byte <= LARGEST_FAIR_BYTE)
    return tuple(number for _, number in zip(range(count), fair, strict=False))


def _stream(secret: bytes, counter: int, taps: str) -> Iterator[int]:
    block = 0
    while True:  # the second block is needed about once in 10⁵⁰ rolls
        yield from hmac.digest(secret, f"{counter} {block} {taps}".encode(), "sha256")
        block += 1


class SecretsError(BoardsideError):
    """A secret cannot be stored; the message names the file and the remedy."""


class Secrets(Protocol):
    """Stores the secrets of commitments."""

    def keep(self, secret: bytes) -> None:
        """Store `secret`; once this returns, it survives a power cut. Raises SecretsError."""

    def of(self, commitment: str) -> bytes | None:
        """The secret whose SHA-256 is `commitment`; None where it is not stored here."""


class SecretFile:
    """Secrets in an append-only file, one a line in hexadecimal.

    Revealed secrets stay, because a record restored from its backup may need them again.
    """

    def __init__(self, path: Path) -> None:
        """Use the file at `path`, created with the first secret. Raises SecretsError where it cannot be read."""
        self._path = path
        self._secrets = self._read()

    def keep(self, secret: bytes) -> None:
        """Append `secret` and sync file and directory to the disk. Raises SecretsError."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
            try:
                os.fchmod(file, OWNER_ONLY)
                # A leading newline separates this line from one that a full disk or a power cut left incomplete.
                self._write(file, f"\n{secret.hex()}\n".encode())
            finally:
                os.close(file)
            sync_directory(self._path.parent)
        except OSError as error:
            raise SecretsError(
                f"the dice cannot be sealed: {str(self._path)!r} cannot be written ({error.strerror}). Free some space "
                "on that disk, or make the directory writable."
            ) from error
        self._secrets[commitment_to(secret)] = secret

    def of(self, commitment: str) -> bytes | None:
        """The secret behind `commitment`."""
        return self._secrets.get(commitment)

    def _read(self) -> dict[str, bytes]:
        try:
            lines = read_bytes(self._path, MOST_BYTES).split()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SecretsError(f"cannot read the dice's secrets {str(self._path)!r}: {error.strerror}") from error
        whole = [line for line in lines if len(line) == 2 * SECRET_BYTES and set(line) <= set(b"0123456789abcdef")]
        if len(whole) < len(lines):
            LOG.warning("%d lines of %s are no whole secrets; they stay there", len(lines) - len(whole), self._path)
        return {commitment_to(secret): secret for secret in (bytes.fromhex(line.decode()) for line in whole)}

    @staticmethod
    def _write(file: int, line: bytes) -> None:
        while line:
            line = line[os.write(file, line) :]
        os.fsync(file)
