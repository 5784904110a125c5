// A chequered board: cells row * 8 + column, row 0 at White's edge.

import { RADIUS, addLayers, checkerElement, drawTray, wood } from "./drawing.js";
import { say } from "./texts.js";
import { HEIGHT, rectangle, redraw, showPart, svgElement, uprightAt, view } from "./view.js";

const FRAME = 0.4;
const COLUMNS = 8;
const SQUARE = HEIGHT / COLUMNS;
const WHITE_BESIDE = 64;
const BLACK_BESIDE = 65;
const TRAY = { left: HEIGHT + 1.1, right: HEIGHT + 2.2 };
const PIECE = 1.18; // scale of pieces drawn on squares

const row = (cell) => Math.floor(cell / COLUMNS);
const column = (cell) => cell % COLUMNS;
const isDark = (cell) => (row(cell) + column(cell)) % 2 === 0;
const middle = (cell) => ({ x: (column(cell) + 0.5) * SQUARE, y: (row(cell) + 0.5) * SQUARE });

function area(cell) {
  if (cell === WHITE_BESIDE) return { x: TRAY.left, y: 0, width: TRAY.right - TRAY.left, height: 5.1 };
  if (cell === BLACK_BESIDE) return { x: TRAY.left, y: HEIGHT - 5.1, width: TRAY.right - TRAY.left, height: 5.1 };
  return { x: column(cell) * SQUARE, y: row(cell) * SQUARE, width: SQUARE, height: SQUARE };
}

function crown() {
  const points = "-20,14 -24,-12 -10,0 0,-18 10,0 24,-12 20,14";
  return svgElement("polygon", { class: "crown", points });
}

// Adds or removes the crown of the upper one of the two men that form a king.
function crowned(element, isKing) {
  const drawn = element.querySelector(".crown");
  if (isKing && !drawn) element.append(crown());
  if (!isKing) drawn?.remove();
}

function piece(side, cell, king) {
  const { x, y } = middle(cell);
  const group = checkerElement(side, x, y, PIECE);
  if (king) group.append(crown());
  return group;
}

function drawBoard(svg) {
  const bed = { x: 0, y: 0, width: HEIGHT, height: HEIGHT };
  svg.replaceChildren(
    ...wood({ x: -FRAME, y: -FRAME, width: HEIGHT + 2 * FRAME, height: HEIGHT + 2 * FRAME }, { rx: 22 }),
    ...Array.from({ length: COLUMNS ** 2 }, (_, cell) => rectangle(area(cell), { class: isDark(cell) ? "square dark" : "square light" })),
    rectangle(bed, { class: "grained", fill: "url(#grain)" }),
    rectangle(bed, { fill: "url(#vignette)" }),
    rectangle(bed, { class: "rim" }),
  );
  return addLayers(svg);
}

// The numbers 1 to 32 of the dark squares, in the corner that is at the reader's top left.
function drawLabels(layer, labels) {
  const away = view.turned ? -1 : 1;
  redraw(layer, labels.flatMap((label, cell) => {
    if (!label) return [];
    const { x, y } = middle(cell);
    const words = () => svgElement("text", { class: "square-label", x: -61, y: -48 }, String(label));
    return [[`${cell} ${label} ${away}`, () => svgElement("g", { transform: uprightAt(x, y) }, words())]];
  }));
}

export const checkers = {
  width: HEIGHT,
  drawBoard,
  crowned,
  drawLabels,
  area,
  spot: middle,
  show(svg, movable) {
    const beyond = movable && (movable.some(({ x }) => x + RADIUS > TRAY.right) ? HEIGHT + 4.4 : HEIGHT + 2.3);
    showPart(svg, -FRAME - 0.06, beyond ?? HEIGHT + FRAME + 0.06, FRAME);
  },
  drawTrays: (layer, dashed = false) => layer.replaceChildren(
    ...(dashed ? [WHITE_BESIDE, BLACK_BESIDE].flatMap((cell) => drawTray(area(cell), say("tray.captured"), true)) : [])),
  pieces: (board) => board.squares.flatMap((content, cell) => ["white", "black"].flatMap((side, k) => {
    if (!content[k]) return [];
    const king = board.kings.includes(cell);
    return [[`${cell} ${side} ${king}`, () => piece(side, cell, king)]];
  })),
  count: () => 1,
  rows: Array.from({ length: COLUMNS }, (_, n) => {
    const top = COLUMNS - 1 - n;
    return [...Array.from({ length: COLUMNS }, (_, k) => top * COLUMNS + k), n < COLUMNS / 2 ? BLACK_BESIDE : WHITE_BESIDE];
  }),
  first: 16,
  name(cell, labels) {
    if (cell >= WHITE_BESIDE) return say("cell.beside");
    return labels[cell] ? say("cell.square", { number: labels[cell] }) : say("cell.light");
  },
  inside(cell, { x, y }) {
    const box = area(cell);
    const wide = cell >= WHITE_BESIDE ? 4 : box.width;
    return x >= box.x && x < box.x + wide && y >= box.y && y < box.y + box.height;
  },
  fromEdge: (cell, { x, y }) => (cell >= WHITE_BESIDE ? x + Math.min(y, HEIGHT - y) : 0),
  target(cell) {
    if (cell >= WHITE_BESIDE) return { x: TRAY.left + 0.5, y: cell === WHITE_BESIDE ? 2.6 : HEIGHT - 2.6 };
    return middle(cell);
  },
};
