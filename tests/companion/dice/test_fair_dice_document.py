"""What web/documents/fair-dice.md tells a stranger is true: its program runs, and finds what `dice verify` finds."""

import json
import subprocess
import sys

import pytest
from places import ROOT

from companion.dice import check

PAGE = ROOT / "web" / "documents" / "fair-dice.md"


@pytest.fixture
def program(tmp_path):
    (code,) = [part.split("```")[0] for part in PAGE.read_text(encoding="utf-8").split("```python\n")[1:]]
    path = tmp_path / "stranger.py"
    path.write_text(code)
    return path


@pytest.fixture(scope="module")
def evening():
    """Rolls as a record tells them, derived by nothing but the standard library."""
    import hashlib
    import hmac

    secret, taps, entries = bytes(range(100, 132)), "", []
    commitment = hashlib.sha256(secret).hexdigest()
    entries.append({"event": "DiceSealed", "commitment": commitment})
    for counter, tapped_ms in enumerate((1500, 83_211, 84_000, 120_345, 9_000_000), start=1):
        taps = hashlib.sha256(f"{taps} {tapped_ms}".encode()).hexdigest()
        digest = hmac.new(secret, f"{counter} 0 {taps}".encode(), "sha256").digest()
        dice = [byte % 6 + 1 for byte in digest if byte < 252][:2]
        proof = {"counter": counter, "tapped_ms": tapped_ms}
        if counter == 1:
            entries.append({"event": "OpeningRolled", "white": dice[0], "black": dice[1], "kept": True, "proof": proof})
        else:
            entries.append({"event": "Rolled", "side": "white", "dice": dice, "source": "fair", "proof": proof})
    entries.append({"event": "DiceRevealed", "commitment": commitment, "secret": secret.hex(), "rolls": 5})
    return [{"entry": n, "at_s": 1.0, **entry} for n, entry in enumerate(entries, start=1)]


def run(program, entries):
    path = program.with_suffix(".json")
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return subprocess.run([sys.executable, str(program), str(path)], check=False, capture_output=True, text=True)


def test_the_program_on_the_page_of_fair_dice_verifies_every_roll(program, evening):
    done = run(program, evening)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("holds") == 5
    assert check(evening).holds


def test_the_page_on_fair_dice_finds_a_changed_roll(program, evening):
    entries = [dict(entry) for entry in evening]
    entries[3]["dice"] = [7 - n for n in entries[3]["dice"]]
    assert run(program, entries).stdout.count("DOES NOT HOLD") == 1
    assert not check(entries).holds


def test_the_page_on_fair_dice_finds_a_missing_roll(program, evening):
    assert "missing" in run(program, evening[:3] + evening[4:]).stderr
    assert "missing" in run(program, evening[:5] + evening[6:]).stderr


def test_the_page_on_fair_dice_finds_another_secret(program, evening):
    entries = [*evening[:-1], {**evening[-1], "secret": "00" * 32}]
    assert "another secret" in run(program, entries).stderr
