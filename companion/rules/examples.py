"""The `[[example]]` blocks of a sheet: what they claim is what its rules must say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BoardsideError, Dice, Side
from companion.rules.registry import ruleset_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.rules.ruleset import Ruleset
    from companion.rules.sheet import Sheet


class ExampleError(BoardsideError):
    """An example does not hold, or cannot be understood."""


def check_examples(sheet: Sheet) -> int:
    """Run a sheet's examples; how many there were. Raises ExampleError for the first that does not hold."""
    rules = ruleset_for(sheet)
    for number, example in enumerate(sheet.examples, 1):
        try:
            wrong = _mismatch(rules, example)
        except (BoardsideError, ValueError) as error:
            raise ExampleError(f"sheet {sheet.name!r}, example {number}: {error}") from error
        if wrong:
            says = example.get("says", "")
            raise ExampleError(f"sheet {sheet.name!r}, example {number} ({says}): {wrong}")
    return len(sheet.examples)


def _mismatch(rules: Ruleset[Any], example: Mapping[str, Any]) -> str | None:
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
    wanted = (example.get("finding"), example.get("reason"))
    got = (verdict.finding.value, verdict.reason and verdict.reason.value)
    return None if wanted == got else f"expected {wanted}, got {got}"


def _score_mismatch(rules: Ruleset[Any], example: Mapping[str, Any]) -> str | None:
    winner = _side(example, "winner")
    outcome = rules.won_by(_position(rules, example, winner), winner)
    score = rules.score(outcome, cube=example.get("cube", 1), for_stakes=bool(example.get("stake")))
    wanted = (example.get("points"), example.get("kind"))
    got = (score.points, score.kind)
    return None if wanted == got else f"expected {wanted}, got {got}"


def _turn(rules: Ruleset[Any], example: Mapping[str, Any]) -> tuple[Any, Side]:
    """The position, the starting one where none is given, and who is to move; a FEN says that itself."""
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
        raise ExampleError(f"{key} = {value!r}, expected 'white' or 'black'")
    return Side(value)
