"""The equity graph of a game as SVG: its value to White after each play, as in the table of its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.analysis.grades import Grade, grade

if TYPE_CHECKING:
    from companion.analysis.decisions import Decision, GameAnalysis

WIDTH, HEIGHT, MARGIN = 640, 160, 8
LEAST_SPAN = 1.0
"""The graph of a series reaches at least from -1 to 1 points."""


def equity_graph(game: GameAnalysis, title: str, *, chances: bool, men: bool = False) -> str:
    """An SVG element with the escaped `title`. `chances`: values are from 0 to 1, else around 0.

    Decisions that have a class are marked. Empty if fewer than two values are known.
    """
    known = [decision for decision in game.decisions if decision.value is not None]
    if len(known) < 2:
        return ""
    values = [decision.value or 0.0 for decision in known]
    span = max(LEAST_SPAN, *map(abs, values))
    low, high = (0.0, 1.0) if chances else (-span, span)

    def y(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low)
        return round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN), 1)

    step = (WIDTH - 2 * MARGIN) / (len(known) - 1)
    at = [(round(MARGIN + k * step, 1), y(value)) for k, value in enumerate(values)]
    line = " ".join(f"{x},{height}" for x, height in at)
    middle = y((low + high) / 2)
    marks = "".join(_mark(decision, place, men=men) for decision, place in zip(known, at, strict=True))
    return (
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>'
        f'<path class="zero" d="M{MARGIN} {middle}H{WIDTH - MARGIN}"/><polyline points="{line}"/>{marks}</svg>'
    )


def _mark(decision: Decision, place: tuple[float, float], *, men: bool) -> str:
    found = grade(decision.loss, men=men)
    if found is Grade.NONE:
        return ""
    return f'<circle class="{found} {decision.side.value}" cx="{place[0]}" cy="{place[1]}" r="4"/>'
