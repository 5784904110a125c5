// The framed backgammon board. A kind of board knows its cells' places and draws them; squares.js and tiles.js have the
// other kinds.

import { AXIS, RADIUS, addLayers, checkerDrawn, drawTray, wood } from "./drawing.js";
import { say } from "./texts.js";
import { HEIGHT, across, down, rectangle, redraw, showPart, svgElement, textAt, view } from "./view.js";

export const WIDTH = 13;
export const WHITE_BAR = 24;
export const BLACK_BAR = 25;
export const WHITE_OFF = 26;
export const BLACK_OFF = 27;

const FRAME = 0.78;
const POINT_LENGTH = 4.5;
const TRAY = { left: 13.93, right: 14.97 };
export const SIDES = ["white", "black"];
const SLAB = 0.3;

export const beside = (cell) => cell === WHITE_OFF || cell === BLACK_OFF;
export const onBar = (cell) => cell === WHITE_BAR || cell === BLACK_BAR;
export const atTop = (cell) => (onBar(cell) ? cell === WHITE_BAR : beside(cell) ? cell === BLACK_OFF : cell >= 12);

// Left edge of the column of a cell 0..23.
function left(cell) {
  const fromHome = cell < 12 ? 11 - cell : cell - 12;
  const index = view.mirrored ? 11 - fromHome : fromHome;
  return index + (index >= 6 ? 1 : 0);
}

// What lies beside a mirrored board is mirrored, too.
const mirrored = (x) => (view.mirrored ? WIDTH - x : x);
const trayLeft = () => Math.min(mirrored(TRAY.left), mirrored(TRAY.right));

// The area of a cell: x, y of its lower left corner, width, height.
function area(cell) {
  if (onBar(cell)) return { x: 6, y: cell === WHITE_BAR ? AXIS : 0, width: 1, height: AXIS };
  const y = atTop(cell) ? HEIGHT - 5.1 : 0;
  if (beside(cell)) return { x: trayLeft(), y, width: TRAY.right - TRAY.left, height: 5.1 };
  return { x: left(cell), y, width: 1, height: 5.1 };
}

// Centre of the n-th of `count` checkers on a cell; rows begin at the edge, on the bar in the middle.
function spot(cell, n, count = n + 1) {
  const pitch = Math.min(0.9, count > 1 ? (4.9 - 2 * RADIUS) / (count - 1) : 1);
  const away = RADIUS + 0.02 + n * pitch;
  if (onBar(cell)) return { x: 6.5, y: AXIS + (cell === WHITE_BAR ? away : -away) };
  if (beside(cell)) {
    const edge = 0.12 + SLAB / 2 + n * (SLAB + 0.025);
    return { x: mirrored((TRAY.left + TRAY.right) / 2), y: atTop(cell) ? HEIGHT - edge : edge };
  }
  return { x: left(cell) + 0.5, y: atTop(cell) ? HEIGHT - away : away };
}

function triangle(cell) {
  const edge = atTop(cell) ? HEIGHT : 0;
  const tip = Math.abs(edge - POINT_LENGTH);
  const corners = [[left(cell) + 0.05, edge], [left(cell) + 0.95, edge], [left(cell) + 0.5, tip]];
  const points = corners.map(([x, y]) => `${across(x)},${down(y)}`).join(" ");
  return svgElement("polygon", { points, class: cell % 2 ? "point light" : "point dark" });
}

// The empty board. Returns layers to draw on.
function drawBoard(svg) {
  const bed = [{ x: 0, y: 0, width: 6, height: HEIGHT }, { x: 7, y: 0, width: 6, height: HEIGHT }];
  svg.replaceChildren(
    ...wood({ x: -FRAME, y: -FRAME, width: WIDTH + 2 * FRAME, height: HEIGHT + 2 * FRAME }, { rx: 22 }),
    ...bed.flatMap((box) => [rectangle(box, { class: "felt" }), rectangle(box, { class: "woven", fill: "url(#nap)" }), rectangle(box, { fill: "url(#vignette)" })]),
    ...Array.from({ length: 24 }, (_, cell) => triangle(cell)),
    ...bed.map((box) => rectangle(box, { class: "rim" })),
    svgElement("path", { class: "hinge", d: `M${across(6.5)} ${down(-FRAME)}V${down(HEIGHT + FRAME)}` }),
  );
  return addLayers(svg);
}

