// A backgammon board as SVG. Board units are column widths (x from the left frame, y up from White's edge), as on the
// simulated table; one unit is 100 in the drawing. What both kinds of boards need is here too; `backgammon` is this one
// as the table and the reading use it, `checkers` in squares.js the other.

import { say } from "./texts.js";

export const WIDTH = 13;
export const HEIGHT = 10.6;
export const RADIUS = 0.44;
export const WHITE_BAR = 24;
export const BLACK_BAR = 25;
export const WHITE_OFF = 26;
export const BLACK_OFF = 27;

const FRAME = 0.78;
const POINT_LENGTH = 4.5;
const TRAY = { left: 14.1, right: 15.2 };
const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const inTenths = (value) => Math.round(10 * value) / 10;

export const across = (x) => inTenths(100 * x);
export const down = (y) => inTenths(100 * (HEIGHT - y));

// Left edge of the column that cell 0..23 has, and whether its row starts at the top.
function column(cell) {
  const index = cell < 12 ? 11 - cell : cell - 12;
  return { left: index + (index >= 6 ? 1 : 0), top: cell >= 12 };
}

// The area of a cell: x, y of its lower left corner, width, height.
export function area(cell) {
  if (cell === WHITE_BAR) return { x: 6, y: HEIGHT / 2, width: 1, height: HEIGHT / 2 };
  if (cell === BLACK_BAR) return { x: 6, y: 0, width: 1, height: HEIGHT / 2 };
  if (cell === WHITE_OFF) return { x: TRAY.left, y: 0, width: TRAY.right - TRAY.left, height: 5.1 };
  if (cell === BLACK_OFF) return { x: TRAY.left, y: HEIGHT - 5.1, width: TRAY.right - TRAY.left, height: 5.1 };
  const { left, top } = column(cell);
  return { x: left, y: top ? HEIGHT - 5.1 : 0, width: 1, height: 5.1 };
}

export function rectangle(box, attributes) {
  const corner = { x: across(box.x), y: down(box.y + box.height), width: 100 * box.width, height: 100 * box.height };
  return svgElement("rect", { ...corner, ...attributes });
}

// Centre of the n-th of `count` checkers on cell 0..25; rows start at the edge, on the bar in the middle.
export function seat(cell, n, count) {
  const pitch = Math.min(0.9, count > 1 ? (4.9 - 2 * RADIUS) / (count - 1) : 1);
  if (cell === WHITE_BAR || cell === BLACK_BAR) {
    const away = RADIUS + 0.02 + n * Math.min(pitch, 0.9);
    return { x: 6.5, y: HEIGHT / 2 + (cell === WHITE_BAR ? away : -away) };
  }
  const { left, top } = column(cell);
  const away = RADIUS + 0.02 + n * pitch;
  return { x: left + 0.5, y: top ? HEIGHT - away : away };
}

export function checkerElement(side, x, y) {
  const group = svgElement("g", { class: `checker ${side}`, transform: `translate(${across(x)} ${down(y)})` });
  group.append(svgElement("circle", { r: 100 * RADIUS }), svgElement("circle", { class: "groove", r: 66 * RADIUS }));
  return group;
}

// The empty board. Returns layers to draw on: marks under the checkers, the checkers, and what lies over them.
export function drawBoard(svg, { right = TRAY.right + 0.3 } = {}) {
  svg.replaceChildren();
  setRight(svg, right);
  svg.append(
    rectangle({ x: -FRAME, y: -FRAME, width: WIDTH + 2 * FRAME, height: HEIGHT + 2 * FRAME }, { class: "frame", rx: 22 }),
    rectangle({ x: 0, y: 0, width: WIDTH, height: HEIGHT }, { class: "felt" }),
  );
  for (let cell = 0; cell < 24; cell += 1) {
    const { left, top } = column(cell);
    const edge = top ? HEIGHT : 0;
    const tip = top ? HEIGHT - POINT_LENGTH : POINT_LENGTH;
    const corners = [[left + 0.05, edge], [left + 0.95, edge], [left + 0.5, tip]];
    const points = corners.map(([x, y]) => `${across(x)},${down(y)}`).join(" ");
    svg.append(svgElement("polygon", { points, class: cell % 2 ? "point light" : "point dark" }));
  }
  svg.append(rectangle({ x: 6, y: 0, width: 1, height: HEIGHT }, { class: "bar" }));
  return addLayers(svg);
}

export function addLayers(svg) {
  const layers = {};
  for (const name of ["labels", "trays", "marks", "checkers", "over"]) {
    layers[name] = svgElement("g", { class: name });
    svg.append(layers[name]);
  }
  return layers;
}

export function setRight(svg, right, frame = FRAME) {
  const top = -100 * frame;
  svg.setAttribute("viewBox", `${top - 6} ${top - 6} ${100 * (right + frame) + 6} ${100 * (HEIGHT + 2 * frame) + 12}`);
}

