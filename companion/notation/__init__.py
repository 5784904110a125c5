"""Notation: one module for each standard way of writing positions and plays."""
