// The board as it was read: checkers from counts, doubtful and highlighted cells.

import {
  BLACK_BAR, BLACK_OFF, WHITE_BAR, WHITE_OFF, across, area, checkerElement, down, drawBoard, drawLabels, drawMarks,
  drawTrays, seat, svgElement,
} from "./board.js";

const SIDES = ["white", "black"];
const SLAB = 0.3;

export function reading(svg) {
  const layers = drawBoard(svg);

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

  return function show(board) {
    svg.classList.toggle("stale", !board?.live);
    svg.setAttribute("aria-label", board ? board.words : "No board read yet");
    if (!board) {
      for (const layer of Object.values(layers)) layer.replaceChildren();
      return;
    }
    drawLabels(layers.labels, board.labels);
    drawTrays(layers.trays);
    drawMarks(layers.marks, board.highlighted, board.doubtful);
    layers.checkers.replaceChildren(
      ...board.points.flatMap((content, cell) => checkersOf(cell, content)),
      ...checkersOf(WHITE_BAR, [board.bar[0], 0]),
      ...checkersOf(BLACK_BAR, [0, board.bar[1]]),
      ...(board.off ? SIDES.flatMap((side, k) => borneOff(side, board.off[k])) : []),
    );
  };
}
