"""`boardside hint`: JSON lines in, the best plays for each roll out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.commands.json_lines import LineError, dice_of, turn_of
from companion.core import quoted
from companion.hints import choose_engine, explained
from companion.rules import laid_of_tiles
from companion.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.hints import Engine, RankedPlay
    from companion.rules import Ruleset

DEFAULT_PLAYS = 5
"""Number of plays listed if a line has no "n"."""


class HintLines:
    """Answers lines of `hint`; an engine that was started answers all lines that name it."""

    def __init__(self) -> None:
        self._engines: dict[tuple[str, str, str], Engine] = {}

    def answer(self, question: Mapping[str, Any], rules: Ruleset[Any]) -> dict[str, Any]:
        """`{"plays": [{"play", "after", "equity", …}], "engine"}`, best first; `note` if an engine failed.

        Checkers: `score`, in hundredths of a man, in place of the equity. A line with "why": true asks for `why`, the
        facts of each play in words.
        """
        position, side = turn_of(question, rules)
        dice = dice_of(question, rules)
        n = question.get("n", DEFAULT_PLAYS)
        if type(n) is not int or n < 1:
            raise LineError(f'"n" is {quoted(n)}; expected how many plays to give, from 1')
        ranking = self._engine(question, rules).rank(position, side, dice, n)
        if question.get("why") is True:
            ranking = explained(ranking, rules, position, side)
        plays = [_play_to_json(play, rules) for play in ranking.plays]
        return {"plays": plays, "engine": ranking.engine, **({"note": ranking.note} if ranking.note else {})}

    def close(self) -> None:
        """End the engines."""
        for engine in self._engines.values():
            engine.close()

    def _engine(self, question: Mapping[str, Any], rules: Ruleset[Any]) -> Engine:
        name, level = question.get("engine") or "auto", question.get("level")
        key = (rules.sheet.name, str(name), str(level))
        if key not in self._engines:
            self._engines[key] = choose_engine(rules, str(name), level)
        return self._engines[key]


def _play_to_json(play: RankedPlay, rules: Ruleset[Any]) -> dict[str, Any]:
    why = {"why": [phrase(fact, tiles=laid_of_tiles(rules.sheet)) for fact in play.why]} if play.why else {}
    if rules.sheet.game == "checkers":
        return {"play": play.play, "after": rules.to_json(play.after), "score": round(100 * play.equity), **why}
    chances = {
        "win": play.win,
        "gammon": play.gammon,
        "backgammon": play.backgammon,
        "lose_gammon": play.lose_gammon,
        "lose_backgammon": play.lose_backgammon,
    }
    known = {key: round(value, 5) for key, value in chances.items() if value is not None}
    return {"play": play.play, "after": rules.to_json(play.after), "equity": round(play.equity, 5), **known, **why}
