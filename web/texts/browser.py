"""Texts that the page's scripts show; the page contains them as JSON in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import Side
from companion.texts import marked

if TYPE_CHECKING:
    from web.texts.page_texts import PageTexts

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
    "checkers.both": marked("{first} and {last}"),
    "hand.at": marked("{place}, {what}"),
    "hand.dropped": marked("Dropped on {place}"),
    "hand.empty": marked("{place} is empty"),
    "hand.back": marked("Put back"),
    "clock.delay": marked("delay {seconds}"),
    "clock.start": marked("Start the clock"),
    "clock.stop": marked("Stop the clock"),
    "correction.complete": marked("No checker is missing."),
    "dice.lost": marked("It was lost, so those rolls cannot be checked."),
    "dice.missing": marked("Choose the numbers that were rolled."),
    "check.waits": marked(
        "The commitment is the one that this device first saw ({time}); its rolls can be checked here once the secret "
        "is revealed"
    ),
    "check.replaced": marked(
        "This device noted another commitment ({time}) and did not see its secret revealed: “boardside dice verify” "
        "finds it"
    ),
    "check.one": marked("1 roll holds: checked on this device"),
    "check.many": marked("{number} rolls hold: checked on this device"),
    "check.late": marked(
        "Rolls that follow from the secret: {number}. This device did not see their commitment before the first"
    ),
    "check.wrong": marked("Roll {number} does not follow from the secret"),
    "check.missing": marked("Rolls are missing: roll {number} was to come"),
    "check.secret": marked("The secret does not match its commitment"),
    "dice.shown": marked("Dice: {dice}"),
    "dice.none": marked("No dice"),
    "lamp.off": marked("Status light: off"),
    "lamp.amber": marked("Status light: amber"),
    "lamp.green": marked("Status light: green"),
    "lamp.red": marked("Status light: red"),
    "lamp.blue": marked("Status light: blue"),
    "link.live": marked("live"),
    "link.lost": marked("reconnecting"),
    "link.trouble": marked("No connection to Boardside: what is shown may be old. Trying again…"),
    "server.silent": marked("Boardside does not answer. Is it switched on, and is this device in its network?"),
    "server.answered": marked("Boardside answered {status}."),
    "dispute.silent": marked("The referee had said nothing"),
    "dispute.no_play": marked("There is no legal play"),
    "dispute.before": marked("Before the turn"),
    "dispute.stood": marked("As it stood"),
    "dispute.dispute": marked("Dispute"),
    "words.because": marked("{what}: {why}"),
    "seat.both": marked("The screen of both players"),
    "pairing.shown": marked(
        "The table shows its code: four numbers, on the dice, aloud and in its log. It is valid for two minutes."
    ),
    "pairing.entered": marked("Numbers entered: {numbers}"),
    "pairing.nothing": marked("No number entered yet"),
    "pairing.four": marked("Enter the four numbers first."),
    "pairing.scan": marked(
        "Point the other device’s camera at it within ten minutes: it gives one device a seat. Or open {address} there "
        "and enter a code."
    ),
    "pairing.since": marked("since {time}"),
    "pairing.own": marked("this device"),
    "pairing.remove": marked("Take away"),
    "pairing.question": marked("Take the seat of {device} away?"),
    "codes.copy": marked("Copy {notation}"),
    "codes.copied": marked("{notation} copied"),
    "codes.failed": marked("Copying failed: mark the text and copy it by hand."),
}
"""By the key that the scripts use; `{braces}` are filled in by the browser."""


WITH_A_PLAYER = {
    "checkers.{side}": marked("{number} of {player}’s"),
    "checkers.{side}.man": marked("{player}’s man"),
    "checkers.{side}.king": marked("{player}’s king"),
    "hand.{side}": marked("Picked up one of {player}’s checkers from {place}"),
    "correction.{side}.add": marked("One more of {player}’s"),
    "correction.{side}.take": marked("One fewer of {player}’s"),
    "correction.{side}.few": marked("{player} has {found} of {total} checkers: {number} too few."),
    "correction.{side}.many": marked("{player} has {found} of {total} checkers: {number} too many."),
    "seat.{side}": marked("{player}’s seat"),
}
"""Texts for each side; the player's name is filled in by the server."""
WITH_WHITE = {
    "corner.0": marked("Corner at {player}’s bottom left"),
    "corner.1": marked("Corner at {player}’s bottom right"),
    "corner.2": marked("Corner at {player}’s top right"),
    "corner.3": marked("Corner at {player}’s top left"),
}
ON_TILES = {
    "cell.bar": marked("outside"),
    "cell.point": marked("space {number}"),
    "correction.complete": marked("No cube is missing."),
    "hand.{side}": marked("Picked up one of {player}’s cubes from {place}"),
    "correction.{side}.few": marked("{player} has {found} of {total} cubes: {number} too few."),
    "correction.{side}.many": marked("{player} has {found} of {total} cubes: {number} too many."),
}
"""Texts for a board of tiles, by the key of the text that each replaces."""
SCORE = marked("{first} {white} : {black} {second}")


def browser_texts(words: PageTexts) -> dict[str, str]:
    """All texts of the scripts in the language of `words`, by key, with the players' names."""

    def named(text: str, **players: str) -> str:
        found = words.translated(text)
        for brace, player in players.items():
            found = found.replace(f"{{{brace}}}", player)
        return words.read_well(found)

    plain = BROWSER_TEXTS | WITH_A_PLAYER | (ON_TILES if words.tiles else {})
    sided = {
        key.format(side=side): named(text, player=words.player(side))
        for key, text in plain.items()
        if "{side}" in key
        for side in Side
    }
    white, black = Side
    return {
        **{key: words.translated(text) for key, text in plain.items() if "{side}" not in key},
        **sided,
        **{key: named(text, player=words.player(white)) for key, text in WITH_WHITE.items()},
        "score": named(SCORE, first=words.player_in_full(white), second=words.player_in_full(black)),
    }
