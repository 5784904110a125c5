// The SVG elements of the simulated table's checkers, in the order in which they lie on each other.

import { checkerElement } from "./drawing.js";
import { across, down } from "./view.js";

export function drawnCheckers(kind) {
  const elements = new Map();

  function draw(layer, checkers, { held, chosen, kings }) {
    const known = new Map(checkers.map((c) => [c.id, c.side])); // a new set-up numbers its checkers anew
    for (const [id, element] of elements) {
      if (known.get(id) === element.dataset.side) continue;
      element.remove();
      elements.delete(id);
    }
    const order = [...checkers].sort((a, b) => (a.id === held?.id) - (b.id === held?.id) || a.layer - b.layer || b.y - a.y);
    order.map((checker) => drawOne(checker, held, kings)).forEach((element, n) => layer.children[n] !== element && layer.insertBefore(element, layer.children[n] ?? null));
    choose(chosen);
  }

  function drawOne(checker, held, kings) {
    const isHeld = checker.id === held?.id;
    let element = elements.get(checker.id);
    if (!element) {
      element = (kind.element ?? checkerElement)(checker.side, checker.x, checker.y);
      element.dataset.id = checker.id;
      element.dataset.side = checker.side;
      elements.set(checker.id, element);
    }
    if (isHeld) carry(held);
    else move(element, checker, 7 * checker.layer);
    element.classList.toggle("held", isHeld);
    element.classList.toggle("upper", checker.layer > 0);
    kind.crowned?.(element, !isHeld && checker.layer > 0 && kings.some((cell) => kind.inside(cell, checker)));
    return element;
  }

  function move(element, { x, y }, lift) {
    const to = `translate(${across(x)} ${down(y) - lift})`;
    element.style.transform = "";
    if (element.getAttribute("transform") !== to) element.setAttribute("transform", to);
  }

  // A carried checker has its own compositor layer (board.css): moving it by a style causes no layout or painting.
  function carry({ id, x, y }) {
    elements.get(id).style.transform = `translate(${across(x)}px, ${down(y)}px)`;
  }

  function choose(id) {
    for (const [one, element] of elements) element.classList.toggle("chosen", one === id);
  }

  return { draw, carry, choose, clear: () => elements.clear() };
}
