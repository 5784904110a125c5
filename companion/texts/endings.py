"""How a game ended that nobody won."""

from __future__ import annotations

from companion.texts.catalogue import marked

DRAWN = {
    "drawn: threefold_repetition": marked("A draw: the position stood for the third time."),
    "drawn: forty_moves": marked("A draw: forty moves without progress."),
    "unfinished": marked("The game was left unfinished."),
}
"""By the kind of ending in the record; any other without a winner was agreed on."""
AGREED_DRAW = marked("The players agreed on a draw.")
