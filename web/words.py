"""The page's words for findings, reasons, causes and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Cause, Finding, Side
from companion.game import Phase
from companion.interface import Light

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game import Ended
    from companion.interface import Snapshot

PLAYERS = {Side.WHITE.value: "White", Side.BLACK.value: "Black"}

FINDINGS = {
    Finding.LEGAL: "Legal play",
    Finding.NOT_MOVED: "Not moved yet",
    Finding.UNFINISHED: "Not finished yet",
    Finding.ILLEGAL: "Not a legal play",
    Finding.AMBIGUOUS: "Not sure what lies there",
    Finding.UNREADABLE: "The board cannot be read",
}

REASONS = {
    "wrong_player_moved": "The other player's checkers moved",
    "bar_first": "Checkers on the bar come in first",
    "moved_backwards": "A checker went backwards",
    "not_all_home": "Not all checkers are home yet",
    "bear_off_higher_first": "A higher point comes first",
    "stack_limit": "Too many checkers on one point",
    "blocked_point": "The point is held",
    "blocked_on_the_way": "Every way in between is blocked",
    "must_play_larger_die": "The larger number must be played",
    "could_play_more": "More of the dice can be played",
    "too_many_moves": "More was moved than was rolled",
    "wrong_distance": "The dice do not give that distance",
    "hit_checker_not_on_bar": "The hit checker belongs on the bar",
    "checker_missing": "A checker is missing",
    "checker_extra": "There is a checker too many",
    "light_square": "A piece stands on a light square",
    "not_diagonal": "Pieces move diagonally",
    "man_moved_backwards": "A man went backwards",
    "jumped_own": "A piece of one's own was jumped",
    "nothing_to_jump": "There was nothing to jump",
    "too_far": "Too far",
    "must_capture": "A capture is compulsory",
    "must_finish_jump": "The jump goes on",
    "turn_ended_on_crowning": "Crowning ends the turn",
    "captured_not_removed": "The captured piece still stands",
    "removed_wrongly": "The wrong piece was taken away",
    "two_pieces_moved": "Two pieces moved",
    "piece_missing": "A piece is missing",
    "piece_extra": "There is a piece too many",
}

CAUSES = {
    Cause.HAND: "A hand is over the board",
    Cause.DARK: "It is too dark",
    Cause.GLARE: "Something shines too brightly",
    Cause.BLUR: "The picture is not sharp",
    Cause.MOVED_CAMERA: "The camera or the board was moved",
    Cause.UNKNOWN: "Something is not clear",
}

LIGHTS = {
    Light.OFF: "Off",
    Light.AMBER: "Turn not finished",
    Light.GREEN: "Legal play",
    Light.RED: "Not a legal play",
    Light.BLUE: "Ready for Roll",
}


NOTES = {
    "condoned": "Stood once the opponent rolled",
    "stands": "Stands by agreement",
    "overruled": "The referee was overruled",
    "as agreed": "As both players agreed",
}
"""What the history notes of a turn that was no ordinary one."""


def headline(snapshot: Snapshot) -> str:
    """What happens now, in a few words."""
    player = PLAYERS.get(snapshot.on_roll or "", "The player on roll")
    dice = "-".join(map(str, snapshot.dice or ()))
    offered_by = snapshot.offered_by
    if offered_by is not None and snapshot.phase is Phase.TO_ROLL:
        return f"{PLAYERS[offered_by.opponent]} to take or pass"
    return {
        Phase.WAITING: "Waiting for the board",
        Phase.OPENING: "Ready to begin" if snapshot.game == "checkers" else "Ready for the opening roll",
        Phase.TO_ROLL: f"{player} to roll",
        Phase.TO_MOVE: f"{player} to play {dice}".rstrip(),
        Phase.OVER: _game_over(snapshot.ended),
    }[snapshot.phase]


def advice(snapshot: Snapshot) -> str:
    """What to do now, in a sentence; empty where the verdict says it."""
    opponent = PLAYERS[snapshot.on_roll.opponent] if snapshot.on_roll else "The opponent"
    if snapshot.phase is Phase.TO_MOVE:
        legal = snapshot.verdict is not None and snapshot.verdict.finding is Finding.LEGAL
        accept = (
            "Tap Roll: the turn passes." if snapshot.game == "checkers" else f"{opponent} taps Roll to accept and roll."
        )
        return accept if legal else ""
    return {
        Phase.WAITING: "Set up the starting position where the camera sees the whole board.",
        Phase.OPENING: "Tap Roll to begin."
        if snapshot.game == "checkers"
        else "Tap Roll: one die for each player, and the higher begins with both numbers.",
        Phase.TO_ROLL: "Tap Roll.",
        Phase.OVER: "Set up the starting position again, then tap Roll for the next game.",
    }[snapshot.phase]


def _game_over(ended: Ended | None) -> str:
    if ended is None:
        return "The game is over"
    if ended.winner is not None:
        return f"{PLAYERS[ended.winner]} has won"
    return "The game was left unfinished" if ended.kind == "unfinished" else "The game is drawn"


def light_words(snapshot: Snapshot) -> str:
    """The status light in words."""
    finding = None if snapshot.verdict is None else snapshot.verdict.finding
    if snapshot.light is Light.RED and snapshot.storage:
        return "Nothing can be recorded"
    if snapshot.light is Light.RED and snapshot.camera:
        return "The camera does not see the board"
    if snapshot.light is Light.RED and finding in (Finding.UNREADABLE, Finding.AMBIGUOUS):
        return FINDINGS[finding]
    if snapshot.light is Light.AMBER and (snapshot.proposal or snapshot.dispute):
        return "The players have to agree"
    if snapshot.light is Light.AMBER and snapshot.offered_by is not None:
        return "A double waits for its answer"
    if snapshot.light is Light.AMBER and finding is Finding.UNREADABLE:
        return "Something is over the board"
    return LIGHTS[snapshot.light]


def reason_words(code: str) -> str:
    """A reason code in words; a code not known here with spaces for its underscores."""
    return REASONS.get(code) or code.replace("_", " ").capitalize()


def note_words(note: str) -> str:
    """What the history notes of a turn; "stands: too_far" is "Let stand: too far"."""
    how, _, code = note.partition(": ")
    why = reason_words(code) if code else ""
    words = NOTES.get(how, how)
    return f"{words}: {why[0].lower()}{why[1:]}" if why else words


def board_words(points: Sequence[Sequence[int]], bar: Sequence[int], off: Sequence[int] | None) -> str:
    """A position for those who listen: each player's checkers by the player's own numbers."""
    sentences = []
    for side, name in enumerate(PLAYERS.values()):
        numbers = range(24, 0, -1)
        counted = [(n, points[n - 1 if side == 0 else 24 - n][side]) for n in numbers]
        parts = [f"{count} on {n}" for n, count in counted if count]
        parts += [f"{bar[side]} on the bar"] * bool(bar[side])
        parts += [f"{count} borne off" for count in (off or (0, 0))[side : side + 1] if count]
        sentences.append(f"{name}: {', '.join(parts) or 'no checkers'}.")
    return " ".join(sentences)


def signed(value: float | None, sign: str = "+") -> str:
    """An equity to three places; a dash where there is none."""
    return "–" if value is None else f"{value:{sign}.3f}".replace("-", "−")
