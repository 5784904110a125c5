"""Checkers (English draughts): positions, legal moves, judgement and explanation."""
