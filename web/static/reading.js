// The board as it was read: checkers by counts, doubtful and highlighted cells.

import { decorate } from "./arrows.js";
import { drawMarks } from "./drawing.js";
import { say } from "./texts.js";
import { onViewChange, redraw } from "./view.js";

// Returns a function that shows a board; its `decorate` draws dice, cube and arrows.
export function reading(svg, kind) {
  let layers = null;
  let shown = null;
  let decorated = null;

  function show(board) {
    shown = board;
    svg.classList.toggle("stale", !board?.live);
    svg.setAttribute("aria-label", board ? board.words : say("board.none"));
    if (!board) {
      for (const layer of Object.values(layers)) layer.replaceChildren();
      return;
    }
    kind.drawLabels(layers.labels, board.labels);
    if (!layers.trays.hasChildNodes()) kind.drawTrays(layers.trays);
    drawMarks(layers.marks, board.highlighted, board.doubtful, kind.area);
    redraw(layers.checkers, kind.pieces(board));
  }

  show.decorate = (...what) => {
    decorated = what;
    decorate(kind, layers, ...what);
  };

  function begin() {
    layers = kind.drawBoard(svg);
    kind.show(svg);
  }

  onViewChange(() => {
    begin();
    if (shown) show(shown);
    if (decorated) show.decorate(...decorated);
  });
  begin();
  return show;
}
