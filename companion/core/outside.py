"""Reading what comes from outside: files, JSON and TOML, each within limits, and quoting it in messages.

A file may be hostile: reading it ends, and takes time and memory in proportion to its size.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import tomllib
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_QUOTED = 80
"""Letters of a value in a message."""
MOST_QUOTED_JSON = 200
"""Letters of JSON in a message: a position of 24 points takes 150."""
MOST_SAID = 1000
"""Letters of a whole message: the known keys of a rule sheet take 700."""
MOST_DEPTH = 20
"""Levels of nested lists and objects; the record's events have four."""
MOST_DOTS = 40
"""Full stops in a line of TOML: tomllib's time grows with the square of a dotted key's parts."""
LARGEST = 2**63
"""A whole number in a text must be smaller than this, as in TOML."""


class OutsideError(ValueError):
    """A text is not JSON or TOML that can be used; the message says where and why, and quotes nothing."""


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes.

    Raises OSError, also for a device, a pipe or a larger file; its `strerror` says why.
    """
    with _opened(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return content


def read_start(path: Path, count: int) -> bytes:
    """The first `count` bytes of a regular file of any size. Raises OSError as `read_bytes` does."""
    with _opened(path) as file:
        return file.read(count)


def read_text(path: Path, most: int) -> str:
    """The text of a regular file in UTF-8. Raises OSError, also for other bytes; its `strerror` says why."""
    try:
        return read_bytes(path, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise OSError(errno.EILSEQ, f"byte {error.start + 1} is not text in UTF-8") from error


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text. Raises OutsideError, also for what JSON in Python allows beyond the standard.

    Refused: NaN and infinities, whole numbers from LARGEST, half surrogates, more than MOST_DEPTH levels.
    """
    try:
        value = json.loads(text, parse_constant=_refused_constant)
    except UnicodeDecodeError as error:
        raise OutsideError(f"byte {error.start + 1} is not text in UTF-8") from error
    except json.JSONDecodeError as error:
        raise OutsideError(str(error)) from error
    except RecursionError as error:
        raise OutsideError(_too_deep()) from error
    except ValueError as error:  # `_refused_constant`, or a number of more digits than Python reads
        raise OutsideError("a number in it is too large or none") from error
    _check(value)
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises OutsideError, also for infinities, dotted keys and too deep nesting."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MOST_DOTS:
            raise OutsideError(f"line {number} holds more than {MOST_DOTS} full stops")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OutsideError(one_line(str(error), MOST_QUOTED * 2)) from error
    except RecursionError as error:
        raise OutsideError(_too_deep()) from error
    except ValueError as error:  # a number of more digits than Python reads, or a date that does not exist
        raise OutsideError("a number or a date in it cannot be") from error
    _check(table)
    return table


def quoted(value: object, most: int = MOST_QUOTED) -> str:
    """`value` as Python writes it, on one line and cut to `most` letters, for a message."""
    try:
        text = repr(value[: most + 1] if isinstance(value, str | bytes) else value)
    except (ValueError, RecursionError):  # a number of more than 4,300 digits, a nest too deep
        text = f"a {type(value).__name__} too large to show"
    return text if len(text) <= most else text[: most - 3] + "..."


def quoted_json(value: object) -> str:
    """`value` as JSON on one line, cut to MOST_QUOTED_JSON letters, for a message."""
    return one_line(json.dumps(value), MOST_QUOTED_JSON)


def one_line(text: str, most: int = MOST_SAID) -> str:
    """A message on one line, without unprintable characters, cut to `most` letters."""
    flat = " ".join(text[: 2 * most].split())
    printable = flat if flat.isprintable() else "".join(letter if letter.isprintable() else "?" for letter in flat)
    return printable if len(printable) <= most else printable[: most - 3] + "..."


def _opened(path: Path) -> BinaryIO:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe would wait for its writer
    except ValueError as error:
        raise OSError(errno.EINVAL, "its name holds a NUL") from error
    kind = os.fstat(handle).st_mode
    if not stat.S_ISREG(kind):
        os.close(handle)
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")
    return open(handle, "rb")  # noqa: PTH123 - of a handle, for the caller to close


def _refused_constant(_: str) -> NoReturn:
    raise ValueError


def _too_deep() -> str:
    return f"more than {MOST_DEPTH} lists or objects lie in one another"


def _check(value: Any) -> None:
    """Raise OutsideError for values nested too deep, an infinite number, or a lone surrogate."""
    layer = [value]
    for _ in range(MOST_DEPTH + 1):
        layer = [inner for one in layer for inner in _parts(one)]
        if not layer:
            return
    raise OutsideError(_too_deep())


def _parts(value: Any) -> Iterator[Any]:
    """The values in a list or a table; a single value is checked."""
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise OutsideError("a number in it is too large or none")
    elif isinstance(value, int):
        if not -LARGEST < value < LARGEST:
            raise OutsideError("a number in it is too large or none")
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise OutsideError("a text in it holds half a letter (a lone surrogate)") from error
