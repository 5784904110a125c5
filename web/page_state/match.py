"""The match on the page: its terms, cube and clock, and buttons for what the players agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.interface import ActionKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.game import Match
    from companion.hints import CubeAdvice
    from companion.interface import ClockView, PossibleAction
    from web.texts import PageTexts


def match_state(match: Match | None, words: PageTexts) -> dict[str, Any] | None:
    """`{"terms", "cube", "no_hints"}` in words; None without a match."""
    if match is None:
        return None
    return {"terms": _terms(match, words), "cube": cube_words(match, words), "no_hints": bool(match.length)}


def buttons(
    actions: Sequence[PossibleAction], match: Match | None, words: PageTexts, *, own: bool = False
) -> list[dict[str, Any]]:
    """One button for each action: `{"label", "path", "fields", "ends", "question"}`.

    `path` and `fields` are what it posts; `ends`: it ends the game; `question`: to be confirmed first, if not empty.
    `own`: labels for the player's own screen, without the player's name.
    """
    cube = 1 if match is None else match.cube
    return [button for action in actions for button in _buttons_of(action, cube, words, ".own" * own)]


def cube_advice(cube: CubeAdvice, words: PageTexts) -> dict[str, Any]:
    """Advice on the cube: `{"words", "rows"}`, each row with its equity for the doubler."""
    if cube.doubles:
        advice = "cube.double_take" if cube.takes else "cube.double_pass"
    else:
        advice = "cube.no_double" if cube.takes else "cube.too_good"
    equities = (("no_double", cube.no_double), ("double_take", cube.double_take), ("double_pass", 1.0))
    return {
        "words": words(advice, doubler=cube.side, taker=cube.side.opponent),
        "rows": [{"what": words(f"cube.row.{row}"), "equity": signed(equity, words)} for row, equity in equities],
    }


def signed(value: float | None, words: PageTexts, sign: str = "+") -> str:
    """An equity to three places; a dash where there is none."""
    return "–" if value is None else words.decimal(f"{value:{sign}.3f}".replace("-", "−"))


def clock_state(clock: ClockView | None, words: PageTexts) -> dict[str, Any] | None:
    """The chess clock of a snapshot; None without one. The page counts on from there by itself."""
    if clock is None:
        return None
    return {
        "players": [
            {"player": side, "reserve_s": reserve_s, "delay_s": delay_s, "fallen": side in clock.fallen}
            for side, reserve_s, delay_s in zip(Side, clock.reserve_s, clock.delay_s, strict=True)
        ],
        "running": clock.running,
        "paused": clock.paused,
        "words": clock_words(clock, words),
    }


def clock_words(clock: ClockView, words: PageTexts) -> str:
    """Fallen flags, and that the clock is stopped; else empty."""
    fallen = [words("clock.fallen", player=side) for side in clock.fallen]
    return " ".join([*fallen, *([words("clock.stopped")] if clock.paused else [])])


def _terms(match: Match, words: PageTexts) -> str:
    if match.length:
        terms = words.count("match.length", match.length)
        if match.colours_changed:
            return words("match.colours", terms=terms)
        if not match.crawford and match.length > 1:
            return words("match.no_crawford", terms=terms)
        return words("match.crawford", terms=terms) if match.has_cube and match.is_crawford_game else terms
    if not match.stake:
        return ""
    terms = words("match.stake", stake=words.decimal(f"{match.stake:g}"))
    keys = ((match.jacoby, "jacoby"), (match.beavers, "beavers"), (match.automatic_doubles, "automatic"))
    for agreed, key in keys:
        terms = words(f"match.{key}", terms=terms) if agreed else terms
    if not match.balance:
        return terms
    ahead = Side.WHITE if match.balance > 0 else Side.BLACK
    return words("match.ahead", terms=terms, player=ahead, points=words.decimal(f"{abs(match.balance):g}"))


def cube_words(match: Match, words: PageTexts) -> str:
    """The cube's value and owner; empty without a cube, or at 1."""
    if not match.has_cube or match.cube == 1:
        return ""
    if match.owner is None:
        return words("cube.middle", cube=match.cube)
    return words("cube.owned", cube=match.cube, player=match.owner)


def _buttons_of(action: PossibleAction, cube: int, words: PageTexts, own: str) -> Iterator[dict[str, Any]]:
    player, kind = action.player, action.kind
    match kind:
        case ActionKind.DOUBLE | ActionKind.TAKE | ActionKind.BEAVER | ActionKind.PASS:
            stands_at = 4 * cube if kind is ActionKind.BEAVER else 2 * cube
            label = words(f"deed.{kind}{own}", player=player, cube=stands_at)
            yield _button(label, "/cube", {"deed": kind, "player": player})
        case ActionKind.BEGIN:
            yield _button(words(f"deed.begin{own}", player=player), "/tap/roll", {"player": player})
        case ActionKind.RESIGN:
            for level in action.levels:
                label = words("deed.resign" if len(action.levels) == 1 else f"deed.resign.{level}", player=player)
                question = words("deed.offer.question", action=label)
                yield _button(label, "/resign", {"player": player, "kind": level}, question)
        case ActionKind.OFFER_DRAW:
            label = words("deed.offer_draw", player=player)
            question = words("deed.offer.question", action=label)
            yield _button(label, "/draw", {"how": "offered", "player": player}, question)
        case ActionKind.CLAIM_DRAW:
            yield _button(words("deed.claim_draw"), "/draw", {"how": "claimed"}, words("deed.claim_draw.question"))


def _button(label: str, path: str, fields: dict[str, Any], question: str = "") -> dict[str, Any]:
    return {"label": label, "path": path, "fields": fields, "ends": bool(question), "question": question}
