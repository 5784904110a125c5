"""Announces a pairing code at the table: on the dice, aloud, and on the console, which the journal keeps."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import segno

from companion.seats import CODE_S, SeatDesk, SeatRegister, local_address

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.seats import Code
    from companion.speech import SpeechOutput
    from hardware.panel import Panel


def seat_desk(
    register: Path, panel: Panel, speech: SpeechOutput, port: int, before_first_roll: Callable[[], bool]
) -> SeatDesk:
    """The desk of a table: its register is the file `register`, and its page is at `port`.

    During a game a visitor may ask for a code only where no Roll button can be held for it.
    """
    desk = SeatDesk(
        SeatRegister(register),
        show=lambda code: announcement.show(code),
        may_ask=lambda: panel.on_mock_pins or before_first_roll(),
    )
    announcement = CodeAnnouncement(panel, speech, port, desk.invite)
    return desk


class CodeAnnouncement:
    """Announces a code at the table only: not on the page, which anybody on the network may watch."""

    def __init__(self, panel: Panel, speech: SpeechOutput, port: int, invite: Callable[[], str]) -> None:
        """`port` is the page's; `invite` gives the invitation in the QR code on the console."""
        self._panel, self._speech, self._port, self._invite = panel, speech, port, invite

    def show(self, code: Code | None) -> None:
        """Announce a new code; None: it is no longer valid."""
        self._panel.show_code(code)
        if code is None:
            return
        self._speech.say_pairing_code(code)
        print(self._printed(code), flush=True)

    def _printed(self, code: Code) -> str:
        page = f"http://{local_address()}:{self._port}/seat"
        numbers = " ".join(map(str, code))
        return (
            f"Pairing code: {numbers}. Enter it at {page} within {CODE_S / 60:.0f} minutes, or scan this:\n"
            f"{qr_code(f'{page}#{self._invite()}')}"
        )


def qr_code(text: str) -> str:
    """A QR code drawn with block elements (U+2580 and others), light on dark."""
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()