// The points' numbers on the frame, as the player on roll counts them.
export function drawLabels(layer, labels) {
  layer.replaceChildren(...labels.map((label, cell) => {
    const { left, top } = column(cell);
    const y = top ? HEIGHT + FRAME / 2 : -FRAME / 2;
    return svgElement("text", { x: across(left + 0.5), y: down(y), class: "label" }, String(label));
  }));
}

// What the verdict speaks of, and where the reading is not certain.
export function drawMarks(layer, highlighted, doubtful, areaOf = area) {
  const mark = (cell, kind) => {
    const box = areaOf(cell);
    return rectangle({ x: box.x + 0.03, y: box.y + 0.03, width: box.width - 0.06, height: box.height - 0.06 },
      { class: kind, rx: 16, "data-cell": cell });
  };
  layer.replaceChildren(
    ...highlighted.map((cell) => mark(cell, "highlighted")),
    ...doubtful.map((cell) => mark(cell, "doubtful")),
  );
}

export function drawTrays(layer, dashed = false) {
  layer.replaceChildren(...[WHITE_OFF, BLACK_OFF].flatMap((cell) => {
    const box = area(cell);
    const tray = rectangle(box, { class: dashed ? "tray dashed" : "tray", rx: 14 });
    if (!dashed) return [tray];
    const middle = `translate(${across(box.x + box.width / 2)} ${down(box.y + box.height / 2)}) rotate(-90)`;
    return [tray, svgElement("text", { class: "tray-label", transform: middle }, say("tray.off"))];
  }));
}

// ---- the backgammon board as a whole -------------------------------------------------------------------------------

const SIDES = ["white", "black"];
const SLAB = 0.3;

function checkersOf(cell, [white, black]) {
  const count = white + black;
  const sides = [...Array(white).fill("white"), ...Array(black).fill("black")];
  const elements = sides.map((side, n) => {
    const { x, y } = seat(cell, n, count);
    return checkerElement(side, x, y);
  });
  if (count > 5) {
    const { x, y } = seat(cell, count - 1, count);
    elements.push(svgElement("text", { x: across(x), y: down(y), class: `count on-${sides[count - 1]}` }, String(count)));
  }
  return elements;
}

function borneOff(side, count) {
  const box = area(side === "white" ? WHITE_OFF : BLACK_OFF);
  return Array.from({ length: count }, (_, n) => {
    const y = side === "white" ? box.y + 0.12 + n * (SLAB + 0.025) : box.y + box.height - 0.12 - n * (SLAB + 0.025) - SLAB;
    return svgElement("rect", {
      class: `slab ${side}`, x: across(box.x + 0.1), y: down(y + SLAB), width: 100 * (box.width - 0.2), height: 100 * SLAB, rx: 8,
    });
  });
}

const beside = (cell) => cell === WHITE_OFF || cell === BLACK_OFF;
const onBar = (cell) => cell === WHITE_BAR || cell === BLACK_BAR;

export const backgammon = {
  frame: FRAME,
  right: { narrow: 15.5, wide: 17.3 },
  drawBoard,
  drawLabels,
  drawTrays,
  area,
  // Everything that stands on a board that was read.
  pieces: (board) => [
    ...board.points.flatMap((content, cell) => checkersOf(cell, content)),
    ...checkersOf(WHITE_BAR, [board.bar[0], 0]),
    ...checkersOf(BLACK_BAR, [0, board.bar[1]]),
    ...(board.off ? SIDES.flatMap((side, k) => borneOff(side, board.off[k])) : []),
  ],
  // Rows of places as they lie on the board, top row first: points, bar in the middle, borne off at the right.
  rows: [
    [12, 13, 14, 15, 16, 17, WHITE_BAR, 18, 19, 20, 21, 22, 23, BLACK_OFF],
    [11, 10, 9, 8, 7, 6, BLACK_BAR, 5, 4, 3, 2, 1, 0, WHITE_OFF],
  ],
  first: 5,
  name(cell, labels) {
    if (onBar(cell)) return say("cell.bar");
    return beside(cell) ? say("cell.beside") : say("cell.point", { number: labels[cell] ?? cell + 1 });
  },
  inside(cell, { x, y }) {
    const box = area(cell);
    const wide = beside(cell) ? 3 : box.width;
    return x >= box.x && x < box.x + wide && y >= box.y && y < box.y + Math.max(box.height, HEIGHT / 2 - 0.1);
  },
  // The smaller, the nearer to where a row begins: the last of a row is taken first.
  fromEdge: (cell, { y }) => (onBar(cell) ? Math.abs(y - HEIGHT / 2) : Math.min(y, HEIGHT - y)),
  target(cell) {
    if (cell === WHITE_OFF) return { x: 14.35, y: 2.6 };
    if (cell === BLACK_OFF) return { x: 14.35, y: HEIGHT - 2.6 };
    return seat(cell, 2, 5);
  },
};
