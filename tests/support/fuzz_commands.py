"""Fuzzing targets: commands that read files and input."""

from __future__ import annotations

import io
import json
import shutil
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from fuzz_targets import (
    CONFIGURATION,
    CORNERS,
    LINES,
    MAT,
    SHEETS,
    START,
    boards,
    damaged_board,
    exported,
    lines,
    matches,
    pictures,
    sound_board,
    text,
    texts,
)
from fuzzing import Target, damaged_json
from labelled import FILM

from companion.cli import main
from companion.record import Record, write_backup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def command_line(arguments: Sequence[str], stdin: bytes = b"") -> tuple[int, str, str]:
    """Run `boardside`; its exit status, and what it printed. Lines of errors stay on one line."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(list(arguments))
            except SystemExit as ended:
                status = int(str(ended.code))
            out.flush()
    finally:
        sys.stdin = before
    said = err.getvalue()
    assert status in (0, 1, 2), status
    assert status == 2 or len(said.splitlines()) <= 1, said[:500]
    assert len(said) < 4000, said[:500]
    return status, out.buffer.getvalue().decode("utf-8"), said


def commands(folder: Path) -> tuple[Target, ...]:
    """The commands that read a file, lines or arguments, as they are run."""
    return (*file_commands(folder), *line_commands(), *argument_commands(folder))


def file_commands(folder: Path) -> tuple[Target, ...]:
    """The commands that read a file, which is written to `folder`."""
    board, look = sound_board(folder), str(FILM / "0001.jpg")

    def with_file(name: str, *arguments: str) -> Callable[[bytes], None]:
        def run(data: bytes) -> None:
            (folder / name).write_bytes(data)
            command_line([argument.replace("FILE", str(folder / name)) for argument in arguments])

        return run

    def by_import(name: str) -> Callable[[bytes], None]:
        def run(data: bytes) -> None:
            state = folder / "state"
            for old in state.glob("*") if state.exists() else ():
                old.unlink()
            with_file(name, "import", "FILE", "--state", str(state))(data)

        return run

    def by_restore(data: bytes) -> None:
        shutil.rmtree(folder / "restored", ignore_errors=True)
        with_file("b.zip", "restore", "FILE", "--state", str(folder / "restored"))(data)

    picture = (FILM / "0001.jpg").read_bytes()
    return (
        Target("import .mat", (MAT,), by_import("match.mat")),
        Target("import .json", (exported(),), by_import("match.json"), damaged_json),
        Target("dice verify", (exported(),), with_file("export.json", "dice", "verify", "FILE"), damaged_json),
        Target("sheets --check", SHEETS, with_file("check.toml", "sheets", "--check", "FILE")),
        Target("panel wiring", (CONFIGURATION,), with_file("wiring.toml", "panel", "wiring", "--config", "FILE")),
        Target("read IMG", (picture,), with_file("look.jpg", "read", str(board), "FILE")),
        Target(
            "read CAL",
            (board.read_bytes(),),
            with_file("other.cal", "read", "FILE", look),
            damaged_board,
        ),
        Target("restore", (backed_up(folder),), by_restore),
    )


def line_commands() -> tuple[Target, ...]:
    """The commands that read JSON lines."""

    def with_lines(*arguments: str) -> Callable[[bytes], object]:
        return lambda data: command_line(arguments, data)

    return (
        Target("moves", LINES, with_lines("moves"), damaged_json),
        Target("judge", LINES, with_lines("judge"), damaged_json),
        Target("hint", LINES, with_lines("hint", "--engine", "embedded"), damaged_json),
    )


def argument_commands(folder: Path) -> tuple[Target, ...]:
    """The commands whose arguments are read as a text of their own; `folder` is for what they write."""

    def as_argument(*arguments: str) -> Callable[[bytes], None]:
        def run(data: bytes) -> None:
            given = text(data).replace("\x00", "?")
            command_line([argument.replace("TEXT", given) for argument in arguments])

        return run

    corners = " ".join(f"{x},{y}" for x, y in CORNERS)
    points = json.dumps(START).encode()
    learn = ("calibrate", str(FILM / "0000.jpg"), "-o", str(folder / "again.cal"))
    return (
        Target(
            "--position",
            (points,),
            as_argument(*learn, "--corners", "1,1 2,2 3,3 4,4", "--position=TEXT"),
            damaged_json,
        ),
        Target("--corners", (corners.encode(),), as_argument(*learn, "--corners=TEXT")),
        Target("arguments", (b"8000", b"x.toml"), as_argument("replay", "TEXT", "--port=TEXT", "--sheet=TEXT")),
    )


def backed_up(folder: Path) -> bytes:
    """A backup of a table with a record and a sheet of its own."""
    table = folder / "table"
    with closing(Record.open(table / "record.db")) as record:
        record.append({"event": "Rolled"}, 1.0)
    (table / "sheets").mkdir()
    (table / "sheets" / "ours.toml").write_bytes(SHEETS[0])
    write_backup(table, folder / "table.zip", secrets=False, now_s=1.7e9)
    return (folder / "table.zip").read_bytes()


def all_targets(folder: Path) -> tuple[Target, ...]:
    """Every reader; `folder` is for their files."""
    return (*matches(), *texts(folder), *lines(), *pictures(folder), *boards(folder), *commands(folder))
