// The seat of this device, by the server; on the screen of both players, they may choose for whom it acts now.

import { keep, kept } from "./kept.js";
import { find } from "./panels.js";
import { ask } from "./server.js";

const PLAYERS = ["white", "black"];
const deviceSeat = () => document.body.dataset.seat; // "white", "black", "both", "none" or "film"

let onChange = () => {};

// "white" or "black" on a device with that player's seat, else "".
export function ownSide() {
  return PLAYERS.includes(deviceSeat()) ? deviceSeat() : "";
}

export function mayAct() {
  return deviceSeat() === "both" || ownSide() !== "";
}

// For whom this screen acts: "white", "black", or "" for both players.
export function seat() {
  return deviceSeat() === "both" ? find("seat")?.value ?? "" : ownSide(); // only the page of the table has the choice
}

// The choice of both players for their screen is stored on this device only.
export function rememberSeat(changed) {
  onChange = changed;
  find("seat").value = kept("seat") ?? "";
  find("seat").addEventListener("change", () => {
    keep("seat", find("seat").value);
    onChange();
  });
}

function become(now) {
  if (deviceSeat() === now) return;
  document.body.dataset.seat = now;
  onChange();
}

export function loseSeat() {
  if (deviceSeat() !== "film") become("none");
}

// Asks for the present seat of this device: a link from another site comes without the cookie, a seat may have been
// removed, and a table that waited for its disk has seats later. A device that may not watch goes to the page of seats.
export async function askForSeat() {
  try {
    const answer = await ask("/seat.json");
    if (!answer.may_watch) window.location.assign("/seat");
    become(answer.film ? "film" : answer.seat ?? "none");
  } catch { /* no connection, which the page shows elsewhere */ }
}

// The state for a device without a seat: without the camera's pictures.
export function withoutPictures(state) {
  if (deviceSeat() !== "none") return state;
  const unseen = (one) => one && { ...one, before: null, after: null };
  return { ...state, picture: null, dispute: unseen(state.dispute), settled: state.settled.map(unseen) };
}
