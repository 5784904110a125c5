"""The board on the page: contents and labels of its cells, and a description for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core import BLACK_BAR, BLACK_OFF, CHECKERS_CELLS, WHITE_BAR, WHITE_OFF, Side
from companion.notation import COLUMNS, Pieces, parse_fen, square_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.interface import Snapshot
    from web.texts import PageTexts

NAMED_CELLS = {"bar": (WHITE_BAR, BLACK_BAR), "off": (WHITE_OFF, BLACK_OFF)}
OWNERS = {"w": [1, 0], "b": [0, 1]}


def board_state(snapshot: Snapshot, words: PageTexts) -> dict[str, Any] | None:
    """The board as read, else as recorded; None if neither is known."""
    position = snapshot.seen or snapshot.position
    if position is None:
        return None
    drawn = (_points if "points" in position else _squares)(snapshot, position, words)
    return {
        **drawn,
        "highlighted": [cell for cell in snapshot.cells_in_question if 0 <= cell < len(drawn["labels"]) + 4],
        "live": snapshot.seen is not None,
        "caption": _caption(snapshot, words),
    }


def cell_labels(snapshot: Snapshot) -> list[int]:
    """The present numbers of the points or squares, cell by cell; 0 for a square without a number."""
    return square_labels() if snapshot.game == "checkers" else list(snapshot.point_numbers)


def pip_counts(points: Sequence[Sequence[int]], bar: Sequence[int]) -> list[int]:
    """Pip counts of White and Black."""
    white = sum(n * (point + 1) for point, (n, _) in enumerate(points)) + 25 * bar[0]
    black = sum(n * (24 - point) for point, (_, n) in enumerate(points)) + 25 * bar[1]
    return [white, black]


def square_labels() -> list[int]:
    """The numbers 1 to 32 of the 64 squares, cell by cell (row 0 at White's edge); 0 for a light one."""
    return [square_of(cell) or 0 for cell in range(CHECKERS_CELLS)]


def _points(snapshot: Snapshot, position: dict[str, Any], words: PageTexts) -> dict[str, Any]:
    points = [content_of(point) for point in position["points"]]
    bar, off = list(position.get("bar") or (0, 0)), position.get("off")
    return {
        "points": points,
        "bar": bar,
        "off": list(off) if off else None,
        "pips": pip_counts(points, bar),
        "labels": cell_labels(snapshot),
        "doubtful": _doubtful_cells(snapshot.doubtful) if snapshot.seen else [],
        "words": board_words(points, bar, off, words),
    }


def _squares(snapshot: Snapshot, position: dict[str, Any], words: PageTexts) -> dict[str, Any]:
    """Squares as `[white, black]`, and the cells of kings, which only the record knows."""
    labels = square_labels()
    contents = [[0, 0] for _ in range(CHECKERS_CELLS)]
    for name, owner in position["squares"].items():
        row, column = map(int, name.split(","))
        contents[row * COLUMNS + column] = OWNERS[owner]
    kings = _kings(position.get("fen") or (snapshot.position or {}).get("fen"), contents, labels)
    doubtful = [labels.index(name) for name in snapshot.doubtful if isinstance(name, int) and name in labels]
    return {
        "squares": contents,
        "kings": kings,
        "labels": labels,
        "doubtful": doubtful if snapshot.seen else [],
        "words": square_words(contents, kings, labels, words),
    }


def _kings(fen: str | None, contents: Sequence[Sequence[int]], labels: Sequence[int]) -> list[int]:
    """Cells of recorded kings that still hold a piece of the same side."""
    record = Pieces(Side.BLACK, frozenset(), frozenset(), frozenset()) if fen is None else parse_fen(fen)
    owners = (record.white, record.black)
    return [
        cell
        for cell, label in enumerate(labels)
        if label in record.kings and any(contents[cell][side] and label in owners[side] for side in (0, 1))
    ]


def board_words(
    points: Sequence[Sequence[int]], bar: Sequence[int], off: Sequence[int] | None, words: PageTexts
) -> str:
    """A position of backgammon for screen readers: each player's checkers, in that player's point numbers."""
    sentences = []
    for side, player in enumerate(Side):
        numbers = range(24, 0, -1)
        counted = [(n, points[n - 1 if side == 0 else 24 - n][side]) for n in numbers]
        parts = [words("board.on", number=count, point=words.point(n)) for n, count in counted if count]
        parts += [words("board.bar", number=bar[side])] * bool(bar[side])
        parts += [words("board.off", number=count) for count in (off or (0, 0))[side : side + 1] if count]
        sentences.append(words("words.player", player=player, what=", ".join(parts) or words("board.none")))
    return " ".join(sentences)


def square_words(
    contents: Sequence[Sequence[int]], kings: Sequence[int], labels: Sequence[int], words: PageTexts
) -> str:
    """A position of checkers for screen readers."""
    sentences = []
    for side, player in enumerate(Side):
        there = sorted((labels[cell], cell) for cell, content in enumerate(contents) if content[side])
        men = ", ".join(str(label) for label, cell in there if cell not in kings and label)
        crowned = ", ".join(str(label) for label, cell in there if cell in kings)
        astray = sum(not label for label, _ in there)
        parts = [words("board.men", squares=men)] * bool(men) + [words("board.kings", squares=crowned)] * bool(crowned)
        parts += [words("board.astray", number=astray)] * bool(astray)
        what = "; ".join(parts) or words("board.none.checkers")
        sentences.append(words("words.player", player=player, what=what))
    return " ".join(sentences)


def _caption(snapshot: Snapshot, words: PageTexts) -> str:
    if snapshot.seen is None:
        return words("board.began")
    if not snapshot.doubtful:
        return words("board.read")
    return words("board.read.squares" if snapshot.game == "checkers" else "board.read.points")


def content_of(point: int | Sequence[int]) -> list[int]:
    """[white, black] of a signed count, or of such a pair."""
    if isinstance(point, int):
        return [max(point, 0), max(-point, 0)]
    return list(point)


def _doubtful_cells(doubtful: Sequence[int | str]) -> list[int]:
    """Cells of points (White's numbers), "bar" and "off"."""
    cells: list[int] = []
    for name in doubtful:
        cells += [name - 1] if isinstance(name, int) else NAMED_CELLS.get(name, ())
    return cells
