"""Hints: ranking plays, with every engine behind one Protocol."""
