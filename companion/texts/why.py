"""Why a play is good or bad: ends of sentences whose subject is the play."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "why.at": "{point}",
    "why.hits": marked("hits on {points}"),
    "why.makes": marked("makes the {point} point"),
    "why.makes.points": marked("makes points {points}"),
    "why.anchor": marked("makes an anchor on {point}"),
    "why.shots": marked("{rolls} of the opponent’s {of} rolls hit"),
    "why.shots.one": marked("{rolls} of the opponent’s {of} rolls hits"),
    "why.shots.fewer": marked("{rolls} of the opponent’s {of} rolls hit, not {others}"),
    "why.shots.none": marked("no roll of the opponent’s hits"),
    "why.prime": marked("a prime of {length} from {source} to {target}"),
    "why.kept_out": marked("{rolls} of the opponent’s {of} rolls do not come in"),
    "why.out": marked("brings {number} checkers out of {opponent}’s home board"),
    "why.out.one": marked("brings a checker out of {opponent}’s home board"),
    "why.off": marked("bears {number} off"),
    "why.off.one": marked("bears one checker off"),
    "why.gives_up": marked("gives up the {point} point"),
    "why.gives_up.points": marked("gives up points {points}"),
    "why.race.ahead": marked("leads the race, {mine} pips to {theirs}"),
    "why.race.behind": marked("is behind in the race, {mine} pips to {theirs}"),
    "why.race.level": marked("the race is level at {mine}"),
    "why.takes": marked("takes {number} pieces"),
    "why.takes.one": marked("takes a piece"),
    "why.loses": marked("loses {number} pieces by force"),
    "why.loses.one": marked("loses a piece by force"),
    "why.trades": marked("takes {taken} and loses {lost} by force"),
    "why.crowns": marked("crowns a man"),
    "why.replies": marked("leaves {opponent} {number} moves"),
    "why.replies.one": marked("leaves {opponent} a single move"),
    "why.replies.none": marked("leaves {opponent} no move"),
    "why.centre": marked("goes to the centre"),
    "why.crown_near": marked("{number} steps from crowning"),
    "why.crown_near.one": marked("one step from crowning"),
    "why.back_row": marked("leaves {number} on the back row"),
    "why.back_row.none": marked("leaves the back row empty"),
}
