"""Detects stacked checkers: which checkers of a row carry another one. `training` makes the networks' weights."""
