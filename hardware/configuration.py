"""The configuration file (TOML): pins, brightness, buzzer, gestures, chess clock, dice, speech."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from companion.clock import ClockError, ClockSetting
from companion.core import BoardsideError, OutsideError, parse_toml, quoted, read_text
from companion.dice import DICE
from companion.interface import Button
from companion.speech import Style
from companion.texts import LANGUAGES
from hardware.button_actions import ButtonAction, Gestures
from hardware.gestures import Gesture
from hardware.pins import Pins, PinsError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 100_000
BUZZERS = ("active", "passive")
ROLL_S = 0.36
"""Seconds that the LED dice flicker before the result: six frames of `led_dice.FLICKER_S`."""
LONGEST_ROLL_S = 2.0
"""The largest `roll_s` that a configuration may set, in seconds."""
DIMMEST = 0.02
"""The smallest brightness, as a fraction of 1. gpiozero's software PWM has steps of 0.01; below two steps an LED
flickers or stays dark."""


class ConfigurationError(BoardsideError):
    """The configuration cannot be used; the text names the key and the expected value."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """How the panel is wired and how it behaves; defaults apply to keys that the file leaves out.

    Attributes:
        pins: where everything is wired.
        dice_brightness, light_brightness: from DIMMEST to 1.
        common_anode: whether the status light's long leg goes to 3.3 V in place of ground.
        buzzer: "active" (makes its own tone) or "passive" (a piezo disc driven by a square wave).
        roll_s: seconds that a roll flickers before the result is shown; 0 shows the result at once.
        gestures: what long and double presses mean.
        clock: the chess clock; None: no clock.
        dice: source of the dice: "fair" (rolled by the program), "hand" (entered on the page) or "camera".
        language: language of the spoken lines; None: the system's language.
        speech: style of the spoken lines; None: the default of `hardware.speech.style_of`.
    """

    pins: Pins = field(default_factory=Pins)
    dice_brightness: float = 1.0
    light_brightness: float = 1.0
    common_anode: bool = False
    buzzer: str = "active"
    roll_s: float = ROLL_S
    gestures: Gestures = field(default_factory=Gestures)
    clock: ClockSetting | None = None
    dice: str = DICE[0]
    language: str | None = None
    speech: Style | None = None

    def __post_init__(self) -> None:
        """Raise ConfigurationError for a value out of range."""
        for key in ("dice_brightness", "light_brightness"):
            _check_range(key, getattr(self, key), DIMMEST, 1.0)
        _check_range("roll_s", self.roll_s, 0.0, LONGEST_ROLL_S)
        if self.buzzer not in BUZZERS:
            raise ConfigurationError(f"buzzer = {quoted(self.buzzer)}: expected one of {', '.join(BUZZERS)}")
        if self.dice not in DICE:
            raise ConfigurationError(f"dice = {quoted(self.dice)}: expected one of {', '.join(DICE)}")
        if self.language not in (None, *LANGUAGES):
            raise ConfigurationError(f"language = {quoted(self.language)}: expected one of {', '.join(LANGUAGES)}")


def load_configuration(path: Path) -> Configuration:
    """Read a TOML file. Raises ConfigurationError naming the file, the key and the expected value."""
    try:
        return configuration_of(parse_toml(read_text(path, MOST_BYTES)))
    except OSError as error:
        raise ConfigurationError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except OutsideError as error:
        raise ConfigurationError(f"{str(path)!r} is not TOML: {error}") from error
    except (ConfigurationError, PinsError, ClockError) as error:
        raise ConfigurationError(f"{str(path)!r}: {error}") from error


def configuration_of(data: dict[str, Any]) -> Configuration:
    """Build the configuration from the parsed TOML.

    Its keys are `dice`, `language`, `speech` and the tables [pins], [panel], [gestures] and [clock].

    Raises ConfigurationError, PinsError or ClockError.
    """
    _check_known("table", data, ("pins", "panel", "gestures", "clock", "dice", "language", "speech"))
    panel, defaults = _table(data, "panel"), Configuration()
    _check_known("[panel]", panel, ("dice_brightness", "light_brightness", "common_anode", "buzzer", "roll_s"))
    settings = {key: _like(f"[panel] {key}", value, getattr(defaults, key)) for key, value in panel.items()}
    return replace(
        defaults,
        pins=_pins(_table(data, "pins")),
        gestures=_gestures(_table(data, "gestures")),
        clock=_clock(_table(data, "clock")),
        dice=_like("dice", data.get("dice", defaults.dice), defaults.dice),
        language=_like("language", data["language"], LANGUAGES[0]) if "language" in data else None,
        speech=_speech(data["speech"]) if "speech" in data else None,
        **settings,
    )


def _speech(value: Any) -> Style:
    if value not in list(Style):
        raise ConfigurationError(f"speech = {quoted(value)}: expected one of {', '.join(Style)}")
    return Style(value)


def _pins(table: dict[str, Any]) -> Pins:
    known = {each.name: each.default for each in fields(Pins)}
    _check_known("[pins]", table, tuple(known))
    changed: dict[str, Any] = {}
    for key, value in table.items():
        default = known[key]
        pin_count = len(default) if isinstance(default, tuple) else 1
        given = value if isinstance(default, tuple) and isinstance(value, list) else [value]
        if len(given) != pin_count or not all(type(pin) is int for pin in given):
            expected = f"{pin_count} pins such as {list(default)}" if isinstance(default, tuple) else "a pin such as 17"
            raise ConfigurationError(f"[pins] {key} = {quoted(value)}: expected {expected}")
        changed[key] = tuple(given) if isinstance(default, tuple) else value
    return replace(Pins(), **changed)


def _gestures(table: dict[str, Any]) -> Gestures:
    """Parse [gestures]: times, and a table for each button such as `hint = { long = "hide hints" }`.

    An empty table removes the button's default gestures.
    """
    times = {key: _like(f"[gestures] {key}", table[key], 0.5) for key in ("long_s", "double_s") if key in table}
    for key, seconds in times.items():
        _check_range(f"[gestures] {key}", seconds, 0.15, 5.0)
    buttons = {key: value for key, value in table.items() if key not in times}
    _check_known("[gestures]", buttons, tuple(Button))
    more = {Button(name): _actions(f"[gestures] {name}", actions) for name, actions in buttons.items()}
    defaults = Gestures()
    return replace(defaults, **times, more={**defaults.more, **more})


def _actions(key: str, table: Any) -> dict[Gesture, ButtonAction]:
    if not isinstance(table, dict):
        raise ConfigurationError(f'{key} = {quoted(table)}: expected a table such as {{ long = "hide hints" }}')
    _check_known(key, table, (Gesture.LONG, Gesture.DOUBLE))
    for gesture, action in table.items():
        if action not in list(ButtonAction):
            raise ConfigurationError(f"{key}.{gesture} = {quoted(action)}: expected one of {', '.join(ButtonAction)}")
    return {Gesture(gesture): ButtonAction(action) for gesture, action in table.items()}


def _clock(table: dict[str, Any]) -> ClockSetting | None:
    _check_known("[clock]", table, ("minutes", "delay_s"))
    if not table:
        return None
    numbers = {key: _like(f"[clock] {key}", value, 0.0) for key, value in table.items()}
    return ClockSetting(numbers.get("minutes", 0.0), numbers.get("delay_s", 0.0))


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise ConfigurationError(f"{name} = {quoted(table)}: expected a table [{name}]")
    return table


def _like(key: str, value: Any, default: Any) -> Any:
    """`value` if it has the type of `default`; an integer is accepted for a float. Raises ConfigurationError."""
    if isinstance(default, float) and type(value) in (int, float):
        return float(value)
    if type(value) is not type(default):
        raise ConfigurationError(f"{key} = {quoted(value)}: expected something like {default!r}")
    return value


def _check_known(what: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise ConfigurationError(f"{what}: unknown key {quoted(key)}; known are {', '.join(known)}")


def _check_range(key: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ConfigurationError(f"{key} = {value:g}: expected {low:g} to {high:g}")
