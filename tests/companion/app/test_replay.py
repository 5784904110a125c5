"""A filmed game through the session: every finished turn is judged as it was played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import pytest
from labelled import FILM

from companion.app.recording import Recording, ReplayError
from companion.app.replay import Replay
from companion.app.table import Table
from companion.rules import rules_named

if TYPE_CHECKING:
    from pathlib import Path


def replayed(folder: Path) -> list[dict[str, Any]]:
    """The output of a replay."""
    recording = Recording.load(folder)
    rules = rules_named(recording.sheet)
    said: list[dict[str, Any]] = []
    Replay(recording, rules, Table(rules.sheet.game, rules.sheet.name), said.append).run()
    return said


@pytest.fixture(scope="module")
def said() -> list[dict[str, Any]]:
    return replayed(FILM)


@pytest.fixture(scope="module")
def finished() -> list[dict[str, Any]]:
    """The expected verdict of each finished turn."""
    turns: list[dict[str, Any]] = json.loads((FILM / "truth.json").read_text(encoding="utf-8"))["events"]
    return turns


def standing(said: list[dict[str, Any]], turn: dict[str, Any]) -> dict[str, Any]:
    """The verdict that stands when a turn is declared done."""
    return [told for told in said if told["event"] == "verdict" and told["t"] <= turn["t"] + 1e-6][-1]


def test_every_finished_turn_is_judged_correctly(said: list[dict[str, Any]], finished: list[dict[str, Any]]) -> None:
    assert [standing(said, turn)["finding"] for turn in finished] == [
        "legal" if turn["legal"] else "illegal" for turn in finished
    ]
    assert not all(turn["legal"] for turn in finished)


@pytest.mark.slow
def test_a_film_of_a_mirrored_board_is_judged_alike(
    said: list[dict[str, Any]], finished: list[dict[str, Any]], tmp_path: Path
) -> None:
    game = json.loads((FILM / "game.json").read_text(encoding="utf-8"))
    for frame in game["frames"]:
        picture = cv2.flip(cv2.imread(str(FILM / frame["file"])), 1)
        cv2.imwrite(str(tmp_path / frame["file"]), picture, (cv2.IMWRITE_JPEG_QUALITY, 95))
    width = picture.shape[1]
    if game.get("corners"):
        (left, right, far_right, far_left) = ((width - 1 - x, y) for x, y in game["corners"])
        game["corners"] = [right, left, far_left, far_right]
    (tmp_path / "game.json").write_text(json.dumps({**game, "mirror": True}), encoding="utf-8")
    mirrored = replayed(tmp_path)
    for turn in finished:
        told, before = standing(mirrored, turn), standing(said, turn)
        assert (told["finding"], told["play"], told["message"]) == (
            before["finding"],
            before["play"],
            before["message"],
        )


def test_a_film_may_begin_during_a_game_under_a_hand_with_a_checker_on_the_bar(
    finished: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Corners and position are given, and used once the hand is gone."""
    game = json.loads((FILM / "game.json").read_text(encoding="utf-8"))
    begun = finished[2]
    assert any(begun["position"]["bar"])
    for frame in game["frames"]:
        frame["file"] = str(FILM / frame["file"])
    game["frames"] = [frame for frame in game["frames"] if frame["t"] >= 4.2]
    game["frames"][0]["hold"] = 0.6  # still enough to be looked at
    game["frames"][1]["hold"] = 0.0
    told = {**game["events"][0], "t": 4.2, "position": begun["position"], "first": "black"}
    game["events"] = [told, *(event for event in game["events"] if event["t"] >= 5.8 and event["player"] == "black")]
    (tmp_path / "game.json").write_text(json.dumps(game), encoding="utf-8")
    said = replayed(tmp_path)
    for turn in finished[3:]:
        assert standing(said, turn)["finding"] == ("legal" if turn["legal"] else "illegal")


def test_a_legal_turn_gives_the_position_after_it(said: list[dict[str, Any]], finished: list[dict[str, Any]]) -> None:
    for turn in finished:
        verdict = standing(said, turn)
        assert verdict["player"] == turn["player"]
        if turn["legal"]:
            assert verdict["after"] == turn["position"]
            assert verdict["play"]


def test_the_illegal_turn_names_its_fault_and_the_dice_stay(
    said: list[dict[str, Any]], finished: list[dict[str, Any]]
) -> None:
    fault = next(turn for turn in finished if not turn["legal"])
    verdict = standing(said, fault)
    assert verdict["reason"] == "wrong_distance"
    assert verdict["plays"]
    put_right = next(turn for turn in finished if turn["t"] > fault["t"])
    assert put_right["player"] == fault["player"]
    assert not [told for told in said if told["event"] == "roll" and fault["t"] < told["t"] <= put_right["t"]]


def test_no_verdict_is_given_on_a_hand(said: list[dict[str, Any]]) -> None:
    pictures = json.loads((FILM / "game.json").read_text(encoding="utf-8"))["frames"]
    brief = [(shown["t"], shown["t"] + shown["hold"]) for shown in pictures if shown["hold"] < 1]
    verdicts = [told for told in said if told["event"] == "verdict"]
    on_hands = [told for told in verdicts if any(start + 1e-6 < told["t"] < end - 1e-6 for start, end in brief)]
    assert on_hands
    assert all((told["finding"], told["cause"]) == ("unreadable", "hand") for told in on_hands)


def test_the_output_is_in_order_of_time_and_is_json(said: list[dict[str, Any]]) -> None:
    times = [told["t"] for told in said]
    assert times == sorted(times)
    assert json.loads(json.dumps(said)) == said


def written(folder: Path, text: str) -> Path:
    (folder / "game.json").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_without_a_game_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=rf"no recorded game in {tmp_path}: game\.json cannot be read"):
        Recording.load(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"frames": [], "events": []}',
        '{"frames": [{"file": "0000.jpg"}], "events": []}',
        '{"frames": [{"file": "0000.jpg", "t": "soon", "hold": 1}], "events": []}',
        '{"frames": [{"file": "0000.jpg", "t": 0, "hold": 1}], "events": [{"t": 0, "event": "roll"}]}',
        '{"frames": [{"file": "0000.jpg", "t": 0, "hold": 1}], "events": [{"event": "setup"}]}',
    ],
)
def test_an_invalid_game_file_is_named_with_its_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReplayError, match=r"game\.json is not a recorded game: "):
        Recording.load(written(tmp_path, text))


@pytest.mark.parametrize(
    "event",
    [
        {"t": 0.1, "event": "roll", "player": "green", "dice": [6, 1]},
        {"t": 0.1, "event": "roll", "player": "white", "dice": [7, 1]},
        {"t": 0.1, "event": "roll", "player": "white"},
        {"t": 0.1, "event": "done"},
    ],
)
def test_an_unknown_event_is_quoted(tmp_path: Path, event: dict[str, Any]) -> None:
    game = json.loads((FILM / "game.json").read_text(encoding="utf-8"))
    game["frames"] = [{**game["frames"][0], "hold": 0.1}]
    game["events"] = [game["events"][0], event]
    (tmp_path / "0000.jpg").write_bytes((FILM / "0000.jpg").read_bytes())
    with pytest.raises(ReplayError, match=f'"event": "{event["event"]}"'):
        replayed(written(tmp_path, json.dumps(game)))
