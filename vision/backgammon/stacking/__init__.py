"""Second layers: whether a checker bears another."""
