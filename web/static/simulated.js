// The simulated table: its checkers are dragged, tapped or moved with the keyboard.

import { decorate } from "./arrows.js";
import { drawMarks } from "./drawing.js";
import { drawnCheckers } from "./drawncheckers.js";
import { post } from "./server.js";
import { counted, say } from "./texts.js";
import { HEIGHT, onViewChange, placeAt, rectangle, redraw, view } from "./view.js";

const REACH = 0.8;
const TAP_PX = 7; // a longer movement is a drag
const TELL_MS = 150;
const STILL_HERE_MS = 2000;

export function simulatedTable(svg, { onTrouble, mayAct, speak, kind }) {
  const drawn = drawnCheckers(kind);
  let layers = null;
  let checkers = [];
  let labels = [];
  let kings = [];
  let marked = [[], []];
  let decorated = null;
  let held = null; // {id, x, y, from: {x, y}}
  let pressed = null; // the checker under a finger: {id, pointer, clientX, clientY, begun, top, moved, timer}
  let tapped = false; // the following click has been handled as a tap
  let chosen = null; // the tapped checker, which goes to the place of the next tap
  let place = null; // the cell the keyboard is at
  let tellSoon = 0;
  let telling = Promise.resolve();
  let stillHere = 0;

  function begin() {
    layers = kind.drawBoard(svg);
    kind.drawTrays(layers.trays, true);
    drawn.clear();
    kind.drawLabels(layers.labels, labels);
    drawMarks(layers.marks, ...marked, kind.area);
    if (decorated) decorate(kind, layers, ...decorated);
    draw();
  }

  function draw() {
    if (!held && !pressed) kind.show(svg, checkers); // not rescaled while a checker is carried
    drawn.draw(layers.checkers, checkers, { held, chosen, kings });
    drawPlace();
  }

  const there = (cell) => checkers.filter((c) => c.id !== held?.id && kind.inside(cell, c));
  const cellAt = (point) => kind.rows.flat().find((cell) => kind.inside(cell, point));

  // ---- carrying -------------------------------------------------------------------------------------------------

  function tell(stillHeld) {
    const { id, x, y } = held;
    const fields = { id, x: clamp(x, -4.5, 19), y: clamp(y, -2.5, HEIGHT + 2.5), held: stillHeld };
    window.clearTimeout(tellSoon);
    tellSoon = 0;
    telling = telling.catch(() => {}).then(() => post("/simulated/drag", fields));
    return telling;
  }

  const inHand = ({ id, x, y }) => ({ id, x, y, from: { x, y } });

  function pickUp(checker) {
    held = inHand(checker);
    svg.classList.add("carrying");
    tell(true).catch(onTrouble);
    stillHere = window.setInterval(() => held && tell(true).catch(onTrouble), STILL_HERE_MS);
    draw();
  }

  function carry({ x, y }) {
    if (held.x === x && held.y === y) return;
    Object.assign(held, { x, y });
    tellSoon ||= window.setTimeout(() => held && tell(true).catch(onTrouble), TELL_MS);
    drawn.carry(held);
  }

  async function drop({ x, y }) {
    const { id, from } = held;
    Object.assign(held, { x, y });
    window.clearInterval(stillHere);
    const answer = tell(false);
    Object.assign(checkers.find((c) => c.id === id), { x, y });
    held = null;
    svg.classList.remove("carrying");
    draw();
    try {
      show((await answer).checkers);
    } catch (error) {
      show(checkers.map((checker) => (checker.id === id ? { ...checker, ...from } : checker))); // the server has not moved it
      onTrouble(error);
    }
  }

  // ---- mouse and finger -----------------------------------------------------------------------------------------

  function nearest({ x, y }) {
    const near = checkers
      .map((checker) => ({ checker, away: Math.hypot(checker.x - x, checker.y - y) - 0.3 * checker.layer }))
      .filter(({ away }) => away < REACH)
      .sort((a, b) => a.away - b.away);
    return near[0]?.checker;
  }

  // If the layout above the board changes, the page scrolls by as much, so that the board stays under the finger.
  function keepUnderFinger() {
    if (!pressed || !held) return;
    const shifted = svg.getBoundingClientRect().top - pressed.top;
    if (shifted) window.scrollBy({ top: shifted, behavior: "instant" });
    if (pressed.moved) carry(placeAt(svg, pressed));
    window.requestAnimationFrame(keepUnderFinger);
  }

  function lift() {
    window.clearTimeout(pressed.timer);
    const checker = checkers.find((c) => c.id === pressed.id);
    if (!checker) return letGo();
    pickUp(checker);
    keepUnderFinger();
  }

  function letGo() {
    window.clearTimeout(pressed.timer);
    pressed = null;
  }

  svg.addEventListener("pointerdown", (event) => {
    tapped = false;
    if (held || pressed || event.button !== 0 || !mayAct()) return;
    const checker = nearest(placeAt(svg, event));
    if (!checker) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    const { pointerId: pointer, clientX, clientY } = event;
    const top = svg.getBoundingClientRect().top;
    pressed = { id: checker.id, pointer, clientX, clientY, begun: { clientX, clientY }, top, moved: false, timer: window.setTimeout(lift, TELL_MS) };
  });
  svg.addEventListener("pointermove", (event) => {
    if (pressed?.pointer !== event.pointerId) return;
    const { clientX, clientY } = event;
    Object.assign(pressed, { clientX, clientY });
    pressed.moved ||= Math.hypot(clientX - pressed.begun.clientX, clientY - pressed.begun.clientY) > TAP_PX;
    if (!pressed.moved) return;
    choose(null);
    if (!held) lift();
    if (held) carry(placeAt(svg, event));
  });
  svg.addEventListener("pointerup", (event) => {
    if (pressed?.pointer !== event.pointerId) return;
    const { id, moved } = pressed;
    letGo();
    if (held && moved) return drop(placeAt(svg, event));
    if (held) drop(held.from);
    tapped = true;
    return tap(placeAt(svg, event), checkers.find((c) => c.id === id));
  });
  svg.addEventListener("pointercancel", (event) => {
    if (pressed?.pointer !== event.pointerId) return;
    letGo();
    if (held) drop(held.from);
  });
  // A finger on a checker drags it; anywhere else it scrolls the page.
  svg.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && mayAct() && nearest(placeAt(svg, event.touches[0]))) event.preventDefault();
  }, { passive: false });

  // ---- a tap on a checker, and one on its destination ------------------------------------------------------------

  function choose(id) {
    if (chosen === id) return;
    chosen = id;
    drawn.choose(chosen);
  }

  function tap(point, checker) {
    const cell = cellAt(point);
    const one = checkers.find((c) => c.id === chosen);
    if (!one) {
      if (!checker) return;
      choose(checker.id);
      return speak(say(`hand.${checker.side}`, { place: kind.name(cellAt(checker) ?? cell, labels) }));
    }
    choose(null);
    if (cell === undefined || kind.inside(cell, one)) return speak(say("hand.back"));
    held = inHand(one);
    drop(kind.target(cell));
    return speak(say("hand.dropped", { place: kind.name(cell, labels) }));
  }

  svg.addEventListener("click", (event) => {
    if (!tapped && chosen !== null && !held && mayAct()) tap(placeAt(svg, event));
  });

  // ---- keyboard -------------------------------------------------------------------------------------------------

  const placeName = () => kind.name(place, labels);

  function topOf(cell) {
    return there(cell).sort((a, b) => b.layer - a.layer || kind.fromEdge(cell, b) - kind.fromEdge(cell, a))[0];
  }

  function countWords(cell) {
    const counts = ["white", "black"].map((side) => [side, there(cell).filter((c) => c.side === side).length]);
    return counts.filter(([, n]) => n).map(([side, n]) => counted(side, n)).join(", ") || say("checkers.empty");
  }

  function go(rowStep, columnStep) {
    const way = view.turned ? -1 : 1;
    if (place === null) place = kind.first;
    else {
      let row = kind.rows.findIndex((cells) => cells.includes(place));
      let column = kind.rows[row].indexOf(place);
      row = clamp(row + way * rowStep, 0, kind.rows.length - 1);
      column = clamp(column + way * columnStep, 0, kind.rows[0].length - 1);
      place = kind.rows[row][column];
    }
    if (held) carry(kind.target(place));
    drawPlace();
    speak(say("hand.at", { place: placeName(), what: countWords(place) }));
  }

  function pickOrDrop() {
    if (place === null) return go(0, 0);
    if (held) {
      drop(kind.target(place));
      return speak(say("hand.dropped", { place: placeName() }));
    }
    const checker = topOf(place);
    if (!checker) return speak(say("hand.empty", { place: placeName() }));
    choose(null);
    pickUp(checker);
    return speak(say(`hand.${checker.side}`, { place: placeName() }));
  }

  function putBack() {
    choose(null);
    if (!held) return;
    drop(held.from);
    speak(say("hand.back"));
  }

  const KEYS = {
    ArrowUp: () => go(-1, 0), ArrowDown: () => go(1, 0), ArrowLeft: () => go(0, -1), ArrowRight: () => go(0, 1),
    Enter: pickOrDrop, " ": pickOrDrop, Escape: putBack,
  };
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key] || !mayAct() || pressed) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  svg.addEventListener("blur", () => {
    if (held && !pressed) putBack();
    place = null;
    drawPlace();
  });

  function drawPlace() {
    redraw(layers.over, place === null ? [] : [[`${place} ${Boolean(held)}`,
      () => rectangle(kind.area(place), { class: held ? "place carrying" : "place", rx: 16 })]]);
  }

  // ---- from the server ------------------------------------------------------------------------------------------

  function show(newCheckers, newLabels = labels, newKings = kings) {
    labels = newLabels;
    kings = newKings;
    kind.drawLabels(layers.labels, labels);
    checkers = newCheckers.map((checker) => (checker.id === held?.id ? { ...checker, x: held.x, y: held.y } : checker));
    if (held && !checkers.some((c) => c.id === held.id)) held = null;
    draw();
  }

  onViewChange(begin);
  begin();

  return {
    show,
    mark(...cells) {
      marked = cells;
      drawMarks(layers.marks, ...marked, kind.area);
    },
    decorate(...what) {
      decorated = what;
      decorate(kind, layers, ...what);
    },
  };
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
