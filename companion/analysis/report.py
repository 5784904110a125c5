"""The report of a match's analysis as HTML: part of a page, or a file of its own. All text in it is escaped."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from companion.analysis.board_drawing import drawn_board
from companion.analysis.equity_graph import equity_graph
from companion.analysis.grades import Grade, grade
from companion.analysis.totals import PlayerTotals, totals
from companion.analysis.wording import WEAK, Wording, shows_chances
from companion.core import Side, message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.analysis.decisions import Decision, GameAnalysis, MatchAnalysis

STYLE = Path(__file__).with_name("report.css")
MOST_BOARDS = 40
"""Most decisions drawn with their boards, of 5 kB each."""


def report_style() -> str:
    """The style sheet of the report, for a page that contains it."""
    return STYLE.read_text(encoding="utf-8")


def report_file(match: MatchAnalysis, wording: Wording) -> str:
    """The report as a self-contained HTML file."""
    title = wording.said(message("analysis.title", white=Side.WHITE, black=Side.BLACK))
    return (
        f'<!DOCTYPE html>\n<html lang="{wording.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{title}</title><style>{report_style()}</style></head>"
        f'<body><main class="analysis"><h1>{title}</h1>{report_body(match, wording)}</main></body></html>\n'
    )


def report_body(match: MatchAnalysis, wording: Wording) -> str:
    """The report as a part of a page, without its heading: figures, most costly decisions, then game by game."""
    parts = [f"<p>{line}</p>" for line in wording.engine(match)]
    parts.append(_figures(match, wording))
    parts.append(_most_costly(match, wording))
    parts += [_game(game, match, wording.in_game(game)) for game in match.games]
    return "".join(parts)


def last_graph(match: MatchAnalysis, wording: Wording) -> str:
    """The graph of the last game with a caption; empty if there is nothing to draw."""
    game = match.games[-1]
    wording = wording.in_game(game)
    graph = _graph(game, match, wording)
    return graph and f"{graph}<p>{_graph_title(match, wording)}</p>"


def _figures(match: MatchAnalysis, wording: Wording) -> str:
    """The table of both players' sums."""
    men = match.in_men
    sums = totals(match.games, men=men)
    weak = any(WEAK in game.engine for game in match.games)
    by_luck = any(player.rolls for player in sums.values())
    rows: list[tuple[str, Callable[[PlayerTotals], str]]] = [
        ("rating", lambda t: wording.said(message(f"analysis.rating.{t.rating}")) if t.rating and not weak else "–"),
        ("men_rate" if men else "error_rate", lambda t: wording.number(t.error_rate, 1)),
        ("snowie", lambda t: wording.number(t.snowie_error_rate, 1)),
        ("errors", lambda t: ", ".join(str(t.grades.get(g, 0)) for g in Grade if g is not Grade.NONE)),
        ("lost", lambda t: wording.number(t.loss)),
    ]
    if men:
        del rows[2], rows[0]
    else:
        rows.append(("cube", lambda t: str(sum(t.cube_errors.values()))))
    if by_luck:
        rows += [
            (
                "luck",
                lambda t: (
                    f"{wording.number(t.luck, sign=True)} ({wording.said(message(f'analysis.luck.{t.luck_class}'))})"
                ),
            ),
            ("result", lambda t: wording.worth(t.result, match)),
            ("adjusted", lambda t: wording.worth(t.adjusted, match)),
        ]
    head = "".join(f'<th scope="col" class="number">{wording.player(side)}</th>' for side in Side)
    body = "".join(
        f'<tr><th scope="row">{wording.said(message(f"analysis.row.{name}"))}</th>'
        + "".join(f'<td class="number">{cell(sums[side])}</td>' for side in Side)
        + "</tr>"
        for name, cell in rows
    )
    table = f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    return _wide(table, wording.said(message("analysis.title", white=Side.WHITE, black=Side.BLACK)))


