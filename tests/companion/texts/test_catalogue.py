"""Every catalogue contains exactly the messages in use, with the same facts."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess

import pytest
from flask import Flask
from places import ROOT

from companion.texts import LANGUAGES, language_of
from companion.texts.catalogue import LanguageError, compiled, parsed

COMPANION = ROOT / "companion"
LOCALE = COMPANION / "texts" / "locale"
WEB = ROOT / "web"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
BRACES = re.compile(r"\{\w+\}")


def catalogue(language: str) -> dict[str, str]:
    return parsed((LOCALE / f"{language}.po").read_text(encoding="utf-8"))


def messages() -> set[str]:
    """All that the tables mark or count, and all that the page's templates translate."""
    found = set(template_texts())
    sources = (COMPANION / "texts", WEB)
    for path in (path for folder in sources for path in folder.rglob("*.py")):
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if name == "marked":
                found.update(texts)
            elif name == "counted" and len(texts) == 2:
                found.add("\0".join(texts))
    return found


def template_texts() -> list[str]:
    """The texts that the templates translate with `_`, as Jinja extracts them."""
    environment = Flask("web").jinja_env
    environment.add_extension("jinja2.ext.i18n")
    sources = [path.read_text() for path in sorted((WEB / "templates").rglob("*.html"))]
    return [text for source in sources for _, _, text in environment.extract_translations(source)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_contains_exactly_the_texts_in_use(language):
    assert set(catalogue(language)) - {""} == messages()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language):
    assert [message for message, words in catalogue(language).items() if not all(words.split("\0"))] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_uses_only_facts_of_its_message(language):
    for message, words in catalogue(language).items():
        if message:
            last = (message.split("\0")[-1], words.split("\0")[-1])
            assert set(BRACES.findall(last[0])) == set(BRACES.findall(last[1])), message


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalogue_equals_the_output_of_gettext(language, tmp_path):
    if shutil.which("msgfmt") is None:
        pytest.skip("msgfmt is not installed: apt install gettext")
    done = subprocess.run(
        ["msgfmt", "--no-hash", "-o", str(tmp_path / "x.mo"), str(LOCALE / f"{language}.po")], check=False
    )
    assert done.returncode == 0
    assert (tmp_path / "x.mo").read_bytes() == compiled(catalogue(language))


def test_the_language_is_the_chosen_one_else_that_of_the_system():
    assert language_of("fr", {"LANG": "de_DE.UTF-8"}) == "fr"
    assert language_of(None, {"LANG": "de_DE.UTF-8"}) == "de"
    assert language_of(None, {"LC_ALL": "es_ES", "LANG": "de_DE.UTF-8"}) == "es"
    assert language_of(None, {"LANG": "C.UTF-8"}) == "en"
    assert language_of(None, {}) == "en"


def test_an_unsupported_language_is_refused_with_the_supported_ones():
    with pytest.raises(LanguageError, match="'nl': expected one of en, de, fr, es"):
        language_of("nl", {})
