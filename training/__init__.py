"""Learning to tell second layers of checkers from drawn ones: `samples`, then `learn` (see `vision.layers`)."""
