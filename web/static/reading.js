// The board as it was read: checkers from counts, doubtful and highlighted cells.

import { backgammon, drawMarks } from "./board.js";
import { say } from "./texts.js";

export function reading(svg, kind = backgammon) {
  const layers = kind.drawBoard(svg);

  return function show(board) {
    svg.classList.toggle("stale", !board?.live);
    svg.setAttribute("aria-label", board ? board.words : say("board.none"));
    if (!board) {
      for (const layer of Object.values(layers)) layer.replaceChildren();
      return;
    }
    kind.drawLabels(layers.labels, board.labels);
    kind.drawTrays(layers.trays);
    drawMarks(layers.marks, board.highlighted, board.doubtful, kind.area);
    layers.checkers.replaceChildren(...kind.pieces(board));
  };
}
