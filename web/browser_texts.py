"""What the page's scripts say in the browser; the page carries these texts in its language as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.texts import marked

if TYPE_CHECKING:
    from web.texts import PageTexts

BROWSER_TEXTS = {
    "board.none": marked("No board read yet"),
    "board.nothing": marked("Nothing yet"),
    "board.entered": marked("The position as entered"),
    "tray.off": marked("borne off"),
    "tray.captured": marked("captured"),
    "cell.bar": marked("bar"),
    "cell.beside": marked("beside the board"),
    "cell.point": marked("point {number}"),
    "cell.square": marked("square {number}"),
    "cell.light": marked("light square"),
    "checkers.empty": marked("empty"),
    "checkers.white.one": marked("1 white"),
    "checkers.white": marked("{number} white"),
    "checkers.black.one": marked("1 black"),
    "checkers.black": marked("{number} black"),
    "checkers.both": marked("{first} and {last}"),
    "checkers.white.man": marked("white man"),
    "checkers.white.king": marked("white king"),
    "checkers.black.man": marked("black man"),
    "checkers.black.king": marked("black king"),
    "hand.at": marked("{place}, {what}"),
    "hand.dropped": marked("Dropped on {place}"),
    "hand.empty": marked("{place} is empty"),
    "hand.white": marked("Picked up a white checker from {place}"),
    "hand.black": marked("Picked up a black checker from {place}"),
    "hand.back": marked("Put back"),
    "clock.delay": marked("delay {seconds}"),
    "clock.start": marked("Start the clock"),
    "clock.stop": marked("Stop the clock"),
    "correction.white.few": marked("White has {found} of {total} checkers: {number} too few."),
    "correction.white.many": marked("White has {found} of {total} checkers: {number} too many."),
    "correction.black.few": marked("Black has {found} of {total} checkers: {number} too few."),
    "correction.black.many": marked("Black has {found} of {total} checkers: {number} too many."),
    "correction.complete": marked("No checker is missing."),
    "correction.seen": marked("As the camera sees it"),
    "correction.otherwise": marked("Otherwise"),
    "correction.choose": marked("Choose a place …"),
    "corner.0": marked("Corner at White's bottom left"),
    "corner.1": marked("Corner at White's bottom right"),
    "corner.2": marked("Corner at White's top right"),
    "corner.3": marked("Corner at White's top left"),
    "dice.lost": marked("It was lost, so those rolls cannot be checked."),
    "dice.missing": marked("Choose the numbers that were rolled."),
    "dice.shown": marked("Dice: {dice}"),
    "dice.none": marked("No dice"),
    "hints.by": marked("by {engine}"),
    "lamp.off": marked("Status light: off"),
    "lamp.amber": marked("Status light: amber"),
    "lamp.green": marked("Status light: green"),
    "lamp.red": marked("Status light: red"),
    "lamp.blue": marked("Status light: blue"),
    "score": marked("White {white} : {black} Black"),
    "link.live": marked("live"),
    "link.lost": marked("reconnecting"),
    "link.trouble": marked("No connection to Boardside: what is shown may be old. Trying again…"),
    "server.silent": marked("Boardside does not answer. Is it switched on, and is this device in its network?"),
    "server.answered": marked("Boardside answered {status}."),
    "proposal.agree": marked("I agree"),
    "proposal.white": marked("White agrees"),
    "proposal.black": marked("Black agrees"),
    "proposal.no": marked("No"),
    "dispute.silent": marked("The referee had said nothing"),
    "dispute.no_play": marked("There is no legal play"),
    "dispute.before": marked("Before the turn"),
    "dispute.stood": marked("As it stood"),
    "dispute.dispute": marked("Dispute"),
    "codes.copy": marked("Copy {notation}"),
    "codes.copied": marked("{notation} copied"),
    "codes.failed": marked("Copying failed: mark the text and copy it by hand."),
}
"""By the key that the scripts use; `{braces}` are filled in the browser."""


def browser_texts(words: PageTexts) -> dict[str, str]:
    """`BROWSER_TEXTS` in the language of `words`."""
    return {key: words.translated(text) for key, text in BROWSER_TEXTS.items()}
