"""Finds checkers that lie between two cells: neighbouring or opposite points, or a point and the bar."""
