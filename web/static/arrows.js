// Draws over a board: the play that was made, a play to preview, and the moves of an illegal play.

import { RADIUS, cubeDrawn, diceDrawn, dieElement } from "./drawing.js";
import { across, down, redraw, svgElement, uprightAt } from "./view.js";

const HEAD = 26;
const side01 = (side) => (side === "black" ? 1 : 0);

// The ends {from, to} of every step, on the checkers of a board; `made`: the board shows them after the play.
function ends(kind, board, steps, side, made) {
  const counts = new Map();
  const count = (cell) => counts.get(cell) ?? kind.count(board, cell, side01(side));
  const add = (cell, n) => counts.set(cell, Math.max(count(cell) + n, 0));
  const top = (cell, n) => kind.spot(cell, Math.max(n, 0), Math.max(n + 1, 1));
  const walked = (made ? [...steps].reverse() : steps).map(([from, to]) => {
    if (made) {
      add(to, -1);
      const found = { cells: [from, to], from: top(from, count(from)), to: top(to, count(to)) };
      add(from, 1);
      return found;
    }
    const found = { cells: [from, to], from: top(from, count(from) - 1), to: top(to, count(to)) };
    add(from, -1);
    add(to, 1);
    return found;
  });
  return made ? walked.reverse() : walked;
}

const onScreen = ({ x, y }) => ({ x: across(x), y: down(y) });

function arrow(from, to, className) {
  const [a, b] = [onScreen(from), onScreen(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  const at = (way, off = 0) => `${(a.x + way * along.x - off * along.y).toFixed(1)} ${(a.y + way * along.y + off * along.x).toFixed(1)}`;
  const tip = Math.max(length - 8, 1);
  const neck = Math.max(tip - HEAD, 0);
  return svgElement("path", { class: `arrow ${className}`, d: `M${at(Math.min(18, neck), 4)}L${at(neck, 7)}L${at(neck, 18)}L${at(tip)}L${at(neck, -18)}L${at(neck, -7)}L${at(Math.min(18, neck), -4)}Z` });
}

const ring = ({ x, y }, className) => svgElement("circle", { class: `ring ${className}`, cx: across(x), cy: down(y), r: 100 * RADIUS + 4 });
const key = (...parts) => JSON.stringify(parts);

function ghost(side, { x, y }) {
  return svgElement("circle", { class: `ghost ${side}`, cx: across(x), cy: down(y), r: 100 * RADIUS - 4 });
}

// A play to preview: arrows, rings round the checkers that would move, and ghosts where they would end.
function previewed(kind, board, { steps, side }) {
  const walked = ends(kind, board, steps, side, false);
  const begun = walked.filter(({ cells: [from] }, n) => !walked.slice(0, n).some(({ cells: [, to] }) => to === from));
  const ended = walked.filter(({ cells: [, to] }, n) => !walked.slice(n + 1).some(({ cells: [from] }) => to === from));
  return [
    ...begun.map(({ from }) => [key("leaves", from), () => ring(from, "leaves")]),
    ...ended.map(({ to }) => [key("ghost", side, to), () => ghost(side, to)]),
    ...walked.map(({ from, to }) => [key("looked", from, to), () => arrow(from, to, "looked")]),
  ];
}

const made = (kind, board, { steps, side }) => ends(kind, board, steps, side, true)
  .map(({ from, to }) => [key("made", from, to), () => arrow(from, to, "made")]);

// The distance that a checker moved, with the rolled dice beside it.
function distance(from, to, pips, rolled) {
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const badge = svgElement("g", { class: "distance", transform: uprightAt(x, y) },
    svgElement("circle", { r: 34 }), svgElement("text", {}, pips));
  rolled.forEach((number, n) => badge.append(dieElement(number, "rolled", `translate(${66 + 54 * n} 0)`, 46)));
  return badge;
}

// The moves of an illegal play; a checker that broke a rule has a ring where it stands, or stood.
function wrong(kind, board, { side, moved, rolled }) {
  const whole = moved.filter(({ from, to }) => from !== null && to !== null);
  const walked = ends(kind, board, whole.map(({ from, to }) => [from, to]), side, true);
  const arrows = walked.flatMap(({ from, to }, n) => {
    const { pips, wrong: isWrong } = whole[n];
    const className = isWrong ? "wrong" : "made";
    return [
      [key(className, from, to), () => arrow(from, to, className)],
      ...(isWrong ? [[key("ring", to), () => ring(to, "wrong")]] : []),
      ...(isWrong && pips ? [[key("distance", from, to, pips, rolled), () => distance(from, to, pips, rolled)]] : []),
    ];
  });
  const alone = moved.filter(({ from, to }) => from === null || to === null).map(({ from, to }) => {
    const count = kind.count(board, to ?? from, side01(side));
    const place = kind.spot(to ?? from, Math.max(to === null ? count : count - 1, 0), Math.max(count, 1));
    return [key("alone", from, to, place), () => ring(place, to === null ? "wrong missing" : "wrong")];
  });
  return [...arrows, ...alone];
}

// Draws dice, cube and arrows: `state` is the page's, `preview` a play to preview, if any.
export function decorate(kind, layers, state, preview) {
  const { board, arrows } = state;
  const furniture = [];
  if (kind.dice) {
    furniture.push(...diceDrawn(state.dice, kind.dice));
    if (state.cube) furniture.push(cubeDrawn(state.cube, kind.cube(state.cube)));
  }
  redraw(layers.furniture, furniture);
  if (!board) return layers.arrows.replaceChildren();
  const drawn = preview ? previewed(kind, board, preview)
    : arrows.moved.length ? wrong(kind, board, arrows) : made(kind, board, { steps: arrows.play, side: arrows.side });
  return redraw(layers.arrows, drawn);
}

