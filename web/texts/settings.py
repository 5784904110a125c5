"""Texts of the settings, the light meter and the test of the panel, in English by key."""

from __future__ import annotations

from companion.texts import marked

SETTINGS_TEXTS = {
    "outcome.nothing": marked("Nothing was changed."),
    "outcome.at_once": marked("Saved: it applies from now on."),
    "outcome.opens_again": marked("The table restarts with these settings …"),
    "outcome.later": marked("Saved: it will apply after this game or match."),
    "camera.waits": marked("The board is not read yet: set up the starting position where the camera sees all of it."),
    "camera.reads": marked("The board is found and read."),
    "lighting.good": marked("Light enough"),
    "lighting.dim": marked("Rather dim: a lamp would make readings surer"),
    "lighting.dark": marked("Too dark: put a lamp beside the board"),
    "lighting.clipped": marked("Too bright in places: turn the lamp so that nothing shines into the camera"),
    "focus.sharp": marked("Sharp"),
    "focus.soft": marked("It has been sharper: turn the ring of the lens a little"),
    "focus.blurred": marked("Blurred: turn the ring of the lens, or clean it"),
    "panel.pressed": marked("{button} was pressed"),
    "panel.pressed.by": marked("{button} of {player} was pressed"),
}

SETTINGS_IN_BROWSER = {
    "sheet.added": marked("{title} is sound and kept: it can be chosen now."),
    "sheet.question": marked("Remove the sheet {sheet}?"),
    "panel.none": marked("No button was pressed yet"),
    "settings.slow": marked("The table does not answer yet. Trying again …"),
    "step.of": marked("Step {step} of {steps}"),
}
"""Texts of the page's scripts."""
