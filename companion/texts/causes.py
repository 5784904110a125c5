"""Why a picture cannot be read, and what to do: the one table for the page, the speech and the command line."""

from __future__ import annotations

from companion.texts.catalogue import marked

CAUSES = {
    "hand": marked("Something is over the board"),
    "dark": marked("It is too dark to see the board"),
    "glare": marked("Light is reflected off the board"),
    "blur": marked("The picture is blurred"),
    "moved_camera": marked("The camera or the board was moved"),
    "unknown": marked("The board cannot be read"),
}
"""By `companion.core.Cause`: what the matter is."""

MENDS = {
    "hand": marked("take it away"),
    "dark": marked("give it more light"),
    "glare": marked("move the lamp, or shade the board"),
    "blur": marked("hold still, and check the camera's focus"),
    "moved_camera": marked("put it back, or set the board up anew"),
    "unknown": marked("straighten the checkers and see that nothing lies on it"),
}
"""By `companion.core.Cause`: what to do about it."""

PARTS = {
    "upper left": marked("upper left"),
    "upper middle": marked("upper middle"),
    "upper right": marked("upper right"),
    "left": marked("left"),
    "middle": marked("middle"),
    "right": marked("right"),
    "lower left": marked("lower left"),
    "lower middle": marked("lower middle"),
    "lower right": marked("lower right"),
}
"""By `companion.core.Part`: the parts of the board, after "over the" and "off the"."""

TEXTS = {
    **{f"cause.{cause}": text for cause, text in CAUSES.items()},
    **{f"mend.{cause}": text for cause, text in MENDS.items()},
    "unreadable": marked("{cause}: {mend}."),
    "unreadable.hand": marked("Something lies over the {part} of the board: take it away."),
    "unreadable.glare": marked("Light is reflected off the {part} of the board: move the lamp, or tilt the camera."),
    "unreadable.because": marked("I cannot tell, because {why}."),
    "unreadable.not_still": marked("the board was not still and in view"),
}
