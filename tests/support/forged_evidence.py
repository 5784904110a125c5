"""Reads, checks and forges evidence."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core import boardside_version
from companion.history.evidence_check import check_evidence
from companion.history.evidence_file import Evidence, read_evidence
from companion.record import chain_hash

if TYPE_CHECKING:
    from pathlib import Path

    from companion.dice import CheckLine


def read(content: bytes, folder: Path) -> Evidence:
    (folder / "evidence.zip").write_bytes(content)
    return read_evidence(folder / "evidence.zip")


def checked(evidence: Evidence) -> list[CheckLine]:
    return list(check_evidence(evidence, boardside_version()))


def wrong(evidence: Evidence) -> list[str]:
    return [line.words for line in checked(evidence) if line.holds is False]


def rewritten(true: Evidence, kind: str, **changes: object) -> Evidence:
    """The evidence with the last event of that kind changed, and all hashes made anew, as a forger would."""
    at = max(n for n, link in enumerate(true.links) if json.loads(link.text)["event"] == kind)
    event = json.loads(true.links[at].text)
    for name, value in changes.items():
        event[name] = value(event[name]) if callable(value) else value
    texts = [link.text for link in true.links]
    texts[at] = json.dumps(event, separators=(",", ":"))
    return rechained(true, texts)


def rechained(evidence: Evidence, texts: list[str]) -> Evidence:
    links, chain = [], evidence.before
    for link, text in zip(evidence.links, texts, strict=True):
        chain = chain_hash(chain, link.number, link.at_s, text)
        links.append(replace(link, text=text, chain=chain))
    return replace(evidence, links=tuple(links))
