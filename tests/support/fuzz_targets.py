"""Fuzzing targets: readers of matches, JSON, TOML, pictures, boards and records."""

from __future__ import annotations

import hashlib
import io
import json
from functools import partial
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import cv2
import numpy as np
from changed_calibration_file import sealed
from disputed_match import disputed, evidence_of, finished
from fuzzing import Target, changed, damaged, damaged_json
from labelled import FILM
from learned_once import FOLDERS, learned_once
from places import ROOT

from companion.app.recording import Recording
from companion.clock import ClockFile, ClockSetting
from companion.commands.json_lines import answer
from companion.core import BoardsideError, OutsideError, parse_json, parse_toml, player_names
from companion.dice import SecretFile, check
from companion.history.evidence_check import check_evidence
from companion.history.evidence_file import LIST, RECORD, read_evidence
from companion.notation import FORMATS, parse_fen, parse_move, parse_play
from companion.record import EventJson, chain_hash
from companion.rules import base_sheet, check_examples, load_sheet, rules_named
from companion.seats import SeatRegister
from companion.transfer.importer import reenact
from companion.views import described, sheet_json
from hardware.configuration import load_configuration
from vision import LearnedBoard, learn_board, load_board
from vision.board.storage import DIGEST_MARK
from vision.cameras import load_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from random import Random

