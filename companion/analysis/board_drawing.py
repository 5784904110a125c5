"""Draws positions as SVG for a report, whose style sheet sets the colours."""

from __future__ import annotations

from typing import Any

from companion.notation import COLUMNS, ROWS, SQUARES, cell_of, parse_fen

POINT, RADIUS = 20, 9
"""Width of a point, and the radius of a checker."""
HEIGHT, WIDTH = 200, 320
BAR_AT, OFF_AT = 6 * POINT + POINT // 2, 14 * POINT + POINT
MOST_DRAWN = 5
"""Most checkers drawn on a point; if there are more, the last one shows their number."""


def drawn_board(position: Any, label: str) -> str:
    """An SVG element of a position, which is in the form of the JSON interfaces; `label` is its escaped description."""
    inner, size = (
        (_checkers(position), "0 0 160 160")
        if isinstance(position, str)
        else (_backgammon(position), f"0 0 {WIDTH} {HEIGHT}")
    )
    return f'<svg class="board" viewBox="{size}" role="img" aria-label="{label}">{inner}</svg>'


def _backgammon(position: dict[str, Any]) -> str:
    parts = [f'<rect class="felt" width="{WIDTH}" height="{HEIGHT}"/>']
    parts += [f'<rect class="bar" x="{6 * POINT}" width="{POINT}" height="{HEIGHT}"/>']
    parts += [f'<rect class="bar" x="{13 * POINT}" width="{WIDTH - 13 * POINT}" height="{HEIGHT}"/>']
    stacks: list[tuple[float, bool, int, int]] = []
    for point, count in enumerate(position["points"], 1):
        at, bottom = _place(point)
        parts.append(_triangle(at, bottom=bottom, dark=bool(point % 2)))
        white, black = (max(count, 0), max(-count, 0)) if isinstance(count, int) else count
        stacks += [(at, bottom, 0, white), (at, bottom, 1, black)]
    for side in (0, 1):
        stacks.append((BAR_AT, bool(side), side, position["bar"][side]))
        stacks.append((OFF_AT, not side, side, position["off"][side]))
    return "".join(parts) + "".join(_stack(*stack) for stack in stacks)


def _place(point: int) -> tuple[float, bool]:
    """The x coordinate of a point's middle (White's numbers), and whether it is in the bottom half."""
    column = 12 - point if point <= 12 else point - 13
    return (column + (column >= 6)) * POINT + POINT / 2, point <= 12


def _triangle(at: float, *, bottom: bool, dark: bool) -> str:
    base, tip = (HEIGHT, HEIGHT - 85) if bottom else (0, 85)
    half = POINT / 2
    return f'<path class="{"dark" if dark else "light"}" d="M{at - half:g} {base}h{POINT}L{at:g} {tip}z"/>'


def _stack(at: float, bottom: bool, side: int, count: int) -> str:
    name = ("white", "black")[side]
    step = -2 * RADIUS if bottom else 2 * RADIUS
    first = HEIGHT - RADIUS - 1 if bottom else RADIUS + 1
    drawn = "".join(
        f'<circle class="{name}" cx="{at:g}" cy="{first + k * step}" r="{RADIUS}"/>'
        for k in range(min(count, MOST_DRAWN))
    )
    if count <= MOST_DRAWN:
        return drawn
    return drawn + f'<text class="{name}" x="{at:g}" y="{first + (MOST_DRAWN - 1) * step + 4}">{count}</text>'


def _checkers(fen: str) -> str:
    pieces = parse_fen(fen)
    parts = ['<rect class="felt" width="160" height="160"/>']
    for number in range(1, SQUARES + 1):
        row, column = divmod(cell_of(number), COLUMNS)
        x, y = column * POINT, (ROWS - 1 - row) * POINT
        parts.append(f'<rect class="dark" x="{x}" y="{y}" width="{POINT}" height="{POINT}"/>')
        for name, squares in (("white", pieces.white), ("black", pieces.black)):
            if number in squares:
                parts.append(f'<circle class="{name}" cx="{x + 10}" cy="{y + 10}" r="8"/>')
                if number in pieces.kings:
                    parts.append(f'<text class="{name}" x="{x + 10}" y="{y + 14}">K</text>')
    return "".join(parts)
