"""What comes from outside is read within limits, and what is wrong with it is said on one line."""

from __future__ import annotations

import os

import pytest

from companion.core import OutsideError, one_line, parse_json, parse_toml, quoted, read_bytes, read_start, read_text


def test_a_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    assert read_start(path, 2) == b"12"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_bytes(path, 4)


def test_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a device or a pipe"):
        read_bytes(tmp_path / "pipe", 5)


@pytest.mark.parametrize(
    ("path", "why"), [("/dev/zero", "a device"), ("/", "directory"), ("/no\0", "NUL"), ("/no", "No such")]
)
def test_paths_that_are_not_files_are_detected(path, why):
    with pytest.raises(OSError, match=why):
        read_bytes(path, 5)


def test_text_is_utf_8(tmp_path):
    (tmp_path / "text").write_bytes("Zoë".encode("latin-1"))
    with pytest.raises(OSError, match="byte 3 is not text in UTF-8"):
        read_text(tmp_path / "text", 10)


@pytest.mark.parametrize(
    "text",
    [
        *("[" * 100_000, '{"a":' * 100_000, "[" * 21 + "1" + "]" * 21, "9" * 5000, "1" + "0" * 19, "1e999", "[-1e999]"),
        *("NaN", '{"a": -Infinity}', '"\\ud800"', '{"\\udfff": 1}', "", "{'a': 1}", b"\xff", "\udcff"),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_json_that_cannot_be_used_is_refused(text):
    with pytest.raises(OutsideError) as refused:
        parse_json(text)
    assert len(str(refused.value)) < 120


def test_json_that_can_be_used_is_read():
    assert parse_json('{"a": [1, -2.5, null, true, "\\u00eb\\ud83c\\udfb2"]}') == {"a": [1, -2.5, None, True, "ë🎲"]}
    assert parse_json("[" * 20 + "]" * 20)


@pytest.mark.parametrize(
    "text",
    [
        *("a = " + "[" * 50_000, "a = " + "{b=" * 5_000, ".".join("a" * 50_000) + " = 1", f"[{'.'.join('a' * 100)}]"),
        *("a = " + "9" * 5000, "a = 0x" + "f" * 5000, "a = nan", "a = [1.5, -inf]", "a = 1979-99-99", "a", "a = 1e999"),
    ],
    ids=lambda text: text[:12],
)
def test_toml_that_cannot_be_used_is_refused(text):
    with pytest.raises(OutsideError) as refused:
        parse_toml(text)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "value",
    ["x" * 10_000, ["x"] * 10_000, 10**5000, "a\nb\u202e" * 100, b"\0" * 1000],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_quoted_on_one_short_line(value):
    said = quoted(value)
    assert len(said) <= 80
    assert said.isprintable()


def test_a_short_value_is_quoted_whole():
    assert quoted("Ann") == "'Ann'"
    assert quoted([6, 1]) == "[6, 1]"


def test_a_message_stays_on_a_line():
    assert one_line("what\nwas\t said\x00") == "what was said?"
    assert one_line("x" * 2000, 10) == "xxxxxxx..."
