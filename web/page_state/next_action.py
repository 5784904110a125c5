"""The next action: one button with a changing label, or the answers to a double or proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import Side
from companion.dice import DiceName
from companion.game import PLAYING, Phase
from companion.interface import ActionKind, Light
from web.page_state.match import buttons

if TYPE_CHECKING:
    from companion.interface import ProposalView, Snapshot
    from web.texts import PageTexts

ANSWERS = (ActionKind.TAKE, ActionKind.PASS, ActionKind.BEAVER, ActionKind.BEGIN)
"""Actions shown instead of Roll, which has no effect while one of them is possible."""
REFUSALS = (ActionKind.PASS, ActionKind.BEAVER)
READY = (Light.BLUE, Light.GREEN)
"""Status lights with which Roll has an effect; after a game, only once the starting position is set up."""
ROLL, HINT = "Roll", "Hint"
"""Names of the panel's buttons, the same in every language."""
ON_PANEL = {ActionKind.TAKE: ROLL, ActionKind.PASS: HINT}
"""The panel's buttons for the answers to a double; Hint has to be tapped twice."""


def next_actions(snapshot: Snapshot, words: PageTexts) -> list[dict[str, Any]]:
    """The next action's buttons, first the one to tap: `{"label", "own", "tap", "path", "fields", "player", "main"}`.

    `own` is the label on that player's own screen; `tap`: the panel's button that does the same, None if the label is
    its name or there is none; `player`: whose button it is, None for anybody's; `main`: it is the one to be tapped now.
    Buttons to agree also have `done`: this player has agreed. Empty in a dispute, where the rulings are the choices.
    """
    found, opponent = _actions(snapshot, words), snapshot.opponent
    if opponent is None or (snapshot.phase not in PLAYING and snapshot.proposal is None):
        return found
    return [one for one in found if one["player"] is not opponent]


def _actions(snapshot: Snapshot, words: PageTexts) -> list[dict[str, Any]]:
    if snapshot.proposal is not None:
        return _answers(snapshot.proposal, words)
    if snapshot.dispute is not None:
        return []
    answers = [action for action in snapshot.actions if action.kind in ANSWERS]
    if not answers:
        return [_roll(snapshot, words)]
    named, owns = (buttons(answers, snapshot.match, words, own=own) for own in (False, True))
    return [
        _button(
            one["label"],
            own["label"],
            one["path"],
            one["fields"],
            action.player,
            main=action.kind not in REFUSALS,
            tap=ON_PANEL.get(action.kind),
        )
        for action, one, own in zip(answers, named, owns, strict=True)  # none of ANSWERS has several buttons
    ]


def _roll(snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
    key = _roll_key(snapshot)
    label, tap = words(key), None if key == "next.roll" else ROLL
    ready = snapshot.light in READY and snapshot.phase is not Phase.OVER
    return _button(label, label, "/tap/roll", {}, _rolls_next(snapshot), main=ready, tap=tap)


def _roll_key(snapshot: Snapshot) -> str:
    """Key of the label of Roll, which says what a tap does now."""
    if snapshot.phase is Phase.OVER or (snapshot.phase is Phase.OPENING and snapshot.ended is not None):
        won = snapshot.match is not None and snapshot.match.winner is not None
        return "next.match" if won else "next.game"
    if snapshot.game != "checkers":
        return "next.done" if _plays_against_boardside(snapshot) else "next.roll"
    return "next.done" if snapshot.phase is Phase.TO_MOVE else "next.begin"


def _rolls_next(snapshot: Snapshot) -> Side | None:
    """The player who should tap Roll; None: either."""
    if snapshot.game == "checkers" or snapshot.on_roll is None:
        return None
    if snapshot.phase is Phase.TO_MOVE:
        return snapshot.on_roll if _plays_against_boardside(snapshot) else snapshot.on_roll.opponent
    if snapshot.phase is not Phase.TO_ROLL:
        return None
    thrown = snapshot.fairness is not None and snapshot.fairness.source == DiceName.CAMERA
    return snapshot.on_roll.opponent if thrown and snapshot.on_roll is snapshot.opponent else snapshot.on_roll


def _plays_against_boardside(snapshot: Snapshot) -> bool:
    """Whether a person is to move and Boardside rolls next."""
    mover = snapshot.on_roll if snapshot.phase is Phase.TO_MOVE else None
    return mover is not None and mover.opponent is snapshot.opponent


def _answers(proposal: ProposalView, words: PageTexts) -> list[dict[str, Any]]:
    """Buttons to agree and to decline; an offer is accepted or refused by one player, or withdrawn by the other."""
    yes, no = ("/agree", {"proposal": proposal.number}), ("/decline", {"proposal": proposal.number})
    if proposal.offer is not None and proposal.by is not None:
        by, asked = proposal.by, proposal.by.opponent
        said = (("accepts", asked, yes, ROLL), ("refuses", asked, no, HINT), ("withdraws", by, no, None))
        return [
            _answer(words(f"offer.{what}", player=who), who, post, main=tap is ROLL, tap=tap)
            for what, who, post, tap in said
        ]
    agree = [
        {
            **_answer(words("proposal.agrees", player=side), side, yes, own=words("proposal.agree"), tap=ROLL),
            "done": side in proposal.agreed,
        }
        for side in Side
    ]
    return [*agree, _button(words("proposal.no"), words("proposal.no"), *no, None, main=False, tap=HINT)]


def _answer(
    label: str,
    player: Side,
    post: tuple[str, dict[str, Any]],
    *,
    own: str | None = None,
    main: bool = True,
    tap: str | None = None,
) -> dict[str, Any]:
    path, fields = post
    return _button(label, own or label, path, {**fields, "player": player}, player, main=main, tap=tap)


def _button(
    label: str, own: str, path: str, fields: dict[str, Any], player: Side | None, *, main: bool, tap: str | None = None
) -> dict[str, Any]:
    return {"label": label, "own": own, "tap": tap, "path": path, "fields": fields, "player": player, "main": main}
