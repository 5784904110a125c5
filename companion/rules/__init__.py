"""Rules: the sheets, the legal plays of each game, and why a play is not legal."""
