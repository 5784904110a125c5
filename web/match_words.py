"""The match on the page: what is played for, the cube, and the buttons for what the players agree between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.interface import ActionKind
from web.words import PLAYERS, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.game import Match
    from companion.hints import CubeAdvice
    from companion.interface import PossibleAction


def match_state(match: Match | None) -> dict[str, Any] | None:
    """`{"terms", "cube", "no_hints"}` in words; None where nothing is known of a match."""
    if match is None:
        return None
    return {"terms": _terms(match), "cube": _cube(match), "no_hints": bool(match.length)}


def buttons(deeds: Sequence[PossibleAction], match: Match | None) -> list[dict[str, Any]]:
    """One button a deed: `{"label", "path", "fields", "ends", "question"}`.

    `path` and `fields` are what it posts; `ends`: it belongs to the ends of the game; `question` is asked first, empty
    where nothing need be asked.
    """
    return [button for deed in deeds for button in _buttons_of(deed, 1 if match is None else match.cube)]


def cube_advice(cube: CubeAdvice) -> dict[str, Any]:
    """What to do with the cube: `{"words", "rows"}`, each row with its equity for whoever doubles."""
    doubler, taker = PLAYERS[cube.side], PLAYERS[cube.side.opponent]
    answer = f"{taker} {'takes' if cube.takes else 'passes'}"
    if cube.doubles:
        words = f"{doubler} doubles, {answer}."
    elif cube.takes:
        words = f"{doubler} does not double; if doubled, {answer}."
    else:
        words = f"{doubler} plays on: too good to double, as {answer}."
    equities = (("No double", cube.no_double), ("Double, take", cube.double_take), ("Double, pass", 1.0))
    return {"words": words, "rows": [{"what": what, "equity": signed(equity)} for what, equity in equities]}


def _terms(match: Match) -> str:
    if match.length:
        points = "1 point" if match.length == 1 else f"{match.length} points"
        return f"Match to {points}" + (", Crawford game" if match.is_crawford_game else "")
    if not match.stake:
        return ""
    balance = match.balance
    ahead = f", {PLAYERS['white' if balance > 0 else 'black']} is up {abs(balance):g}" if balance else ""
    rules = ", Jacoby" * match.jacoby + ", beavers" * match.beavers
    return f"At {match.stake:g} a point{rules}{ahead}"


def _cube(match: Match) -> str:
    if not match.has_cube or match.cube == 1 or match.owner is None:
        return ""
    return f"Cube at {match.cube}, {PLAYERS[match.owner]}’s"


def _buttons_of(deed: PossibleAction, cube: int) -> Iterator[dict[str, Any]]:
    player = deed.player
    name = "" if player is None else PLAYERS[player]
    match deed.kind:
        case ActionKind.DOUBLE:
            yield _button(f"{name} doubles to {2 * cube}", "/cube", {"deed": deed.kind, "player": player})
        case ActionKind.TAKE:
            yield _button(f"{name} takes at {2 * cube}", "/cube", {"deed": deed.kind, "player": player})
        case ActionKind.BEAVER:
            yield _button(f"{name} beavers to {4 * cube}", "/cube", {"deed": deed.kind, "player": player})
        case ActionKind.PASS:
            yield _button(f"{name} passes", "/cube", {"deed": deed.kind, "player": player})
        case ActionKind.BEGIN:
            yield _button(f"{name} begins", "/tap/roll", {"player": player})
        case ActionKind.RESIGN:
            for level in deed.levels:
                label = f"{name} resigns" + _as_what(level, deed.levels)
                yield _button(label, "/resign", {"player": player, "kind": level}, f"{label}: is the game to end so?")
        case ActionKind.AGREE_DRAW:
            yield _button("Agree on a draw", "/draw", {"how": "agreed"}, "Do both players agree on a draw?")
        case ActionKind.CLAIM_DRAW:
            yield _button("Claim a draw", "/draw", {"how": "claimed"}, "Is the game to end as a draw?")


def _as_what(level: str, levels: Sequence[str]) -> str:
    """The level of a resignation; empty where the sheet has only one."""
    return "" if len(levels) == 1 else f" a {level}" + " game" * (level == "single")


def _button(label: str, path: str, fields: dict[str, Any], question: str = "") -> dict[str, Any]:
    return {"label": label, "path": path, "fields": fields, "ends": bool(question), "question": question}