def _most_costly(match: MatchAnalysis, wording: Wording) -> str:
    """The decisions that have a class, the most costly first, each with its board."""
    men = match.in_men
    wrong = [
        (decision, game)
        for game in match.games
        for decision in game.decisions
        if grade(decision.loss, men=men) != Grade.NONE
    ]
    wrong.sort(key=lambda pair: -pair[0].cost)
    heading = f"<h2>{wording.said(message('analysis.costliest'))}</h2>"
    if not wrong:
        return f"{heading}<p>{wording.said(message('analysis.no_errors'))}</p>"
    items = "".join(_card(decision, game, wording.in_game(game), men=men) for decision, game in wrong[:MOST_BOARDS])
    return f'{heading}<ul class="decisions">{items}</ul>'


def _card(decision: Decision, game: GameAnalysis, wording: Wording, *, men: bool) -> str:
    dice = wording.dice(decision)
    what = (
        message("analysis.board.cube", player=decision.side)
        if decision.of_cube
        else message("analysis.board", player=decision.side, dice=dice)
    )
    label = wording.said(what)
    board = drawn_board(decision.position, label)
    where = wording.said(message("analysis.where", game=game.number, turn=decision.turn))
    found = grade(decision.loss, men=men)
    return (
        f"<li>{board}<p>{where}: {label}</p>"
        f"<p>{wording.made(decision)} → <strong>{wording.best(decision)}</strong> "
        f'<span class="grade {found}">{wording.number(-decision.loss)} {wording.grade(found)}</span></p></li>'
    )


def _game(game: GameAnalysis, match: MatchAnalysis, wording: Wording) -> str:
    """Heading, graph and table of a game."""
    score = "–".join(map(str, game.score))
    heading = wording.said(message("analysis.game", number=game.number, score=score))
    return (
        f"<section><h2>{heading}</h2>{_graph(game, match, wording)}"
        f"<details><summary>{wording.said(message('analysis.turns'))}</summary>"
        f"{_wide(_turns(game.decisions, match, wording), heading)}</details></section>"
    )


def _wide(table: str, label: str) -> str:
    """A table that scrolls sideways on a small screen, also by the keyboard."""
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _graph(game: GameAnalysis, match: MatchAnalysis, wording: Wording) -> str:
    return equity_graph(game, _graph_title(match, wording), chances=shows_chances(match), men=match.in_men)


def _graph_title(match: MatchAnalysis, wording: Wording) -> str:
    kind = "match" if shows_chances(match) else "men" if match.in_men else "points"
    return wording.said(message(f"analysis.graph.{kind}", player=Side.WHITE))


def _turns(decisions: Iterable[Decision], match: MatchAnalysis, wording: Wording) -> str:
    names = ["turn", "player", "roll", "made", "best", "lost", "luck", "value"]
    heads = {"player": message("analysis.player"), "luck": message("analysis.row.luck")}
    head = "".join(
        f'<th scope="col">{wording.said(heads.get(name) or message(f"analysis.column.{name}"))}</th>' for name in names
    )
    rows = "".join(_turn(decision, match, wording) for decision in decisions)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _turn(decision: Decision, match: MatchAnalysis, wording: Wording) -> str:
    found = grade(decision.loss, men=match.in_men)
    lost = wording.number(-decision.loss) if decision.loss else ""
    word = f" {wording.grade(found)}" if found is not Grade.NONE else ""
    cells = (
        ("number", str(decision.turn)),
        ("", wording.player(decision.side)),
        ("", escape(wording.dice(decision))),
        ("", wording.made(decision)),
        ("", wording.best(decision)),
        (f"number grade {found}", lost + word),
        ("number", "" if decision.luck is None else wording.number(decision.luck, sign=True)),
        (
            "number",
            "" if decision.value is None else wording.worth(decision.value, match, sign=not shows_chances(match)),
        ),
    )
    return (
        "<tr>"
        + "".join(f'<td class="{name}">{text}</td>' if name else f"<td>{text}</td>" for name, text in cells)
        + "</tr>"
    )
