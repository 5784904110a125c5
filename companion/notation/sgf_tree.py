"""SGF's brackets: game trees, nodes and their properties, whatever the game (SGF FF[4]).

Only each tree's first variation is followed: that is the game as it was played.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.notation.script import ScriptError

if TYPE_CHECKING:
    from collections.abc import Iterator

Node = dict[str, list[str]]
"""A node's properties: each name with its values (at least one, perhaps empty), escapes undone."""

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
    """Text as a property's value."""
    return re.sub(r"([\]\\:])", r"\\\1", text)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    place, end = max(text.find("("), 0), len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise ScriptError(f"SGF: {text[place : place + 20]!r} is neither a bracket, a node nor a property")
        yield token
        place = token.end()


def _add(nodes: list[Node], token: re.Match[str]) -> None:
    """A node, a property's name or a value, at the end of what was read."""
    bracket, word, value = token.groups()
    if bracket == ";":
        nodes.append({})
    elif not nodes:
        raise ScriptError(f"SGF: {_shown(token)} stands before the first node")
    elif word:  # older files spell names out, the small letters do not count
        nodes[-1].setdefault("".join(letter for letter in word if letter.isupper()), [])
    elif not nodes[-1]:
        raise ScriptError(f"SGF: {_shown(token)} is a value without a property")
    else:
        nodes[-1][next(reversed(nodes[-1]))].append(re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL))


def _shown(token: re.Match[str]) -> str:
    return repr(token[0].strip()[:20])
