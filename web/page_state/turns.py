"""The list of turns on the page: the present game, and earlier games of the match or evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import with_colours_changed
from companion.game import GameLog, Happening
from companion.interface import result
from web.texts import TEXTS

if TYPE_CHECKING:
    from companion.game import Turn
    from companion.interface import Snapshot
    from web.texts import PageTexts

MOST_ENTRIES = 150
"""Most entries of a game that every state contains; the page requests the rest, as for earlier games."""


def turns_state(snapshot: Snapshot, words: PageTexts) -> dict[str, Any]:
    """`{"history", "game_title", "earlier"}`: this game's newest entries, its title, and earlier games.

    Each of `earlier` is `{"number", "title"}`, the newest first; `game_turns` has its entries.
    """
    log = _log(snapshot)
    earlier = [(one.number, _title(one, _words_of(one, snapshot, words))) for one in reversed(snapshot.earlier)]
    if len(log.entries) > MOST_ENTRIES:
        earlier.insert(0, (log.number, words("turns.all")))
    return {
        "history": [_entry(entry, words) for entry in log.entries[-MOST_ENTRIES:]],
        "game_title": _title(log, words) if log.number > 1 or log.ended is not None else "",
        "earlier": [{"number": number, "title": title} for number, title in earlier],
    }


def game_turns(snapshot: Snapshot, number: int, words: PageTexts) -> list[dict[str, Any]] | None:
    """All entries of game `number` of the match or evening; None if it is not stored."""
    for log in (*snapshot.earlier, _log(snapshot)):
        if log.number == number:
            called = _words_of(log, snapshot, words.on(tiles=snapshot.tiles))
            return [_entry(entry, called) for entry in log.entries]
    return None


def _log(snapshot: Snapshot) -> GameLog:
    return snapshot.log if snapshot.log is not None else GameLog(entries=snapshot.history)


def _words_of(log: GameLog, snapshot: Snapshot, words: PageTexts) -> PageTexts:
    """The texts with the players' names in that game."""
    changed = snapshot.match is not None and snapshot.match.colours_changed is not log.colours_changed
    return words.calling(with_colours_changed(snapshot.names) if changed else snapshot.names)


def _title(log: GameLog, words: PageTexts) -> str:
    """Which game, and how it ended: "Game 2: White wins one point. 3–1"."""
    game = words("turns.game", number=log.number)
    if log.ended is None:
        return game
    white, black = log.score
    return words("words.because", what=game, why=f"{words.rendered(result(log.ended))} {white}–{black}")


def _entry(entry: Turn | Happening, words: PageTexts) -> dict[str, Any]:
    """A turn `{"player", "name", "dice", "play", "note"}`, or an event between turns: `{"player", "words"}`."""
    if isinstance(entry, Happening):
        return {"player": entry.side, "words": words.rendered(entry.what)}
    return {
        "player": entry.side,
        "name": words.player(entry.side),
        "dice": "" if entry.dice is None else str(entry.dice),
        "play": words.play(entry.play) or words("history.no_play"),
        "note": note_words(entry.note, words),
    }


def note_words(note: str, words: PageTexts) -> str:
    """A turn's note in words: "stands: too_far" becomes "Stands by agreement: a piece moved too far"."""
    how, _, code = note.partition(": ")
    if not how:
        return ""
    what = words(key) if (key := f"note.{how}") in TEXTS else how
    return words("words.because", what=what, why=words.reason(code)) if code else what
