"""The words for everything the players are told, in English tables and in catalogues for the other languages."""

from companion.texts.render import phrase, render

__all__ = ["phrase", "render"]
