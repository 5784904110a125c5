// Whose seat this device has: the server says so, and on the screen of both players they may say whose it is just now.

import { keep, kept } from "./kept.js";
import { ask } from "./server.js";

const PLAYERS = ["white", "black"];

const find = (id) => document.getElementById(id);
let onChange = () => {};

function has() {
  return document.body.dataset.seat;
}

// "white" or "black" on a device with that player's seat, else "".
export function settled() {
  return PLAYERS.includes(has()) ? has() : "";
}

export function mayAct() {
  return has() === "both" || settled() !== "";
}

// For whom this screen acts: "white", "black", or "" where both players look at it.
export function seat() {
  return has() === "both" ? find("seat")?.value ?? "" : settled(); // other pages than the table's do not ask
}

// What both say of their screen is kept on this device only.
export function rememberSeat(changed) {
  onChange = changed;
  find("seat").value = kept("seat") ?? "";
  find("seat").addEventListener("change", () => {
    keep("seat", find("seat").value);
    onChange();
  });
}

function become(now) {
  if (has() === now) return;
  document.body.dataset.seat = now;
  onChange();
}

export function loseSeat() {
  if (has() !== "film") become("none");
}

// Asks which seat this device has by now: a link from another site comes without the cookie, a seat may have been taken
// away, and a table that only waited for its disk has seats later. Who may no longer watch is led to the seats.
export async function askForSeat() {
  try {
    const answer = await ask("/seat.json");
    if (!answer.may_watch) window.location.assign("/seat");
    become(answer.film ? "film" : answer.seat ?? "none");
  } catch { /* no connection: the page says so elsewhere */ }
}

// The same state for a device that may not see into the room: without the camera's pictures.
export function withoutTheRoom(state) {
  if (has() !== "none") return state;
  const unseen = (one) => one && { ...one, before: null, after: null };
  return { ...state, picture: null, dispute: unseen(state.dispute), settled: state.settled.map(unseen) };
}
