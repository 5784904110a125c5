"""The page on the local network: board, verdict, dice, hints and the dispute view."""
