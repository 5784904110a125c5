// The simulated table: checkers that are dragged with mouse, finger or keyboard.

import { HEIGHT, RADIUS, across, backgammon, checkerElement, down, drawMarks, setRight, svgElement } from "./board.js";
import { post } from "./server.js";
import { counted, say } from "./texts.js";

const REACH = 0.8;
const TELL_MS = 150;
const STILL_HERE_MS = 2000;

export function looseTable(svg, { onTrouble, mayAct, speak, kind = backgammon }) {
  const { narrow, wide } = kind.right;
  const layers = kind.drawBoard(svg, { right: narrow });
  const elements = new Map();
  let checkers = [];
  let labels = [];
  let held = null; // {id, x, y, from: {x, y}, pointer}
  let place = null; // the cell the keyboard is at
  let tellSoon = 0;
  let telling = Promise.resolve();
  let stillHere = 0;

  kind.drawTrays(layers.trays, true);

  function draw() {
    const widest = Math.max(0, ...checkers.filter((c) => c.id !== held?.id).map((c) => c.x + RADIUS));
    setRight(svg, widest > narrow - 0.2 ? wide : narrow, kind.frame);
    const known = new Set(checkers.map((c) => c.id));
    for (const [id, element] of elements) {
      if (!known.has(id)) {
        element.remove();
        elements.delete(id);
      }
    }
    const order = [...checkers].sort((a, b) => a.layer - b.layer || b.y - a.y);
    for (const checker of order.filter((c) => c.id !== held?.id)) drawChecker(checker, checker.x, checker.y);
    if (held) drawChecker(checkers.find((c) => c.id === held.id), held.x, held.y);
    drawPlace();
  }

  function drawChecker(checker, x, y) {
    let element = elements.get(checker.id);
    if (!element) {
      element = checkerElement(checker.side, x, y);
      elements.set(checker.id, element);
    }
    const lift = checker.id === held?.id ? 0 : 7 * checker.layer;
    element.setAttribute("transform", `translate(${across(x)} ${down(y) - lift})`);
    element.setAttribute("data-id", checker.id);
    element.classList.toggle("held", checker.id === held?.id);
    element.classList.toggle("upper", checker.layer > 0);
    if (layers.checkers.lastChild !== element) layers.checkers.append(element);
  }

  // ---- carrying -------------------------------------------------------------------------------------------------

  function tell(stillHeld) {
    const { id, x, y } = held;
    const fields = { id, x: clamp(x, -2.5, 19), y: clamp(y, -2.5, HEIGHT + 2.5), held: stillHeld };
    window.clearTimeout(tellSoon);
    tellSoon = 0;
    telling = telling.catch(() => {}).then(() => post("/simulated/drag", fields));
    return telling;
  }

  function pickUp(checker, pointer = null) {
    held = { id: checker.id, x: checker.x, y: checker.y, from: { x: checker.x, y: checker.y }, pointer };
    svg.classList.add("carrying");
    tell(true).catch(onTrouble);
    stillHere = window.setInterval(() => held && tell(true).catch(onTrouble), STILL_HERE_MS);
    draw();
  }

  function carry(x, y) {
    held.x = x;
    held.y = y;
    tellSoon ||= window.setTimeout(() => held && tell(true).catch(onTrouble), TELL_MS);
    draw();
  }

  async function drop(x, y) {
    Object.assign(held, { x, y });
    window.clearInterval(stillHere);
    const answer = tell(false);
    const checker = checkers.find((c) => c.id === held.id);
    Object.assign(checker, { x, y });
    held = null;
    svg.classList.remove("carrying");
    draw();
    try {
      show((await answer).checkers);
    } catch (error) {
      onTrouble(error);
    }
  }

  // ---- mouse and finger -----------------------------------------------------------------------------------------

  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: point.x / 100, y: HEIGHT - point.y / 100 };
  }

  function nearest({ x, y }) {
    const near = checkers
      .map((checker) => ({ checker, away: Math.hypot(checker.x - x, checker.y - y) - 0.3 * checker.layer }))
      .filter(({ away }) => away < REACH)
      .sort((a, b) => a.away - b.away);
    return near[0]?.checker;
  }

  svg.addEventListener("pointerdown", (event) => {
    if (held || event.button !== 0 || !mayAct()) return;
    const checker = nearest(at(event));
    if (!checker) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    pickUp(checker, event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (held?.pointer !== event.pointerId) return;
    const { x, y } = at(event);
    carry(x, y);
  });
  svg.addEventListener("pointerup", (event) => {
    if (held?.pointer !== event.pointerId) return;
    const { x, y } = at(event);
    drop(x, y);
  });
  svg.addEventListener("pointercancel", (event) => {
    if (held?.pointer === event.pointerId) drop(held.from.x, held.from.y);
  });
  // A finger on a checker drags it; anywhere else it scrolls the page.
  svg.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && mayAct() && nearest(at(event.touches[0]))) event.preventDefault();
  }, { passive: false });

  // ---- keyboard -------------------------------------------------------------------------------------------------

  function topOf(cell) {
    const there = checkers.filter((c) => c.id !== held?.id && kind.inside(cell, c));
    return there.sort((a, b) => b.layer - a.layer || kind.fromEdge(cell, b) - kind.fromEdge(cell, a))[0];
  }

  const placeName = () => kind.name(place, labels);

  function countWords(cell) {
    const there = checkers.filter((c) => c.id !== held?.id && kind.inside(cell, c));
    const counts = ["white", "black"].map((side) => [side, there.filter((c) => c.side === side).length]);
    return counts.filter(([, n]) => n).map(([side, n]) => counted(side, n)).join(", ") || say("checkers.empty");
  }

  function go(rowStep, columnStep) {
    if (place === null) place = kind.first;
    else {
      let row = kind.rows.findIndex((cells) => cells.includes(place));
      let column = kind.rows[row].indexOf(place);
      row = clamp(row + rowStep, 0, kind.rows.length - 1);
      column = clamp(column + columnStep, 0, kind.rows[0].length - 1);
      place = kind.rows[row][column];
    }
    if (held) carry(kind.target(place).x, kind.target(place).y);
    else draw();
    speak(say("hand.at", { place: placeName(), what: countWords(place) }));
  }

  function pickOrDrop() {
    if (place === null) return go(0, 0);
    if (held) {
      const { x, y } = kind.target(place);
      drop(x, y);
      return speak(say("hand.dropped", { place: placeName() }));
    }
    const checker = topOf(place);
    if (!checker) return speak(say("hand.empty", { place: placeName() }));
    pickUp(checker);
    return speak(say(`hand.${checker.side}`, { place: placeName() }));
  }

  function putBack() {
    if (!held) return;
    drop(held.from.x, held.from.y);
    speak(say("hand.back"));
  }

  const KEYS = {
    ArrowUp: () => go(-1, 0), ArrowDown: () => go(1, 0), ArrowLeft: () => go(0, -1), ArrowRight: () => go(0, 1),
    Enter: pickOrDrop, " ": pickOrDrop, Escape: putBack,
  };
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key] || !mayAct() || (held && held.pointer !== null)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  svg.addEventListener("blur", () => {
    if (held && held.pointer === null) putBack();
    place = null;
    drawPlace();
  });

  function drawPlace() {
    if (place === null) return layers.over.replaceChildren();
    const box = kind.area(place);
    return layers.over.replaceChildren(svgElement("rect", {
      class: held ? "place carrying" : "place", x: across(box.x), y: down(box.y + box.height), rx: 16,
      width: 100 * box.width, height: 100 * box.height,
    }));
  }

  // ---- from the server ------------------------------------------------------------------------------------------

  function show(newCheckers, newLabels = labels) {
    labels = newLabels;
    kind.drawLabels(layers.labels, labels);
    checkers = newCheckers.map((checker) => (checker.id === held?.id ? { ...checker, x: held.x, y: held.y } : checker));
    if (held && !checkers.some((c) => c.id === held.id)) held = null;
    draw();
  }

  return {
    show,
    mark: (highlighted, doubtful) => drawMarks(layers.marks, highlighted, doubtful, kind.area),
  };
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
