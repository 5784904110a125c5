// A backgammon board as SVG. Board units are column widths (x from the left frame, y up from White's edge), as on the
// simulated table; one unit is 100 in the drawing.

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

function rectangle(box, attributes) {
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
  const layers = {};
  for (const name of ["labels", "trays", "marks", "checkers", "over"]) {
    layers[name] = svgElement("g", { class: name });
    svg.append(layers[name]);
  }
  return layers;
}

export function setRight(svg, right) {
  const top = -100 * FRAME;
  svg.setAttribute("viewBox", `${top - 6} ${top - 6} ${100 * (right + FRAME) + 6} ${100 * (HEIGHT + 2 * FRAME) + 12}`);
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
export function drawMarks(layer, highlighted, doubtful) {
  const mark = (cell, kind) => {
    const box = area(cell);
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
    return [tray, svgElement("text", { class: "tray-label", transform: middle }, "borne off")];
  }));
}
