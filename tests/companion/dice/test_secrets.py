import stat

import pytest

from companion.dice import SecretFile
from companion.dice.commitment import SecretsError, commitment_to

ONE, TWO = b"1" * 32, b"2" * 32


def test_a_secret_survives_a_restart(tmp_path):
    SecretFile(tmp_path / "dice.secrets").keep(ONE)
    SecretFile(tmp_path / "dice.secrets").keep(TWO)
    kept = SecretFile(tmp_path / "dice.secrets")
    assert [kept.of(commitment_to(secret)) for secret in (ONE, TWO)] == [ONE, TWO]
    assert kept.of(commitment_to(b"3" * 32)) is None


def test_only_the_owner_may_read_secrets_also_if_the_file_was_readable_by_all(tmp_path):
    path = tmp_path / "dice.secrets"
    path.touch(0o644)
    SecretFile(path).keep(ONE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_truncated_line_does_not_affect_other_lines(tmp_path):
    path = tmp_path / "dice.secrets"
    SecretFile(path).keep(ONE)
    with path.open("ab") as file:
        file.write(b"\n" + TWO.hex().encode()[:30])
    SecretFile(path).keep(TWO)
    kept = SecretFile(path)
    assert [kept.of(commitment_to(secret)) for secret in (ONE, TWO)] == [ONE, TWO]


def test_a_secret_that_cannot_be_stored_is_reported_and_not_used(tmp_path):
    kept = SecretFile(tmp_path / "gone" / "dice.secrets")
    with pytest.raises(SecretsError, match=r"dice\.secrets.*Free some space"):
        kept.keep(ONE)
    assert kept.of(commitment_to(ONE)) is None


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(SecretsError, match="cannot read the dice's secrets"):
        SecretFile(tmp_path)


def test_a_damaged_line_is_reported_and_stays_in_the_file(tmp_path, caplog):
    path = tmp_path / "dice.secrets"
    SecretFile(path).keep(ONE)
    SecretFile(path).keep(TWO)
    content = path.read_bytes().replace(ONE.hex().encode(), b"\xff" + ONE.hex().encode()[1:])
    path.write_bytes(content)
    kept = SecretFile(path)
    assert "1 lines of" in caplog.text
    assert (kept.of(commitment_to(ONE)), kept.of(commitment_to(TWO))) == (None, TWO)
    assert path.read_bytes() == content
