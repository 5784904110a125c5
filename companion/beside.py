"""Opens the devices beside the board: panel, chess clock and voice, as configured."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.clock import ClockSetting
from companion.crier import Crier
from companion.spoken.tongue import Style
from companion.texts.catalogue import language_of
from companion.timekeeper import ClockPaused, NoClockError
from hardware.configuration import Configuration, load_configuration
from hardware.factory import GPIOCHIPS, open_factory
from hardware.panel import Panel
from hardware.pins import refuse_busy
from hardware.speech import Voice, style_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from contextlib import ExitStack

    from companion.inbox import Item
    from hardware.factory import Opened


@dataclass(frozen=True)
class Beside:
    """Configuration and pins of the devices; `opened.trouble` says why mock pins replace real ones."""

    configuration: Configuration
    opened: Opened

    @classmethod
    def asked_for(cls, args: argparse.Namespace) -> Beside:
        """Read the configuration file and apply the options config, clock, language, speech and gpio.

        Raises ConfigurationError, ClockError, PinsError or GpioError.
        """
        configuration = Configuration() if args.config is None else load_configuration(args.config)
        if args.clock is not None:
            configuration = configuration.with_clock(ClockSetting.parse(args.clock))
        if args.language is not None:
            configuration = replace(configuration, language=args.language)
        if args.speech is not None:
            configuration = replace(configuration, speech=Style(args.speech))
        beside = cls(configuration, open_factory(args.gpio))
        if not beside.opened.mocked:
            refuse_busy(configuration.pins, GPIOCHIPS)
        return beside

    def panel(self, post: Callable[[Item], None], pause_clock: Callable[[], None]) -> Panel:
        """Open the panel. Its buttons call `post`, or `pause_clock` for the chess clock. Raises GpioError."""

        def pressed(item: Item | ClockPaused) -> None:
            if not isinstance(item, ClockPaused):
                post(item)
                return
            try:
                pause_clock()
            except NoClockError:
                return  # a long press without a running clock is ignored

        return Panel(self.configuration, self.opened.factory, pressed)

    def crier(self, stack: ExitStack, *, simulated: bool) -> Crier:
        """Open the announcer; `stack` closes its voice. Prints to stderr if there is no voice."""
        language = language_of(self.configuration.language)
        style = style_of(self.configuration.speech, simulated=simulated)
        if style is Style.OFF:
            return Crier(language, style)
        voice = stack.enter_context(closing(Voice(language)))
        if voice.trouble is not None:
            print(voice.trouble, file=sys.stderr)
        return Crier(language, style, voice)
