"""What only the page says: its texts in English by key, and `PageTexts`, which gives them in a player's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core import WHITE_AND_BLACK, Side, message, name_of
from companion.texts import (
    CAUSES,
    COLOURS,
    ENGLISH,
    REASONS,
    counted_forward,
    elided,
    marked,
    phrase,
    render,
    space_of,
    translations,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core import Cause, Message, Names

TEXTS = {
    "headline.waiting": marked("Waiting for the board"),
    "headline.opening": marked("Ready for the opening roll"),
    "headline.opening.checkers": marked("Ready to begin"),
    "headline.to_roll": marked("{player} to roll"),
    "headline.to_roll.anybody": marked("Ready to roll"),
    "headline.to_play": marked("{player} to play {dice}"),
    "headline.to_move": marked("{player} to play"),
    "headline.doubled": marked("{player} to take or pass"),
    "headline.won": marked("{player} has won"),
    "headline.over": marked("The game is over"),
    "headline.unfinished": marked("The game was left unfinished"),
    "headline.again": marked("The game is begun again"),
    "headline.drawn": marked("The game is drawn"),
    "advice.waiting": marked("Set up the starting position where the camera sees the whole board."),
    "advice.opening": marked("Tap Roll: one die for each player, and the higher begins with both numbers."),
    "advice.opening.checkers": marked("Tap Roll to begin."),
    "advice.to_roll": marked("Tap Roll."),
    "advice.passes": marked("Tap Roll: the turn passes."),
    "advice.accepts": marked("{opponent} taps Roll to accept and roll."),
    "advice.over": marked("Set up the starting position again, then tap Roll for the next game."),
    "finding.legal": marked("Legal play"),
    "finding.not_moved": marked("Not moved yet"),
    "finding.unfinished": marked("Not finished yet"),
    "finding.illegal": marked("Not a legal play"),
    "finding.ambiguous": marked("Not sure what lies there"),
    "finding.unreadable": marked("The board cannot be read"),
    "light.off": marked("Off"),
    "light.amber": marked("Turn not finished"),
    "light.green": marked("Legal play"),
    "light.over": marked("Game over"),
    "light.red": marked("Not a legal play"),
    "light.blue": marked("Ready for Roll"),
    "light.storage": marked("Nothing can be recorded"),
    "light.camera": marked("The camera does not see the board"),
    "light.agree": marked("The players have to agree"),
    "light.offer": marked("An offer waits for its answer"),
    "light.doubled": marked("A double waits for its answer"),
    "light.beavered": marked("A beaver waits for its answer"),
    "light.hand": marked("Something is over the board"),
    "note.condoned": marked("Stood once the opponent rolled or doubled"),
    "note.stands": marked("Stands by agreement"),
    "note.overruled": marked("The referee was overruled"),
    "note.both": marked("The reply came before the tap; both count by agreement"),
    "note.as agreed": marked("As both players agreed"),
    "game.backgammon": marked("backgammon"),
    "game.checkers": marked("checkers"),
    "words.player": marked("{player}: {what}."),
    "words.because": marked("{what}: {why}"),
    "words.and": marked("{first} and {last}"),
    "board.on": marked("{number} on {point}"),
    "board.bar": marked("{number} on the bar"),
    "board.off": marked("{number} borne off"),
    "board.none": marked("no checkers"),
    "board.men": marked("men on {squares}"),
    "board.kings": marked("kings on {squares}"),
    "board.astray": marked("{number} on light squares"),
    "board.none.checkers": marked("no pieces"),
    "board.began": marked("As the turn began: the board cannot be read just now"),
    "board.read": marked("As the camera reads it"),
    "board.read.points": marked("As the camera reads it; marked points are not certain"),
    "board.read.squares": marked("As the camera reads it; marked squares are not certain"),
    "place.point": marked("Point {number}"),
    "place.square": marked("Square {number}"),
    "place.bar": marked("{player}’s bar"),
    "place.off": marked("{player}’s borne off"),
    "content.empty": marked("empty"),
    "content.checkers": marked("{number} of {player}’s"),
    "content.man": marked("{player}’s man"),
    "content.king": marked("{player}’s king"),
    "content.likely": marked("{content} ({percent} %)"),
    "correction.plays_on": marked("{player} still plays {dice} from there"),
    "correction.moves_on": marked("{player} is still to move from there"),
    "correction.play_over": marked("That is {player}’s play, and the turn is over"),
    "correction.move_over": marked("That is {player}’s move, and the turn is over"),
    "remedy.corrected": marked("Put it right"),
    "remedy.stands": marked("It stands"),
    "remedy.overruled": marked("Overrule the referee"),
    "remedy.takeback": marked("Take the last turn back"),
    "remedy.position": marked("What the camera sees is the position"),
    "remedy.both": marked("Let both moves count"),
    "remedy.set_up": marked("The set-up was wrong: begin again"),
    "offer.refused": marked("Not now: {why}."),
    "seat.whose": marked("{player}’s"),
    "seat.of": marked("{player}’s seat"),
    "corners.how": marked(
        "Drag the four corners to where the frame meets the playing area; the yellow edge is {player}’s. "
        "The starting position must stand on the board."
    ),
    "readings.which": marked("Which of these was played?"),
    "readings.said": marked("As both players say; tap another if it is not so"),
    "proposal.both": marked("Both players must agree"),
    "proposal.agrees": marked("{player} agrees"),
    "proposal.one": marked("One player agrees"),
    "proposal.nobody": marked("Nobody has agreed yet"),
    "dispute.by": marked("{player} called the referee"),
    "dispute.by.at": marked("{player} called the referee at {time}"),
    "dispute.called": marked("The referee was called"),
    "dispute.called.at": marked("The referee was called at {time}"),
    "dispute.rolled": marked("{player} rolled {dice}"),
    "dispute.silent": marked("The referee had said nothing."),
    "settled.by_name": marked("Agreed by {first} and {last}."),
    "settled.by_both": marked("Agreed by both players."),
    "verdict.could_be": marked("It could be"),
    "verdict.legal_plays": marked("Legal plays"),
    "false_moves": marked("False moves: {first} {white}, {last} {black}"),
    "history.no_play": marked("no play"),
    "storage.waits": marked("The game waits: {why}"),
    "match.crawford": marked("{terms}, Crawford game"),
    "match.colours": marked("{terms}; colours changed since the first game"),
    "match.no_crawford": marked("{terms}, no Crawford game"),
    "match.stake": marked("At {stake} a point"),
    "match.jacoby": marked("{terms}, Jacoby"),
    "match.beavers": marked("{terms}, beavers"),
    "match.automatic": marked("{terms}, automatic doubles"),
    "match.ahead": marked("{terms}, {player} is up {points}"),
    "cube.owned": marked("Cube at {cube}, {player}’s"),
    "cube.middle": marked("Cube at {cube}, in the middle"),
    "deed.double": marked("{player} doubles to {cube}"),
    "deed.take": marked("{player} takes at {cube}"),
    "deed.beaver": marked("{player} beavers to {cube}"),
    "deed.pass": marked("{player} passes"),
    "deed.begin": marked("{player} begins"),
    "deed.resign": marked("{player} offers to resign"),
    "deed.resign.single": marked("{player} offers to resign a single game"),
    "deed.resign.gammon": marked("{player} offers to resign a gammon"),
    "deed.resign.backgammon": marked("{player} offers to resign a backgammon"),
    "deed.offer.question": marked("{action}: is that meant?"),
    "deed.offer_draw": marked("{player} offers a draw"),
    "deed.claim_draw": marked("Claim a draw"),
    "deed.claim_draw.question": marked("Is the game to end as a draw?"),
    "cube.double_take": marked("{doubler} doubles, {taker} takes."),
    "cube.double_pass": marked("{doubler} doubles, {taker} passes."),
    "cube.no_double": marked("{doubler} does not double; if doubled, {taker} takes."),
    "cube.too_good": marked("{doubler} plays on: too good to double, as {taker} passes."),
    "cube.row.no_double": marked("No double"),
    "cube.row.double_take": marked("Double, take"),
    "cube.row.double_pass": marked("Double, pass"),
    "clock.fallen": marked("{player}'s flag has fallen: the sheet or the players decide."),
    "clock.stopped": marked("The clock is stopped."),
    "dice.fair": marked("Rolled here; each roll follows from a secret committed to beforehand"),
    "dice.by hand": marked("The set’s own dice, entered here; how and where they land is not checked"),
    "dice.camera": marked("The set’s own dice, read by the camera"),
    "dice.first": marked("The next roll is the first under this commitment. Note it down, or take a picture of it."),
    "dice.reads": marked("The camera reads {dice}."),
    "dice.reads.none": marked("The camera reads no dice now."),
    "dice.statistic": marked("χ² = {value} with 5 degrees of freedom"),
    "dice.enter.start": marked("One die each for the start"),
    "dice.enter.die": marked("{player}’s die"),
    "dice.enter.rolled": marked("{player} has rolled"),
    "dice.enter.first": marked("First die"),
    "dice.enter.second": marked("Second die"),
}
"""By key. Reasons, causes and what is said of disputes lie in `companion.texts`; the browser's own in
`web.browser_texts`."""


def counted(one: str, many: str) -> tuple[str, str]:
    """A text for one thing and one for all other numbers, both in the catalogues."""
    return one, many


TEXTS_ON_TILES = {
    "board.bar": marked("{number} waiting outside"),
    "board.none": marked("no cubes"),
    "board.read.points": marked("As the camera reads it; marked spaces are not certain"),
    "place.point": marked("Space {number}"),
    "place.bar": marked("{player}’s cubes outside"),
}
"""What is said otherwise on a board of tiles, by the key of the text in whose place it stands."""

COUNTED = {
    "match.length": counted("Match to {number} point", "Match to {number} points"),
    "dice.rolls": counted(
        "{number} roll so far under this commitment, shown before the first.",
        "{number} rolls so far under this commitment, shown before the first.",
    ),
}
"""Texts with a number, by key."""


class PageTexts:
    """The page's words in one language, for a board of points or of tiles."""

    def __init__(self, language: str = ENGLISH, names: Names = WHITE_AND_BLACK, *, tiles: bool = False) -> None:
        """`language` is one of `companion.texts.LANGUAGES`; `names` is what the players are called."""
        self.language = language
        self.names = names
        self.tiles = tiles
        self._catalogue = translations(language)

    def calling(self, names: Names) -> PageTexts:
        """The same words where the players are called otherwise."""
        return self if names == self.names else PageTexts(self.language, names, tiles=self.tiles)

    def on(self, *, tiles: bool) -> PageTexts:
        """The same words for a board of tiles, or of points."""
        return self if tiles is self.tiles else PageTexts(self.language, self.names, tiles=tiles)

    def translated(self, text: str) -> str:
        """An English text of the catalogues in this language, its braces as they are."""
        return self._catalogue.gettext(text)

    def __call__(self, key: str, /, **facts: object) -> str:
        """The text of `key` in `TEXTS` with `facts` in place of its braces; a `Side` becomes the player's name."""
        named = {name: self.player(fact) if isinstance(fact, Side) else fact for name, fact in facts.items()}
        text = TEXTS_ON_TILES.get(key) if self.tiles else None
        return self.read_well(self.translated(text or TEXTS[key]).format_map(named))

    def read_well(self, text: str) -> str:
        """`text` with "d'Anna" in place of "de Anna" in French."""
        return elided(text, self.names) if self.language == "fr" else text

    def count(self, key: str, number: int) -> str:
        """The text of `key` in `COUNTED` with {number}."""
        one, many = COUNTED[key]
        return self._catalogue.ngettext(one, many, number).format(number=number)

    def player(self, side: str) -> str:
        """What a side is called: the player's own name, or the colour."""
        return name_of(side, self.names).name or self.colour(side)

    def colour(self, side: str) -> str:
        """The colour of a side's checkers as a name: "White"."""
        return self.translated(COLOURS[name_of(side, self.names).colour])

    def player_in_full(self, side: str) -> str:
        """The player's own name with the colour, where there is one: "Anna (Red)"."""
        return f"{self.player(side)} ({self.colour(side)})" if name_of(side, self.names).name else self.colour(side)

    def rendered(self, what: Message | None) -> str:
        """The text of a message; empty for None."""
        return "" if what is None else render(what, self.language, self.names, tiles=self.tiles)

    def end_of_sentence(self, what: Message) -> str:
        """As `rendered`, but its first letter stays as the text has it."""
        return phrase(what, self.language, self.names, tiles=self.tiles)

    def recorded(self, english: str) -> str:
        """A text as a record keeps it: records are in English, so that it is empty in other languages."""
        return english if self.language == ENGLISH else ""

    def reason(self, code: str) -> str:
        """Why a play is not legal, as the end of a sentence; an unknown code as it is."""
        return self.end_of_sentence(message(f"reason.{code}")) if code in REASONS else code.replace("_", " ")

    def play(self, play: str) -> str:
        """A play in standard notation as the players write it: on tiles, spaces are counted forward."""
        return counted_forward(play) if self.tiles else play

    def point(self, point: int) -> int:
        """What a player calls the point of that number of theirs."""
        return space_of(point) if self.tiles else point

    def cause(self, cause: Cause) -> str:
        """Why the board cannot be read."""
        return self.translated(CAUSES[cause])

    def decimal(self, text: str) -> str:
        """A number as it is written in this language: "0.5" is "0,5" in all but English."""
        return text if self.language == ENGLISH else text.replace(".", ",")

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return self("words.and", first=", ".join(words[:-1]), last=words[-1])


ENGLISH_TEXTS = PageTexts()


def capital(text: str) -> str:
    """`text` with its first letter as a capital."""
    return text[:1].upper() + text[1:]
