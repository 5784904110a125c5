"""Texts of the pages of recorded matches, in English by key."""

from __future__ import annotations

from companion.texts import marked

HISTORY_TEXTS = {
    "matches.players": marked("{first} – {second}"),
    "matches.going_on": marked("not finished"),
    "matches.won": marked("{player} has won"),
    "matches.series": marked("series of games"),
    "matches.date": marked("{value} is no date such as {form}."),
    "matches.found": marked("{first} to {last} of {number}"),
    "review.game": marked("Game {number}"),
    "review.start": marked("The game begins"),
    "review.opening": marked("{first} rolls {white}, {last} rolls {black}: {player} begins"),
    "review.tie": marked("Both players roll {number}, and roll again"),
    "review.lot": marked("The first moves are drawn by lot: {play}"),
    "review.turn": marked("{player} {dice}: {play}"),
    "review.move": marked("{player}: {play}"),
    "review.to_play": marked("{player} to play {dice}"),
    "review.dispute": marked("Dispute: {player} to play {dice}"),
    "review.dispute.bare": marked("Dispute"),
    "review.ruling": marked("Ruling: {ruling}"),
    "review.reading": marked("Both players said what stands there: {reading}"),
    "review.takeback": marked("The last turn is taken back"),
    "review.correction": marked("The players set the position"),
    "review.score": marked("Score: {first} {white}, {last} {black}"),
    "review.judged": marked("The picture that the referee judged by"),
    "review.before": marked("Before the turn"),
    "review.after": marked("As it stood"),
    "delete.waiting": marked("{player} asks for it; it is done once {other} asks for it too."),
    "review.trouble": marked("The rest of this match cannot be shown: {why}"),
}
"""By key."""
