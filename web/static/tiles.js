// A board of tiles: twelve in a line, a space on both sides of each, and cubes in two files. The cells are those of the
// framed board; cubes waiting outside are on the bar's cells.

import { BLACK_BAR, BLACK_OFF, SIDES, WHITE_BAR, WHITE_OFF, WIDTH, atTop, backgammon, beside, onBar as outside } from "./board.js";
import { AXIS, addLayers, drawTray } from "./drawing.js";
import { say } from "./texts.js";
import { HEIGHT, across, down, rectangle, redraw, showPart, svgElement, textAt, view } from "./view.js";

const COLUMNS = 12;
const TILE = WIDTH / COLUMNS;
const CUBE = 0.3 * TILE;
const STEP = 1.2 * CUBE;
const REACH = 2.4 * TILE; // of a space, from the line's middle
const EDGE = 1.9; // the part of the table's height that is not shown, below and above

const away = (cell, y) => AXIS + (atTop(cell) ? y : -y);

function column(cell) {
  const fromHome = cell < COLUMNS ? COLUMNS - 1 - cell : cell - COLUMNS;
  return view.mirrored ? COLUMNS - 1 - fromHome : fromHome;
}

function spot(cell, n) {
  if (beside(cell)) return { x: -0.6 * TILE - Math.floor(n / 5) * STEP, y: away(cell, TILE / 2 + (0.5 + (n % 5)) * STEP) };
  const [pair, file] = [Math.floor(n / 2), n % 2];
  if (outside(cell)) return { x: WIDTH + 0.55 * TILE + file * STEP, y: away(cell, 0.5 * TILE + pair * STEP) };
  return { x: (column(cell) + 0.5) * TILE + (2 * file - 1) * 0.6 * CUBE, y: away(cell, TILE / 2 + 0.9 * CUBE + pair * STEP) };
}

function area(cell) {
  const [near, width] = beside(cell) ? [-1.7 * TILE, 1.5 * TILE] : outside(cell) ? [WIDTH + 0.2 * TILE, 1.5 * TILE] : [column(cell) * TILE, TILE];
  const from = beside(cell) || outside(cell) ? 0.1 : TILE / 2;
  return { x: near, y: atTop(cell) ? AXIS + from : AXIS - REACH, width, height: REACH - from };
}

function cubeElement(side, x, y) {
  const square = (attributes) => svgElement("rect", { x: -50 * CUBE, y: -50 * CUBE, width: 100 * CUBE, height: 100 * CUBE, rx: 4, ...attributes });
  return svgElement("g", { class: `checker ${side}`, transform: `translate(${across(x)} ${down(y)})` },
    square({ class: "cast", transform: "translate(4 6)" }), square({ class: "body" }), square({ fill: "url(#bevel)" }));
}

const cubesOf = (cell, counts) => SIDES.flatMap((side, k) => Array.from({ length: counts[k] }, (_, n) => {
  const { x, y } = spot(cell, n + (k ? counts[0] : 0));
  return [`${side} ${x} ${y}`, () => cubeElement(side, x, y)];
}));

function drawBoard(svg) {
  const cloth = { x: -2 * TILE, y: EDGE, width: WIDTH + 4 * TILE, height: HEIGHT - 2 * EDGE };
  const tile = (_, k) => {
    const box = { x: k * TILE + 0.02, y: AXIS - TILE / 2 + 0.02, width: TILE - 0.04, height: TILE - 0.04 };
    return [rectangle(box, { class: `point ${k % 2 ? "light" : "dark"}`, rx: 7 }), rectangle(box, { fill: "url(#sheen)", rx: 7 })];
  };
  svg.replaceChildren(
    rectangle(cloth, { class: "felt", rx: 22 }), rectangle(cloth, { class: "woven", fill: "url(#nap)", rx: 22 }), rectangle(cloth, { fill: "url(#vignette)", rx: 22 }),
    ...Array.from({ length: COLUMNS }, tile).flat(),
  );
  return addLayers(svg);
}

// The spaces' numbers on their tiles' edges.
function drawLabels(layer, labels) {
  redraw(layer, labels.map((label, cell) => [`${cell} ${label}`, () => textAt((column(cell) + 0.5) * TILE, away(cell, 0.27 * TILE), "label", label)]));
}

export const tiles = {
  width: WIDTH,
  drawBoard,
  drawLabels,
  area,
  spot,
  element: cubeElement,
  show: (svg) => showPart(svg, -2 * TILE, WIDTH + 2 * TILE, -EDGE),
  drawTrays: (layer) => layer.replaceChildren(
    ...[WHITE_OFF, BLACK_OFF].flatMap((cell) => drawTray(area(cell), say("tray.off"), true).slice(0, 1))),
  pieces: (board) => [
    ...board.points.flatMap((content, cell) => cubesOf(cell, content)),
    ...cubesOf(WHITE_BAR, [board.bar[0], 0]),
    ...cubesOf(BLACK_BAR, [0, board.bar[1]]),
    ...(board.off ? [...cubesOf(WHITE_OFF, [board.off[0], 0]), ...cubesOf(BLACK_OFF, [0, board.off[1]])] : []),
  ],
  count: backgammon.count,
  dice: { white: { x: 10.5, y: EDGE + 0.65 }, black: { x: 2.5, y: HEIGHT - EDGE - 0.65 } },
  cube: ({ owner, offered_to: asked }) => ({ x: asked ? 6.5 : 0.5, y: (asked ?? owner) === "black" ? HEIGHT - EDGE - 0.65 : EDGE + 0.65 }),
  get rows() {
    const row = (first, step) => Array.from({ length: COLUMNS }, (_, k) => first + step * (view.mirrored ? COLUMNS - 1 - k : k));
    return [[BLACK_OFF, ...row(12, 1), WHITE_BAR], [WHITE_OFF, ...row(11, -1), BLACK_BAR]];
  },
  first: backgammon.first,
  name: backgammon.name,
  inside(cell, { x, y }) {
    if (y > AXIS !== atTop(cell)) return false;
    if (beside(cell)) return x < -0.1 * TILE;
    if (outside(cell)) return x > WIDTH + 0.1 * TILE;
    const left = column(cell) * TILE;
    return x >= left && x < left + TILE;
  },
  fromEdge: (_, { y }) => Math.abs(y - AXIS),
  target: (cell) => spot(cell, 2),
};
