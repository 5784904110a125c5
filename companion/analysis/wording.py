"""Figures, classes, plays and players of an analysis in words of one language."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from companion.analysis.decisions import DecisionKind
from companion.core import WHITE_AND_BLACK, Dice, Names, Side, message, with_colours_changed
from companion.texts import ENGLISH, counted_forward, render

if TYPE_CHECKING:
    from companion.analysis.decisions import Decision, GameAnalysis, MatchAnalysis
    from companion.analysis.grades import Grade
    from companion.core import Message

WEAK = "(weak)"
"""Part of the name of an engine that plays weakly."""
PERCENT = 100.0


@dataclass(frozen=True, slots=True)
class Wording:
    """Words in `language`; `names` are the players' in the first game; `tiles`: the board is laid from tiles."""

    language: str = ENGLISH
    names: Names = WHITE_AND_BLACK
    tiles: bool = False

    def said(self, what: Message) -> str:
        """A message as HTML text."""
        return escape(render(what, self.language, self.names, tiles=self.tiles))

    def in_game(self, game: GameAnalysis) -> Wording:
        """The words for one game; names are exchanged if the players had changed colours."""
        if not game.colours_changed:
            return self
        return Wording(self.language, with_colours_changed(self.names), self.tiles)

    def player(self, side: Side) -> str:
        """A player's name."""
        return self.said(message("analysis.whose", player=side))

    def play(self, play: str) -> str:
        """A play as the players write it."""
        if not play:
            return self.said(message("analysis.no_play"))
        return escape(counted_forward(play) if self.tiles else play)

    def dice(self, decision: Decision) -> str:
        """The roll, the larger number first."""
        return str(Dice(decision.dice)) if decision.dice else ""

    def made(self, decision: Decision) -> str:
        """What was decided."""
        return self.kind(decision.kind) if decision.of_cube else self.play(decision.made)

    def best(self, decision: Decision) -> str:
        """The best decision; empty if nothing was lost."""
        if not decision.loss:
            return ""
        return self.kind(DecisionKind(decision.best)) if decision.of_cube else self.play(decision.best)

    def kind(self, kind: DecisionKind) -> str:
        """A decision about the cube."""
        return self.said(message(f"analysis.kind.{kind}"))

    def grade(self, found: Grade) -> str:
        """The class of a decision."""
        return self.said(message(f"analysis.grade.{found}"))

    def number(self, value: float | None, digits: int = 3, *, sign: bool = False) -> str:
        """A figure; a dash for None."""
        if value is None:
            return "–"
        text = f"{value:+.{digits}f}" if sign else f"{value:.{digits}f}"
        text = text.replace("-", "−") if float(text) else text.lstrip("+-")
        return text if self.language == ENGLISH else text.replace(".", ",")

    def worth(self, value: float | None, match: MatchAnalysis, *, sign: bool = True) -> str:
        """A result: points, men, or the match-winning probability in per cent."""
        if value is None or not shows_chances(match):
            return self.number(value, sign=sign)
        return f"{self.number(PERCENT * value, 1, sign=sign)} %"

    def engine(self, match: MatchAnalysis) -> list[str]:
        """Lines on the engines that analysed, and on the units of the figures, as HTML text."""
        said = []
        engines = list(dict.fromkeys(game.engine for game in match.games))
        if engines:
            weak = WEAK in engines[0]
            what = message("analysis.weak", engine=engines[0]) if weak else message("analysis.by", engine=engines[0])
            said.append(self.said(what))
        said += [
            self.said(message("analysis.instead", game=game.number, engine=game.engine))
            for game in match.games
            if game.note
        ]
        said.append(self.said(message("analysis.classes.men") if match.in_men else message("analysis.classes")))
        return said


def shows_chances(match: MatchAnalysis) -> bool:
    """Whether results are match-winning probabilities."""
    return bool(match.length) and not match.in_men
