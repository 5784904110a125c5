"""Fuzzing: damages valid inputs, runs a target on them, and reports exceptions and the slowest input."""

from __future__ import annotations

import json
import resource
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

MOST_BYTES = 40_000
"""Largest size of a damaged input, in bytes."""
TOO_LONG_S = 30.0
"""Far above what any input needs: only endless loops are stopped."""
PIECES = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xd9\xa3", b"\xed\xa0\x80", b"\n", b"\r", b"\t", b'"', b"'", b"\\"),
    *(b"/", b";", b":", b".", b"(", b")", b"[", b"]", b"{", b"}"),
    *(b" " * 3000, b"(" * 2000, b"[" * 2000, b'{"a":' * 900, b"{" * 900, b"a." * 900, b"a={" * 400, b"11111111"),
    *(b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000, b"[]", b"{}", b'""', b'"\\u0000"', b'"\\ud800"', b"/dev/zero"),
    *(b"0", b"-1", b"7", b"99", b"1.5", b"1e999", b"-1e999", b"NaN", b"Infinity", b"null", b"true", b"white", b".."),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 6, 7, 24, 25, 2**31, 2**53, 2**63 - 1, 2**63, 10**400, 0.5, -0.0, 1e308, 1e-320),
    *("", "white", "black", "x", "0", "\x00", "\ud800", "\u202e", "x" * 5000, "/dev/zero", "../..", "Started", "13/7"),
    *([], {}, [[]], [None], [1, 2], [0] * 24, ["white"], {"a": 1}, {"points": [0] * 24}, {"": ""}),
)


def damaged(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """The seed with some bytes changed, cut, repeated or replaced, or with a part of another seed."""
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 2, 5, 20, 100)))
        match rng.randrange(7):
            case 0:
                data[at:end] = bytes(rng.randrange(256) for _ in range(end - at))
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = rng.choice(PIECES)
            case 3:
                data[at:end] = rng.choice(PIECES)
            case 4:
                data[at:at] = data[at:end] * rng.choice((1, 3, 50, 1000))
            case 5:
                other = rng.choice(others)
                start = rng.randrange(len(other) + 1)
                data[at:end] = other[start : start + rng.choice((5, 50, 500))]
            case 6 if data:
                data[at - 1] ^= 1 << rng.randrange(8)
        del data[max(MOST_BYTES, 2 * len(seed)) :]
    return bytes(data)


def changed(rng: Random, value: Any) -> Any:
    """A JSON value with one value in it replaced, left out or doubled, or a field added."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        copy, key = dict(value), rng.choice(sorted(value))
        match rng.randrange(8):
            case 0:
                del copy[key]
            case 1:
                copy[rng.choice(("", "x", "at_s", "\x00"))] = rng.choice(VALUES)
            case _:
                copy[key] = changed(rng, value[key])
        return copy
    if isinstance(value, list) and value and rng.random() < 0.8:
        items, at = list(value), rng.randrange(len(value))
        match rng.randrange(6):
            case 0:
                del items[at]
            case 1:
                items[at:at] = items[at : at + 1] * rng.choice((1, 30))
            case _:
                items[at] = changed(rng, items[at])
        return items
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 10))
    deep: Any = rng.choice(VALUES)
    for _ in range(rng.choice((0,) * 20 + (30, 300))):
        deep = [deep]
    return deep


def damaged_json(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """JSON, one value a line, damaged as values or as bytes."""
    if rng.random() < 0.25:
        return damaged(rng, seed, others)
    lines = [json.loads(line) for line in seed.splitlines() if line.strip()]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(lines))
        lines[at] = changed(rng, lines[at])
    return "\n".join(map(json.dumps, lines)).encode()


Damage = Callable[[Random, bytes, "Sequence[bytes]"], bytes]


@dataclass(frozen=True)
class Target:
    """A reader to fuzz.

    Attributes:
        name: of the kind of input.
        seeds: valid inputs.
        run: reads one input, or refuses it in the expected way. Any exception that it raises is a fault.
        damage: how inputs are made from the seeds.
    """

    name: str
    seeds: tuple[bytes, ...]
    run: Callable[[bytes], object]
    damage: Damage = damaged


@dataclass
class Report:
    """Result of a run: the number of inputs, the faults with their inputs, and the slowest input."""

    name: str
    inputs: int = 0
    slowest_s: float = 0.0
    slowest: bytes = b""
    faults: dict[str, bytes] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The faults, each with the beginning of its input."""
        return "\n".join(f"{self.name}: {fault}\n  input {data[:300]!r}" for fault, data in self.faults.items())


def inputs(target: Target, rng: Random) -> Iterator[bytes]:
    """The seeds, then endless damaged ones."""
    yield from target.seeds
    while True:
        yield target.damage(rng, rng.choice(target.seeds), target.seeds)


def fuzzed(target: Target, seed: int, *, count: int | None = None, seconds: float | None = None) -> Report:
    """Run a target on `count` inputs, or for `seconds` of the processor; the same seed gives the same inputs."""
    report, began_s = Report(target.name), time.process_time()
    for data in inputs(target, Random(f"{seed} {target.name}")):
        now_s = time.process_time()
        if report.inputs == count or (seconds is not None and now_s - began_s >= seconds):
            return report
        report.inputs += 1
        try:
            target.run(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            where = traceback.extract_tb(error.__traceback__)[-1]
            report.faults.setdefault(
                f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno} {str(error)[:120]}", data
            )
        took_s = time.process_time() - now_s
        if took_s > report.slowest_s:
            report.slowest_s, report.slowest = took_s, data
    return report


class TookTooLongError(BaseException):
    """A call exceeded its time limit."""


@contextmanager
def bounded(more_bytes: int = 1 << 30) -> Iterator[None]:
    """Limit the time of a block to TOO_LONG_S, and its memory to `more_bytes` beyond the memory in use."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TookTooLongError

    in_use = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    limits = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (in_use + more_bytes, limits[1]))
    signal.setitimer(signal.ITIMER_REAL, TOO_LONG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)
