"""Backgammon: positions, legal plays, verdicts and their reasons."""
