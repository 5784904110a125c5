// A chequered board as SVG: cells row * 8 + column, row 0 at White's edge, in the same units as the backgammon board.

import { HEIGHT, across, addLayers, checkerElement, down, rectangle, setRight, svgElement } from "./board.js";
import { say } from "./texts.js";

const FRAME = 0.4;
const COLUMNS = 8;
const SQUARE = HEIGHT / COLUMNS;
const WHITE_BESIDE = 64;
const BLACK_BESIDE = 65;
const TRAY = { left: HEIGHT + 1.1, right: HEIGHT + 2.2 };
const PIECE = 1.18; // as large as looks right on a square; where they lie is the same as on the simulated table

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

function piece(side, cell, king) {
  const { x, y } = middle(cell);
  const group = checkerElement(side, x, y);
  group.setAttribute("transform", `translate(${across(x)} ${down(y)}) scale(${PIECE})`);
  if (king) group.append(crown());
  return group;
}

function drawBoard(svg, { right = HEIGHT + FRAME + 0.06 } = {}) {
  svg.replaceChildren();
  setRight(svg, right, FRAME);
  const outer = { x: -FRAME, y: -FRAME, width: HEIGHT + 2 * FRAME, height: HEIGHT + 2 * FRAME };
  svg.append(rectangle(outer, { class: "frame", rx: 22 }));
  for (let cell = 0; cell < COLUMNS * COLUMNS; cell += 1) {
    svg.append(rectangle(area(cell), { class: isDark(cell) ? "square dark" : "square light" }));
  }
  return addLayers(svg);
}

// The numbers 1 to 32 of the dark squares, in a corner of each.
function drawLabels(layer, labels) {
  layer.replaceChildren(...labels.flatMap((label, cell) => {
    if (!label) return [];
    const { x, y } = area(cell);
    return [svgElement("text", { x: across(x + 0.08), y: down(y + SQUARE - 0.19), class: "square-label" }, String(label))];
  }));
}

function drawTrays(layer, dashed = false) {
  if (!dashed) return layer.replaceChildren();
  return layer.replaceChildren(...[WHITE_BESIDE, BLACK_BESIDE].flatMap((cell) => {
    const box = area(cell);
    const turn = `translate(${across(box.x + box.width / 2)} ${down(box.y + box.height / 2)}) rotate(-90)`;
    return [
      rectangle(box, { class: "tray dashed", rx: 14 }),
      svgElement("text", { class: "tray-label", transform: turn }, say("tray.captured")),
    ];
  }));
}

export const checkers = {
  frame: FRAME,
  right: { narrow: HEIGHT + 2.5, wide: HEIGHT + 4.4 },
  drawBoard,
  drawLabels,
  drawTrays,
  area,
  pieces: (board) => board.squares.flatMap(([white, black], cell) => [
    ...(white ? [piece("white", cell, board.kings.includes(cell))] : []),
    ...(black ? [piece("black", cell, board.kings.includes(cell))] : []),
  ]),
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
