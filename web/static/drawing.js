// What all boards are drawn with: layers, checkers, marks, dice, cube, and gradients for light and shade.

import { HEIGHT, across, down, rectangle, redraw, svgElement, uprightAt } from "./view.js";

export const RADIUS = 0.44;
const LAYERS = ["labels", "trays", "marks", "furniture", "checkers", "arrows", "over"];

// Light and shade, used by every board on the page; colours are the theme's (board.css).
function light() {
  const stop = (offset, colour, opacity) => svgElement("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
  const id = (name, kind, attributes, ...children) => svgElement(kind, { id: name, ...attributes }, ...children);
  const units = { patternUnits: "userSpaceOnUse" };
  const fibre = (d, width) => svgElement("path", { d, class: "fibre", "stroke-width": width });
  return svgElement("svg", { width: 0, height: 0, class: "light", "aria-hidden": "true" }, svgElement("defs", {},
    id("bevel", "radialGradient", { cx: 0.36, cy: 0.3, r: 0.78 },
      stop(0, "#fff", 0.42), stop(0.42, "#fff", 0.06), stop(0.72, "#000", 0.06), stop(1, "#000", 0.42)),
    id("dish", "linearGradient", { x1: 0.2, y1: 0, x2: 0.7, y2: 1 }, stop(0, "#000", 0.22), stop(0.5, "#000", 0.02), stop(1, "#fff", 0.26)),
    id("sheen", "linearGradient", { x1: 0, y1: 0, x2: 0, y2: 1 },
      stop(0, "#fff", 0.2), stop(0.06, "#fff", 0.05), stop(0.9, "#000", 0.08), stop(1, "#000", 0.3)),
    id("vignette", "radialGradient", { r: 0.75 }, stop(0.3, "#fff", 0.07), stop(1, "#000", 0.2)),
    id("grain", "pattern", { ...units, width: 410, height: 96 },
      fibre("M0 12C90 4 170 22 410 12M0 70C120 82 260 58 410 70", 3), fibre("M0 30C140 40 240 22 410 30M0 52C80 46 300 60 410 52M0 88C150 80 210 94 410 88", 1.6)),
    id("nap", "pattern", { ...units, width: 14, height: 14 }, fibre("M0 14L14 0M-4 4L4 -4M10 18L18 10", 1.4)),
  ));
}

// The empty layers of a board, from the lowest to the highest.
export function addLayers(svg) {
  if (!document.getElementById("bevel")) document.body.append(light());
  const layers = {};
  for (const name of LAYERS) {
    layers[name] = svgElement("g", { class: name });
    svg.append(layers[name]);
  }
  return layers;
}

// Wood around a board, and a bed of felt or wood let into it.
export function wood(box, attributes = {}) {
  return [["wood", null], ["grained", "url(#grain)"], ["lit", "url(#sheen)"]]
    .map(([kind, fill]) => rectangle(box, { ...attributes, class: kind, ...(fill ? { fill } : {}) }));
}

export function checkerElement(side, x, y, scale = 1) {
  const group = svgElement("g", { class: `checker ${side}`, transform: `translate(${across(x)} ${down(y)})${scale === 1 ? "" : ` scale(${scale})`}` });
  const r = 100 * RADIUS;
  group.append(
    svgElement("circle", { class: "cast", r, cx: 3, cy: 6 }),
    svgElement("circle", { class: "body", r: r - 2 }),
    svgElement("circle", { r, fill: "url(#bevel)" }),
    svgElement("circle", { class: "groove", r: 0.64 * r, fill: "url(#dish)" }),
  );
  return group;
}

export const checkerDrawn = (side, x, y, scale) => [`${side} ${x} ${y}`, () => checkerElement(side, x, y, scale)];

// Cells that the verdict names, and cells that are not certain.
export function drawMarks(layer, highlighted, doubtful, areaOf) {
  const mark = (kind) => (cell) => {
    const box = areaOf(cell);
    const inner = { x: box.x + 0.03, y: box.y + 0.03, width: box.width - 0.06, height: box.height - 0.06 };
    return [`${kind} ${cell}`, () => rectangle(inner, { class: kind, rx: 16, "data-cell": cell })];
  };
  redraw(layer, [...highlighted.map(mark("highlighted")), ...doubtful.map(mark("doubtful"))]);
}

export function drawTray(box, words, dashed) {
  const tray = rectangle(box, { class: dashed ? "tray dashed" : "tray", rx: 14 });
  const middle = `${uprightAt(box.x + box.width / 2, box.y + box.height / 2)} rotate(-90)`;
  return [tray, svgElement("text", { class: "tray-label", transform: middle }, words)];
}

// ---- dice and cube -------------------------------------------------------------------------------------------------

const PIPS = { 1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568" }; // places of a 3 x 3 grid

export function dieElement(number, className, transform, size = 88) {
  const far = 0.27 * size;
  const pips = [...PIPS[number]].map((at) => svgElement("circle", { cx: far * (at % 3 - 1), cy: far * (Math.floor(at / 3) - 1), r: 0.1 * size, class: "pip" }));
  const square = (attributes) => svgElement("rect", { x: -size / 2, y: -size / 2, width: size, height: size, rx: 0.2 * size, ...attributes });
  return svgElement("g", { class: `board-die ${className}`, transform }, square({ class: "face" }), square({ fill: "url(#bevel)", opacity: 0.5 }), ...pips);
}

// Dice on the right of the player who rolled them, slightly rotated.
export function diceDrawn(dice, places) {
  const beside = { white: 0, black: 0 };
  const many = (player) => dice.filter((die) => die.player === player).length;
  return dice.filter(({ player }) => player).map(({ number, player }) => {
    const n = beside[player]++;
    const { x, y } = places[player];
    const at = x + 1.15 * (n - (many(player) - 1) / 2);
    return [`die ${player} ${n} ${number}`, () => dieElement(number, player, `${uprightAt(at, y)} rotate(${n % 2 ? 7 : -9})`)];
  });
}

export function cubeDrawn(cube, { x, y }) {
  const make = () => svgElement("g", { class: cube.offered_to ? "cube offered" : "cube", transform: uprightAt(x, y, cube.offered_to ? 1.25 : 1) },
    svgElement("rect", { x: -42, y: -42, width: 84, height: 84, rx: 13, class: "face" }),
    svgElement("rect", { x: -42, y: -42, width: 84, height: 84, rx: 13, fill: "url(#bevel)", opacity: 0.55 }),
    svgElement("text", {}, String(cube.number)));
  return [`cube ${cube.number} ${x} ${y}`, make];
}

export const AXIS = HEIGHT / 2;
