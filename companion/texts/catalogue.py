"""The catalogues of translations: reads .po files and compiles them in memory for `gettext`.

A catalogue is compiled when its language is first used, which takes milliseconds. Compiling at build time instead
would add Babel to the build, and an editable install would keep old .mo files until it was built again.
The format of .mo files: manual of GNU gettext, "The Format of GNU MO Files".
"""

from __future__ import annotations

import ast
import gettext
import io
import os
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import BoardsideError

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCALE = Path(__file__).with_name("locale")
LANGUAGES = ("en", "de", "fr", "es")
ENGLISH = LANGUAGES[0]
"""The language of the messages themselves; it needs no catalogue."""
MAGIC = 0x950412DE
HEADER = 28
PLURALS = 2
"""Number of plural forms of a text with a number in each of these languages."""


class LanguageError(BoardsideError):
    """A language that is not among `LANGUAGES`."""


def marked(text: str) -> str:
    """`text` unchanged: marks it for the catalogues; it is translated where it is used."""
    return text


def language_of(asked: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The language asked for, else that of the environment (LC_ALL, LC_MESSAGES, LANG), else English.

    Raises LanguageError if `LANGUAGES` does not have the language asked for.
    """
    if asked is not None:
        if asked not in LANGUAGES:
            raise LanguageError(f"language = {asked!r}: expected one of {', '.join(LANGUAGES)}")
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            found = environment[name][:2].lower()
            return found if found in LANGUAGES else ENGLISH
    return ENGLISH


@cache
def translations(language: str) -> gettext.NullTranslations:
    """The catalogue of `language`, one of `LANGUAGES`."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    text = (LOCALE / f"{language}.po").read_text(encoding="utf-8")
    return gettext.GNUTranslations(io.BytesIO(compiled(parsed(text))))


def parsed(text: str) -> dict[str, str]:
    """The messages of a .po file with their translations; plural forms joined by a zero byte, as in .mo files."""
    found: dict[str, str] = {}
    parts: dict[str, str] = {}
    key = ""

    def keep() -> None:
        if "msgid" in parts:
            plural = "\0" + parts["msgid_plural"] if "msgid_plural" in parts else ""
            forms = [parts[f"msgstr[{n}]"] for n in range(PLURALS)] if plural else [parts["msgstr"]]
            found[parts["msgid"] + plural] = "\0".join(forms)
        parts.clear()

    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        if not line.startswith('"'):
            key, _, line = line.partition(" ")
            if key == "msgid":
                keep()
        parts[key] = parts.get(key, "") + str(ast.literal_eval(line))
    keep()
    return found


def compiled(messages: Mapping[str, str]) -> bytes:
    """The bytes of a .mo file: tables of lengths and offsets, then all messages in order and all translations."""
    texts = [(key.encode(), messages[key].encode()) for key in sorted(messages)]
    where = HEADER + 16 * len(texts)
    tables, data = [], b""
    for column in (0, 1):
        for pair in texts:
            tables += [len(pair[column]), where + len(data)]
            data += pair[column] + b"\0"
    head = struct.pack("<7I", MAGIC, 0, len(texts), HEADER, HEADER + 8 * len(texts), 0, where)
    return head + struct.pack(f"<{len(tables)}I", *tables) + data
