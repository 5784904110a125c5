"""The secrets behind the dice: each is on the disk, for the owner's eyes only, before its commitment is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from companion.model import BoardsideError
from companion.seal import SECRET_BYTES, commitment_to

if TYPE_CHECKING:
    from pathlib import Path

OWNER_ONLY = 0o600


class SecretsError(BoardsideError):
    """A secret cannot be kept; the text names the file and the mend."""


class Secrets(Protocol):
    """Keeps the secrets of sealed dice."""

    def keep(self, secret: bytes) -> None:
        """Keep `secret`: when this returns, a power cut does not lose it. Raises SecretsError."""

    def of(self, commitment: str) -> bytes | None:
        """The secret whose SHA-256 is `commitment`; None where it is not kept here."""


class MemorySecrets:
    """Secrets of a table that keeps nothing: they end with the process."""

    def __init__(self) -> None:
        self._secrets: dict[str, bytes] = {}

    def keep(self, secret: bytes) -> None:
        """Keep `secret`."""
        self._secrets[commitment_to(secret)] = secret

    def of(self, commitment: str) -> bytes | None:
        """The secret behind `commitment`."""
        return self._secrets.get(commitment)


class SecretFile:
    """Secrets in a file that only grows, one in hexadecimal a line.

    They stay there after they were told, for a record that has to be taken from its backup.
    """

    def __init__(self, path: Path) -> None:
        """Use the file at `path`, created with the first secret. Raises SecretsError where it cannot be read."""
        self._path = path
        self._secrets = self._read()

    def keep(self, secret: bytes) -> None:
        """Append `secret` and wait until disk and directory have it. Raises SecretsError."""
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
            try:
                os.fchmod(file, OWNER_ONLY)
                # What a full disk or a power cut cut short stays alone on its line.
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
            lines = self._path.read_bytes().split()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SecretsError(f"cannot read the dice's secrets {str(self._path)!r}: {error.strerror}") from error
        whole = [line for line in lines if len(line) == 2 * SECRET_BYTES and set(line) <= set(b"0123456789abcdef")]
        return {commitment_to(secret): secret for secret in (bytes.fromhex(line.decode()) for line in whole)}

    @staticmethod
    def _write(file: int, line: bytes) -> None:
        while line:
            line = line[os.write(file, line) :]
        os.fsync(file)


def sync_directory(directory: Path) -> None:
    """Wait until the disk knows the names in `directory`: a file's own fsync does not see to that."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
