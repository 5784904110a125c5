"""Answers to requests that cannot be fulfilled: texts in English by key, and `refuse`."""

from __future__ import annotations

from typing import NoReturn

from flask import abort

from companion.texts import marked
from web.language import page_texts

REFUSALS = {
    "streams": marked("Too many pages are watching this table: close one, or try again in a moment."),
    "picture": marked("The camera has not taken a picture yet."),
    "film": marked("No film is shown here: players sit at this table."),
    "turns": marked("The turns of game {number} are not kept here: only those of the last games are."),
    "evidence": marked("No picture called {name} is kept."),
    "match.none": marked("There is no match {number}: the list of matches has all that are kept."),
    "match.game": marked("There is no game {number}: this match has {count}."),
    "match.format": marked("This match cannot be written as {format}: expected one of {known}."),
    "delete.playing": marked("Nothing is deleted while a game is on: finish it first."),
    "delete.failed": marked("The pictures cannot be deleted now: {why}"),
    "delete.not_yet": marked(
        "The pictures are deleted from the match, but not for good yet, because the record is being read. The table "
        "finishes it as soon as it is not."
    ),
    "match.dispute": marked("Entry {number} opens no dispute of this match."),
    "match.no_file": marked("This match cannot be written as {format}: {why}"),
    "match.unreadable": marked("The record cannot be read now: {why}"),
    "button": marked("There is no button {button}: expected one of {known}."),
    "host": marked("This device is not called {host}: open the page by its address or as {names}."),
    "foreign": marked("The page at {origin} may not change anything here: use Boardside's own page."),
    "seat.none": marked("This device only watches: take a seat at {path} to act here."),
    "seat.lost": marked("This device no longer has a seat: it was given up or taken away. Take one at {path}."),
    "seat.nobody": marked("Nobody can act here: this table is only shown."),
    "seat.watch": marked("Only devices with a seat may watch this table: take one at {path}."),
    "seat.other": marked("This device has {player}’s seat: it cannot act for {other}."),
    "seat.screen": marked(
        "This screen is {player}’s just now, and does nothing for {other}: below the turns you can set whose it is."
    ),
    "seat.not_yours": marked("Only the same player’s device or the screen of both players can take this seat away."),
    "seat.boardside": marked("Boardside plays {colour}: take the other player’s seat, or the screen of both players."),
    "seat.not_kept": marked("The seat cannot be changed: {why}."),
    "code": marked("{field} is {value}: expected four numbers from 1 to 6, such as {form}."),
    "pairing.no_code": marked("No code is valid now: show a new one."),
    "pairing.wrong": marked("These are not the numbers that the table shows."),
    "pairing.wait": marked("One moment: wait two seconds, then try again."),
    "pairing.hold_roll": marked(
        "Hold Roll at the table until the dice show a code, or ask somebody who has a seat: on that device, "
        "Seats shows the code too, or a QR code that invites you."
    ),
    "pairing.seat_taken": marked(
        "The other player has a seat already: only that player's own screen, or the code at the table, "
        "gives it to a further device."
    ),
    "pairing.no_invitation": marked("This invitation is used or too old: ask for a new one."),
    "embedded": marked("The page at {origin} may show nothing of this table: open Boardside's own page."),
    "greedy": marked("Too much at once came from your address: wait a moment, then tap again."),
    "clock": marked("There is no clock to pause: start Boardside with {option}, for example."),
    "corners.none": marked("No camera looks at this table: there are no corners to mark."),
    "corners.not_now": marked("The corners cannot be marked: {why}."),
    "corners.four": marked("{field} is not {form}: bottom left, bottom right, top right, top left."),
    "corners.one": marked("A corner is not {form}: two numbers, pixels of the picture from its upper left."),
    "real": marked("This table is a real one: move its checkers by hand."),
    "no_game": marked("No game is on: there is no turn to go back to."),
    "no_checker": marked("{field} is {value}: there is no such checker on the table."),
    "body": marked("The body is not a JSON object such as {form}."),
    "number": marked("{field} is {value}: expected a number from {low} to {high}."),
    "whole": marked("{field} is {value}: expected a whole number."),
    "choice": marked("{field} is {value}: expected one of {known}."),
    "form": marked("{field} is {value}: expected {form}."),
    "points": marked("{field} is {value}: expected 24 numbers, White's 1 point first."),
    "total": marked("The position has {total} checkers of one player: expected at most {most}."),
    "square": marked("square {square} with {piece}: expected {form}, each from 0 to 7, and {pieces}."),
    "count": marked("{value} is no number of checkers: expected a signed count or {form}."),
    "dice": marked("{field} is {value}: expected one or two numbers from 1 to 6, such as {form}."),
    "analysis.none": marked("There is no analysis of this match. {why}"),
    "no_position": marked("{field} is no object such as {form}."),
    "as_it_is": "{why}",
    "settings.none": marked("Nothing can be set here: this table is only shown."),
    "settings.names": marked(
        "Each player needs a name or colour of their own: a name has at most 24 letters, and no brackets."
    ),
    "settings.mirror": marked("The sheet {sheet} has White’s home on the right only: turn the board round."),
    "sheet_file": marked("{field} are missing: send a sheet’s file name and its text."),
    "panel.none": marked("There is no panel to check here."),
    "panel.game": marked("A game is on: check the panel before its first roll or after its end."),
    "no_play": marked("{field} is no play such as {form}."),
}
"""By key. Fields, values and forms of a request are inserted untranslated."""

STATUS = {
    400: (marked("Bad Request"), marked("That request cannot be understood.")),
    401: (marked("No Seat"), marked("Only a device with a seat can do that.")),
    403: (marked("Forbidden"), marked("That is not allowed.")),
    404: (marked("Not Found"), marked("There is nothing here.")),
    405: (marked("Method Not Allowed"), marked("That cannot be done this way.")),
    409: (marked("Conflict"), marked("That cannot be done now.")),
    413: (marked("Request Entity Too Large"), marked("That is too much at once.")),
    429: (marked("Too Many Requests"), marked("That is too much at once.")),
    500: (marked("Internal Server Error"), marked("Something went wrong here; the game is kept. The log says more.")),
    503: (marked("Service Unavailable"), marked("Too many pages are watching this table.")),
}
"""By HTTP status: its name, and the text of an error that has none of its own."""


def refuse(key: str, status: int = 400, /, **facts: object) -> NoReturn:
    """Answer with `status` and the text of `key` in `REFUSALS`, `facts` in place of its braces."""
    words = page_texts()
    abort(status, words.read_well(words.translated(REFUSALS[key]).format_map(facts)))
