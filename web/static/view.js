// Converts table units to SVG units, for the side from which this screen shows the board. Table units are column widths:
// x from the left frame as White sits, y up from White's edge. One is 100 SVG units.

export const HEIGHT = 10.6;
const SVG = "http://www.w3.org/2000/svg";

// `turned`: Black's side is at the bottom; `across`: texts of the far half are upside down, for a player opposite;
// `width` is the board's; `mirrored`: White's home is on the left.
export const view = { turned: false, across: false, width: 13, mirrored: false };
const redraws = new Set();

// Changes the view; the functions given to `onViewChange` redraw the boards.
export function changeView(changes) {
  Object.assign(view, changes);
  for (const redraw of redraws) redraw();
}

export function onViewChange(redraw) {
  redraws.add(redraw);
}

const inTenths = (value) => Math.round(10 * value) / 10;

export const across = (x) => inTenths(100 * (view.turned ? view.width - x : x));
export const down = (y) => inTenths(100 * (view.turned ? y : HEIGHT - y));

export function svgElement(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// A rectangle over a box {x, y, width, height}, whose x, y is the lower left corner.
export function rectangle(box, attributes) {
  const [left, right] = [across(box.x), across(box.x + box.width)];
  const [top, bottom] = [down(box.y + box.height), down(box.y)];
  const place = { x: Math.min(left, right), y: Math.min(top, bottom), width: inTenths(100 * box.width), height: inTenths(100 * box.height) };
  return svgElement("rect", { ...place, ...attributes });
}

// A transform to (x, y) that is upright for the reader: with `across`, upside down in the far half.
export function uprightAt(x, y, scale = 1) {
  const far = view.across && down(y) < 50 * HEIGHT;
  return `translate(${across(x)} ${down(y)})${far ? " rotate(180)" : ""}${scale === 1 ? "" : ` scale(${scale})`}`;
}

export function textAt(x, y, className, words) {
  return svgElement("text", { class: className, transform: uprightAt(x, y) }, String(words));
}

// Shows the table from x `from` to x `to`, and `margin` more than its height at both edges (less if negative).
export function showPart(svg, from, to, margin) {
  const [left, right] = [across(from), across(to)].sort((a, b) => a - b);
  const box = `${left} ${-100 * margin - 6} ${right - left} ${100 * (HEIGHT + 2 * margin) + 12}`;
  if (svg.getAttribute("viewBox") !== box) svg.setAttribute("viewBox", box);
}

// The place on the table of a point of the screen.
export function placeAt(svg, { clientX, clientY }) {
  const point = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  return view.turned
    ? { x: view.width - point.x / 100, y: point.y / 100 }
    : { x: point.x / 100, y: HEIGHT - point.y / 100 };
}

// Draws a list of [key, make] into a layer; elements of the same key are kept.
export function redraw(layer, drawn) {
  const there = new Map([...layer.children].map((element) => [element.drawnAs, element]));
  const wanted = drawn.map(([key, make]) => {
    const element = there.get(key) ?? make();
    there.delete(key);
    element.drawnAs = key;
    return element;
  });
  for (const gone of there.values()) gone.remove();
  wanted.forEach((element, n) => {
    if (layer.children[n] !== element) layer.insertBefore(element, layer.children[n] ?? null);
  });
}
