"""Texts of the pages by key, in English, and `PageTexts`, which gives them in a player's language."""

from __future__ import annotations

from web.texts.browser import browser_texts
from web.texts.page import TEXTS
from web.texts.page_texts import ENGLISH_TEXTS, PageTexts
from web.texts.settings import SETTINGS_IN_BROWSER

__all__ = ["ENGLISH_TEXTS", "SETTINGS_IN_BROWSER", "TEXTS", "PageTexts", "browser_texts"]
