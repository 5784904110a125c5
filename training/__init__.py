"""Draws boards and trains the networks that read them; README.md says how, and what was trained on what."""