START = {"points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]}
MAT = b""" 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2)  Doubles => 2                Takes
  3) 66: 24/18 24/18 13/7 13/7   51: 24/23 13/8
  4) 21: 18/16 8/7
                                  Wins 2 points

 Game 2
 Ann : 0                        Bob : 2
  1)                             64: 24/14
  2) 11: 8/7 8/7 6/5 6/5          Doubles => 2
  3)  Drops                       Wins 1 point
"""
PDN = b"""[Event "Club"]
[Black "Ann"]
[White "Bob"]
[Match "4"]
1. 11-15 23-19 {a comment} 2. 8-11 22-17 (2... 22-18 (2... 24-20) 3. 15x22) 3. 9-13! 17-14 $2 ; more
4. 10x17 21x14 1-0

[Event "Club"]
[SetUp "1"]
[FEN "W:W21,K22:B1,5,K30"]
1. 22-18 1-6 1/2-1/2
"""
CORNERS: list[list[float]] = json.loads((FILM / "game.json").read_bytes())["corners"]
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"
DEVICE = {"token_sha256": "ab" * 32, "number": 3, "seat": "white", "name": "Firefox, Android", "since_s": 1.7e9}
SEATS = {"version": 1, "last": 3, "devices": [DEVICE]}
LINES = tuple(
    json.dumps(line).encode()
    for line in (
        {"game": "backgammon", "position": START, "player": "white", "dice": [6, 1], "after": START, "done": True},
        {
            "position": {"id": "4HPwATDgc/ABMA"},
            "player": "black",
            "dice": [5, 5],
            "after": START,
            "sheet": "tournament",
        },
        {"position": {"xgid": XGID}, "after": {"xgid": XGID}, "n": 3, "level": 0, "engine": "embedded"},
        {"position": {"id": "4HPwATDgc/ABMA", "match_id": "cAkAAAAAAAAA"}, "dice": [1, 1], "after": START},
        {"position": {"points": [0] * 18 + [-3] * 5 + [0], "off": [15, 0]}, "winner": "white", "cube": 2, "stake": 1},
        {"game": "checkers", "fen": "B:W21,22,K23:B1,5,K32", "after": {"squares": {"0,0": "w", "7,7": "b"}}},
        {"fen": "W:W18,19,K3:B14,15,6,K7,10,11", "sheet": "travel-set-checkers", "after": {"squares": {"1,1": "w"}}},
    )
)
SHEETS = tuple(path.read_bytes() for path in sorted((ROOT / "companion/rules/sheets").glob("*.toml")))
CONFIGURATION = b"""dice = "hand"
language = "de"
speech = "terse"
[pins]
roll = 17
light = [5, 6, 13]
[panel]
dice_brightness = 0.5
buzzer = "passive"
roll_s = 0.2
[gestures]
long_s = 0.7
hint = { long = "hide hints" }
[clock]
minutes = 14
delay_s = 12.0
"""


def refused(run: Callable[[Any], object], *more: type[Exception]) -> Callable[[Any], None]:
    """Wrap `run` to accept the exceptions that its callers handle; their messages must be short and on one line."""

    def checked(data: Any) -> None:
        try:
            run(data)
        except (BoardsideError, *more) as error:
            said = str(error)
            assert len(said) < 2500, f"{len(said)} letters: {said[:300]}"
            assert len(said.splitlines()) <= 1, f"more than a line: {said[:300]}"

    return checked


def text(data: bytes) -> str:
    """Bytes as the commands read them."""
    return data.decode("utf-8", "surrogateescape")


def matches() -> tuple[Target, ...]:
    """The formats of matches, read and played through under the rules, and the record's own."""
    found = []
    seeds = {"mat": (MAT,), "sgf": (), "pdn": (PDN,)}
    script = FORMATS["mat"].read(MAT.decode())
    seeds["sgf"] = (FORMATS["sgf"].write(script).encode(),)
    for name, known in FORMATS.items():

        def replayed(data: bytes, known: Any = known) -> None:
            script = known.read(data.decode("latin-1"))
            reenact(script, rules_named(base_sheet(script.game)))

        found.append(Target(name, seeds[name], refused(replayed)))
    return tuple(found)


def exported() -> bytes:
    """A match as `boardside export` prints it."""
    events = []
    for name, sound in (("mat", MAT), ("pdn", PDN)):
        script = FORMATS[name].read(sound.decode())
        rules = rules_named(base_sheet(script.game))
        codec = EventJson(rules.to_json, rules.from_json)
        try:
            events += [codec.encode(event) for event in reenact(script, rules)]
        except BoardsideError:
            assert name == "pdn"
    sealed = {"event": "DiceSealed", "commitment": "ab" * 32}
    proved = {
        "event": "Rolled",
        "side": "white",
        "dice": [3, 1],
        "source": "fair",
        "proof": {"counter": 1, "tapped_ms": 5},
    }
    revealed = {"event": "DiceRevealed", "commitment": "ab" * 32, "secret": "cd" * 32, "rolls": 1}
    lines = enumerate([*events, sealed, proved, revealed], 1)
    return "".join(json.dumps({"entry": n, "at_s": 1.7e9 + n, **event}) + "\n" for n, event in lines).encode()


def texts(folder: Path) -> tuple[Target, ...]:
    """Small texts, and the files that are read whole."""

    def notation(data: bytes) -> None:
        for parse in (
            parse_fen,
            parse_move,
            parse_play,
            ClockSetting.parse,
            *(known.read for known in FORMATS.values()),
        ):
            refused(parse)(text(data))
        refused(lambda name: player_names((name, "Bob"), ("white", "black")))(text(data))

    def sheet(data: bytes) -> None:
        (folder / "own.toml").write_bytes(data)
        own = load_sheet(str(folder / "own.toml"))
        described(own)
        json.dumps(sheet_json(own, "de"))
        check_examples(own)

    def configuration(data: bytes) -> None:
        (folder / "panel.toml").write_bytes(data)
        load_configuration(folder / "panel.toml")

    def clock(data: bytes) -> None:
        (folder / "clock.json").write_bytes(data)
        ClockFile(folder / "clock.json").load()

    def secrets(data: bytes) -> None:
        (folder / "secrets").write_bytes(data)
        SecretFile(folder / "secrets")

    def seats(data: bytes) -> None:
        (folder / "seats.json").write_bytes(data)
        SeatRegister(folder / "seats.json")

    def film(data: bytes) -> None:
        (folder / "game.json").write_bytes(data)
        Recording.load(folder)

    saved = {"setting": "14+12", "reserve_s": {"white": 1, "black": 2.5}, "turn": 3, "score": {"white": 0, "black": 1}}
    words = (b"13/7 24/18*/13 bar/20 6/off(2)", b"11-15x22", b"B:W21,22,K3:B1,5,K32", b"14+12", b"Ann (red)", MAT, PDN)
    return (
        Target("json", LINES, refused(parse_json, OutsideError), damaged_json),
        Target("toml", (*SHEETS, CONFIGURATION), refused(lambda data: parse_toml(text(data)), OutsideError)),
        Target("notation", words, notation),
        Target("sheet", SHEETS, refused(sheet)),
        Target("configuration", (CONFIGURATION,), refused(configuration)),
        Target("clock file", (json.dumps({**saved, "paused": False}).encode(),), clock, damaged_json),
        Target("seats", (json.dumps(SEATS).encode(),), seats, damaged_json),
        Target("secrets", (b"\n" + b"ab" * 32 + b"\n",), refused(secrets)),
        Target(
            "game.json",
            (json.dumps(json.loads((FILM / "game.json").read_bytes())).encode(),),
            refused(film),
            damaged_json,
        ),
        Target("dice check", (exported(),), refused(dice_check), damaged_json),
    )


def dice_check(data: bytes) -> None:
    """Verify the dice of an export."""
    try:
        entries = [parse_json(line) for line in data.splitlines() if line.strip()]
    except OutsideError:
        return
    check([entry for entry in entries if isinstance(entry, dict)])


def lines() -> tuple[Target, ...]:
    """The commands on JSON lines, each with every kind of line."""

    def answered(command: str, data: bytes) -> None:
        for line in text(data).split("\n"):
            said = answer(command, line)
            assert len(said.get("error", "")) <= 1000
            json.dumps(said, ensure_ascii=False).encode(errors="backslashreplace")

    found = [Target(name, LINES, partial(answered, name), damaged_json) for name in ("moves", "judge", "score")]
    return (*found, Target("judge boards", LINES, partial(answered, "judge"), any_board))


def any_board(rng: Random, _seed: bytes, _others: Sequence[bytes]) -> bytes:
    """A turn from a random position to a random board: the case that takes the referee longest to explain."""
    if rng.random() < 0.5:
        squares = rng.sample(range(1, 33), rng.choice((8, 16, 24)))
        kings = [f"{'K' if rng.random() < 0.7 else ''}{square}" for square in squares]
        half = len(kings) // 2
        dark = [f"{row},{column}" for row in range(8) for column in range(row % 2, 8, 2)]
        stands = {square: rng.choice("wb") for square in dark if rng.random() < 0.4}
        fen = f"{rng.choice('WB')}:W{','.join(kings[:half])}:B{','.join(kings[half:])}"
        sheet = rng.choice(("acf", "travel-set-checkers"))
        return json.dumps({"fen": fen, "after": {"squares": stands}, "sheet": sheet}).encode()
    before = [0] * 24
    for side in (1, -1):
        for point in rng.choices(range(24), k=rng.choice((3, 15))):
            before[point] += side * (before[point] * side >= 0)
    after: list[Any] = list(before)
    for _ in range(rng.choice((1, 3, 8, 24))):
        after[rng.randrange(24)] = rng.choice((0, 1, -1, 2, -2, [1, 1], [2, 3], 15, -15))
    number = rng.randrange(1, 7)
    question = {"position": {"points": before}, "after": {"points": after}, "done": rng.random() < 0.5}
    dice = rng.choice(([number, number], [6, 5]))
    sheet = rng.choice(("standard", "travel-set", "tournament", "clockwise"))
    return json.dumps({**question, "player": rng.choice(("white", "black")), "dice": dice, "sheet": sheet}).encode()


def evidence(folder: Path) -> tuple[Target, ...]:
    """The evidence of a dispute; most damaged files have valid hashes, as an attacker's would."""
    table = disputed(folder)
    early = evidence_of(table)
    seeds = (early, evidence_of(finished(table)))

    def verify(data: bytes) -> None:
        (folder / "evidence.zip").write_bytes(data)
        for line in check_evidence(read_evidence(folder / "evidence.zip"), "0"):
            assert len(line.words) < 3000
            assert len(line.words.splitlines()) == 1

    return (Target("evidence", seeds, refused(verify), damaged_evidence),)


def damaged_evidence(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """An evidence file with damaged bytes, or with an event, its list or its sheet changed."""
    if rng.random() < 0.2:
        return damaged(rng, seed, others)
    with ZipFile(io.BytesIO(seed)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(files))
    if name == RECORD:
        files[name] = b"\n".join(chained_anew(rng, files[name].splitlines()))
    elif name == LIST:
        files[name] = json.dumps(changed(rng, json.loads(files[name]))).encode()
    else:
        files[name] = damaged(rng, files[name], others)[: len(files[name]) + 1000]
    listed = json.loads(files[LIST])
    if name != LIST:
        listed["files"][name] = hashlib.sha256(files[name]).hexdigest()
        files[LIST] = json.dumps(listed).encode()
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for one, content in files.items():
            archive.writestr(one, content)
    return file.getvalue()


def chained_anew(rng: Random, rows: Sequence[bytes]) -> list[bytes]:
    """The events of a record with one of them changed, and valid hashes."""
    links, chain = [json.loads(row) for row in rows], ""
    at = rng.randrange(len(links))
    links[at][2] = json.dumps(changed(rng, json.loads(links[at][2])))
    for link in links:
        chain = link[3] = chain_hash(chain, link[0], link[1], link[2])
    return [json.dumps(link).encode() for link in links]


def pictures(folder: Path) -> tuple[Target, ...]:
    """Pictures of four kinds."""
    picture = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    seeds = [cv2.imencode(kind, picture)[1].tobytes() for kind in (".png", ".jpg", ".bmp", ".webp")]
    progressive = [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]
    seeds.append(cv2.imencode(".jpg", picture, progressive)[1].tobytes())
    seeds.append(cv2.imencode(".tiff", picture)[1].tobytes())

    def load(data: bytes) -> None:
        (folder / "picture").write_bytes(data)
        load_picture(folder / "picture")

    return (Target("picture", tuple(seeds), refused(load)),)


def sound_board(folder: Path) -> Path:
    """The file of the board in the film."""

    def learn() -> LearnedBoard:
        return learn_board(load_picture(FILM / "0000.jpg"), "backgammon", None, np.array(CORNERS))

    board = learned_once("fuzzed-board", learn, load_board)
    if not FOLDERS:
        board.save(folder / "sound.cal")
        return folder / "sound.cal"
    return FOLDERS[-1] / "fuzzed-board.cal"


def boards(folder: Path) -> tuple[Target, ...]:
    """Files of learned boards; most damaged ones have a valid digest, as an attacker's would."""
    sound = sound_board(folder).read_bytes()
    look = load_picture(FILM / "0001.jpg")

    def load(data: bytes) -> None:
        (folder / "board.cal").write_bytes(data)
        load_board(folder / "board.cal").look(look)

    return (Target("board", (sound,), refused(load), damaged_board),)


def damaged_board(rng: Random, seed: bytes, others: Sequence[bytes]) -> bytes:
    """A board's file with damaged bytes, or with an array or its description changed."""
    archive = seed.rpartition(DIGEST_MARK)[0]
    if rng.random() < 0.2:
        return (
            damaged(rng, seed, others)[: len(seed) + 1000]
            if rng.random() < 0.3
            else sealed(damaged(rng, archive, others))
        )
    with np.load(io.BytesIO(archive)) as file:
        arrays = dict(file)
    name = rng.choice(sorted(arrays))
    array = arrays[name]
    match rng.randrange(7):
        case 0:
            del arrays[name]
        case 1 | 2 if array.dtype.kind == "U":
            arrays[name] = np.array(json.dumps(changed(rng, json.loads(str(array)))))
        case 1:
            arrays[name] = array.reshape(-1)
        case 2:
            arrays[name] = array[..., : rng.randrange(3)] if array.ndim else np.zeros(3)
        case 3:
            arrays[name] = np.full_like(array, rng.choice((0, 1, 255))) if array.dtype.kind != "U" else np.array("x")
        case 4:
            arrays[name] = np.array(rng.choice((float("nan"), 1e300, -1, "x")))
        case 5 if array.dtype.kind == "f":
            arrays[name] = array * rng.choice((float("inf"), float("nan"), 1e30, -1, 0))
        case _:
            meta = changed(rng, json.loads(str(arrays["meta"])))
            arrays["meta"] = np.array(json.dumps(meta))
    file = io.BytesIO()
    np.savez(file, **arrays)
    return sealed(file.getvalue())
