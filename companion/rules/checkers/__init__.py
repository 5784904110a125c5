"""Checkers (English draughts): positions, legal moves, verdicts and their reasons."""
