"""Backgammon: positions, legal plays, judgement and explanation."""
