"""Parser for SGF (FF[4]) game trees, nodes and properties, independent of the game.

Only the first variation of each tree is read: the game as played.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.notation.script import ScriptError

if TYPE_CHECKING:
    from collections.abc import Iterator

Node = dict[str, list[str]]
"""Properties of a node: name to values, unescaped; at least one value, which may be empty."""

_TOKEN = re.compile(r"\s*(?:([();])|([A-Za-z]+)|\[((?:\\.|[^\]\\])*)\])", re.DOTALL)


def parse_trees(text: str) -> list[list[Node]]:
    """The nodes of each game tree along its first variation. Raises ScriptError."""
    trees: list[list[Node]] = []
    depth, main_line_over = 0, False
    for token in _tokens(text):
        bracket = token[1]
        if bracket == "(":
            if depth == 0:
                trees.append([])
                main_line_over = False
            depth += 1
        elif depth == 0:
            raise ScriptError(f"SGF: {_shown(token)} stands outside every game tree")
        elif bracket == ")":
            depth, main_line_over = depth - 1, True
        elif not main_line_over:
            _add(trees[-1], token)
    if depth:
        raise ScriptError("SGF: the last game tree is not closed")
    return [[{name: values or [""] for name, values in node.items()} for node in nodes] for nodes in trees]


def escaped(text: str) -> str:
    """Escape text for use as a property's value."""
    return re.sub(r"([\]\\:])", r"\\\1", text)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    place, end = max(text.find("("), 0), len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise ScriptError(f"SGF: {text[place : place + 20]!r} is not a bracket, a node or a property")
        yield token
        place = token.end()


def _add(nodes: list[Node], token: re.Match[str]) -> None:
    """Append a node, a property name or a value to the nodes read so far."""
    bracket, word, value = token.groups()
    if bracket == ";":
        nodes.append({})
    elif not nodes:
        raise ScriptError(f"SGF: {_shown(token)} stands before the first node")
    elif word:  # older files spell names out; only capitals count
        nodes[-1].setdefault("".join(letter for letter in word if letter.isupper()), [])
    elif not nodes[-1]:
        raise ScriptError(f"SGF: {_shown(token)} is a value without a property")
    else:
        nodes[-1][next(reversed(nodes[-1]))].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))


def _shown(token: re.Match[str]) -> str:
    return repr(token[0].strip()[:20])
