"""Checks that the rules of a sheet agree with its `[[example]]` blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Dice, Side, one_line, quoted
from companion.rules.registry import ruleset_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.rules.ruleset import Ruleset
    from companion.rules.sheet import Sheet


MOST_SHOWN = 100
"""Letters of an example's `says` in a message."""


class ExampleError(BoardsideError):
    """An example does not agree with the rules, or cannot be read."""


def check_examples(sheet: Sheet) -> int:
    """Check a sheet's examples and return their number. Raises ExampleError for the first that is wrong."""
    rules = ruleset_for(sheet)
    for number, example in enumerate(sheet.examples, 1):
        try:
            mismatch = _mismatch(rules, example)
        except (BoardsideError, ValueError, TypeError) as error:  # TypeError: a field of another kind than expected
            raise ExampleError(f"sheet {sheet.name!r}, example {number}: {error}") from error
        if mismatch:
            says = example.get("says", "")
            raise ExampleError(
                f"sheet {sheet.name!r}, example {number} ({one_line(str(says), MOST_SHOWN)}): {mismatch}"
            )
    return len(sheet.examples)


def _mismatch(rules: Ruleset[Any], example: Mapping[str, Any]) -> str | None:
    """What differs from the example's expectation; None where it holds."""
    if "winner" in example:
        return _score_mismatch(rules, example)
    position, side = _turn(rules, example)
    seen = (
        rules.board_from_json(example["after"], side)
        if "after" in example
        else rules.board_after(position, side, str(example.get("play", "")))
    )
    dice = Dice(tuple(example["dice"])) if "dice" in example else None
    verdict = rules.explain(position, side, dice, seen, done=example.get("done", True))
    expected = (example.get("finding"), example.get("reason"))
    got = (verdict.finding.value, verdict.reason and verdict.reason.value)
    return None if expected == got else f"expected {quoted(expected)}, got {got}"


def _score_mismatch(rules: Ruleset[Any], example: Mapping[str, Any]) -> str | None:
    winner = _side(example, "winner")
    outcome = rules.won_by(_position(rules, example, winner), winner)
    score = rules.score(outcome, cube=example.get("cube", 1), for_stakes=bool(example.get("stake")))
    expected = (example.get("points"), example.get("kind"))
    got = (score.points, score.kind)
    return None if expected == got else f"expected {quoted(expected)}, got {got}"


def _turn(rules: Ruleset[Any], example: Mapping[str, Any]) -> tuple[Any, Side]:
    """The position, by default the starting one, and the player to move, which a FEN contains."""
    if rules.sheet.game == "checkers":
        position = rules.from_json(example["fen"]) if "fen" in example else rules.start()
        return position, position.to_move
    side = _side(example, "player")
    return _position(rules, example, side), side


def _position(rules: Ruleset[Any], example: Mapping[str, Any], side: Side) -> Any:
    return rules.from_json(example["position"], side) if "position" in example else rules.start()


def _side(example: Mapping[str, Any], key: str) -> Side:
    value = example.get(key)
    if value not in ("white", "black"):
        raise ExampleError(f"{key} = {quoted(value)}, expected 'white' or 'black'")
    return Side(value)
