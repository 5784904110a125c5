"""The choices of options. They are copies, because every command would have to load the modules that define them.

`tests/companion/test_cli.py` compares them with the originals.
"""

from __future__ import annotations

GAMES = ("backgammon", "checkers")
DICE = ("fair", "hand", "camera")  # companion.dice.DICE
LANGUAGES = ("en", "de", "fr", "es")  # companion.texts.LANGUAGES
LEVELS = tuple("123456")  # companion.settings.values.LEVELS
ENGINES = ("auto", "gnubg", "embedded")  # companion.hints.select.ENGINES
FORMER_ENGINES = {"plain": "embedded"}  # companion.hints.select.FORMER_ENGINES
SPEECH = ("off", "terse", "friendly")  # companion.speech.Style
DEFAULT_PORT = 8000
