"""The match on the page: what is played for, the cube, and the buttons for what the players agree between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.model import Side
from web.words import PLAYERS, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def match_state(match: dict[str, Any] | None) -> dict[str, Any] | None:
    """`{"terms", "cube", "no_hints"}` in words; None where nothing is known of a match."""
    if match is None:
        return None
    return {"terms": _terms(match), "cube": _cube(match), "no_hints": bool(match["length"])}


def buttons(deeds: Sequence[dict[str, Any]], match: dict[str, Any] | None) -> list[dict[str, Any]]:
    """One button a deed: `{"label", "path", "fields", "ends", "question"}`.

    `path` and `fields` are what it posts; `ends`: it belongs to the ends of the game; `question` is asked first, empty
    where nothing need be asked.
    """
    return [button for deed in deeds for button in _buttons_of(deed, match or {})]


def cube_advice(cube: dict[str, Any]) -> dict[str, Any]:
    """What to do with the cube: `{"words", "rows"}`, each row with its equity for whoever doubles."""
    doubler, taker = PLAYERS[cube["player"]], PLAYERS[Side(cube["player"]).opponent]
    answer = f"{taker} {'takes' if cube['takes'] else 'passes'}"
    if cube["doubles"]:
        words = f"{doubler} doubles, {answer}."
    elif cube["takes"]:
        words = f"{doubler} does not double; if doubled, {answer}."
    else:
        words = f"{doubler} plays on: too good to double, as {answer}."
    equities = (("No double", cube["no_double"]), ("Double, take", cube["double_take"]), ("Double, pass", 1.0))
    return {"words": words, "rows": [{"what": what, "equity": signed(equity)} for what, equity in equities]}


def _terms(match: dict[str, Any]) -> str:
    if match["length"]:
        points = "1 point" if match["length"] == 1 else f"{match['length']} points"
        return f"Match to {points}" + (", Crawford game" if match["crawford"] else "")
    if not match["stake"]:
        return ""
    balance = match["balance"]
    ahead = f", {PLAYERS['white' if balance > 0 else 'black']} is up {abs(balance):g}" if balance else ""
    rules = ", Jacoby" * match["jacoby"] + ", beavers" * bool(match.get("beavers"))
    return f"At {match['stake']:g} a point{rules}{ahead}"


def _cube(match: dict[str, Any]) -> str:
    if not match["has_cube"] or match["cube"] == 1:
        return ""
    return f"Cube at {match['cube']}, {PLAYERS[match['owner']]}’s"


def _buttons_of(deed: dict[str, Any], match: dict[str, Any]) -> Iterator[dict[str, Any]]:
    player = deed["player"]
    name = PLAYERS.get(player or "", "")
    match deed["deed"]:
        case "double" | "take" | "beaver" | "pass" as cube_deed:
            label = {"double": "doubles to", "take": "takes at", "beaver": "beavers to", "pass": "passes"}[cube_deed]
            number = "" if cube_deed == "pass" else f" {(4 if cube_deed == 'beaver' else 2) * match.get('cube', 1)}"
            yield _button(f"{name} {label}{number}", "/cube", {"deed": cube_deed, "player": player})
        case "begin":
            yield _button(f"{name} begins", "/tap/roll", {"player": player})
        case "resign":
            for kind in deed["kinds"]:
                label = f"{name} resigns" + (
                    "" if len(deed["kinds"]) == 1 else f" a {kind}" + " game" * (kind == "single")
                )
                yield _button(label, "/resign", {"player": player, "kind": kind}, f"{label}: is the game to end so?")
        case "agree_draw":
            yield _button("Agree on a draw", "/draw", {"how": "agreed"}, "Do both players agree on a draw?")
        case "claim_draw":
            yield _button("Claim a draw", "/draw", {"how": "claimed"}, "Is the game to end as a draw?")


def _button(label: str, path: str, fields: dict[str, Any], question: str = "") -> dict[str, Any]:
    return {"label": label, "path": path, "fields": fields, "ends": bool(question), "question": question}
