"""The documents: links work, pictures are small, quoted texts exist in the program."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import cv2
import pytest
from places import ROOT

from companion.cli import build_parser

if TYPE_CHECKING:
    from pathlib import Path

LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SOURCES = ("companion", "vision", "hardware", "web")
PICTURES = ("page.png", "dispute.png", "phone.png", "review.png")


def documents() -> list[Path]:
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "web" / "documents").glob("*.md")]
    assert len(found) > 10
    return sorted(found)


def anchors(document: Path) -> set[str]:
    """The anchor of a heading, as on GitHub."""
    headings = HEADING.findall(FENCE.sub("", document.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    for pair in LINK.findall(FENCE.sub("", document.read_text(encoding="utf-8"))):
        target, _, anchor = "".join(pair).partition("#")
        if "://" in target:
            continue
        file = (document.parent / target).resolve() if target else document
        assert file.exists(), f"{document.name}: {target}"
        assert file.is_relative_to(ROOT)
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{document.name}: {target}#{anchor}"


def test_every_document_can_be_reached_from_the_first_page() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in (ROOT / "docs").glob("*.md")} == set(re.findall(r"\(docs/([\w-]+\.md)\)", first))


def test_the_first_page_is_read_once() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_small_enough_for_a_slow_line(name: str) -> None:
    file = ROOT / "docs" / name
    assert file.stat().st_size < 300_000
    assert cv2.imread(str(file)).shape[1] <= 1280


def said() -> str:
    """Every text in the sources: string literals, with adjacent ones joined, and texts of templates."""
    texts: list[str] = []
    for folder in SOURCES:
        for file in (ROOT / folder).rglob("*.py"):
            nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            texts += [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        texts += [file.read_text(encoding="utf-8") for file in (ROOT / folder).rglob("*.html")]
    return "\n".join(texts)


@pytest.mark.slow
def test_quoted_texts_in_documents_exist_in_the_program() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    quoted = re.findall(r"\*\*(.+?)\*\*", text)
    assert len(quoted) > 30
    everything = said()
    pieces = [piece.strip() for words in quoted for piece in words.split(" …") if piece.strip(" ,:.")]
    assert [piece for piece in pieces if piece not in everything] == []


def test_every_command_that_a_document_names_is_one() -> None:
    commands = set(re.findall(r"^    (\w+) ", build_parser().format_help(), re.MULTILINE))
    named = set()
    for document in documents():
        text = document.read_text(encoding="utf-8")
        code = "\n".join(FENCE.findall(text) + re.findall(r"`([^`\n]+)`", text))
        named |= set(re.findall(r"(?:^|[/|;`] ?|sudo )boardside ([a-z]+)", code, re.MULTILINE))
    assert len(named) > 8
    assert named <= commands
