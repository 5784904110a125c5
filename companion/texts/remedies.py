"""What the players are asked to agree on, and what they agreed on."""

from __future__ import annotations

from companion.texts.catalogue import marked

PROPOSED = {
    "corrected": marked("Proposed: the play is put right."),
    "stands": marked("Proposed: the play stands."),
    "overruled": marked("Proposed: the referee is overruled."),
    "takeback": marked("Proposed: the last turn is taken back."),
    "position": marked("Proposed: what stands on the board is the position."),
}
"""By `companion.game.Remedy`."""

AGREED = {
    "corrected": marked("Agreed: put the play right."),
    "stands": marked("Agreed: the play stands."),
    "overruled": marked("Agreed: the referee is overruled."),
    "takeback": marked("Agreed: the turn is taken back. Put the board back as it stood before it."),
    "position": marked("Agreed: what stands on the board is the position."),
}
"""By `companion.game.Remedy`."""
