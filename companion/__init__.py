"""The game: a pure core (rules, referee, notation) and one shell around it."""
