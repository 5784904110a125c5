// How this device shows the board: its theme, which side is at the bottom, and whether it is read from both sides.

import { keep, kept } from "./kept.js";
import { find } from "./panels.js";
import { ownSide } from "./seats.js";
import { changeView, view } from "./view.js";

const root = document.documentElement;

// On Black's device, Black's side is at the bottom, unless the board was turned round there.
const isTurned = () => (kept("turned") ?? (ownSide() === "black" ? "yes" : "no")) === "yes";

function show() {
  root.dataset.board = kept("theme") ?? "";
  find("board-theme").value = root.dataset.board;
  find("flip").setAttribute("aria-pressed", view.turned);
  find("across").setAttribute("aria-pressed", view.across);
  root.classList.toggle("across", view.across);
}

export function turnRound() {
  keep("turned", view.turned ? "no" : "yes");
  changeView({ turned: !view.turned });
  show();
}

// Prepares the view for a kind of board; `mirrored`: White's home is on the left.
export function startView({ width }, { mirrored }) {
  Object.assign(view, { width, mirrored, turned: isTurned(), across: kept("across") === "yes" });
  find("board-theme").addEventListener("change", (event) => {
    keep("theme", event.target.value);
    show();
  });
  find("flip").addEventListener("click", turnRound);
  find("across").addEventListener("click", () => {
    keep("across", view.across ? "no" : "yes");
    changeView({ across: !view.across });
    show();
  });
  show();
}

// A device that takes or loses a seat may show another side at the bottom.
export function seatChanged() {
  if (view.turned === isTurned()) return;
  changeView({ turned: isTurned() });
  show();
}