// The points' numbers on the frame, as the player on roll counts them.
function drawLabels(layer, labels) {
  redraw(layer, labels.map((label, cell) => [`${cell} ${label}`, () => textAt(
    left(cell) + 0.5, atTop(cell) ? HEIGHT + FRAME / 2 : -FRAME / 2, "label", label)]));
}

function checkersOf(cell, [white, black]) {
  const count = white + black;
  const sides = [...Array(white).fill("white"), ...Array(black).fill("black")];
  const drawn = sides.map((side, n) => {
    const { x, y } = spot(cell, n, count);
    return checkerDrawn(side, x, y);
  });
  if (count <= 5) return drawn;
  const { x, y } = spot(cell, count - 1, count);
  return [...drawn, [`count ${cell} ${sides[count - 1]} ${count}`, () => textAt(x, y, `count on-${sides[count - 1]}`, count)]];
}

function borneOff(side, count) {
  const cell = side === "white" ? WHITE_OFF : BLACK_OFF;
  const box = area(cell);
  return Array.from({ length: count }, (_, n) => {
    const lies = { x: box.x + 0.1, y: spot(cell, n).y - SLAB / 2, width: box.width - 0.2, height: SLAB };
    return [`slab ${side} ${n}`, () => svgElement("g", { class: `slab ${side}` },
      rectangle(lies, { class: "edge", rx: 8 }), rectangle(lies, { rx: 8, fill: "url(#sheen)" }))];
  });
}

export const backgammon = {
  width: WIDTH,
  drawBoard,
  drawLabels,
  area,
  spot,
  layers: 5,
  // Sets the visible part of the table; on a simulated table it includes checkers beside the board.
  show(svg, checkers = []) {
    const widest = Math.max(...checkers.map(({ x }) => mirrored(x) + RADIUS));
    showPart(svg, mirrored(-FRAME - 0.12), mirrored(widest > TRAY.right ? 17.3 : TRAY.right + 0.1), FRAME);
  },
  drawTrays: (layer, dashed = false) => layer.replaceChildren(
    ...[WHITE_OFF, BLACK_OFF].flatMap((cell) => drawTray(area(cell), say("tray.off"), dashed).slice(0, dashed ? 1 : 2))),
  // All checkers of a board that was read.
  pieces: (board) => [
    ...board.points.flatMap((content, cell) => checkersOf(cell, content)),
    ...checkersOf(WHITE_BAR, [board.bar[0], 0]),
    ...checkersOf(BLACK_BAR, [0, board.bar[1]]),
    ...(board.off ? SIDES.flatMap((side, k) => borneOff(side, board.off[k])) : []),
  ],
  // How many of a side's checkers are on a cell of a board that was read.
  count(board, cell, side) {
    if (cell < WHITE_BAR) return board.points[cell][side];
    return onBar(cell) ? board.bar[side] : board.off?.[side] ?? 0;
  },
  dice: { white: { x: 10, y: AXIS }, black: { x: 3, y: AXIS } },
  cube({ owner, offered_to: asked }) {
    if (asked) return this.dice[asked];
    return { x: mirrored(-0.44), y: owner === "white" ? 0.5 : owner === "black" ? HEIGHT - 0.5 : AXIS };
  },
  // Rows of places as they lie on the board, top row first: points, bar in the middle, borne off at the right.
  get rows() {
    const rows = [
      [12, 13, 14, 15, 16, 17, WHITE_BAR, 18, 19, 20, 21, 22, 23, BLACK_OFF],
      [11, 10, 9, 8, 7, 6, BLACK_BAR, 5, 4, 3, 2, 1, 0, WHITE_OFF],
    ];
    return view.mirrored ? rows.map((row) => row.reverse()) : rows;
  },
  first: 5,
  name(cell, labels) {
    if (onBar(cell)) return say("cell.bar");
    return beside(cell) ? say("cell.beside") : say("cell.point", { number: labels[cell] ?? cell + 1 });
  },
  // Whether a place on the table belongs to a cell.
  inside(cell, { x, y }) {
    const box = area(cell);
    if (beside(cell)) return mirrored(x) >= TRAY.left - 0.6 && y > AXIS === atTop(cell);
    return x >= box.x && x < box.x + box.width && y > AXIS === atTop(cell);
  },
  // Distance from where a row begins: the last checker of a row is taken first.
  fromEdge: (cell, { y }) => (onBar(cell) ? Math.abs(y - AXIS) : Math.min(y, HEIGHT - y)),
  target(cell) {
    if (beside(cell)) return { x: mirrored(14.35), y: atTop(cell) ? HEIGHT - 2.6 : 2.6 };
    return spot(cell, 2, 5);
  },
};
