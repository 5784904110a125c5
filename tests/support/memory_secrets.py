"""Secrets of fair dice in memory."""

from __future__ import annotations

from companion.dice.commitment import commitment_to


class MemorySecrets:
    """Secrets in memory (implements `companion.dice.commitment.Secrets`)."""

    def __init__(self) -> None:
        self._secrets: dict[str, bytes] = {}

    def keep(self, secret: bytes) -> None:
        """Store `secret`."""
        self._secrets[commitment_to(secret)] = secret

    def of(self, commitment: str) -> bytes | None:
        """The secret behind `commitment`."""
        return self._secrets.get(commitment)
