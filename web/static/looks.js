// How this device looks at the board: its theme, whose side is at the bottom, and whether both sides read it.

import { keep, kept } from "./kept.js";
import { settled } from "./seats.js";
import { turnView, view } from "./view.js";

const find = (id) => document.getElementById(id);
const root = document.documentElement;

// Black's player sees Black's side at the bottom, until the board is turned round on this device.
const isTurned = () => (kept("turned") ?? (settled() === "black" ? "yes" : "no")) === "yes";

function show() {
  root.dataset.board = kept("theme") ?? "";
  find("board-theme").value = root.dataset.board;
  find("flip").setAttribute("aria-pressed", view.turned);
  find("across").setAttribute("aria-pressed", view.across);
  root.classList.toggle("across", view.across);
}

export function turnRound() {
  keep("turned", view.turned ? "no" : "yes");
  turnView({ turned: !view.turned });
  show();
}

// Begins to look at a board of that width; `lies` is how the state says that it lies.
export function lookAt({ width }, { mirrored }) {
  Object.assign(view, { width, mirrored, turned: isTurned(), across: kept("across") === "yes" });
  find("board-theme").addEventListener("change", (event) => {
    keep("theme", event.target.value);
    show();
  });
  find("flip").addEventListener("click", turnRound);
  find("across").addEventListener("click", () => {
    keep("across", view.across ? "no" : "yes");
    turnView({ across: !view.across });
    show();
  });
  show();
}

// A device that takes or loses a seat may see the board from another side.
export function seatTaken() {
  if (view.turned === isTurned()) return;
  turnView({ turned: isTurned() });
  show();
}
