"""Draws the wiring of a configuration as SVG: the 40-pin header and the circuit of each pin. Units: SVG pixels."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from hardware.wiring import ALL_PINS_MA, GROUND, HEADER, SUPPLY, circuits, largest_current_ma, use_label

if TYPE_CHECKING:
    from hardware.configuration import Configuration
    from hardware.wiring import Circuit

WIDTH, HEIGHT = 1340, 900
ROW = 42
"""Height of one circuit."""
STYLE = """
text { font: 14px "DejaVu Sans", Verdana, sans-serif; fill: #22262a; }
.small { font-size: 12px; } .soft { fill: #5d6469; } .title { font-size: 20px; font-weight: bold; }
.head { font-size: 15px; font-weight: bold; } .wire { stroke: #22262a; stroke-width: 1.6; fill: none; }
.part { stroke: #22262a; stroke-width: 1.6; fill: #ffffff; } .dot { fill: #22262a; }
.net { fill: #e9f1ee; stroke: #2f7566; } .ground { fill: #c9ced1; } .supply { fill: #f0b6ab; } .free { fill: #ffffff; }
.used { fill: #9fd0c2; } .pin { stroke: #22262a; stroke-width: 1.2; }
"""
COLUMNS = {"left": 430, "white": 775, "black": 1065}
"""x of each column's left edge."""


def draw(configuration: Configuration) -> str:
    """The SVG text for `configuration`."""
    found = circuits(configuration)
    drawn = [_text(24, 36, "Boardside: the panel's wiring", "title")]
    drawn += _header(found)
    drawn += _left_column(found, configuration)
    for name in ("white", "black"):
        drawn += _die(name, [each for each in found if each.use.startswith(f"{name}_die")])
    drawn.append(
        _text(
            COLUMNS["left"],
            HEIGHT - 22,
            f"At most {largest_current_ma(configuration):.0f} mA flow through all pins at once, "
            f"of the {ALL_PINS_MA:.0f} mA they may give together. Every LED has a resistor of its own.",
            "small soft",
        )
    )
    body = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<title>Boardside: the panel's wiring</title>\n<style>{STYLE}</style>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


# --- the header ------------------------------------------------------------------------------------------------------


def _header(found: list[Circuit]) -> list[str]:
    """The 40 pins and their uses, with the header at the right of the board's upper edge."""
    used = {circuit.place: circuit for circuit in found}
    numbers = {place: bcm for bcm, place in HEADER.items()}
    drawn = [_text(24, 66, "The header from above; pin 1 is at the board's corner", "small soft")]
    drawn.append('<rect x="188" y="84" width="64" height="728" rx="8" fill="#3a3f44"/>')
    for place in range(1, 41):
        left = place % 2 == 1
        x, y = (204 if left else 236), 104 + 36 * ((place - 1) // 2)
        kind = "used" if place in used else "ground" if place in GROUND else "supply" if place in SUPPLY else "free"
        drawn.append(f'<circle class="pin {kind}" cx="{x}" cy="{y}" r="12"/>')
        drawn.append(_text(x, y + 4, str(place), "small", "middle"))
        label = SUPPLY.get(place) or ("ground" if place in GROUND else f"GPIO {numbers.get(place)}")
        said = use_label(used[place].use) if place in used else ""
        drawn.append(_text(180 if left else 260, y + (-1 if said else 5), label, "small", "end" if left else "start"))
        if said:
            drawn.append(_text(180 if left else 260, y + 13, said, "small soft", "end" if left else "start"))
    return drawn


# --- the circuits ----------------------------------------------------------------------------------------------------


def _left_column(found: list[Circuit], configuration: Configuration) -> list[str]:
    """Buttons, status light and buzzer, from top to bottom."""
    x, y, drawn = COLUMNS["left"], 84, []
    buttons = [each for each in found if each.kind == "button"]
    drawn += [_text(x, y, "Buttons (to ground; the Pi pulls up)", "head")]
    for circuit in buttons:
        y += ROW
        drawn += [_text(x + 112, y - 16, use_label(circuit.use), "small soft"), _net(x, y, circuit)]
        drawn += [_wire(x + 104, y, x + 140, y), *_switch(x + 140, y), _wire(x + 180, y, x + 214, y)]
    first = y - ROW * (len(buttons) - 1)
    drawn += [_wire(x + 214, first, x + 214, y), *_ground(x + 214, y)]
    y += 2 * ROW
    light = [each for each in found if each.use.startswith("light")]
    anode = configuration.common_anode
    drawn.append(_text(x, y, f"Status light (common {'anode' if anode else 'cathode'})", "head"))
    top = y + ROW
    for circuit in light:
        y += ROW
        drawn.append(_text(x + 112, y - 12, use_label(circuit.use).split(", ")[1], "small soft"))
        drawn += [_net(x, y, circuit), *_pip(x + 104, y, circuit.ohm, reverse=anode)]
    drawn += _common(x + 244, top, y, anode=anode)
    y += 2 * ROW
    (buzzer,) = [each for each in found if each.use == "buzzer"]
    return drawn + (_active(x, y, buzzer) if buzzer.kind == "transistor" else _piezo(x, y, buzzer))


def _die(name: str, found: list[Circuit]) -> list[str]:
    """The seven LEDs of a die by group, and their places on its face."""
    x, y = COLUMNS[name], 84
    drawn = [_text(x, y, f"{name.capitalize()}'s die", "head")]
    top = y + ROW
    for letter, circuit in zip("ABCD", found, strict=True):
        said = use_label(circuit.use).split(", ")[1]
        first = y + ROW
        for n in range(circuit.leds):
            y += ROW
            drawn += _pip(x + 104, y, circuit.ohm, lead=8 * n)
        if circuit.leds > 1:
            drawn += [_wire(x + 112, first, x + 112, y), _dot(x + 112, first)]
        drawn += [_net(x, first, circuit), _text(x + 2, first - 17, f"{letter}: {said}", "small soft")]
    drawn += _common(x + 244, top, y, anode=False)
    return drawn + _face(x + 40, y + 90)


def _face(x: float, y: float) -> list[str]:
    """The face of a die with the letter of the group at each LED."""
    drawn = [_text(x - 40, y - 14, "The LEDs on the die's face:", "small soft")]
    drawn.append(f'<rect class="part" x="{x}" y="{y}" width="150" height="150" rx="20"/>')
    for letter, column, row in ("B00", "C20", "D01", "A11", "D21", "C02", "B22"):
        cx, cy = x + 33 + 42 * int(column), y + 33 + 42 * int(row)
        drawn.append(f'<circle class="part" cx="{cx}" cy="{cy}" r="14"/>')
        drawn.append(_text(cx, cy + 5, letter, "", "middle"))
    return drawn


def _active(x: float, y: float, circuit: Circuit) -> list[str]:
    """An active buzzer at 5 V with a transistor; it needs more current than a pin can supply."""
    base, y2 = x + 190, y + 96
    return [
        _text(x, y, "Active buzzer (5 V, by a transistor)", "head"),
        _net(x, y2, circuit),
        _wire(x + 104, y2, x + 116, y2),
        *_resistor(x + 116, y2, circuit.ohm),
        _wire(x + 170, y2, base, y2),
        f'<path class="wire" d="M{base} {y2 - 18} v36 M{base} {y2 - 8} l24 -16 v-8 M{base} {y2 + 8} l24 16 v8"/>',
        f'<path class="dot" d="M{base + 24} {y2 + 24} l-11 -2 l6 -8 z"/>',
        f'<rect class="part" x="{base - 14}" y="{y2 - 68}" width="76" height="36" rx="6"/>',
        _text(base + 24, y2 - 45, "buzzer", "small", "middle"),
        _text(base + 32, y2 - 22, "−", "small"),
        _wire(base + 24, y2 - 68, base + 24, y2 - 80),
        _text(base + 32, y2 - 70, "+  5 V (pin 2 or 4)", "small"),
        *_ground(base + 24, y2 + 32),
        _text(base + 34, y2 + 8, "BC547 / 2N3904", "small soft"),
    ]


def _piezo(x: float, y: float, circuit: Circuit) -> list[str]:
    return [
        _text(x, y, "Passive buzzer (piezo disc)", "head"),
        _net(x, y + ROW, circuit),
        _wire(x + 104, y + ROW, x + 116, y + ROW),
        *_resistor(x + 116, y + ROW, circuit.ohm),
        _wire(x + 170, y + ROW, x + 188, y + ROW),
        f'<rect class="part" x="{x + 188}" y="{y + ROW - 16}" width="56" height="32" rx="6"/>',
        _text(x + 216, y + ROW + 5, "piezo", "small", "middle"),
        _wire(x + 244, y + ROW, x + 262, y + ROW),
        *_ground(x + 262, y + ROW),
    ]


# --- symbols ---------------------------------------------------------------------------------------------------------


def _net(x: float, y: float, circuit: Circuit) -> str:
    label = _text(x + 52, y + 4, f"GPIO {circuit.pin} · pin {circuit.place}", "small", "middle")
    return f'<rect class="net" x="{x}" y="{y - 12}" width="104" height="24" rx="5"/>{label}'


def _pip(x: float, y: float, ohm: int, *, lead: float = 0.0, reverse: bool = False) -> list[str]:
    """A resistor and an LED in series, 140 wide, from `x`; the wire starts at `lead`; `reverse`: common anode."""
    arrow = "l8 -8 m0 0 l-5 1 m5 -1 l-1 5"
    tip, tail = (x + 92, x + 110) if reverse else (x + 110, x + 92)
    return [
        _wire(x + lead, y, x + 16, y),
        *_resistor(x + 16, y, ohm),
        _wire(x + 70, y, x + 140, y),
        f'<path class="part" d="M{tail} {y - 9} L{tip} {y} L{tail} {y + 9} Z M{tip} {y - 9} V{y + 9}"/>',
        f'<path class="wire" d="M{x + 100} {y - 12} {arrow} M{x + 110} {y - 12} {arrow}"/>',
    ]


def _common(x: float, top: float, bottom: float, *, anode: bool) -> list[str]:
    """The common leg of LEDs: to ground, or with a common anode to 3.3 V."""
    drawn = [_wire(x, top, x, bottom)]
    if anode:
        return [*drawn, _wire(x, top, x, top - 14), _text(x + 8, top - 10, "3.3 V (pin 1)", "small")]
    return [*drawn, *_ground(x, bottom)]


def _resistor(x: float, y: float, ohm: int) -> list[str]:
    value = f"{ohm // 1000} kΩ" if ohm >= 1000 else f"{ohm} Ω"
    return [
        f'<rect class="part" x="{x}" y="{y - 9}" width="54" height="18"/>',
        _text(x + 27, y + 4, value, "small", "middle"),
    ]


def _switch(x: float, y: float) -> list[str]:
    return [_dot(x, y), _dot(x + 40, y), f'<path class="wire" d="M{x} {y} L{x + 36} {y - 14}"/>']


def _ground(x: float, y: float) -> list[str]:
    bars = f"M{x} {y} v14 M{x - 12} {y + 14} h24 M{x - 8} {y + 19} h16 M{x - 4} {y + 24} h8"
    return [f'<path class="wire" d="{bars}"/>']


def _dot(x: float, y: float) -> str:
    return f'<circle class="dot" cx="{x}" cy="{y}" r="3.2"/>'


def _wire(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="wire" d="M{x1} {y1} L{x2} {y2}"/>'


def _text(x: float, y: float, said: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{style}" text-anchor="{anchor}">{escape(said)}</text>'
